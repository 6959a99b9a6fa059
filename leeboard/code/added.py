"""The text a change puts into a file, and the text it takes out."""

from __future__ import annotations

from leeboard.model.diff import Diff
from leeboard.model.event import ToolCall


def added_text(diff: Diff) -> str:
    """The lines a change wrote."""
    lines = diff.after.split("\n")
    return "\n".join(line for first, last in diff.added for line in lines[first - 1 : last])


def sides(call: ToolCall, diff: Diff) -> tuple[str, str]:
    """What was there and what is there instead: as the edits say, which also show lines that only change places."""
    if len(call.paths) == 1 and call.edits and all(edit.old for edit in call.edits):
        return "\n".join(edit.old for edit in call.edits), "\n".join(edit.new for edit in call.edits)
    return diff.removed, added_text(diff)
