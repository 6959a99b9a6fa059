"""The files in which the truth of files is kept: baselines, markers, the action log, dispatches, assessments.

Their fields are those of earlier tools, so that a tree of theirs opens. What must not be half believed (a baseline, the
markers) is read whole or refused with WireError, which names the violation; what only tells is None where it can not
be read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, NoReturn, TypeVar

import msgspec

from leeboard.errors import WireError
from leeboard.model.text import lazy
from leeboard.model.truth import ABSENT, BaselineEntry, Dispatch, DriftAssessment, EntryType, LogEntry, Marker

__all__ = [
    "AuditRecord",
    "BaselineAck",
    "ThrashEvent",
    "assessment_file",
    "assessment_number",
    "baseline_mark",
    "entry_id",
    "format_ack",
    "format_assessment",
    "format_audit",
    "format_baseline",
    "format_dispatch",
    "format_log_line",
    "format_markers",
    "format_thrash",
    "parse_ack",
    "parse_assessment",
    "parse_audit",
    "parse_baseline",
    "parse_dispatch",
    "parse_log_line",
    "parse_markers",
    "parse_thrash",
    "ticks_to_wait",
]

THRASH_EVENTS, THRASH_TICKS = 3, 10
"""A baseline that was lost more often than this in so many ticks is being worn down by somebody."""

_Told = TypeVar("_Told")
_HEX = "0123456789abcdef"
_DIGEST_SIZE = 64
_DIGEST = lazy(r"[0-9a-f]{64}")
_ASSESSMENT = lazy(r"DA-([0-9]{1,9})\.json")
_IDS: dict[EntryType, str] = {
    "human_write": "HWM",
    "agent_write": "AGW",
    "person_said": "SAY",
    "baseline_established": "BLN-EST",
    "baseline_corruption_event": "BLN-CORR",
    "baseline_acknowledged": "BLN-ACK",
}


class BaselineAck(msgspec.Struct, frozen=True, kw_only=True):
    """`.baseline-ack`: an operator saw what a reset would accept, and accepted it. Good for one reset."""

    diff_hash: str
    created_at: str
    rationale: str | None = None


class ThrashEvent(msgspec.Struct, frozen=True, kw_only=True):
    """A baseline was found lost or unreadable."""

    at: str
    tick_counter: int


class _Markers(msgspec.Struct, frozen=True):
    markers: tuple[Marker, ...]


class _Thrash(msgspec.Struct, frozen=True):
    events: tuple[ThrashEvent, ...]


_BASELINE = msgspec.json.Decoder(dict[str, BaselineEntry])


def parse_baseline(data: bytes) -> dict[str, BaselineEntry]:
    """By canonical path. One violation anywhere, and nothing of it is believed: WireError."""
    try:
        found = _BASELINE.decode(data)
    except (ValueError, RecursionError) as error:
        raise WireError(str(error)[:200]) from error
    # Whole columns at a time: a baseline may have 100,000 entries.
    digests = [entry.sha256 for entry in found.values()]
    if (
        any(len(digest) != _DIGEST_SIZE for digest in digests)
        or "".join(digests).strip(_HEX)
        or list(found) != [entry.path for entry in found.values()]
        or min((entry.bytes for entry in found.values()), default=0) < 0
    ):
        _name_violation(found)
    return found


def _name_violation(found: dict[str, BaselineEntry]) -> NoReturn:
    for key, entry in found.items():
        if entry.path != key:
            raise WireError(f"{key!r}: its path is {entry.path!r}")
        if not _DIGEST.fullmatch(entry.sha256):
            raise WireError(f"{key!r}: sha256 is no digest of 64 small hexadecimal digits")
        if entry.bytes < 0:
            raise WireError(f"{key!r}: bytes is below zero")
    raise WireError("an entry violates the format")


def format_baseline(entries: Mapping[str, BaselineEntry]) -> bytes:
    """Sorted by path, so that a version control shows what changed and nothing else."""
    return _pretty({path: entries[path] for path in sorted(entries)})


def parse_markers(data: bytes) -> tuple[Marker, ...]:
    """All of them, ended ones too. Each hangs on a finding or on a revisit, never on both: else WireError."""
    try:
        found = msgspec.json.decode(data, type=_Markers).markers
    except (ValueError, RecursionError) as error:
        raise WireError(str(error)[:200]) from error
    for marker in found:
        is_revisit = marker.outcome == "trigger-revisit"
        links = (bool(marker.linked_feedback_id), bool(marker.linked_revisit_target_stage))
        if links != (not is_revisit, is_revisit):
            raise WireError(f"{marker.path!r}: a marker needs one link, the one that its outcome {marker.outcome} has")
        if marker.sha != ABSENT and not _DIGEST.fullmatch(marker.sha):
            raise WireError(f"{marker.path!r}: baseline_sha_at_creation is no digest")
    return found


def format_markers(markers: Iterable[Marker]) -> bytes:
    return _pretty(_Markers(markers=tuple(markers)))


def parse_log_line(fields: Mapping[str, Any]) -> LogEntry | None:
    """None: no line of an action log, or one of a later version."""
    try:
        return msgspec.convert(dict(fields), LogEntry)
    except msgspec.ValidationError:
        return None


def format_log_line(entry: LogEntry) -> dict[str, Any]:
    """The fields, to be signed. The author's claim stands under its old name too."""
    fields: dict[str, Any] = msgspec.to_builtins(entry)
    if entry.fixed_by is None:
        del fields["fixed_by"]
    return fields | {"human_author_id": entry.human_author_id or entry.claimed_author_id}


