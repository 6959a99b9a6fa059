from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.truth.digests import identity
from leeboard.truth.digests.identity import BLOCK, CTIME, DEVICE, INODE, MTIME, SIZE, Sight

words = st.integers(-(2**63), 2**63 - 1)


@pytest.fixture(params=["statx", "stat"])
def sight(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Sight:
    """Both ways of looking."""
    if request.param == "stat":
        monkeypatch.setattr(identity, "_calls", [None])
    return Sight()


@pytest.fixture
def folder(tmp_path: Path) -> int:
    for number in range(BLOCK + 3):
        (tmp_path / f"{number:04}").write_bytes(b"x" * number)
    (tmp_path / "link").symlink_to("0001")
    return os.open(tmp_path, os.O_RDONLY)


def test_it_sees_what_the_system_says(sight: Sight, folder: int) -> None:
    names = sorted(map(os.fsencode, os.listdir(folder)))
    for name, (row, mode, links) in zip(names, sight.look(folder, names), strict=True):
        seen = os.stat(name, dir_fd=folder, follow_symlinks=False)
        assert (row[INODE], row[SIZE], mode, links) == (seen.st_ino, seen.st_size, seen.st_mode, seen.st_nlink)
        assert identity.nanoseconds(row, MTIME) == seen.st_mtime_ns
        assert identity.nanoseconds(row, CTIME) == seen.st_ctime_ns
    os.close(folder)


def test_columns_hold_what_rows_say(sight: Sight, folder: int) -> None:
    names = sorted(map(os.fsencode, os.listdir(folder)))
    found = sight.identities(folder, names)
    rows = [row for row, _, _ in sight.look(folder, names)]
    assert list(identity.rows(found)) == rows
    assert identity.columns(rows) == found
    assert [identity.row_at(found, number) for number in (0, BLOCK - 1, BLOCK, len(names) - 1)] == [
        rows[number] for number in (0, BLOCK - 1, BLOCK, len(names) - 1)
    ]
    os.close(folder)


def test_one_that_is_gone_shows(sight: Sight, folder: int) -> None:
    assert sight.identities(folder, [b"0001", b"gone"]) == b""
    assert [bool(mode) for _, mode, _ in sight.look(folder, [b"0001", b"gone"])] == [True, False]
    assert sight.identities(folder, []) == b""
    os.close(folder)


def test_an_open_file_looks_like_its_name(sight: Sight, folder: int) -> None:
    file = os.open("0007", os.O_RDONLY, dir_fd=folder)
    ((row, mode, _),) = sight.look(folder, [b"0007"])
    assert sight.opened(file) == (row, mode)
    sight.note(file, 1)
    assert list(identity.rows(sight.noted(2)))[1] == row
    assert sight.all_ordinary(2)
    assert not sight.any_shared(2)
    os.link("0007", "second", src_dir_fd=folder, dst_dir_fd=folder)
    sight.note(file, 0)
    assert sight.any_shared(1)
    sight.note(folder, 1)
    assert not sight.all_ordinary(2)
    os.close(file)
    os.close(folder)


def test_paths_can_be_looked_at(sight: Sight, tmp_path: Path) -> None:
    ((row, mode, _),) = sight.look(identity.HERE, [os.fsencode(tmp_path)])
    assert stat.S_ISDIR(mode)
    assert row[INODE] == tmp_path.stat().st_ino


@given(st.lists(st.tuples(*[words] * identity.FIELDS), max_size=5))
def test_columns_and_rows_are_each_others_reverse(rows: list[tuple[int, ...]]) -> None:
    assert list(identity.rows(identity.columns(rows))) == rows


def test_nothing_looks_blank() -> None:
    assert len(identity.BLANK) == identity.FIELDS
    assert identity.nanoseconds(identity.BLANK, CTIME) < 0
    assert (identity.kind() in {"statx", "stat"}, DEVICE) == (True, 6)
