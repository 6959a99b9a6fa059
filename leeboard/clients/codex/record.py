"""One line of a Codex rollout as a record: `{timestamp, type, payload}`, or in old files the bare item."""

from __future__ import annotations

from typing import Any

import msgspec

from leeboard.clients.transcript_lines import mend_json


class Payload(msgspec.Struct):
    """Every field may be of any type: files of all versions must pass."""

    type: Any = None
    id: Any = None
    session_id: Any = None
    turn_id: Any = None
    call_id: Any = None
    cwd: Any = None
    role: Any = None
    content: Any = None
    summary: Any = None
    name: Any = None
    namespace: Any = None
    arguments: Any = None
    input: Any = None
    action: Any = None
    output: Any = None
    message: Any = None
    item: Any = None
    origin: Any = msgspec.field(default=None, name="internal_chat_message_metadata_passthrough")


class Line(msgspec.Struct):
    timestamp: Any = None
    type: Any = None
    payload: Payload | None = None


_LINES = msgspec.json.Decoder(Line)
_PAYLOADS = msgspec.json.Decoder(Payload)


def decode_line(line: bytes) -> Line | None:
    """The record of a line; None when it is no JSON object."""
    try:
        return _decode(line)
    except (ValueError, RecursionError):
        mended = mend_json(line)
    try:
        return _decode(mended) if mended is not None else None
    except (ValueError, RecursionError):
        return _without_payload(mended)


def _decode(line: bytes) -> Line:
    record = _LINES.decode(line)
    if record.payload is not None:
        return record
    bare = _PAYLOADS.decode(line)
    kind = "session_meta" if bare.type is None and isinstance(bare.id, str) else "response_item"
    return Line(timestamp=record.timestamp, type=kind, payload=bare)


def _without_payload(line: bytes | None) -> Line | None:
    """A payload of another shape tells nothing, yet the line is an object."""
    try:
        return Line() if line is not None and isinstance(msgspec.json.decode(line), dict) else None
    except (ValueError, RecursionError):
        return None
