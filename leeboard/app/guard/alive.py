"""Is the guard of a project alive? What is configured, what was really heard, and what went silent, in words.

Settings are a claim, a receipt is a proof: every hook that was answered left one. What stands in the settings and is
not heard, while the client's own record goes on, is silent, and that is said by whatever of ours runs next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from posixpath import exists, getmtime
from typing import TYPE_CHECKING

import msgspec

from leeboard.app.archive import opened_archive
from leeboard.app.guard.coverage import kept_coverage
from leeboard.app.guard.look import gone_program
from leeboard.app.guard.off import RECENT_SECONDS
from leeboard.app.guard.posted import has_fallen_back, posted_troubles
from leeboard.app.guard.witness import WitnessedSession, is_written_down, witnessed
from leeboard.app.install.hook_files import SettingsPlace, naming, places, posted_at, short_path, text_at
from leeboard.app.install.kept_file import record_time
from leeboard.app.pause import Pause, paused
from leeboard.clients import client_names, first_sign
from leeboard.clients.call import SettingsState
from leeboard.errors import ConfigError, LeeboardError
from leeboard.io import clock
from leeboard.io.clock import ago
from leeboard.io.places import database
from leeboard.model.lookup import Heartbeat
from leeboard.text.words import counted
from leeboard.trust.released import released_at

if TYPE_CHECKING:
    from leeboard.store.sqlite import SqliteStore

CANARY = "canary"
_SESSIONS = 50
"""The newest of a project that are looked for among what a client wrote down."""
_OFF = "LEEBOARD_OFF"
_SAID_FOR = 7 * 86_400.0
"""What ran unheard longer ago is history: it stands in `report`, and nobody can do anything about it."""


class HookLife(msgspec.Struct, frozen=True, kw_only=True):
    """One hook event of one client in a project."""

    client: str
    event: str
    configured: bool
    enabled: bool
    """It stands in the settings, and nothing there or in the environment switches it off."""
    heard: float = 0.0
    """When it was last observed; zero: never here."""
    heard_in_agents: float = 0.0
    """The same in sub-agents alone."""
    heard_in_worktrees: float = 0.0
    count: int = 0


class Life(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of the life of a project's guard."""

    hooks: tuple[HookLife, ...] = ()
    canary: float = 0.0
    """When the self-test at the start of a session was last answered as it must be."""
    silences: tuple[str, ...] = ()
    """What is not heard though it should be, and what to do: said wherever anything of ours runs."""
    witnessed: tuple[WitnessedSession, ...] = ()
    pause: Pause | None = None


class _Held(msgspec.Struct, frozen=True):
    """A settings file with hooks of ours, or with a switch that ends them."""

    place: SettingsPlace
    state: SettingsState


def life_of(root: str, env: Mapping[str, str], store: SqliteStore) -> Life:
    """All that can be known; the store is only read."""
    held, beats, now = _held(root), store.heartbeats(root), clock.now()
    heard = beats if any(map(_brings, held)) or _were_installed(root, env, store, beats) else ()
    sessions = witnessed(root, env, store.calls_heard, _expected_since(root, held, heard), now)
    pause = paused(root, now)
    silences = (
        *_programs(held),
        *_switches(held),
        *posted_troubles(root, [(one.place, one.state) for one in held]),
        *_removed(root, held, heard),
        *_unheard(root, sessions, store, now),
        *_canary_words(beats),
        *_never_told(held),
    )
    return Life(
        hooks=_hooks(held, beats, env, pause),
        canary=max((beat.ts for beat in beats if beat.event == CANARY), default=0.0),
        silences=tuple(dict.fromkeys(silences)),
        witnessed=sessions,
        pause=pause,
    )


def loud_words(root: str, env: Mapping[str, str]) -> tuple[str, ...]:
    """What is to be said by whatever of ours runs in a project: that it is paused, and what went silent. Nothing where
    no hook was ever heard or put there, and where nothing can be known.
    """
    try:
        pause = paused(root, clock.now())
        told = (pause.words,) if pause else ()
        if not exists(database()):
            return told
        with opened_archive() as store:
            return (*told, *life_of(root, env, store).silences)
    except (LeeboardError, OSError, ValueError):
        return ()


