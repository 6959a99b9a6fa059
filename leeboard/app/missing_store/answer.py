"""The answer to a hook that finds no store: what must not pass is refused all the same, and nothing else is said.

It is the ordinary judging, over a store in memory that begins with the last good copy of the session, and with those
rules alone that may refuse. What needs the history of the run (scope, repetition, others' changes) is not judged: on
half of what is known it would be guessed. No database, no lock and no other process is waited for.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from leeboard.app.handle import SILENT, RunSetting, handle
from leeboard.app.misses import describe
from leeboard.app.missing_store import fallback_files
from leeboard.app.missing_store.fallback_files import keep_copy, read_copy
from leeboard.app.missing_store.unrecorded import Unrecorded, answered_unrecorded, keep_unrecorded
from leeboard.app.real_places import RealPlaces
from leeboard.app.settings import resolve
from leeboard.clients import client_named
from leeboard.clients.call import HookCall
from leeboard.errors import BusyError, EffectError, StateError
from leeboard.io import clock
from leeboard.model.event import Event, PromptGiven, ToolProposed
from leeboard.model.verdict import Action, Verdict
from leeboard.secrets.redaction import redact
from leeboard.store.memory import MemoryStore

_A_PERSON_IS_THERE = frozenset({"start", "prompt"})


def answer_without_store(call: HookCall, env: Mapping[str, str], failure: Exception) -> bytes:
    """As the client reads it; empty where nothing is refused."""
    began = clock.now()
    store = MemoryStore()
    copy = read_copy(call.session)
    if copy is not None:
        store.put(copy.session, copy.allowances)
    resolved = resolve(call.cwd, call.session, store, env)
    if not resolved.enabled:
        return b""
    few = tuple(one for one in resolved.setting.rules if one.traits.needs_no_history)
    setting = replace(resolved.setting, rules=few)
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
        self._kept = Unrecorded(time=began, session=call.session, cwd=call.cwd, event=call.name, why=why)

    def answer(self) -> bytes:
        for event in self._call.events:
            if isinstance(event, PromptGiven):
                self._remember(event)
            elif isinstance(event, ToolProposed) and Action.DENY in self._call.moment.actions:
                return self._refusal(event)
        return b""

    def _refusal(self, event: Event) -> bytes:
        known = answered_unrecorded(event.session, event.key)
        verdict = known or handle((event,), self._call.moment, self._store, self._setting)
        if verdict is None or verdict.action is not Action.DENY:
            return b""
        if known is None:
            self._keep(event, verdict)
        return client_named(self._call.client).render(verdict, self._call)

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
