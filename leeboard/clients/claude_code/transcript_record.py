"""One line of a Claude Code transcript as a record: only the fields that become events, the rest is skipped unread."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from leeboard.clients.transcript_lines import mend_json
from leeboard.model.event import Outcome
from leeboard.model.text import lazy

_SILENT = re.compile(
    rb'\{"type": ?"(?!(?:user|assistant|system|attachment|queue-operation)")'
    rb'|\{"parentUuid": ?(?:null|"[^"]*"), ?"isSidechain": ?(?:false|true, ?"agentId": ?"[^"]*"), ?'
    rb'"attachment": ?\{"type": ?"(?!queued_command"|(?:already_read_|edited_text_)?file"'
    rb'|(?:compact|plan)_file_reference"|directory")'
)


class ContentBlock(msgspec.Struct):
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
    content: str | list[ContentBlock] | None = None


class TranscriptRecord(msgspec.Struct, rename="camel"):
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


_DECODER = msgspec.json.Decoder(TranscriptRecord)


def is_silent(line: bytes) -> bool:
    """The line's first bytes show that it tells nothing."""
    return _SILENT.match(line) is not None


def decode_record(line: bytes) -> TranscriptRecord | None:
    """The record of a line; None when it is no JSON object."""
    try:
        return _DECODER.decode(line)
    except (ValueError, RecursionError):
        return _decode_odd(line)


def _decode_odd(line: bytes) -> TranscriptRecord | None:
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


# How a tool call ended, as a transcript shows it.


LONGEST_OUTPUT = 200_000
_DENIAL = lazy(
    r"(?:<tool_use_error>)?(?:Error: )?(?:"
    r"The user doesn't want to (?:proceed with this tool use|take this action)"
    r"|\w{1,40}(?::\S{1,200})? hook error:"
    r"|(?:\w{1,40} )?requested permissions to "
    r"|Permission (?:to use|for this) [^\n]{0,200}? (?:has been|was) denied"
    r"|Hook \w{1,40}:\S{1,200} denied this tool"
    r"|[^\n]{0,100}? operation blocked by hook"
    r")"
)


def outcome_of(record: TranscriptRecord, block: ContentBlock, output: str) -> Outcome:
    """The client's own word counts first. The text is believed only of a failed call: a tool may print anything."""
    decision = record.permission_decision
    if isinstance(record.tool_denial_kind, str) and record.tool_denial_kind:
        return "denied"
    if isinstance(decision, dict) and decision.get("decision") in ("reject", "deny", "denied"):
        return "denied"
    return outcome_told(output, is_error=block.is_error is True)


def outcome_told(output: str, *, is_error: bool) -> Outcome:
    """By what the model is told: the flag, and the words that the client has for a refusal."""
    if not is_error:
        return "done"
    return "denied" if _DENIAL.match(output) else "failed"


def output_of(record: TranscriptRecord, block: ContentBlock) -> str:
    text = joined_text(block.content)
    if not text:
        text = _told_text(decode_raw(record.tool_use_result))
    return text[:LONGEST_OUTPUT]


def joined_text(content: object) -> str:
    """A string, or the texts of a list of content blocks."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = (part if isinstance(part, str) else text_of(part.get("text")) for part in content if _has_text(part))
    return "\n".join(text for text in texts if text)


def _has_text(part: object) -> bool:
    return isinstance(part, (str, dict))


def _told_text(result: object) -> str:
    if isinstance(result, (str, list)):
        return joined_text(result)
    if not isinstance(result, dict):
        return ""
    streams = [text for key in ("stdout", "stderr") if (text := text_of(result.get(key)))]
    if streams:
        return "\n".join(streams)
    file = result.get("file")
    return (
        joined_text(result.get("content"))
        or (text_of(file.get("content")) if isinstance(file, dict) else "")
        or joined_text(result.get("filenames"))
    )
