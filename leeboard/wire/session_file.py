"""Which client wrote a session file, and the reader for it."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from leeboard.errors import WireError
from leeboard.wire._transcript_lines import mend_json, strip_line
from leeboard.wire._transcript_reader import SessionReader
from leeboard.wire.codex_rollout import CodexRolloutReader
from leeboard.wire.transcript import TranscriptReader

Kind = Literal["claude", "codex", "unknown"]

_LINES_READ = 50
_CUT_LINE_READ = 4_000
_CODEX_START = re.compile(
    rb'"type": ?"(?:session_meta|response_item|event_msg|turn_context|compacted)", ?"payload": ?\{'
)
_CLAUDE_START = re.compile(
    rb'\{"(?:parentUuid": ?(?:null|")|type": ?"(?:summary|queue-operation|file-history-snapshot)")'
)


def sniff(first_bytes: bytes) -> Kind:
    """Tell by the first lines. The last one may be cut."""
    *lines, cut = first_bytes[:10_000_000].split(b"\n")
    for line in lines[:_LINES_READ]:
        kind = _kind_of_line(strip_line(line))
        if kind != "unknown":
            return kind
    whole = strip_line(cut)
    kind = _kind_of_line(whole)
    return kind if kind != "unknown" else _kind_of_start(whole[:_CUT_LINE_READ])


def open_reader(kind: Kind, session: str = "", *, agent: str = "", started: bool = False) -> SessionReader:
    """The reader for files of that kind.

    Raises:
        WireError: the kind is unknown.
    """
    if kind == "claude":
        return TranscriptReader(session, agent=agent, started=started)
    if kind == "codex":
        return CodexRolloutReader(session, agent=agent, started=started)
    raise WireError("not a session file of Claude Code or Codex")


def _kind_of_line(line: bytes) -> Kind:
    mended = mend_json(line) if line else None
    try:
        parsed = msgspec.json.decode(mended) if mended else None
    except (ValueError, RecursionError):
        return "unknown"
    if not isinstance(parsed, dict):
        return "unknown"
    return "codex" if _is_codex(parsed) else "claude" if _is_claude(parsed) else "unknown"


def _is_codex(parsed: dict[str, object]) -> bool:
    if isinstance(parsed.get("type"), str):
        return isinstance(parsed.get("payload"), dict)
    return "record_type" in parsed or {"id", "timestamp", "instructions"} <= parsed.keys()


def _is_claude(parsed: dict[str, object]) -> bool:
    kind = parsed.get("type")
    if kind in ("user", "assistant") and isinstance(parsed.get("message"), dict):
        return True
    return isinstance(kind, str) and not parsed.keys().isdisjoint({"sessionId", "parentUuid", "leafUuid", "snapshot"})


def _kind_of_start(start: bytes) -> Kind:
    if _CODEX_START.search(start):
        return "codex"
    return "claude" if _CLAUDE_START.match(start) else "unknown"
