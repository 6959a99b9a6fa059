"""Judged calls and ended sessions as spans by the conventions for generative AI that `data/telemetry/genai.toml` pins.

Only names of kinds, numbers and identifiers are in them. An identifier or name that looks like anything else is told as
a digest, so that a client that puts a path or a prompt into one tells nobody.
"""

from __future__ import annotations

from _blake2 import blake2b
from collections.abc import Iterable, Iterator
from functools import lru_cache

import msgspec

from leeboard.data import load
from leeboard.model.text import lazy
from leeboard.model.verdict import Action
from leeboard.secrets.redaction import redact_shaped
from leeboard.store.database import Database
from leeboard.store.telemetry import JudgedRow, client_of, proposal_of, session_span

OTHER = "_OTHER"
DENIED = "denied"
"""The `error.type` of a call that was refused."""
_NAME = lazy(r"^[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}$")
_DIGIT = lazy("[0-9]")
_NANOSECONDS = 1_000_000_000

Value = str | int | tuple[str, ...]


class SpanKind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    kind: str
    required: tuple[str, ...]
    also: tuple[str, ...]


class _Own(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    attributes: tuple[str, ...]


class Conventions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    version: str
    schema_url: str
    spans: dict[str, SpanKind]
    own: _Own
    providers: dict[str, str]


class ToldSpan(msgspec.Struct, frozen=True, kw_only=True):
    """A span, before any package of OpenTelemetry knows of it."""

    name: str
    trace: int
    id: int
    parent: int = 0
    began: int
    """Nanoseconds since the epoch, as is the end."""
    ended: int
    attributes: dict[str, Value]
    failed: bool = False


@lru_cache(maxsize=1)
def conventions() -> Conventions:
    return load("telemetry/genai", Conventions)


def spans_of(rows: Iterable[JudgedRow], database: Database) -> Iterator[ToldSpan]:
    """A call when it has ended or was refused, a session when it has ended. The same rows give the same spans."""
    for row in rows:
        if row.event == "ToolFinished" or (row.event == "ToolProposed" and row.action == Action.DENY):
            yield _call_span(row, database)
        elif row.event == "SessionEnded":
            yield _session_span(row, database)


def _call_span(row: JudgedRow, database: Database) -> ToldSpan:
    began, action, score, rules = row.time, row.action, row.score, _rules(row.rules)
    proposed = proposal_of(database, row.session, row.call) if row.event == "ToolFinished" else None
    if proposed is not None:
        began = min(began, proposed[0])
        action = max(action, proposed[1])
        score = min(filter(None, (score, proposed[2])), default=0)
        rules = tuple(dict.fromkeys((*_rules(proposed[3]), *rules)))
    tool = kind_name(row.tool) if row.tool else OTHER
    denied = row.event == "ToolProposed"
    attributes: dict[str, Value] = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": tool,
        "gen_ai.tool.type": "function",
        **_identity(row, database),
        "leeboard.action": Action(action).name.lower(),
    }
    attributes |= {"gen_ai.tool.call.id": identifier(row.call)} if row.call else {}
    attributes |= {"leeboard.score": score} if score else {}
    attributes |= {"leeboard.rules": rules} if rules else {}
    attributes |= {"error.type": DENIED} if denied else {}
    return ToldSpan(
        name=f"execute_tool {tool}",
        trace=_number(row.session, 16),
        id=_number(f"{row.session}\0{row.call}\0{row.event}", 8),
        parent=_number(row.session, 8),
        began=_nanoseconds(began),
        ended=_nanoseconds(row.time),
        attributes=attributes,
        failed=denied,
    )


def _session_span(row: JudgedRow, database: Database) -> ToldSpan:
    began, calls, denied = session_span(database, row.session)
    identity = _identity(row, database)
    agent = str(identity["gen_ai.agent.name"])
    return ToldSpan(
        name=f"invoke_agent {agent}",
        trace=_number(row.session, 16),
        id=_number(row.session, 8),
        began=_nanoseconds(began),
        ended=_nanoseconds(row.time),
        attributes={
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.provider.name": conventions().providers.get(agent, OTHER),
            **identity,
            "leeboard.calls": calls,
            "leeboard.denied": denied,
        },
    )


def _identity(row: JudgedRow, database: Database) -> dict[str, Value]:
    told: dict[str, Value] = {
        "gen_ai.conversation.id": identifier(row.session),
        "gen_ai.agent.name": kind_name(client_of(database, row.session)) or OTHER,
    }
    return told | ({"gen_ai.agent.id": identifier(row.agent)} if row.agent else {})


def identifier(text: str) -> str:
    """As it is where it looks like one that a client made, else a digest of it: a word of a person's has no digit."""
    return kind_name(text) if not text or _DIGIT.search(text) else _digest(text)


def kind_name(text: str) -> str:
    """A tool's kind as a label; what looks like a secret or is no plain name goes out as a digest."""
    return text if not text or (_NAME.match(text) and redact_shaped(text) == text) else _digest(text)


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest()


def _rules(text: str) -> tuple[str, ...]:
    try:
        found = msgspec.json.decode(text, type=tuple[str, ...])
    except msgspec.MsgspecError:
        return ()
    return tuple(map(kind_name, found))


def _number(text: str, size: int) -> int:
    """An id, never zero, the same for the same text on every try."""
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=size).digest()) or 1


def _nanoseconds(seconds: float) -> int:
    return max(0, int(seconds * _NANOSECONDS))
