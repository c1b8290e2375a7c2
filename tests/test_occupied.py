from __future__ import annotations

import pytest

from komppa import occupied
from komppa.errors import Refusal


def test_servers_share_a_folder(tmp_path):
    with (
        occupied.serving(tmp_path),
        occupied.serving(tmp_path),
        pytest.raises(Refusal, match="on käynnissä"),
        occupied.alone(tmp_path),
    ):
        pass
    with occupied.alone(tmp_path):
        pass


def test_nobody_serves_a_folder_that_is_being_restored(tmp_path):
    with occupied.alone(tmp_path):
        for act in (occupied.serving, occupied.alone):
            with pytest.raises(Refusal), act(tmp_path):
                pass


def test_a_folder_is_made_where_there_is_none(tmp_path):
    with occupied.serving(tmp_path / "data"):
        assert (tmp_path / "data").is_dir()
