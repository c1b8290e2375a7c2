from __future__ import annotations

import errno
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.core.exceptions import ImproperlyConfigured

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

    with pytest.raises(ImproperlyConfigured, match="holds no key"):
        secret_key(tmp_path)


@pytest.mark.parametrize("below", ["", "further/data"])
def test_a_folder_that_is_a_file_is_refused_in_a_sentence(tmp_path, below):
    (tmp_path / "data").write_text("")
    folder = tmp_path / "data" / below

    with pytest.raises(ImproperlyConfigured) as refused:
        secret_key(folder)

    reason = "Not a directory" if below else "File exists"
    assert str(refused.value) == (
        f"KOMPPA_DATA must be a folder that Komppa can write to: {folder} ({reason})"
    )


def test_a_folder_on_a_read_only_disk_is_refused_in_a_sentence(tmp_path, monkeypatch):
    def read_only(*_arguments):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr("komppa.datafolder.os.open", read_only)

    with pytest.raises(ImproperlyConfigured, match=r"\(Read-only file system\)$"):
        secret_key(tmp_path)


def test_a_key_on_a_read_only_disk_is_read(tmp_path, monkeypatch):
    key = secret_key(tmp_path)
    tmp_path.chmod(0o500)

    assert secret_key(tmp_path) == key

    tmp_path.chmod(0o700)
