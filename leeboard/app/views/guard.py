"""How the guard of a project is doing: its hooks, its settings, what the store knows of it and what sleeps in it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Literal

import msgspec

from leeboard.app.actors import sleeping
from leeboard.app.archive import opened_archive
from leeboard.app.guard.alive import Life, life_of
from leeboard.app.guard.off import went_off
from leeboard.app.hook_origin import OUTCOME as TRIED
from leeboard.app.install.hook_files import (
    SettingsPlace,
    our_command,
    places,
    posted_at,
    runs_plugin,
    standing,
    text_at,
)
from leeboard.app.install.server_file import server_trouble
from leeboard.app.misses import misses_at
from leeboard.app.pause import paused
from leeboard.app.settings_files import ProjectSettings, read_project
from leeboard.app.views.kept import KeptPage, kept_page
from leeboard.app.views.projects import WaitingWatch, WaitingWork, known_projects
from leeboard.app.views.proxy import REQUESTS_READ, TrafficView, traffic_view
from leeboard.app.views.session import GoalView, goal_view
from leeboard.clients import FIRST, client_names
from leeboard.errors import ConfigError, LeeboardError
from leeboard.io.channel import connect
from leeboard.io.clock import ago, iso, now
from leeboard.io.places import database, socket_path, state_dir
from leeboard.model.lookup import Receipt
from leeboard.model.session import Session
from leeboard.settings.settings import Settings
from leeboard.source.index.state import IndexState, read_state
from leeboard.store.sqlite import SqliteStore
from leeboard.trust import record
from leeboard.trust.actor import Actor

RECEIPTS_READ = 200
_CONNECT_SECONDS = 1.0


class Hooks(msgspec.Struct, frozen=True, kw_only=True):
    """Our hooks in one settings file."""

    place: SettingsPlace
    events: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    posted: tuple[str, ...] = ()
    """Those of the events that the client posts to us."""
    plugin: bool = False
    """The file lets our plugin run, which brings hooks beside these."""
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
    """The answers to hooks of this project, newest first."""
    refused: tuple[Receipt, ...] = ()
    """Attempts of an agent to loosen its guard: here, by a session of this project, or nobody knows where."""
    allowances: int = 0
    shared: int = 0
    """Those among them that others in the team have shared."""
    traffic: TrafficView | None = None
    """What the proxy has carried for it lately; None where none did."""
    problem: str = ""
    life: Life = Life()
    """Which hooks were really heard, and what went silent."""


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
    unguarded: tuple[str, ...] = ()
    """Notes that the hooks went from the client's settings, until `doctor --fix` sets the log aside."""
    policy: str = ""
    """The team's policy that counts here, in words; empty where there is none."""
    sleeping_profile: str = ""
    """What the repository's settings file says of the profile and does not count; empty: it says nothing else."""

    @property
    def installed(self) -> bool:
        return any(held.events or held.plugin for held in self.hooks)


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
        unguarded=tuple(went_off(state_dir(), root)),
        policy=_policy_words(read),
        sleeping_profile=_sleeping_profile(read),
    )


def _policy_words(read: ProjectSettings) -> str:
    if read.policy is None:
        return ""
    expired = f", expired at {iso(read.policy.expires)}" if 0 < read.policy.expires <= now() else ""
    return f"serial {read.policy.serial}{expired}; `leeboard team policy show` shows it"


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
        (events, commands), plugin = standing(place), runs_plugin(place)
        posted = tuple(event for event, _ in posted_at(place, place.format.read_state(text_at(place.path))))
    except (ConfigError, OSError) as error:
        return Hooks(place=place, problem=str(error))
    return Hooks(place=place, events=events, commands=commands, posted=posted, plugin=plugin)


def resident_answers() -> bool:
    """Whether somebody accepts connections on the resident's socket."""
    try:
        connect(socket_path(), _CONNECT_SECONDS).close()
    except (OSError, LeeboardError):
        return False
    return True


