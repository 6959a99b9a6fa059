from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.truth.digests import identity
from leeboard.truth.digests.identity import (
    BLANK,
    WINDOW,
    Mounts,
    Stamp,
    all_settled,
    columns,
    is_settled,
    rows,
    settled,
    settled_block,
    stamp,
    was_set_back,
)

SECOND = 1_000_000_000
ROW = (7, 5, 100, 4, 90, 3, 1)
"""Changed in second 100, written in second 90."""

CLOCKS: list[tuple[Stamp, Stamp, bool]] = [
    ((10 * SECOND, 0, "a"), (9 * SECOND, 5 * SECOND, "a"), True),
    ((10 * SECOND, 0, "a"), (9 * SECOND, 5 * SECOND, "b"), True),
    ((10 * SECOND, 0, "a"), (15 * SECOND, 5 * SECOND, "a"), False),
    ((10 * SECOND, 0, "a"), (15 * SECOND, 60 * SECOND, "a"), True),
    ((10 * SECOND, 0, "a"), (15 * SECOND, 60 * SECOND, "b"), False),
    ((10 * SECOND, 0, "a"), (500 * SECOND, 60 * SECOND, "a"), False),
    ((0, 0, "a"), (86_370 * SECOND, 86_400 * SECOND, "a"), False),
    ((0, 0, "a"), (86_300 * SECOND, 86_400 * SECOND, "a"), True),
    ((0, 50, "a"), (SECOND, 40, "a"), True),
]


@pytest.mark.parametrize(("before", "now", "set_back"), CLOCKS)
def test_a_clock_that_was_set_back_shows(before: Stamp, now: Stamp, set_back: bool) -> None:  # noqa: FBT001 - a table
    assert was_set_back(before, now) is set_back


def test_a_stamp_is_not_before_itself() -> None:
    assert not was_set_back(stamp(5), stamp(5 + SECOND))


@pytest.mark.parametrize(
    ("moment", "rests"), [(100 * SECOND, False), (100 * SECOND + WINDOW + 4, False), (100 * SECOND + WINDOW + 5, True)]
)
def test_what_was_read_a_moment_after_its_change_is_not_relied_on(moment: int, rests: bool) -> None:  # noqa: FBT001 - a table
    assert is_settled(ROW, moment) is rests
    assert (settled(ROW, moment, 1) == ROW) is rests


def test_what_is_not_relied_on_keeps_its_size_and_time() -> None:
    later = 200 * SECOND
    assert settled(ROW, later, 2) == (7, 5, 100, BLANK[3], 90, 3, 1)
    assert settled(ROW, later, None) == ROW
    assert settled(ROW, 0, None) != ROW


def test_a_block_is_relied_on_when_each_of_it_is() -> None:
    later = 200 * SECOND
    fresh, elsewhere, ahead = (8, 5, 199, 0, 90, 3, 1), (8, 5, 100, 0, 90, 3, 2), (8, 5, 100, 0, 900, 3, 1)
    assert all_settled(columns([ROW, ROW]), later, 1)
    assert all_settled(columns([ROW, elsewhere]), later, None)
    for odd in (fresh, elsewhere, ahead):
        assert not all_settled(columns([ROW, odd]), later, 1)


@pytest.mark.parametrize("device", [None, 1, 2])
def test_of_a_block_each_is_kept_as_it_would_be_alone(device: int | None) -> None:
    later = 200 * SECOND
    found = [ROW, (8, 5, 199, 0, 90, 3, 1), (8, 5, 100, 0, 90, 3, 2), (8, 5, 100, 0, 900, 3, 1), ROW]
    assert list(rows(settled_block(columns(found), later, device))) == [settled(row, later, device) for row in found]


def test_mounts_are_found_by_the_longest_point_above(tmp_path: Path) -> None:
    text = (
        "21 1 8:1 / / rw - ext4 /dev/a rw\n"
        f"22 21 0:5 / {tmp_path}/one\\040two rw shared:1 - nfs4 host:/ rw\n"
        f"23 21 0:6 / {tmp_path}/over rw - ext4 /dev/b rw\n"
        f"24 21 0:7 / {tmp_path}/over rw - fuse.sshfs host:/ rw\n"
        "nonsense\n"
    )
    mounts = Mounts()
    mounts._at = identity._parsed(text)
    found = [mounts.system(f"{tmp_path}{path}") for path in ("", "/one two/deep", "/one twos", "/over/x")]
    assert found == ["ext4", "nfs4", "ext4", "fuse.sshfs"]
    assert [mounts.is_local(f"{tmp_path}{path}") for path in ("", "/over")] == [True, False]


def test_a_system_that_tells_nothing_is_not_relied_on() -> None:
    mounts = Mounts()
    mounts._at = {}
    assert not mounts.is_local("/")
