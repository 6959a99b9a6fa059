"""What a call wrote: changes, new functions, features."""

from __future__ import annotations

import pytest

from leeboard.analysis.built import written_entries
from leeboard.model.event import ToolCall, ToolFinished
from leeboard.model.touch import Diff

EVENT = ToolFinished(
    session="s", call=ToolCall(id="t", tool="Write", action="write", paths=("a.py",)), outcome="done", agent="sub"
)


def built(path: str, text: str, before: str | None = None, removed: str = "") -> list[tuple[str, int]]:
    diff = Diff(path=path, after=text, added=((1, text.count("\n") + 1),), before=before, removed=removed)
    return [(entry.key, entry.line) for entry in written_entries(EVENT, (diff,), 3) if entry.kind == "built"]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", "x = 1\ndef Slugify(text):\n    return text\n"),
        ("a.ts", "const x = 1\nfunction Slugify(text) {\n  return text\n}\n"),
        ("a.go", "package a\nfunc Slugify(text string) string {\n\treturn text\n}\n"),
    ],
)
def test_new_functions(path: str, text: str) -> None:
    assert built(path, text) == [("slugify", 2)]


def test_what_was_defined_before_is_not_built() -> None:
    text = "def slugify(text):\n    return text\n"
    assert built("a.py", text, before="def slugify(x):\n    return 1\n") == []
    assert built("a.py", text, removed="def slugify(x):") == []
    assert built("a.py", text, removed="slugify(x)") == [("slugify", 1)]


@pytest.mark.parametrize(
    ("path", "text"),
    [("a.md", "def f(): pass"), ("a.py", "def ("), ("a.py", "\x00"), ("node_modules/a.js", "function f() {}")],
)
def test_nothing_is_built(path: str, text: str) -> None:
    assert built(path, text) == []


def test_the_line_itself_writes_no_file() -> None:
    assert list(written_entries(EVENT, (Diff(path="", after="curl x", added=((1, 1),)),), 3)) == []


def test_a_change_counts_both_sides() -> None:
    diff = Diff(path="a.py", after="1\n2", added=((1, 2),), removed="0\n0\n0")
    (change,) = written_entries(EVENT, (diff,), 3)
    assert (change.amount, change.line, change.agent) == (5, 1, "sub")