def _held(root: str) -> tuple[_Held, ...]:
    found = []
    for client in client_names():
        for at in places(root, client):
            try:
                with naming(at.path):
                    state = at.format.read_state(text_at(at.path))
            except (ConfigError, OSError, RecursionError):
                continue  # `status` and `doctor` say what is wrong with it
            held = _Held(at, state)
            if state.hooks or state.posted or _by_plugin(held) or _is_off(held):
                found.append(held)
    return tuple(found)


def _expected_since(root: str, held: Iterable[_Held], beats: tuple[Heartbeat, ...]) -> float:
    """Since when every call had to be heard; the end of time where nobody put hooks there."""
    since = [record_time(one.place.path) or _changed(one.place.path) for one in held if _brings(one)]
    if since:
        return min(since)
    last = max((beat.ts for beat in beats), default=0.0)
    return last if last and not _is_released(root, last) else float("inf")


def _is_released(root: str, last: float) -> bool:
    """Whether a person has taken the hooks out since they were heard. A session that ran then keeps its own a while."""
    return released_at(root, "hooks") + RECENT_SECONDS >= last


def _changed(path: str) -> float:
    try:
        return getmtime(path)
    except OSError:
        return float("inf")


def _hooks(
    held: tuple[_Held, ...], beats: tuple[Heartbeat, ...], env: Mapping[str, str], pause: Pause | None
) -> tuple[HookLife, ...]:
    found = []
    for client in client_names():
        own = [one for one in held if one.place.client == client]
        standing = {event for one in own for event, _ in (*one.state.hooks, *posted_at(one.place, one.state))}
        standing |= {event for one in own if _by_plugin(one) for event in one.place.format.HOOK_EVENTS}
        heard = [beat for beat in beats if beat.client == client and beat.event != CANARY]
        runs = pause is None and not env.get(_OFF) and not any(map(_is_off, own))
        known = own[0].place.format.HOOK_EVENTS if standing else ()
        for event in dict.fromkeys((*known, *sorted(standing), *(beat.event for beat in heard))):
            of_event = [beat for beat in heard if beat.event == event]
            found.append(
                HookLife(
                    client=client,
                    event=event,
                    configured=event in standing,
                    enabled=event in standing and runs,
                    heard=_newest(of_event, lambda _: True),
                    heard_in_agents=_newest(of_event, lambda part: part.startswith("sub-agent")),
                    heard_in_worktrees=_newest(of_event, lambda part: part.endswith("worktree")),
                    count=sum(beat.count for beat in of_event),
                )
            )
    return tuple(found)


def _newest(beats: list[Heartbeat], wanted: Callable[[str], bool]) -> float:
    return max((beat.ts for beat in beats if wanted(beat.part)), default=0.0)


def _is_off(held: _Held) -> bool:
    """What a project's own settings say of our variables counts for nothing: no clone mutes its guard."""
    return held.state.switched_off or (held.place.scope == "user" and bool(held.state.env.get(_OFF)))


def _brings(held: _Held) -> bool:
    """Whether the file makes its client call us."""
    return bool(held.state.hooks) or _by_plugin(held)


def _by_plugin(held: _Held) -> bool:
    """What a project's own settings name so may be anybody's: no clone passes for our plugin."""
    return held.place.scope == "user" and held.state.plugin


def _programs(held: tuple[_Held, ...]) -> Iterator[str]:
    for one in held:
        lines = dict.fromkeys(command for _, command in one.state.hooks)
        gone = next(filter(None, map(gone_program, lines)), "")
        if gone:
            yield (
                f"{short_path(one.place.path)} names {gone}, which does not exist: no hook of "
                f"{first_sign(one.place.client, 'title')} is answered. `leeboard doctor --fix` puts the line of this "
                "installation there"
            )


def _switches(held: tuple[_Held, ...]) -> Iterator[str]:
    standing = {one.place.client for one in held if _brings(one)}
    for one in held:
        if one.place.client not in standing:
            continue
        where, title = short_path(one.place.path), first_sign(one.place.client, "title")
        if one.state.switched_off:
            yield f"{where} keeps {title} from running any hook (disableAllHooks): nothing is judged"
        elif _is_off(one):
            yield f"{where} sets {_OFF}: new sessions of {title} are not judged"


