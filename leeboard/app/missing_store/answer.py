"""The answer to a hook that finds no store: what must not pass is refused all the same, and nothing else is said.

It is the ordinary judging, over a store in memory that begins with the last good copy of the session, and with those
rules alone that may refuse. What needs the history of the run (scope, repetition, others' changes) is not judged: on
half of what is known it would be guessed. No database, no lock and no other process is waited for.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from leeboard.app.handle import SILENT, RunSetting, handle, new_session
from leeboard.app.misses import describe
from leeboard.app.missing_store import fallback_files
from leeboard.app.missing_store.fallback_files import keep_copy, read_copy
from leeboard.app.own_processes import knowing_processes
from leeboard.app.real_places import RealPlaces, written_in_trees
from leeboard.app.settings import resolve, setting_for
from leeboard.clients import client_named
from leeboard.clients.call import HookCall
from leeboard.errors import BusyError, EffectError, LeeboardError, StateError
from leeboard.io import clock
from leeboard.judge.correction import person_line
from leeboard.model.event import Event, PromptGiven, ToolProposed
from leeboard.model.lookup import Receipt
from leeboard.model.outcome import Judged, Outcome, Step
from leeboard.model.session import Session
from leeboard.model.verdict import Action, Finding, Verdict
from leeboard.secrets.redaction import redact
from leeboard.store.memory import MemoryStore
from leeboard.store.sqlite import SqliteStore

_A_PERSON_IS_THERE = frozenset({"start", "prompt"})


def answer_without_store(call: HookCall, env: Mapping[str, str], failure: Exception) -> bytes:
    """As the client reads it; empty where nothing is refused."""
    began = clock.now()
    store = MemoryStore()
    copy = read_copy(call.session)
    if copy is not None:
        store.put(copy.session, copy.allowances)
    resolved = resolve(call.cwd, call.session, store, env, written_in_trees(call))
    if not resolved.enabled:
        return b""
    few = tuple(one for one in resolved.setting.rules if one.traits.needs_no_history)
    setting = knowing_processes(replace(resolved.setting, rules=few), call)
    call = RealPlaces(setting.workspace.root, setting.plan_root).told(call)
    if call.kind == "settings_change":
        from leeboard.app.guard.off import hold_back  # noqa: PLC0415 - only where settings were changed

        return b"" if setting.policy.profile == "observe" else hold_back(call)
    answer = _Judging(call, store, setting, describe(failure), began).answer()
    return client_named(call.client).telling_person(answer, _news(call, failure))


class _Judging:
    """One hook without a store."""

    def __init__(self, call: HookCall, store: MemoryStore, setting: RunSetting, why: str, began: float) -> None:
        self._call = call
        self._store = store
        self._setting = setting
        told = Unrecorded(time=began, session=call.session, cwd=call.cwd, event=call.name, why=why)
        self._kept = replace(told, client=call.client)

    def answer(self) -> bytes:
        for event in self._call.events:
            if isinstance(event, PromptGiven):
                self._remember(event)
            elif isinstance(event, ToolProposed) and Action.DENY in self._call.moment.actions:
                return self._refusal(event)
        self._keep_passed(self._call.events[-1].key if self._call.events else "")
        return b""

    def _keep_passed(self, key: str) -> None:
        """Nothing was refused: the record is to know of it all the same."""
        if self._call.events and not any(isinstance(event, PromptGiven) for event in self._call.events):
            keep_unrecorded(replace(self._kept, key=key, ms=(clock.now() - self._kept.time) * 1000))

    def _refusal(self, event: Event) -> bytes:
        known = answered_unrecorded(event.session, event.key)
        verdict = known or handle((event,), self._call.moment, self._store, self._setting)
        if verdict is None or verdict.action is not Action.DENY:
            self._keep_passed(event.key)
            return b""
        if known is None:
            self._keep(event, verdict)
        told = person_line(verdict, self._call.moment)
        return client_named(self._call.client).render(verdict, self._call, for_person=told)

    def _keep(self, event: Event, verdict: Verdict) -> None:
        store, session = self._store, event.session
        kept = replace(
            self._kept,
            key=event.key,
            verdict=verdict,
            findings=store.findings(verdict.id),
            judged=store.signals(session),
            steps=store.steps(session),
            ms=(clock.now() - self._kept.time) * 1000,
        )
        keep_unrecorded(kept)

    def _remember(self, event: PromptGiven) -> None:
        """What the user says now holds for the calls that follow, store or none."""
        handle((event,), SILENT, self._store, replace(self._setting, rules=()))
        session = self._store.session(event.session)
        if session is not None:
            keep_copy(session, self._setting.allowances)
            keep_unrecorded(replace(self._kept, prompt=replace(event, text=redact(event.text))))


def _news(call: HookCall, failure: Exception) -> str:
    """What a person has to know, once."""
    if not isinstance(failure, EffectError | StateError | OSError):
        return ""
    if not fallback_files.is_news(busy=isinstance(failure, BusyError), asked=call.kind in _A_PERSON_IS_THERE):
        return ""
    why = describe(failure).partition(": ")[2]
    return (
        f"Leeboard can not use its state: {why}. Until it can, it refuses secrets, certain injections, changes to its "
        "own guard and what you ruled out, and gives no other advice. `leeboard doctor` says what to do."
    )


# What was answered without a store, kept until there is one again.


NOTE = "judged without the store"


class Unrecorded(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One hook that found no store. Its texts are redacted."""

    time: float
    session: str
    cwd: str
    event: str
    client: str = ""
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
    call = kept.key.partition(":")[2] if kept.key.startswith(("call:", "result:")) else ""
    receipt = Receipt(
        ts=kept.time,
        event=kept.event,
        outcome=outcome,
        session=kept.session,
        ms=kept.ms,
        note=note,
        project=setting.workspace.root,
        client=kept.client,
        call=call,
    )
    store.receipt(receipt)


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
