"""What was answered without the store, kept until a hook has one: then it is on record like everything else."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from leeboard.app.handle import SILENT, handle, new_session
from leeboard.app.missing_store import fallback_files
from leeboard.app.settings import setting_for
from leeboard.errors import LeeboardError
from leeboard.io import clock
from leeboard.model.event import PromptGiven
from leeboard.model.lookup import Receipt
from leeboard.model.outcome import Judged, Outcome, Step
from leeboard.model.session import Session
from leeboard.model.verdict import Action, Finding, Verdict
from leeboard.store.sqlite import SqliteStore

NOTE = "judged without the store"


class Unrecorded(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One hook that found no store. Its texts are redacted."""

    time: float
    session: str
    cwd: str
    event: str
    why: str = ""
    """What was wrong with the store."""
    ms: float = 0.0
    key: str = ""
    verdict: Verdict | None = None
    findings: tuple[Finding, ...] = ()
    judged: tuple[Judged, ...] = ()
    steps: tuple[Step, ...] = ()
    prompt: PromptGiven | None = None
    """Words of the user that no store has heard."""


def keep_unrecorded(kept: Unrecorded) -> None:
    fallback_files.append(fallback_files.LATE, msgspec.json.encode(kept))


def how_many() -> int:
    return len(fallback_files.lines(fallback_files.LATE))


def answered_unrecorded(session: str, key: str) -> Verdict | None:
    """What a call was answered without the store."""
    kept = _read(fallback_files.lines(fallback_files.LATE))
    every = (one for one in kept if key and (one.session, one.key) == (session, key))
    return next((one.verdict for one in every if one.verdict is not None), None)


def take_in(store: SqliteStore, env: Mapping[str, str]) -> None:
    """Put all of it on record. What the store has heard of meanwhile is left as it is."""
    for path in fallback_files.take(fallback_files.LATE):
        found = fallback_files.taken_lines(path)
        if found is None:
            continue
        try:
            for kept in _read(found):
                _record(kept, store, env)
        except LeeboardError:
            fallback_files.give_back(fallback_files.LATE, path)
            raise
        fallback_files.discard(path)


def _read(lines: list[bytes]) -> list[Unrecorded]:
    found: list[Unrecorded] = []
    for line in lines:
        try:
            found.append(msgspec.json.decode(line, type=Unrecorded))
        except (msgspec.MsgspecError, ValueError):
            continue  # cut off by a disk that was full
    return found


def _record(kept: Unrecorded, store: SqliteStore, env: Mapping[str, str]) -> None:
    setting = setting_for(kept.cwd, kept.session, store, env)
    if kept.prompt is not None:
        handle((kept.prompt,), SILENT, store, setting)
    if kept.verdict is not None:
        with store.transaction(kept.session) as transaction:
            if kept.key and transaction.answered(kept.session, kept.key) is not None:
                return
            held = transaction.session(kept.session) or new_session(kept.session, setting)
            transaction.commit(_outcome(kept, kept.verdict, held))
    outcome = kept.verdict.action.name.lower() if kept.verdict is not None else "known"
    note = f"{NOTE}: {kept.why}"
    store.receipt(Receipt(ts=kept.time, event=kept.event, outcome=outcome, session=kept.session, ms=kept.ms, note=note))


def _outcome(kept: Unrecorded, verdict: Verdict, held: Session) -> Outcome:
    denied = verdict.action is Action.DENY
    return Outcome(
        session=replace(
            held,
            events=held.events + 1,
            denied=held.denied + denied,
            spoken=held.spoken + denied,
            updated=max(held.updated, kept.time or clock.now()),
        ),
        verdict=replace(verdict, turn=held.agent(verdict.agent).turn, trace=(*verdict.trace, NOTE)),
        key=kept.key,
        findings=kept.findings,
        judged=kept.judged,
        steps=kept.steps,
    )
