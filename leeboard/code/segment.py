"""Splits what an agent does into plan text, tool calls, written code, errors and to-do lists.

A client shows events, and each is told by its kind; what an agent says is split line by line, since it may show code
and errors between its plans. The texts are raw: whoever keeps one redacts it first.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from leeboard.code._patch_shell import written_by
from leeboard.code._segment_error import error_in
from leeboard.code._segment_text import Kind, pieces_of
from leeboard.model.event import Event, MessageSaid, ThoughtShown, TodosUpdated, ToolCall, ToolFinished, ToolProposed


class Segment(msgspec.Struct, frozen=True):
    kind: Kind
    text: str
    path: str = ""
    """The file a DIFF writes or a TOOL looks at, as sent; empty where none is named."""


def segments_of(event: Event) -> tuple[Segment, ...]:
    """In order. A call gives its TOOL or DIFF when it is proposed and its ERROR when it is finished.

    The human's words give none, and neither does what a call prints when all is well.
    """
    match event:
        case MessageSaid() | ThoughtShown():
            return tuple(Segment(*piece) for piece in pieces_of(event.text))
        case TodosUpdated():
            return (Segment("TODO", "\n".join(event.items)),) if event.items else ()
        case ToolProposed():
            return tuple(_of_call(event.call))
        case ToolFinished():
            return tuple(_of_result(event))
        case _:
            return ()


def _of_call(call: ToolCall) -> Iterator[Segment]:
    if call.action in {"edit", "write"}:
        text = "\n".join(edit.new for edit in call.edits)
        for path in call.paths or ("",):
            yield Segment("DIFF", text if len(call.paths) < _SEVERAL else "", path)
        return
    yield Segment("TOOL", call.command or call.query or call.tool, call.paths[0] if call.paths else "")
    if call.action == "bash":
        for path in call.paths:
            yield Segment("DIFF", "\n".join(edit.new for edit in call.edits), path)
        for piece in written_by(call.command):
            yield Segment("DIFF", piece.text, piece.path)


_SEVERAL = 2
"""A patch of this many files does not say which lines go where."""


def _of_result(event: ToolFinished) -> Iterator[Segment]:
    if event.outcome == "failed":
        yield Segment("ERROR", event.output)
    elif event.outcome == "done" and event.call.action in {"bash", "other"} and (found := error_in(event.output)):
        yield Segment("ERROR", found)
