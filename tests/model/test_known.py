from __future__ import annotations

import pytest

from leeboard.model.known import Known, Ranges


@pytest.mark.parametrize(
    ("count", "seen", "whole"),
    [(0, (), True), (3, ((1, 3),), True), (3, ((1, 2),), False), (3, (), False), (3, ((1, 1), (3, 3)), False)],
)
def test_whether_all_of_a_file_was_seen(count: int, seen: Ranges, *, whole: bool) -> None:
    known = Known(session="s", agent="", path="a.py", root="/repo", digest="d", count=count, seen=seen)
    assert known.is_whole is whole
