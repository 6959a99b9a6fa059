"""Only regular files are read, without waiting, and up to a size."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from leeboard.errors import EffectError
from leeboard.io.file import file_lock, is_forbidden, open_regular, read_regular


def test_a_file_is_read_whole(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abc")
    assert read_regular(str(tmp_path / "a"), 3) == b"abc"
    assert read_regular(os.fsencode(tmp_path / "a"), 10) == b"abc"


def test_what_is_larger_is_an_error_and_not_a_part(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abcd")
    with pytest.raises(OSError, match="larger than 3 bytes"):
        read_regular(str(tmp_path / "a"), 3)


def test_a_file_that_says_it_is_empty_is_bounded_too() -> None:
    assert b"Name:" in read_regular("/proc/self/status", 1 << 20)
    with pytest.raises(OSError, match="larger"):
        read_regular("/proc/self/status", 10)


@pytest.mark.parametrize("follow", [False, True])
def test_what_is_no_regular_file_is_never_waited_for(tmp_path: Path, *, follow: bool) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "folder").mkdir()
    (tmp_path / "zero").symlink_to("/dev/zero")
    (tmp_path / "pipe").symlink_to("fifo")
    for name in ("fifo", "folder", "zero", "pipe"):
        with pytest.raises(OSError):
            read_regular(str(tmp_path / name), 10, follow=follow)


def test_a_link_is_followed_only_where_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abc")
    (tmp_path / "link").symlink_to("a")
    with pytest.raises(OSError):
        read_regular(str(tmp_path / "link"), 10)
    assert read_regular(str(tmp_path / "link"), 10, follow=True) == b"abc"


def test_a_name_that_can_not_be_one_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="null"):
        read_regular("a\0b", 10)
    with pytest.raises(FileNotFoundError):
        read_regular(str(tmp_path / "none"), 10)


def test_relative_to_an_open_folder(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abc")
    around = os.open(tmp_path, os.O_RDONLY)
    file = open_regular("a", around=around)
    assert os.read(file, 10) == b"abc"
    assert not os.get_inheritable(file)
    os.close(file)
    os.close(around)


@pytest.mark.parametrize(("number", "forbidden"), [(errno.EROFS, True), (errno.EACCES, True), (errno.ENOSPC, False)])
def test_a_place_that_may_not_be_written_is_told_from_one_that_fails(number: int, *, forbidden: bool) -> None:
    error = EffectError("can not open the lock")
    error.__cause__ = OSError(number, os.strerror(number))
    assert is_forbidden(error) is forbidden


def test_a_lock_in_a_folder_that_is_missing_is_no_matter_of_permission(tmp_path: Path) -> None:
    with pytest.raises(EffectError, match="can not open the lock") as raised, file_lock(str(tmp_path / "a" / "b")):
        pass
    assert not is_forbidden(raised.value)
