from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from komppa.datafolder import secret_key


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_secret_key_is_made_for_its_owner_alone(tmp_path):
    folder = tmp_path / "further" / "data"

    key = secret_key(folder)

    assert len(key) >= 50
    assert (mode(folder), mode(folder / "secret_key")) == (0o700, 0o600)


def test_secret_key_stays_the_same(tmp_path):
    assert secret_key(tmp_path) == secret_key(tmp_path)


def test_secret_key_differs_between_installations(tmp_path):
    assert secret_key(tmp_path / "one") != secret_key(tmp_path / "other")


def test_secret_key_is_one_for_all_that_start_at_once(tmp_path):
    barrier = Barrier(8)

    def start(_number):
        barrier.wait()
        return secret_key(tmp_path)

    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(start, range(8)))

    assert keys == {(tmp_path / "secret_key").read_text()}


@pytest.mark.parametrize("content", ["", "short\n"])
def test_secret_key_refuses_a_file_that_holds_none(tmp_path, content):
    (tmp_path / "secret_key").write_text(content)

    with pytest.raises(RuntimeError, match="holds no key"):
        secret_key(tmp_path)
