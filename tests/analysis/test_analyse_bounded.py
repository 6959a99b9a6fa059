from __future__ import annotations

import pytest

from leeboard.analysis.analyse import MOST, SIGNS, bounded, told_unread
from leeboard.model.event import Event, Stopped, TextEdit, ToolCall, ToolFinished, ToolProposed

LINES = "".join(f"line {number}\n" for number in range(MOST // 8))


def wrote(*texts: str, command: str = "") -> ToolProposed:
    edits = tuple(TextEdit("", text) for text in texts)
    call = ToolCall(id="t", tool="Write", action="write", paths=("a.py",), edits=edits, command=command)
    return ToolProposed(session="s", call=call)


@pytest.mark.parametrize("event", [wrote("x" * MOST), Stopped(session="s", text="x" * 2 * MOST)])
def test_what_is_short_stays_as_it_is(event: Event) -> None:
    assert bounded(event) == (event, 0)


def test_beginning_and_end_are_read_and_the_rest_is_counted() -> None:
    event, unread = bounded(wrote(LINES))
    assert isinstance(event, ToolProposed)
    (edit,) = event.call.edits
    assert len(edit.new) <= MOST + len(LINES.splitlines()[0])
    assert edit.new.startswith("line 0\nline 1\n")
    assert edit.new.endswith(LINES[-100:])
    assert unread == len(LINES) - len(edit.new)
    assert told_unread(event, unread).startswith("not analysed: ")
    assert "a.py" in told_unread(event, unread)


@pytest.mark.parametrize("sign", SIGNS)
def test_what_lies_around_the_signs_of_a_key_is_read(sign: str) -> None:
    middle = len(LINES) * 5 // 6
    event, _unread = bounded(wrote(f"{LINES}{LINES[:middle]}before {sign}1234 after{LINES[middle:]}"))
    assert isinstance(event, ToolProposed)
    assert f"before {sign}1234 after" in event.call.edits[0].new


def test_many_edits_share_the_room() -> None:
    event, unread = bounded(wrote(*[LINES] * 20, command=LINES))
    assert isinstance(event, ToolProposed)
    assert sum(len(edit.new) for edit in event.call.edits) + len(event.call.command) <= MOST + 1_000
    assert unread > 19 * len(LINES)


def test_what_a_call_left_is_bounded_too() -> None:
    done = ToolFinished(session="s", call=ToolCall(id="t", tool="Write", action="write"), outcome="done", after=LINES)
    event, unread = bounded(done)
    assert isinstance(event, ToolFinished)
    assert event.after is not None
    assert (len(event.after) <= MOST + 100, unread > 0, event.before) == (True, True, None)
