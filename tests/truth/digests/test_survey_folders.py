from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from leeboard.truth.digests import identity
from leeboard.truth.digests.survey import Lookout, Survey


@pytest.fixture
def top(tmp_path: Path) -> int:
    for path in ("a/b/c", "d"):
        (tmp_path / path).mkdir(parents=True)
    return os.open(tmp_path, os.O_RDONLY)


def lookout(deadline: float = float("inf")) -> Lookout:
    return Lookout(deadline, lambda: time.time_ns() + 10 * identity.WINDOW, lambda _name: None)


def survey(top: int, known: Survey | None = None, deadline: float = float("inf")) -> Survey:
    return Survey(top, known.folders if known else {}, lookout(deadline), lambda _path: "ext4")


def test_a_walk_reaches_everything_in_order(top: int) -> None:
    found = survey(top)
    found.relook({b""})
    found.finish()
    assert list(found.folders) == [b"", b"a", b"a/b", b"a/b/c", b"d"]
    os.close(top)


def test_what_went_and_came_shows_in_the_folder_above(top: int, tmp_path: Path) -> None:
    first = survey(top)
    first.relook({b""})
    first.finish()
    (tmp_path / "a" / "b").rename(tmp_path / "d" / "b")
    (tmp_path / "a" / "b").symlink_to("../d/b")
    for stale in ({b"a/b"}, {b"a"}, {b"a", b"a/b", b"a/b/c"}):
        second = survey(top, first)
        second.relook(stale | {b"d"})
        for draft in second.drafts.values():
            draft.files, draft.others = [], []
        second.finish()
        assert list(second.folders) == [b"", b"a", b"d", b"d/b", b"d/b/c"]
    os.close(top)


def test_without_time_what_is_known_stays_and_is_unseen(top: int) -> None:
    first = survey(top)
    first.relook({b""})
    first.finish()
    second = survey(top, first, deadline=-1.0)
    second.relook({b"a", b"new"})
    second.finish()
    assert second.unseen == {b"a", b"new"}
    assert second.folders[b"a"] == first.folders[b"a"]
    os.close(top)
