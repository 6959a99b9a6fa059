"""An independent witness: what the client itself wrote down of a project's sessions, held against our receipts.

A hook that is dead can not say so. The transcript is written by the client whether or not a hook runs, so a call that
stands there with its result, and that no receipt names, ran unheard. The client also records hooks of ours that failed.
Only the newest part of the newest files is read; nothing here writes anything.
"""

from __future__ import annotations

import glob
from collections.abc import Iterable, Iterator, Mapping
from posixpath import basename, getmtime, getsize, join
from typing import Protocol

import msgspec

from leeboard.app.catch_up import read_before
from leeboard.app.guard.posted import posted_ports
from leeboard.app.posting.hooks import hooks_of
from leeboard.clients import client_named, client_names, signs
from leeboard.clients.call import HookFault
from leeboard.io.system import expanduser, realpath
from leeboard.model.event import ToolFinished

MOST_FILES = 4
"""The newest transcripts of each client that are looked at."""
MOST_LISTED = 2_000
MOST_BYTES = 512 << 10
"""From the end of each."""
MOST_FIRST = 128 << 10
LATE_SECONDS = 10.0
"""A receipt is written after its answer, and by another process: a call so new may still get one."""
TRAILING = 2
"""So many calls in a row at the end of a transcript, and no receipt of any: by chance one is lost, and not two."""


class CallsHeard(Protocol):
    """Looks up which calls of a session hooks were heard of, so that a transcript can show the others."""

    def __call__(self, session: str, at: tuple[str, ...] = (), /) -> tuple[frozenset[str], float]:
        """The calls of a session that a hook was about, and since when receipts name any; zero: none does. `at` names
        the events that count.
        """


class WitnessedSession(msgspec.Struct, frozen=True, kw_only=True):
    """What one transcript tells about our hooks."""

    client: str
    session: str
    ran: int
    """Calls that ran and had to be heard."""
    unheard: int
    trailing: int
    """How many of those stand at the end, one behind the other."""
    since: float = 0.0
    """When the first of the trailing ones ran."""
    faults: tuple[HookFault, ...] = ()
    untold: int = 0
    """Calls that were heard before they ran, and whose end the client had to post and did not tell us."""
    untold_since: float = 0.0

    @property
    def is_silent(self) -> bool:
        return self.trailing >= TRAILING


def witnessed(
    root: str, env: Mapping[str, str], heard: CallsHeard, since: float, now: float
) -> tuple[WitnessedSession, ...]:
    """The newest sessions of a project, by client. `since` is the time from which its hooks had to be heard where no
    receipt of the session tells better.
    """
    found = (
        _session(client, path, root, heard, (since, now - LATE_SECONDS))
        for client in client_names()
        for path in _newest(client, root, env)
    )
    return tuple(one for one in found if one is not None)


def is_written_down(client: str, root: str, env: Mapping[str, str], sessions: Iterable[str]) -> bool:
    """Whether the client itself knows one of these sessions; taken for granted where it keeps no record of any."""
    spoken = client_named(client)
    if not (spoken.transcript_folders(env, expanduser("~")) and spoken.project_transcripts(realpath(root))):
        return True
    named = {basename(path) for path in _transcripts(client, root, env)}
    return any(session in name for session in sessions for name in named)


def _newest(client: str, root: str, env: Mapping[str, str]) -> list[str]:
    return sorted(_transcripts(client, root, env), key=_changed, reverse=True)[:MOST_FILES]


def _transcripts(client: str, root: str, env: Mapping[str, str]) -> Iterator[str]:
    spoken = client_named(client)
    for folder in spoken.transcript_folders(env, expanduser("~")):
        for pattern in spoken.project_transcripts(realpath(root)):
            yield from (join(folder, name) for name in _listed(pattern, folder))


def _listed(pattern: str, folder: str) -> Iterator[str]:
    for position, name in enumerate(glob.iglob(pattern, root_dir=folder)):  # noqa: PTH207 - below any folder
        if position >= MOST_LISTED:
            return
        yield name


def _changed(path: str) -> float:
    try:
        return getmtime(path)
    except OSError:
        return 0.0


def _session(
    client: str, path: str, root: str, heard: CallsHeard, between: tuple[float, float]
) -> WitnessedSession | None:
    """None where nothing of this project stands in the file."""
    try:
        size = getsize(path)
    except OSError:
        return None
    data = read_before(path, size, MOST_BYTES)
    lines = data.split(b"\n")[:-1]
    if len(data) < size:  # some say only in their first line whose they are
        lines[:1] = read_before(path, MOST_FIRST, MOST_FIRST).split(b"\n")[:1]
    ran = [event for event in _finished(client, path, lines) if _is_of(root, event.cwd)]
    ports = posted_ports(root)
    recorded = client_named(client).hook_faults(lines)
    faults = [fault for fault in recorded if not fault.port or fault.port in ports]
    if not ran and not faults:
        return None
    session = ran[-1].session if ran else basename(path).removesuffix(".jsonl")
    calls, first = heard(session)
    begin, end = first or between[0], between[1]
    due = [event for event in ran if begin <= event.time <= end]
    unheard = [event.call.id not in calls for event in due]
    untold = _untold(client, root, [event for event in due if event.call.id in calls], heard)
    trailing = next((count for count, missed in enumerate(reversed(unheard)) if not missed), len(unheard))
    return WitnessedSession(
        client=client,
        session=session,
        ran=len(due),
        unheard=sum(unheard),
        trailing=trailing,
        since=due[-trailing].time if trailing else 0.0,
        faults=tuple(fault for fault in faults if fault.time >= begin),
        untold=len(untold),
        untold_since=untold[0].time if untold else 0.0,
    )


def _untold(client: str, root: str, ran: list[ToolFinished], heard: CallsHeard) -> list[ToolFinished]:
    """What the client had to post and nobody here got. A lost post has no process whose failure could be seen."""
    hooks, posted = hooks_of(root), signs(client, "posted-event")
    if hooks is None or hooks.given_up or not posted or not ran:
        return []
    told, _ = heard(ran[0].session, posted)
    return [event for event in ran if event.time >= hooks.time and event.call.id not in told]


def _finished(client: str, path: str, lines: list[bytes]) -> Iterator[ToolFinished]:
    """Calls that really ran: one that is refused or made up meets no hook in some clients."""
    is_part = bool(client_named(client).main_transcript(path))
    agent = basename(path).removesuffix(".jsonl").removeprefix("agent-") if is_part else ""
    reader = client_named(client).open_reader("", agent=agent)
    for event in reader.feed(b"".join(line + b"\n" for line in lines)):
        if isinstance(event, ToolFinished) and event.outcome == "done" and not event.call.id.startswith("attached-"):
            yield event


def _is_of(root: str, folder: str) -> bool:
    real = realpath(folder) if folder else ""
    return real == realpath(root) or real.startswith(f"{realpath(root)}/")
