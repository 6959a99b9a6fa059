from __future__ import annotations

from leeboard.model.touch import Hunk
from leeboard.testing.scenario import compared


def test_added_changed_and_deleted() -> None:
    change = compared({"a": "1\n2\n", "gone": "x\n", "same": "s"}, {"a": "1\n3\n", "new": "y\nz\n", "same": "s"})
    assert [(one.path, one.kind, one.added, one.deleted) for one in change.files] == [
        ("a", "modified", 1, 1),
        ("gone", "deleted", 0, 1),
        ("new", "added", 2, 0),
    ]
    assert change.files[0].hunks == (Hunk(2, ("3",), ("2",)),)


def test_equal_content_has_an_equal_digest() -> None:
    assert compared({}, {"a": "x"}).digest == compared({}, {"a": "x"}).digest != compared({}, {"a": "y"}).digest
