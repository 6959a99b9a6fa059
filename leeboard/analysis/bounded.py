"""How much of a call is analysed: a hook has to answer while its client waits, however much the agent writes.

Of a longer text the beginning and the end are read, and of what lies between the surroundings of a few signs that
hardly anything but a key has. The rest is *not analysed*, and that is said.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from leeboard.model.event import Event, TextEdit, ToolCall, ToolFinished, ToolProposed

MOST = 2 << 20
"""Characters of a call that are analysed."""
SIGNS = ("AKIA", "ghp_", "sk-ant-", "PRIVATE KEY-----")
LOOKED_THROUGH = 64 << 20
"""Characters between beginning and end that are looked through for each sign."""
_BEFORE, _AFTER, _PLACES = 200, 3_000, 50


def bounded(event: Event) -> tuple[Event, int]:
    """The event with as much of its texts as is analysed, and how many characters are not."""
    if not isinstance(event, ToolProposed | ToolFinished):
        return event, 0
    size = _size(event)
    if size <= MOST:
        return event, 0
    room = MOST // max(1, sum(1 for text in _texts(event) if len(text) > MOST // 64))
    short = _shortened(event, room)
    return short, max(0, size - _size(short))


def told_unread(event: Event, unread: int) -> str:
    """What is said of it."""
    paths = event.call.paths if isinstance(event, ToolProposed | ToolFinished) else ()
    where = paths[0] if paths else "the call"
    return f"not analysed: {unread / 1e6:.1f} million characters of {where}, all but its beginning and its end"


def _size(event: ToolProposed | ToolFinished) -> int:
    return sum(map(len, _texts(event)))


def _texts(event: ToolProposed | ToolFinished) -> Iterator[str]:
    yield event.call.command
    for edit in event.call.edits:
        yield edit.old
        yield edit.new
    if isinstance(event, ToolFinished):
        yield event.before or ""
        yield event.after or ""


def _shortened(event: ToolProposed | ToolFinished, room: int) -> ToolProposed | ToolFinished:
    call = _shortened_call(event.call, room)
    if isinstance(event, ToolProposed):
        return replace(event, call=call)
    before = None if event.before is None else _cut(event.before, room)
    after = None if event.after is None else _cut(event.after, room)
    return replace(event, call=call, before=before, after=after)


def _shortened_call(call: ToolCall, room: int) -> ToolCall:
    edits: list[TextEdit] = []
    left = MOST
    for edit in call.edits:
        if left <= 0:
            break
        edits.append(TextEdit(_cut(edit.old, room), _cut(edit.new, room), edit.at))
        left -= len(edits[-1].old) + len(edits[-1].new)
    return replace(call, command=_cut(call.command, room), edits=tuple(edits))


def _cut(text: str, room: int) -> str:
    """Its beginning, what lies around the signs of a key, and its end; whole lines, where it has lines."""
    if len(text) <= room:
        return text
    head, tail = room * 3 // 4, len(text) - room // 4
    head = text.rfind("\n", 0, head) + 1 or head
    tail = text.find("\n", tail, tail + room // 8) + 1 or tail
    return "\n".join((text[:head], *_around_signs(text, head, tail), text[tail:]))


def _around_signs(text: str, start: int, end: int) -> Iterator[str]:
    stop = min(end, start + LOOKED_THROUGH)
    for sign in SIGNS:
        at, found = text.find(sign, start, stop), 0
        while at >= 0 and found < _PLACES:
            yield text[max(start, at - _BEFORE) : min(end, at + _AFTER)]
            found += 1
            at = text.find(sign, at + _AFTER, stop)
