from __future__ import annotations

import pytest

from leeboard.clients.hook_input import HookInput, call_of, decode, events_of, folder_told, read_input
from leeboard.errors import WireError
from leeboard.model.event import Event


def test_texts_cut_between_two_halves_are_mended() -> None:
    assert decode(b'{"a": "x\\ud83d", "b": "\\ud83d\\ude00"}') == {"a": "x\ufffd", "b": "\U0001f600"}
    assert decode(b'\xef\xbb\xbf{"a": "\xff"}') == {"a": "\ufffd"}


def test_a_payload_needs_a_session() -> None:
    with pytest.raises(WireError, match="session_id"):
        read_input({"session_id": ""}, 1.0)
    assert folder_told(b'{"cwd": "/x"}') == "/x"
    assert folder_told(b"{") == folder_told(b'{"cwd": 1}') == ""


def test_the_same_call_without_a_name_is_given_the_same_one_in_its_session() -> None:
    told = {"tool_name": "bash", "tool_input": {"command": "ls"}}
    assert call_of("a", told).id == call_of("a", dict(reversed(told.items()))).id
    assert call_of("a", told).id != call_of("b", told).id


def test_a_reader_that_runs_out_of_depth_is_a_wire_error() -> None:
    def deep(hook: HookInput) -> tuple[Event, ...]:
        return deep(hook)

    hook = read_input({"session_id": "s", "hook_event_name": "x"}, 1.0)
    with pytest.raises(WireError, match="nested too deeply"):
        events_of(hook, {"x": deep})
    assert events_of(hook, {}) == ()
