"""The contract that holds for a work tree, wherever it is written: in a task, in the settings, or in a session's words.

One order for everybody who asks: the task that is named, else the only one in progress, else `[contract]` of the
settings, else what the newest session was asked to do. A task without a contract has that of the settings.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from posixpath import isfile, join
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from leeboard.app.actors import sleeping_acceptance, tasks_count
from leeboard.app.allowances import trusted_allowances
from leeboard.app.settings_files import read_project
from leeboard.contracts import GRAPH
from leeboard.contracts.disk.drift_folder import DriftFolder
from leeboard.contracts.disk.task_folder import OWN, task_folder
from leeboard.contracts.disk.workgraph import Workgraph
from leeboard.contracts.table import read_task
from leeboard.errors import ConfigError, EffectError
from leeboard.io import places
from leeboard.io.file import replace_file
from leeboard.model.contract import Allowance, Contract, ContractProblem, Held
from leeboard.model.ledger import Met, Rows
from leeboard.model.session import Session
from leeboard.model.task import Task
from leeboard.model.text import digest, nearest
from leeboard.model.workspace import is_whole
from leeboard.store.sqlite import SqliteStore, open_store

Answer = TypeVar("Answer")

RECENT_SESSIONS = 20


class WorkContract(msgspec.Struct, frozen=True, kw_only=True):
    """What holds for a work tree, and where it is kept."""

    root: str
    held: Held | None = None
    tasks: Workgraph | None = None
    task: Task | None = None
    others: tuple[Task, ...] = ()
    """Other tasks in progress."""
    notes: tuple[str, ...] = ()
    asleep: tuple[str, ...] = ()
    """Acceptance commands that nobody trusted here: they are not run."""

    @property
    def folder(self) -> DriftFolder:
        """Where the drift of this work is remembered: beside its task, or in the user's own state directory."""
        if self.task is not None and self.tasks is not None:
            return DriftFolder(self.tasks.folder)
        own = drift_place(self.root)
        places.make_private_dir(own)
        return DriftFolder(own)

    @property
    def name(self) -> str:
        """The name of the work, among those that are remembered."""
        return self.task.id if self.task else "contract"


def drift_place(root: str) -> str:
    """Where the drift of work without a task is remembered."""
    return join(places.state_dir(), "drift", digest(root, 12))


def find_contract(root: str, env: Mapping[str, str], task_id: str = "", *, for_agent: bool = False) -> WorkContract:
    """Raises ConfigError for a task there is not, EffectError where several are in progress.

    A person may look at what nobody trusted yet, without its commands; `for_agent` it is as good as not there.
    """
    tasks = open_tasks(root, env) if not for_agent or tasks_count(root, env) else None
    if task_id and tasks is None:
        raise ConfigError(f"there is no task {task_id}: {root} has no tasks (`leeboard contract start` begins one)")
    known = tasks.all() if tasks else ()
    notes = tasks.problems() if tasks else ()
    active = tuple(task for task in known if task.is_active and not task.is_system)
    task = _chosen(task_id, known, active)
    held = held_by(task, root) if task else None
    commands = held.contract.acceptance if held else ()
    asleep = sleeping_acceptance(root, task, commands) if task and commands else ()
    if held is None:
        read = read_project(root, env)
        strange = read.project.contract if read.project and not read.trusted and not for_agent else None
        counts = read.settings.contract
        asleep = strange.contract.acceptance if strange and not counts else ()
        found = counts or strange or _unread(read.notes) or (inferred(root) if task is None else None)
        held, notes = replace(found, root=root) if found else None, (*notes, *read.notes)
    others = tuple(one for one in active if one.id != task.id) if task else ()
    return WorkContract(root=root, held=held, tasks=tasks, task=task, others=others, notes=notes, asleep=asleep)


def _unread(notes: tuple[str, ...]) -> Held | None:
    """Settings that are no TOML may have held a contract: nobody can tell, and that is no green tree."""
    broken = tuple(ContractProblem(text=note) for note in notes if "not valid TOML" in note)
    return Held(root="", contract=Contract(source="settings"), problems=broken) if broken else None


def held_for_agent(root: str, env: Mapping[str, str], given: Held | None) -> Held | None:
    """The explicit contract an agent in this work tree works under; `given` where no task in progress has one.

    Where several tasks are in progress nobody can tell on which it works: it may touch what any of them may.
    """
    folder, kind = task_folder(root, env)
    known = _read(Workgraph(folder, kind)) if folder and tasks_count(root, env) else ()
    found = [held_by(task, root) or given for task in known if task.is_active and not task.is_system]
    if len(found) < 2:
        return found[0] if found else given
    return _joined([held for held in found if held], len(found))


def _joined(found: list[Held], expected: int) -> Held | None:
    """None where one of them may touch anything."""
    contracts = [held.contract for held in found]
    if len(found) < expected or any(not one.touch or one.mode == "explore" for one in contracts):
        return None
    names = ", ".join(filter(None, (one.task for one in contracts)))
    touch = _any_of([one.touch for one in contracts])
    contract = Contract(objective=f"one of the tasks {names}", touch=touch, source="task")
    return replace(found[0], contract=contract, title=contract.objective, table={}, problems=())


def _any_of(lists: list[tuple[str, ...]]) -> tuple[str, ...]:
    """Globs for what any of the lists gives: what one takes away must not be taken from the others."""
    first, *others = sorted(lists, key=lambda globs: not any(glob.startswith("!") for glob in globs))
    given = (glob for globs in others for glob in globs if not glob.startswith("!"))
    return (*first, *dict.fromkeys(given))


