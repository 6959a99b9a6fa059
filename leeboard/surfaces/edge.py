"""The error boundary of the hooks: whatever goes wrong behind it, the agent's call goes through and the miss is kept.

Bytes of a hook in, bytes of an answer out; the hook client and the resident process both end up here.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from importlib import import_module

from msgspec.structs import replace

from leeboard.app.hook_call import Asker, Send, answer_call
from leeboard.app.hook_origin import told_by_agent
from leeboard.clients import FIRST, client_named, client_names
from leeboard.clients.call import Client, HookCall
from leeboard.clients.hook_input import NAMELESS, shallow
from leeboard.clients.told_paths import respelled_call
from leeboard.errors import BusyError, NewerStateError, WireError
from leeboard.io import clock, places, system
from leeboard.rule import discover

_LATER = (
    "tomllib",
    "leeboard.source.fingerprint",
    "leeboard.source.likeness",
    "leeboard.security.taint.flow",
    "leeboard.analysis.built",
    "leeboard.analysis.patch",
    "leeboard.analysis.registry",
    "leeboard.truth.learn",
    "leeboard.truth.prompt",
    "leeboard.truth.underneath",
    "leeboard.speech.prompt",
    "leeboard.secrets.detection",
    "leeboard.source.syntax",
    "leeboard.io.git.ask",
    "leeboard.source.index.symbols",
    "leeboard.app.indexing",
    "leeboard.app.misses",
    "leeboard.store.forgetting",
    "leeboard.store.retrieval",
    "leeboard.app.settings",
    "leeboard.app.plan.hooks",
    "leeboard.app.check",
    "leeboard.app.safety_net.net",
    "leeboard.app.safety_net.note",
    "leeboard.app.safety_net.put_back",
)


def answer(payload: bytes, env: Mapping[str, str], end: float | None = None) -> bytes:
    """The answer to a hook as its client reads it; empty when there is nothing to say or something failed. `end` is
    when there has to be one, on the clock that only goes forward.
    """
    sent: list[bytes] = []
    respond(payload, env, sent.append, Asker(end=end))
    return b"".join(sent)


def respond(payload: bytes, env: Mapping[str, str], send: Send, asker: Asker | None = None) -> bool:
    """Send the answer as soon as it stands, at most once; receipt and tidying up come after it.

    False where nothing was answered because it may take long, or others hold the store, and who asks is not patient.
    """
    event, client, call, once = "hook", None, None, _Once(send)
    asker = asker or Asker()
    try:
        client = client_named(env.get("LEEBOARD_CLIENT", FIRST))
        call = respelled_call(_parsed(client, payload, asker), system.OURS)
        event = call.name
        asks = call.events or call.kind == "settings_change"
        return answer_call(call, env, once, asker) if asks else True
    except Exception as failure:  # noqa: BLE001 - this is the boundary
        if isinstance(failure, BusyError) and not asker.patient and not once.sent:
            return False
        if isinstance(failure, NewerStateError):
            _newer_met.append(True)
        where = _note_miss(event, failure, client.folder_told(payload) if client else "", asker.pid)
        if call is not None and not once.sent and asker.believed and not told_by_agent(env, asker.pid):
            _respond_without_store(call, env, once, (failure, where))
        return True


def contained(work: Callable[[], object], folder: str = "") -> bool:
    """Whether it came to its end. What one connection brings ends nobody who serves others: the miss is kept."""
    try:
        work()
    except Exception as failure:  # noqa: BLE001 - as above
        from leeboard.app.misses import note_miss  # noqa: PLC0415 - only where something failed

        note_miss(places.state_dir(), "http", failure, folder)
        return False
    return True


def _parsed(client: Client, payload: bytes, asker: Asker) -> HookCall:
    """What the hook was told. A call is judged whatever else is wrong with the payload: nested beyond reading, without
    a session, or without a folder, in place of which stands the one that the hook runs in.
    """
    try:
        call = client.parse(payload, clock.now())
    except (WireError, RecursionError):
        shorter = shallow(payload)
        if shorter == payload:
            raise
        call = client.parse(shorter, clock.now())
    is_call = call.kind == "before_call"
    if call.session.startswith(NAMELESS):
        nameless = WireError("a hook payload needs a session_id that is a non-empty string")
        if not is_call:
            raise nameless
        _note_miss(call.name, nameless, call.cwd, asker.pid)
    return call if call.cwd or not is_call else _in_folder(call, asker)


def _in_folder(call: HookCall, asker: Asker) -> HookCall:
    from leeboard.app.misses import hook_folder  # noqa: PLC0415 - only for broken payloads

    folder = hook_folder("", asker.pid)
    return replace(call, cwd=folder, events=tuple(replace(one, cwd=one.cwd or folder) for one in call.events))


_newer_met: list[bool] = []


def met_newer_state() -> bool:
    """Whether this process has met state of a newer version than its own: it is to give way to one that knows it."""
    return bool(_newer_met)


def _respond_without_store(call: HookCall, env: Mapping[str, str], send: Send, missed: tuple[Exception, str]) -> None:
    """What must not pass is refused even so."""
    failure, where = missed
    try:
        from leeboard.app.missing_store.answer import (  # noqa: PLC0415 - only where something failed
            answer_without_store,
        )

        send(answer_without_store(call, env, failure))
    except Exception as second:  # noqa: BLE001 - as above
        from leeboard.app.misses import note_miss  # noqa: PLC0415 - as above

        note_miss(places.state_dir(), call.name, second, where)


def _note_miss(event: str, failure: Exception, told: str, process: int) -> str:
    """Keep what went wrong where `doctor` finds it; the folder it is of."""
    from leeboard.app.misses import hook_folder, note_miss  # noqa: PLC0415 - only where something failed

    where = hook_folder(told, process)
    note_miss(places.state_dir(), event, failure, where)
    return where


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
    for name in client_names():
        client_named(name).open_reader("")
    # The shell's grammar is loaded by the first line that needs it.
    import_module("leeboard.shell.understand").understand("if true; then echo; fi")
    for loaded in discover():
        loaded.detect  # noqa: B018 - imports the rule
    _collect_seldom()


NEW_OBJECTS = 20_000
"""After so many the collector looks for cycles."""


def _collect_seldom() -> None:
    """Of all that is loaded nothing ever goes, and nearly all that an answer makes goes without a search for cycles:
    looking through both every few hundred objects took a tenth of an event.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS, *gc.get_threshold()[1:])
