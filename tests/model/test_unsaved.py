"""Where nobody knows, nothing is told."""

from __future__ import annotations

from leeboard.model.unsaved import NOBODY_KNOWS


def test_nobody_knows_is_never_nothing() -> None:
    told = (
        NOBODY_KNOWS.tree("/"),
        NOBODY_KNOWS.refs("/"),
        NOBODY_KNOWS.commits("/", (), ()),
        NOBODY_KNOWS.stashes("/"),
    )
    assert told == (None,) * 4
    assert (NOBODY_KNOWS.holds("/", "a", "b"), NOBODY_KNOWS.lies_at("/"), NOBODY_KNOWS.top_of("/")) == (None,) * 3
    assert NOBODY_KNOWS.spelled("~/x") == "~/x"
