"""The error boundary of the hooks: whatever goes wrong behind it, the agent's call goes through and the miss is kept.

Bytes of a hook in, bytes of an answer out; the hook client and the resident process both end up here.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from os import getpid

from leeboard.app.handle import SILENT, handle
from leeboard.io import clock, places, spare, trouble
from leeboard.io.store.sqlite import SqliteStore, open_store
from leeboard.model.lookup import Receipt
from leeboard.rule import discover
from leeboard.surfaces.hearing import Hearing, Send
from leeboard.surfaces.misses import hook_folder, misses, note_miss
from leeboard.surfaces.real_places import RealPlaces
from leeboard.surfaces.settings import Resolved, resolve
from leeboard.surfaces.teller import OUTCOME, attempt, is_forged, note
from leeboard.wire.claude_hooks import HookCall, folder_told, parse

__all__ = ["answer", "load_everything", "misses", "respond"]

_LATER = (
    "tomllib",
    "leeboard.code.fingerprint",
    "leeboard.code.flow.find",
    "leeboard.code.health",
    "leeboard.code.known.prompt",
    "leeboard.code.known.underneath",
    "leeboard.code.patch",
    "leeboard.code.prompt",
    "leeboard.code.secret.find",
    "leeboard.code.syntax",
    "leeboard.io.git",
    "leeboard.io.index.symbols",
    "leeboard.surfaces.indexing",
    "leeboard.surfaces.plan_around",
    "leeboard.surfaces.plan_hooks",
    "leeboard.surfaces.tree_stop",
    "leeboard.wire.transcript",
)


def answer(payload: bytes, env: Mapping[str, str]) -> bytes:
    """The answer to a hook as its client reads it; empty when there is nothing to say or something failed."""
    sent: list[bytes] = []
    respond(payload, env, sent.append)
    return b"".join(sent)


def respond(
    payload: bytes, env: Mapping[str, str], send: Send, *, patient: bool = True, process: int | None = None
) -> bool:
    """Send the answer as soon as it stands, at most once; receipt and tidying up come after it.

    False where nothing was done because the answer may take long and who asks is not `patient`. `process` is who asks,
    where that is not this one; 0 where nobody can tell.
    """
    event, call, once = "hook", None, _Once(send)
    asked_by = getpid() if process is None else process
    try:
        call = parse(payload, clock.now())
        event = call.name
        asks = call.events or call.kind == "settings_change"
        return _respond(call, env, once, asked_by, patient=patient) if asks else True
    except Exception as failure:  # noqa: BLE001 - this is the boundary
        where = hook_folder(folder_told(payload), asked_by)
        note_miss(places.state_dir(), event, failure, where)
        if call is not None and not once.sent and not is_forged(env, asked_by):
            _respond_without_store(call, env, once, (failure, where))
        return True


def _respond_without_store(call: HookCall, env: Mapping[str, str], send: Send, missed: tuple[Exception, str]) -> None:
    """What must not pass is refused even so."""
    failure, where = missed
    try:
        from leeboard.surfaces.without_store import answer_without_store  # noqa: PLC0415 - only where something failed

        send(answer_without_store(call, env, failure))
    except Exception as second:  # noqa: BLE001 - as above
        note_miss(places.state_dir(), call.name, second, where)


class _Once:
    """Sends what it is given first."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.sent = False

    def __call__(self, answer: bytes) -> None:
        self.sent = True
        self._send(answer)


def load_everything() -> None:
    """Import what only some events need, so that no request of a resident pays for it."""
    for name in _LATER:
        import_module(name)
    # The shell's grammar is loaded by the first line that needs it.
    import_module("leeboard.code.shell").understand("if true; then echo; fi")
    for loaded in discover():
        loaded.detect  # noqa: B018 - imports the rule


def _respond(call: HookCall, env: Mapping[str, str], send: Send, process: int, *, patient: bool) -> bool:
    troubled = trouble.last_met()
    store = open_store(places.database(), patience=trouble.patience(troubled))
    try:
        _take_in(store, env)
        resolved = resolve(call.cwd, call.session, store, env)
        if resolved.enabled:
            call = RealPlaces(resolved.setting.workspace.root, resolved.setting.plan_root).told(call)
            if is_forged(env, process):
                _refuse(call, store, resolved)
                return True
            if call.kind == "settings_change":
                _hold_back(call, store, resolved, send)
                return True
            hearing = Hearing(call, store, resolved, env)
            if not patient and hearing.is_slow():
                return False
            hearing.hold(send)
            if troubled is not None:
                trouble.is_over()
    finally:
        store.close()
    return True


def _refuse(call: HookCall, store: SqliteStore, resolved: Resolved) -> None:
    """Keep what somebody else than the client tried to tell; the agent hears of it at its next chance."""
    now = clock.now()
    handle(attempt(call, now), SILENT, store, resolved.setting)
    store.receipt(Receipt(ts=now, event=call.name, outcome=OUTCOME, session=call.session, note=note(call)))


def _hold_back(call: HookCall, store: SqliteStore, resolved: Resolved, send: Send) -> None:
    """Before the client takes changed settings over: those that would end the guard of this session."""
    from leeboard.surfaces.config_change import HELD, hold_back  # noqa: PLC0415 - only where settings were changed

    words = b"" if resolved.setting.policy.profile == "observe" else hold_back(call)
    send(words)
    outcome = HELD if words else "allow"
    store.receipt(Receipt(ts=clock.now(), event=call.name, outcome=outcome, session=call.session))


def _take_in(store: SqliteStore, env: Mapping[str, str]) -> None:
    """What was answered while there was no store."""
    if spare.find(spare.LATE):
        from leeboard.surfaces.late import take_in  # noqa: PLC0415 - only after the store could not be used

        take_in(store, env)
