"""How the guard is doing here, gathered once for `status` and `doctor`."""

from __future__ import annotations

import os
import socket
import tempfile
from pathlib import Path

import msgspec

from leeboard.app.actors import sleeping
from leeboard.app.misses import misses_at
from leeboard.app.settings_files import ProjectSettings, read_project
from leeboard.clients import FIRST, client_names
from leeboard.errors import ConfigError, LeeboardError
from leeboard.io.clock import now
from leeboard.io.places import database, socket_path, state_dir
from leeboard.model.lookup import Receipt
from leeboard.model.session import Session
from leeboard.model.trust import Actor
from leeboard.settings.toml import Settings
from leeboard.store.sqlite import SqliteStore
from leeboard.surfaces.cli.archive import opened_archive
from leeboard.surfaces.cli.here import SettingsPlace, our_command, places, standing
from leeboard.trust import record

RECEIPTS_READ = 200
_CONNECT_SECONDS = 1.0


class Hooks(msgspec.Struct, frozen=True, kw_only=True):
    """Our hooks in one settings file."""

    place: SettingsPlace
    events: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    problem: str = ""
    """Why the file can not be read."""

    @property
    def missing(self) -> tuple[str, ...]:
        wanted = self.place.format.HOOK_EVENTS if self.events else ()
        return tuple(event for event in wanted if event not in self.events)

    @property
    def current(self) -> bool:
        """Whether they run this installation, and nothing else of ours."""
        return self.commands == (our_command(self.place.client),)


class Stored(msgspec.Struct, frozen=True, kw_only=True):
    """What the store knows of this project."""

    session: Session | None = None
    receipts: tuple[Receipt, ...] = ()
    """Of this project, newest first."""
    refused: tuple[Receipt, ...] = ()
    """Attempts of an agent to loosen its guard: here, by a session of this project, or nobody knows where."""
    allowances: int = 0
    problem: str = ""


class ProjectHealth(msgspec.Struct, frozen=True, kw_only=True):
    root: str
    settings: Settings
    notes: tuple[str, ...]
    """What is wrong with the settings."""
    hooks: tuple[Hooks, ...]
    stored: Stored
    resident: bool
    misses: tuple[str, ...]
    asleep: tuple[Actor, ...] = ()
    """What the repository brings that nobody trusted here."""
    trust_problem: str = ""
    sleeping_profile: str = ""
    """What the repository's settings file says of the profile and does not count; empty: it says nothing else."""

    @property
    def installed(self) -> bool:
        return any(held.events for held in self.hooks)


def health_of(root: str) -> ProjectHealth:
    read = read_project(root, os.environ)
    return ProjectHealth(
        root=root,
        settings=read.settings,
        notes=read.notes,
        hooks=_hooks_of_all(root),
        stored=_stored(root),
        resident=resident_answers(),
        misses=tuple(misses_at(state_dir(), root)),
        asleep=sleeping(root, os.environ),
        trust_problem=record.known(root).problem,
        sleeping_profile=_sleeping_profile(read),
    )


def _sleeping_profile(read: ProjectSettings) -> str:
    if read.project is None or read.actor is None or read.trusted or "profile" not in read.project.said:
        return ""
    said = read.project.policy.profile
    asleep = f"{read.actor.place} says {said}, which sleeps until you trust it (`leeboard trust`)"
    return asleep if said != read.settings.policy.profile else ""


def _hooks_of_all(root: str) -> tuple[Hooks, ...]:
    """Those in the settings of the client that nearly everybody has, and those that stand in another's."""
    others = (hooks_at(place) for name in client_names() if name != FIRST for place in places(root, name))
    return (*map(hooks_at, places(root)), *(held for held in others if held.events))


def hooks_at(place: SettingsPlace) -> Hooks:
    try:
        events, commands = standing(place)
    except (ConfigError, OSError) as error:
        return Hooks(place=place, problem=str(error))
    return Hooks(place=place, events=events, commands=commands)


def resident_answers() -> bool:
    """Whether somebody accepts connections on the resident's socket."""
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
            client.settimeout(_CONNECT_SECONDS)
            client.connect(socket_path())
    except (OSError, LeeboardError):
        return False
    return True


def state_problem() -> str:
    """Why nothing can be kept in the state directory; empty when all is well. It is tried, not guessed."""
    folder = Path(state_dir())
    nearest = next((above for above in (folder, *folder.parents) if above.exists()), folder)
    way_out = "set LEEBOARD_STATE_DIR to a folder of yours"
    if not nearest.is_dir():
        return f"{nearest} is no folder, so no state can be kept there; {way_out}"
    try:
        Path(tempfile.mkdtemp(prefix=".leeboard-", dir=nearest)).rmdir()
    except OSError as error:
        return f"nothing can be written in {nearest} ({error.strerror}); make it writable, or {way_out}"
    return ""


def _stored(root: str) -> Stored:
    if problem := state_problem():
        return Stored(problem=problem)
    if not Path(database()).exists():
        return Stored()
    try:
        with opened_archive() as store:
            sessions = store.sessions(root, 50)
            receipts = store.receipts(RECEIPTS_READ)
            ours = {session.id for session in sessions}
            return Stored(
                session=next(iter(sessions), None),
                receipts=tuple(receipt for receipt in receipts if receipt.session in ours and receipt.event != "cli"),
                refused=tuple(receipt for receipt in receipts if _is_refused_in(root, receipt, store)),
                allowances=len(store.allowances(root, "", now())),
            )
    except LeeboardError as error:
        return Stored(problem=str(error))


def _is_refused_in(root: str, receipt: Receipt, store: SqliteStore) -> bool:
    if receipt.outcome != "self_allowance":
        return False
    session = store.session(receipt.session) if receipt.session else None
    of = {receipt.project, session.root if session else ""} - {""}
    return root in of or not of
