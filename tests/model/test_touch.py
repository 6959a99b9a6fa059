"""What counts as a change."""

from __future__ import annotations

import pytest

from leeboard.model.touch import Touch, TouchKind


@pytest.mark.parametrize(("kind", "modifies"), [("read", False), ("write", True), ("delete", True), ("restore", True)])
def test_everything_but_a_read_modifies(kind: TouchKind, modifies: bool) -> None:  # noqa: FBT001 - a column of the table
    assert Touch("a.py", kind).modifies is modifies
