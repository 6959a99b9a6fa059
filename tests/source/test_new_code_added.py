"""The text a change puts into a file, and the text it takes out."""

from __future__ import annotations

from leeboard.model.event import TextEdit, ToolCall
from leeboard.model.touch import Diff
from leeboard.source.new_code import added_text, sides


def test_the_added_lines() -> None:
    assert added_text(Diff(path="a", after="1\n2\n3\n4", added=((2, 2), (4, 4)))) == "2\n4"
    assert added_text(Diff(path="a", after="1")) == ""


def test_edits_show_lines_that_change_places() -> None:
    moved = ToolCall(id="1", tool="Edit", action="edit", paths=("a",), edits=(TextEdit("b\na", "a\nb"),))
    assert sides(moved, Diff(path="a", after="a\nb")) == ("b\na", "a\nb")


def test_of_other_calls_the_diff_counts() -> None:
    diff = Diff(path="a", after="x", added=((1, 1),), removed="y")
    assert sides(ToolCall(id="1", tool="Bash", action="bash", command="x"), diff) == ("y", "x")
    written = ToolCall(id="1", tool="Write", action="write", paths=("a",), edits=(TextEdit("", "x"),))
    assert sides(written, diff) == ("y", "x")