def _were_installed(root: str, env: Mapping[str, str], store: SqliteStore, beats: tuple[Heartbeat, ...]) -> bool:
    """Whether a client had hooks of ours: we put them there, or it wrote down itself a session that was heard. A person
    who tries `leeboard hook` by hand is heard too, and nothing is gone after it.
    """
    clients = {beat.client for beat in beats if beat.event != CANARY}
    if any(record_time(at.path) for client in clients for at in places(root, client)):
        return True
    sessions = [session.id for session in store.sessions(root, _SESSIONS)] if clients else []
    return any(is_written_down(client, root, env, sessions) for client in clients)


def _removed(root: str, held: tuple[_Held, ...], beats: tuple[Heartbeat, ...]) -> Iterator[str]:
    last = max((beat.ts for beat in beats), default=0.0)
    if not last or any(map(_brings, held)) or _is_released(root, last):
        return
    if clock.now() - last < _SAID_FOR:
        yield (
            f"hooks were heard here until {ago(last)} and stand in no settings any more, though no person took them "
            "out: `leeboard init` puts them back, `leeboard uninstall` says that it is meant"
        )


def _unheard(root: str, sessions: tuple[WitnessedSession, ...], store: SqliteStore, now: float) -> Iterator[str]:
    for one in sessions:
        title = first_sign(one.client, "title")
        if one.is_silent and now - one.since < _SAID_FOR and not _carried(one, store):
            yield (
                f"the last {counted(one.trailing, 'call')} of session {one.session[:8]} ran and no hook was asked, by "
                f"the transcript of {title}; the first of them {ago(one.since)}. A client that is started "
                f"without its settings, or with {_OFF}, runs none; `leeboard doctor` looks for another cause"
            )
        lately = [fault for fault in one.faults if now - fault.time < _SAID_FOR and not fault.port]
        if not has_fallen_back(root):  # which is told with its own reason
            yield from _undelivered(one, now)
        if lately:
            last = lately[-1]
            yield (
                f"{title} recorded that our hook for {last.event} {last.text}, {ago(last.time)}, and "
                f"{counted(len(lately), 'such failure')} in session {one.session[:8]}: those calls went unjudged"
            )


def _undelivered(one: WitnessedSession, now: float) -> Iterator[str]:
    """Posts that met nobody. Their calls were judged before they ran, by the command."""
    faults = [fault for fault in one.faults if fault.port and now - fault.time < _SAID_FOR]
    is_late = one.untold and now - one.untold_since < _SAID_FOR
    if not faults and not is_late:
        return
    title, last = first_sign(one.client, "title"), faults[-1] if faults else None
    met = f", the last for {last.event}, {ago(last.time)}: it {last.text}" if last else ""
    counts = [f"{counted(one.untold, 'call')} ended without a report"] if one.untold else []
    counts += [f"{counted(len(faults), 'report')} failed{met}"] if faults else []
    yield (
        f"{title} did not get through with all that it posts after calls: by its record of session {one.session[:8]}, "
        f"{' and '.join(counts)}. Every call was judged before it ran, and what came of these is read from the "
        "transcript. Where that goes on, `leeboard init` has commands run in place of the posts"
    )


def _carried(one: WitnessedSession, store: SqliteStore) -> bool:
    """Whether the proxy judged what no hook did."""
    return any(not request.senses and request.ts >= one.since for request in store.traffic.carried_in(one.session))


def _never_told(held: tuple[_Held, ...]) -> Iterator[str]:
    """What the version of a client that was tried last does not tell its hooks of."""
    for client in dict.fromkeys(one.place.client for one in held if _brings(one)):
        found = kept_coverage(client)
        if found is not None and found.unheard:
            yield (
                f"{first_sign(client, 'title')} {found.version} tells its hooks nothing of {', '.join(found.unheard)}: "
                "what they do is not judged. After an update `leeboard doctor --probe` tries it again"
            )


def _canary_words(beats: tuple[Heartbeat, ...]) -> Iterator[str]:
    """Each start of a session is followed by a self-test in the same process."""
    started = max((beat.ts for beat in beats if beat.event == "SessionStart" and beat.part == "main"), default=0.0)
    answered = max((beat.ts for beat in beats if beat.event == CANARY), default=0.0)
    if started > answered:
        yield (
            f"the self-test at the start of the newest session ({ago(started)}) was not answered as it must be: what "
            "must never pass may pass. `leeboard doctor` says more"
        )
