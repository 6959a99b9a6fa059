"""`write-audit.jsonl`: what was written on a person's behalf, and what was said of it. Every line is bounded."""

from __future__ import annotations

from typing import Literal

import msgspec

from leeboard.errors import WireError

LONGEST_RECORD = 16 << 10
LONGEST_RATIONALE, LONGEST_AUTHOR, LONGEST_PATH, LONGEST_FOLDER, LONGEST_EXCERPT = 4096, 128, 1024, 512, 200
MOST_FOLDERS = 16
_CUT = "...[truncated]"


class AuditRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One line. The author is a claim of the agent, never an identity."""

    timestamp: str
    entry_id: str
    path: str
    sha: str
    author_class: Literal["human-via-mcp"] = "human-via-mcp"
    claimed_author_id: str | None = None
    human_author_id: str | None = None
    rationale: str | None = None
    user_instruction_excerpt: str | None = None
    tick_counter: int = 0
    session_id: str | None = None
    overwrite: bool = False
    dirs_created: tuple[str, ...] = ()
    audit_log_appended: bool = True
    tick_scope: Literal["stage", "intent"] = "stage"


def format_audit(record: AuditRecord) -> bytes:
    """One line without its end. WireError `record_too_large` where cutting does not help."""
    excerpt = record.user_instruction_excerpt or ""
    bounded = msgspec.structs.replace(
        record,
        path=_cut(record.path, LONGEST_PATH),
        claimed_author_id=_cut_or_none(record.claimed_author_id, LONGEST_AUTHOR),
        human_author_id=_cut_or_none(record.human_author_id or record.claimed_author_id, LONGEST_AUTHOR),
        rationale=_cut_or_none(record.rationale, LONGEST_RATIONALE),
        user_instruction_excerpt=f"{excerpt[:LONGEST_EXCERPT]}..."
        if len(excerpt) > LONGEST_EXCERPT
        else excerpt or None,
        dirs_created=tuple(_cut(folder, LONGEST_FOLDER) for folder in record.dirs_created[:MOST_FOLDERS]),
    )
    line = msgspec.json.encode(bounded)
    if len(line) > LONGEST_RECORD:
        raise WireError(f"record_too_large: {len(line)} bytes, and a line may have {LONGEST_RECORD}")
    return line


def parse_audit(line: bytes) -> AuditRecord | None:
    try:
        return msgspec.json.decode(line, type=AuditRecord)
    except (ValueError, RecursionError):
        return None


def _cut_or_none(text: str | None, most: int) -> str | None:
    return None if text is None else _cut(text, most)


def _cut(text: str, most: int) -> str:
    """On the boundary of a character, and saying so."""
    data = text.encode("utf-8", "replace")
    if len(data) <= most:
        return data.decode()
    return data[: most - len(_CUT)].decode("utf-8", "ignore") + _CUT
