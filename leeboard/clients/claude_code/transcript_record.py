"""One line of a Claude Code transcript as a record: only the fields that become events, the rest is skipped unread."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from leeboard.clients.transcript_lines import mend_json

_SILENT = re.compile(
    rb'\{"type": ?"(?!(?:user|assistant|system|attachment|queue-operation)")'
    rb'|\{"parentUuid": ?(?:null|"[^"]*"), ?"isSidechain": ?(?:false|true, ?"agentId": ?"[^"]*"), ?'
    rb'"attachment": ?\{"type": ?"(?!queued_command"|(?:already_read_|edited_text_)?file"'
    rb'|(?:compact|plan)_file_reference"|directory")'
)


class Block(msgspec.Struct):
    """A part of a message. Every field may be of any type: files of all versions must pass."""

    type: Any = None
    text: Any = None
    thinking: Any = None
    id: Any = None
    name: Any = None
    input: Any = None
    tool_use_id: Any = None
    content: Any = None
    is_error: Any = None


class Message(msgspec.Struct):
    id: Any = None
    model: Any = None
    content: str | list[Block] | None = None


class Record(msgspec.Struct, rename="camel"):
    type: Any = None
    subtype: Any = None
    uuid: Any = None
    parent_uuid: Any = None
    is_sidechain: Any = None
    agent_id: Any = None
    attribution_agent: Any = None
    prompt_id: Any = None
    session_id: Any = None
    request_id: Any = None
    cwd: Any = None
    timestamp: Any = None
    is_meta: Any = None
    is_compact_summary: Any = None
    is_visible_in_transcript_only: Any = None
    is_api_error_message: Any = None
    api_block_index: Any = None
    message: Message | None = None
    tool_use_result: msgspec.Raw = msgspec.Raw()
    tool_denial_kind: Any = None
    permission_decision: Any = None
    prompt_source: Any = None
    origin: Any = None
    operation: Any = None
    reason: Any = None
    command_uuid: Any = None
    content: Any = None
    attachment: msgspec.Raw = msgspec.Raw()


_DECODER = msgspec.json.Decoder(Record)


def is_silent(line: bytes) -> bool:
    """The line's first bytes show that it tells nothing."""
    return _SILENT.match(line) is not None


def decode_record(line: bytes) -> Record | None:
    """The record of a line; None when it is no JSON object."""
    try:
        return _DECODER.decode(line)
    except (ValueError, RecursionError):
        return _decode_odd(line)


def _decode_odd(line: bytes) -> Record | None:
    mended = mend_json(line)
    if mended is None:
        return None
    try:
        parsed = msgspec.json.decode(mended)
        if not isinstance(parsed, dict):
            return None
        parsed["message"] = _fitting_message(parsed.get("message"))
        return _DECODER.decode(msgspec.json.encode(parsed))
    except (ValueError, RecursionError):
        return None


def _fitting_message(message: object) -> dict[object, object] | None:
    if not isinstance(message, dict):
        return None
    content = message.get("content")
    if isinstance(content, list):
        content = [block for block in content if isinstance(block, dict)]
    elif not isinstance(content, str):
        content = None
    return {**message, "content": content}


def text_of(value: object) -> str:
    return value if isinstance(value, str) else ""


def decode_raw(raw: msgspec.Raw) -> object:
    """What a field that was left unread holds; None when nothing or nothing readable."""
    if not raw:
        return None
    try:
        return msgspec.json.decode(raw)
    except (ValueError, RecursionError):
        mended = mend_json(bytes(raw))
    try:
        return msgspec.json.decode(mended) if mended else None
    except (ValueError, RecursionError):
        return None
