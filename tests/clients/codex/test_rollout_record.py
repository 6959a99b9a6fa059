from __future__ import annotations

import pytest

from leeboard.clients.codex.rollout import decode_line


def test_a_line_with_a_payload() -> None:
    line = decode_line(b'{"timestamp": "T", "type": "response_item", "payload": {"type": "message", "role": "user"}}')
    assert line is not None
    assert line.payload is not None
    assert (line.timestamp, line.type, line.payload.type, line.payload.role) == (
        "T",
        "response_item",
        "message",
        "user",
    )


def test_the_bare_lines_of_old_files() -> None:
    meta = decode_line(b'{"id": "s1", "timestamp": "T", "instructions": null}')
    item = decode_line(b'{"type": "function_call", "name": "shell", "call_id": "c"}')
    assert meta is not None
    assert item is not None
    assert item.payload is not None
    assert (meta.type, item.type, item.payload.call_id) == ("session_meta", "response_item", "c")


def test_a_lone_surrogate_does_not_lose_the_line() -> None:
    line = decode_line(rb'{"type": "compacted", "payload": {"message": "cut \ud83d"}}')
    assert line is not None
    assert line.payload is not None
    assert line.payload.message == "cut \ufffd"


@pytest.mark.parametrize("payload", [b"7", b'"x"', b"[]"])
def test_a_payload_of_another_shape_tells_nothing(payload: bytes) -> None:
    line = decode_line(b'{"type": "event_msg", "payload": ' + payload + b"}")
    assert line is not None
    assert line.payload is None


@pytest.mark.parametrize("line", [b"", b"7", b"[]", b"{", b"[" * 100_000])
def test_what_is_no_object_is_none(line: bytes) -> None:
    assert decode_line(line) is None
