"""What was answered without the store, kept until a hook has one: then it is on record like everything else."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from leeboard.app.handle import SILENT, handle, new_session
from leeboard.app.missing_store import spare
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


class Late(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
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


def keep_late(late: Late) -> None:
    spare.append(spare.LATE, msgspec.json.encode(late))


def how_many() -> int:
    return len(spare.lines(spare.LATE))


def answered_late(session: str, key: str) -> Verdict | None:
    """What a call was answered without the store."""
    every = (one for one in _read(spare.lines(spare.LATE)) if key and (one.session, one.key) == (session, key))
    return next((one.verdict for one in every if one.verdict is not None), None)


def take_in(store: SqliteStore, env: Mapping[str, str]) -> None:
    """Put all of it on record. What the store has heard of meanwhile is left as it is."""
    for path in spare.take(spare.LATE):
        found = spare.taken_lines(path)
        if found is None:
            continue
        try:
            for late in _read(found):
                _record(late, store, env)
        except LeeboardError:
            spare.give_back(spare.LATE, path)
            raise
        spare.discard(path)


def _read(lines: list[bytes]) -> list[Late]:
    found: list[Late] = []
    for line in lines:
        try:
            found.append(msgspec.json.decode(line, type=Late))
        except (msgspec.MsgspecError, ValueError):
            continue  # cut off by a disk that was full
    return found


def _record(late: Late, store: SqliteStore, env: Mapping[str, str]) -> None:
    setting = setting_for(late.cwd, late.session, store, env)
    if late.prompt is not None:
        handle((late.prompt,), SILENT, store, setting)
    if late.verdict is not None:
        with store.transaction(late.session) as transaction:
            if late.key and transaction.answered(late.session, late.key) is not None:
                return
            held = transaction.session(late.session) or new_session(late.session, setting)
            transaction.commit(_outcome(late, late.verdict, held))
    outcome = late.verdict.action.name.lower() if late.verdict is not None else "known"
    note = f"{NOTE}: {late.why}"
    store.receipt(Receipt(ts=late.time, event=late.event, outcome=outcome, session=late.session, ms=late.ms, note=note))


def _outcome(late: Late, verdict: Verdict, held: Session) -> Outcome:
    denied = verdict.action is Action.DENY
    return Outcome(
        session=replace(
            held,
            events=held.events + 1,
            denied=held.denied + denied,
            spoken=held.spoken + denied,
            updated=max(held.updated, late.time or clock.now()),
        ),
        verdict=replace(verdict, turn=held.agent(verdict.agent).turn, trace=(*verdict.trace, NOTE)),
        key=late.key,
        findings=late.findings,
        judged=late.judged,
        steps=late.steps,
    )
