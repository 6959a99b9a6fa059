from __future__ import annotations

import os
from pathlib import Path

import pytest

from leeboard.io import system


def test_a_lock_is_had_by_one_at_a_time_and_shared_by_several(tmp_path: Path) -> None:
    one, two, three = (os.open(tmp_path / "lock", os.O_RDWR | os.O_CREAT) for _ in range(3))
    system.lock(one)
    with pytest.raises(BlockingIOError):
        system.lock(two)
    with pytest.raises(BlockingIOError):
        system.lock(two, shared=True)
    os.close(one)
    system.lock(two, shared=True)
    system.lock(three, shared=True)
    os.close(two)
    system.lock(three, wait=True)
    os.close(three)


def test_bytes_at_a_place_leave_the_file_where_it_was(tmp_path: Path) -> None:
    file = os.open(tmp_path / "a", os.O_RDWR | os.O_CREAT)
    os.write(file, b"abcdef")
    assert (system.write_at(file, b"X", 1), system.read_at(file, 3, 0)) == (1, b"aXc")
    assert os.lseek(file, 0, os.SEEK_CUR) == 6
    system.set_mode(file, 0o600)
    assert os.fstat(file).st_mode & 0o777 == 0o600
    os.close(file)


def test_a_folder_is_private_where_nobody_else_may_enter(tmp_path: Path) -> None:
    for mode, private in ((0o700, True), (0o750, False)):
        tmp_path.chmod(mode)
        assert system.is_private(tmp_path.stat()) is private
    assert system.user() == tmp_path.stat().st_uid


@pytest.mark.parametrize(
    ("ours", "path", "spelled"),
    [
        ("windows", "C:\\Users\\me\\repo", "C:/Users/me/repo"),
        ("windows", "\\\\server\\share\\x", "//server/share/x"),
        ("posix", "/home/me/a\\b", "/home/me/a\\b"),
    ],
)
def test_names_have_slashes(ours: str, path: str, spelled: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "OURS", ours)
    assert system.slashed(path) == spelled


def test_places_are_found_as_the_system_finds_them(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "a\\b")
    assert system.realpath(f"{tmp_path}/link") == f"{tmp_path.resolve()}/a\\b"
    assert system.abspath(f"{tmp_path}/x/../y") == f"{tmp_path}/y"
    assert system.relpath(f"{tmp_path}/x", f"{tmp_path}/y") == "../x"
    assert system.expanduser("~/a") == str(Path("~/a").expanduser())


@pytest.mark.parametrize(
    ("env", "home"), [({"HOME": "/home/me"}, "/home/me"), ({"USERPROFILE": "C:/Users/me"}, "C:/Users/me"), ({}, "")]
)
def test_the_home_is_what_either_system_says(env: dict[str, str], home: str) -> None:
    assert system.home(env) == home
