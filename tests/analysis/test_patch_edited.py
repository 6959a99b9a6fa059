from __future__ import annotations

import pytest

from leeboard.analysis.patch import LARGEST, edited
from leeboard.model.event import TextEdit


@pytest.mark.parametrize(
    ("before", "edits", "after"),
    [
        (b"a b\n", [("a", "x")], b"x b\n"),
        (b"a a\n", [("a", "x")], b"x a\n"),
        (b"a b\n", [("a", "x"), ("x b", "y")], b"y\n"),
        (b"a\r\nb\r\n", [("a\nb", "x\ny")], b"x\r\ny\r\n"),
        (None, [("", "new\n")], b"new\n"),
        (b"old\r\n", [("", "new\n")], b"new\r\n"),
    ],
)
def test_what_an_edit_leads_to(before: bytes | None, edits: list[tuple[str, str]], after: bytes) -> None:
    assert next(edited(before, [TextEdit(old, new) for old, new in edits])) == after


def test_a_text_that_stands_there_twice_may_be_replaced_everywhere() -> None:
    assert b"x x" in edited(b"a a", [TextEdit("a", "x")])


@pytest.mark.parametrize("before", [b"nothing", b"\xff a", None, b"a" * (LARGEST + 1)])
def test_what_does_not_fit_leads_nowhere(before: bytes | None) -> None:
    assert list(edited(before, [TextEdit("missing", "x")])) == []
