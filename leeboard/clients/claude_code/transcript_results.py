"""How a tool call ended, as a transcript shows it."""

from __future__ import annotations

from leeboard.clients.claude_code.transcript_record import Block, Record, decode_raw, text_of
from leeboard.model.event import Outcome
from leeboard.model.pattern import lazy

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


def outcome_of(record: Record, block: Block, output: str) -> Outcome:
    """The client's own word counts first. The text is believed only of a failed call: a tool may print anything."""
    decision = record.permission_decision
    if isinstance(record.tool_denial_kind, str) and record.tool_denial_kind:
        return "denied"
    if isinstance(decision, dict) and decision.get("decision") in ("reject", "deny", "denied"):
        return "denied"
    if block.is_error is True:
        return "denied" if _DENIAL.match(output) else "failed"
    return "done"


def output_of(record: Record, block: Block) -> str:
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