def entry_id(kind: EntryType, tick: int, mark: int | str) -> str:
    """`mark`: the how many-th of this tick, or six hexadecimal digits for what befalls a baseline."""
    return f"{_IDS[kind]}-{tick}-{mark:02}" if isinstance(mark, int) else f"{_IDS[kind]}-{tick}-{mark}"


def baseline_mark(kind: EntryType, scope: str) -> str:
    """What stands for a path in the log where a whole baseline is meant."""
    return f"__baseline_marker__:{'established' if kind == 'baseline_established' else 'corruption'}:{scope}"


def parse_dispatch(data: bytes) -> Dispatch | None:
    return _told(data, Dispatch)


def format_dispatch(dispatch: Dispatch) -> bytes:
    return _pretty(dispatch)


def parse_assessment(data: bytes) -> DriftAssessment | None:
    return _told(data, DriftAssessment)


def format_assessment(assessment: DriftAssessment) -> bytes:
    return _pretty(assessment)


def assessment_file(number: int) -> str:
    return f"DA-{number:02}.json"


def assessment_number(name: str) -> int:
    """Zero where the name is none of an assessment."""
    found = _ASSESSMENT.fullmatch(name)
    return int(found[1]) if found else 0


def parse_ack(data: bytes) -> BaselineAck | None:
    ack = _told(data, BaselineAck)
    return ack if ack is not None and _DIGEST.fullmatch(ack.diff_hash) else None


def format_ack(ack: BaselineAck) -> bytes:
    return _pretty(ack)


def parse_thrash(data: bytes) -> tuple[ThrashEvent, ...]:
    found = _told(data, _Thrash)
    return found.events if found is not None else ()


def format_thrash(events: Iterable[ThrashEvent]) -> bytes:
    return _pretty(_Thrash(events=tuple(events)))


def ticks_to_wait(events: Iterable[ThrashEvent], tick: int) -> int:
    """Until it is worn down no more; 0: it is not."""
    lately = sorted(each.tick_counter for each in events if tick - THRASH_TICKS < each.tick_counter <= tick)
    return lately[-THRASH_EVENTS - 1] + THRASH_TICKS - tick if len(lately) > THRASH_EVENTS else 0


def _told(data: bytes, kind: type[_Told]) -> _Told | None:
    try:
        return msgspec.json.decode(data, type=kind)
    except (ValueError, RecursionError):
        return None


def _pretty(value: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"


# `write-audit.jsonl`: what was written on a person's behalf, and what was said of it. Every line is bounded.


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