_known: dict[str, tuple[tuple[int, int, int], tuple[Task, ...]]] = {}
"""Tasks as a resident has read them last, with how their file looked."""


def _read(tasks: Workgraph) -> tuple[Task, ...]:
    path = join(tasks.folder, GRAPH)
    seen = os.stat(path)  # noqa: PTH116 - names that are no valid text pass through
    look = (seen.st_ino, seen.st_size, seen.st_mtime_ns)
    known = _known.get(path)
    if known is None or known[0] != look:
        _known.clear()
        known = _known[path] = (look, tasks.all())
    return known[1]


def active_contracts(root: str, env: Mapping[str, str]) -> tuple[WorkContract, ...]:
    """One for each task in progress; where there is none, the one that holds without a task."""
    tasks = open_tasks(root, env)
    active = [task for task in tasks.all() if task.is_active and not task.is_system] if tasks else []
    return tuple(find_contract(root, env, task.id) for task in active) or (find_contract(root, env),)


def _chosen(task_id: str, known: tuple[Task, ...], active: tuple[Task, ...]) -> Task | None:
    if task_id:
        found = next((task for task in known if task.id == task_id), None)
        if found is None:
            near = nearest(task_id, (task.id for task in known))
            raise ConfigError(f"there is no task {task_id}{f'; did you mean {near}?' if near else ''}")
        return found
    if len(active) > 1:
        names = ", ".join(task.id for task in active[:6])
        raise EffectError(f"{len(active)} tasks are in progress ({names}): say which with --task")
    return active[0] if active else None


def held_by(task: Task, root: str) -> Held | None:
    """The contract a task carries; None where it has none."""
    reading = read_task(task)
    if reading.contract is None:
        return None
    return Held(
        root=root,
        contract=reading.contract,
        title=task.title,
        table=reading.table,
        problems=reading.problems,
        active=task.is_active,
    )


def inferred(root: str) -> Held | None:
    """What the newest session in this work tree was asked to do, as far as it is known."""
    nothing: Held | None = None
    return with_store(lambda store: store.held(root), nothing)


def allowances(root: str, now: float, session: str = "") -> tuple[Allowance, ...]:
    """What a person allowed on this machine, here or for that session, and what is committed and trusted here."""
    kept: tuple[Allowance, ...] = with_store(lambda store: store.allowances(root, session, now), ())
    return (*kept, *trusted_allowances(root))


def directed(root: str, since: float) -> tuple[str, ...]:
    """Globs of what people named to the agents that worked here since then."""
    sessions: tuple[Session, ...] = with_store(lambda store: store.sessions(root, RECENT_SESSIONS), ())
    goals = (goal for session in sessions if session.updated >= since for goal in session.goals)
    return tuple(dict.fromkeys(place for goal in goals for place in goal.scope))


def strayed(held: Held | None, paths: tuple[str, ...]) -> tuple[str, ...]:
    """Those of these paths that the session whose words are the contract changed without a reason."""
    if held is None or held.contract.is_explicit or not paths:
        return ()
    nothing: Rows = {}
    rows = with_store(lambda store: store.rows(held.session, paths), nothing)
    return tuple(path for path in paths if rows.get(path, 0) & (Met.STRAYED | Met.EDITED) == Met.STRAYED)


def with_store(ask: Callable[[SqliteStore], Answer], otherwise: Answer) -> Answer:
    """What the store says; asking leaves no trace where nothing was ever recorded."""
    if not isfile(places.database()):
        return otherwise
    store = open_store(places.database())
    try:
        return ask(store)
    finally:
        store.close()


# The tasks of a work tree: of a workgraph, or our own.


PROGRAM = "wg"


def open_tasks(root: str, env: Mapping[str, str]) -> Workgraph | None:
    """The tasks of a work tree; None where nobody keeps any. A workgraph's are changed through `wg` where there is one.

    Who only reads may do with `Workgraph` itself.
    """
    folder, kind = task_folder(root, env)
    program = _program(env) if kind == "workgraph" else ""
    if not program:
        return Workgraph(folder, kind) if folder else None
    from leeboard.contracts.disk.wg_program import WgProgram  # noqa: PLC0415 - a hook starts no program for it

    return WgProgram(folder, program, env)


def _program(env: Mapping[str, str]) -> str:
    """Where `wg` is, else empty. A folder that is not absolute could be the project's own: it does not count."""
    found = (join(folder, PROGRAM) for folder in env.get("PATH", "").split(":") if is_whole(folder))
    return next((path for path in found if isfile(path) and os.access(path, os.X_OK)), "")


def notes_of(tasks: Workgraph | None) -> tuple[str, ...]:
    """What went another way than through the program, for people."""
    return tuple(getattr(tasks, "notes", ()))


def own_tasks(root: str) -> Workgraph:
    """Our own tasks in this work tree; the folder is made when it is missing, and keeps itself out of git."""
    folder = join(root, OWN)
    try:
        os.makedirs(folder, mode=0o755, exist_ok=True)  # noqa: PTH103 - names that are no valid text pass through
    except OSError as error:
        raise EffectError(f"can not make {folder}: {error.strerror or error}") from error
    for name, content in ((".gitignore", b"*\n"), (GRAPH, b"")):
        if not isfile(join(folder, name)):
            replace_file(join(folder, name), content)
    return Workgraph(folder, "leeboard")