def state_problem() -> str:
    """Why nothing can be kept in the state directory; empty when all is well. It is tried, not guessed."""
    folder = Path(state_dir())
    nearest = next((above for above in (folder, *folder.parents) if above.exists()), folder)
    way_out = "set LEEBOARD_STATE_DIR to a folder of yours"
    if not nearest.is_dir():
        return f"{nearest} is not a folder, so no state can be kept there; {way_out}"
    try:
        Path(tempfile.mkdtemp(prefix=".leeboard-", dir=nearest)).rmdir()
    except OSError as error:
        return f"nothing can be written in {nearest} ({error.strerror}); make it writable, or {way_out}"
    return ""


def _stored(root: str) -> Stored:
    if problem := state_problem():
        return Stored(problem=problem)
    if not Path(database()).exists():
        return Stored(life=Life(pause=paused(root, now())))
    try:
        with opened_archive() as store:
            attempts = store.receipts_ended(TRIED, RECEIPTS_READ)
            allowed = store.allowances(root, None, now())
            return Stored(
                session=next(iter(store.sessions(root, 1)), None),
                receipts=store.hook_receipts(root, RECEIPTS_READ),
                refused=tuple(receipt for receipt in attempts if _is_tried_in(root, receipt, store)),
                allowances=len(allowed),
                shared=sum(one.is_shared for one in allowed),
                traffic=traffic_view(store.traffic.carried_for(root, REQUESTS_READ)),
                life=life_of(root, os.environ, store),
            )
    except LeeboardError as error:
        return Stored(problem=str(error))


def _is_tried_in(root: str, receipt: Receipt, store: SqliteStore) -> bool:
    session = store.session(receipt.session) if receipt.session else None
    of = {receipt.project, session.root if session else ""} - {""}
    return root in of or not of


# What `status` tells: the guard's health, and the newest session.


class HookSpeed(msgspec.Struct, frozen=True, kw_only=True):
    """How long the answers to this project's hooks took, in milliseconds."""

    median: float
    slow: float
    """95 of 100 took less."""


class StatusPage(msgspec.Struct, frozen=True, kw_only=True):
    health: ProjectHealth
    index: IndexState
    speed: HookSpeed | None
    goal: GoalView | None
    server_trouble: str
    """Why clients can not start the workflow's server; empty where they can, and where none stands."""
    waiting: tuple[WaitingWork, ...] = ()
    """For this person, in every project of theirs."""
    kept: KeptPage
    """Copies of what is in no commit."""

    @property
    def is_guarded(self) -> bool:
        stored = self.health.stored
        return self.health.installed and not stored.problem and not stored.life.silences


def status_page(root: str) -> StatusPage:
    health = health_of(root)
    session = health.stored.session
    took = sorted(receipt.ms for receipt in health.stored.receipts)
    slow = took[min(len(took) - 1, len(took) * 95 // 100)] if took else 0.0
    return StatusPage(
        health=health,
        index=read_state(root),
        speed=HookSpeed(median=median(took), slow=slow) if took else None,
        goal=goal_view(session) if session else None,
        server_trouble=server_trouble(root) or "",
        waiting=_waiting(root, health),
        kept=kept_page(root),
    )


def _waiting(root: str, health: ProjectHealth) -> tuple[WaitingWork, ...]:
    return () if health.stored.problem else WaitingWatch().look(known_projects((root,)))


def index_text(state: IndexState) -> str:
    """What the rules about duplicates and patterns can know; what they can not is not analysed, never clean."""
    if not state.exists:
        return "none yet: duplicates and patterns are not analysed (`leeboard index`)"
    if state.pending:
        return f"{state.files} files by name, {state.pending} not analysed yet"
    return f"{state.files} files, {state.functions} functions large enough to compare, {ago(state.refreshed)}"


# What `doctor` tells: one answer to each question.


CheckState = Literal["ok", "note", "failed"]


class DoctorCheck(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to one question of `leeboard doctor`."""

    about: str
    state: CheckState = "ok"
    detail: str = ""
    repair: Callable[[], str] | None = None
    """Puts it right and says what it did. Never deletes anything of the user's."""


class CheckView(msgspec.Struct, frozen=True, kw_only=True):
    kind: str = "check"
    about: str
    state: CheckState
    detail: str
    fixable: bool


def check_view(check: DoctorCheck) -> CheckView:
    return CheckView(about=check.about, state=check.state, detail=check.detail, fixable=check.repair is not None)
