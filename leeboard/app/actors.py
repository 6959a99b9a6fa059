"""All that acts in a repository, found in one place: settings, plans with their gates and studios, tasks,
rules of its own.

What runs, loosens or is told to agents by a file of a repository is listed here, or nothing of it acts. Another kind,
such as lists of protected files, is one more function in `_KINDS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from posixpath import basename, isdir, join, lexists

from msgspec.structs import replace

from leeboard.app.settings_files import read_project
from leeboard.contracts import GRAPH
from leeboard.contracts.disk.task_folder import task_folder
from leeboard.errors import LeeboardError
from leeboard.io.system import realpath
from leeboard.model.own_rule import RULES_FOLDER
from leeboard.model.task import Task
from leeboard.plan.disk.layout import HOME, home_of
from leeboard.settings.decisions import ALLOWED
from leeboard.trust import record
from leeboard.trust.actor import Actor, asleep, granted

Env = Mapping[str, str]


def actors(root: str, env: Env) -> tuple[Actor, ...]:
    """Each once. What can not be read acts nowhere, and is said by who would read it."""
    found: dict[tuple[str, str], Actor] = {}
    for kind in _KINDS:
        try:
            for actor in kind(root, env):
                found.setdefault((actor.part, actor.digest), actor)
        except (LeeboardError, OSError):
            continue
    return tuple(found.values())


def sleeping(root: str, env: Env) -> tuple[Actor, ...]:
    """Those that nobody trusted as they are now."""
    if record.in_whole_run() or not (there := actors(root, env)):
        return ()
    return asleep(there, known_here(root, there).record)


def known_here(root: str, there: tuple[Actor, ...]) -> record.TrustState:
    """What is trusted, with what the next step takes as written here: a look at it says what the step does."""
    known = record.known(root)
    unknown = [actor for actor in asleep(there, known.record) if actor.place.startswith(f"{HOME}/")]
    if not unknown:
        return known
    from leeboard.plan.disk.trusted import taken_next  # noqa: PLC0415 - only where a workflow lives on disk

    own = tuple(taken_next(home_of(root), unknown, known.record))
    return replace(known, record=granted(known.record, own, record.MADE_HERE, ""))


def _settings(root: str, env: Env) -> Iterator[Actor]:
    actor = read_project(root, env).actor
    if actor is not None:
        yield actor


def _plans(root: str, _env: Env) -> Iterator[Actor]:
    home = home_of(root)
    if isdir(join(home, HOME)):
        from leeboard.plan.disk.trusted import plan_actors  # noqa: PLC0415 - only where a workflow lives on disk

        yield from plan_actors(home)


def _tasks(root: str, env: Env) -> Iterator[Actor]:

    yield from task_actors(root, env)


def _own_rules(root: str, _env: Env) -> Iterator[Actor]:
    if isdir(join(root, RULES_FOLDER)):
        from leeboard.app.own_rules import rules_actor  # noqa: PLC0415 - only where a project has rules of its own

        yield from rules_actor(root)


def _allowances(root: str, _env: Env) -> Iterator[Actor]:
    if lexists(join(root, ALLOWED)):
        from leeboard.app.allowances import allowances_actor  # noqa: PLC0415 - only where a project has committed some

        yield from allowances_actor(root)


_KINDS: tuple[Callable[[str, Env], Iterator[Actor]], ...] = (_settings, _plans, _tasks, _own_rules, _allowances)


def asleep_line(found: tuple[Actor, ...]) -> str:
    """One line for a person; empty where nothing that would act sleeps."""
    acting = [actor for actor in found if actor.acts]
    if not acting:
        return ""
    kinds = dict.fromkeys(actor.does.partition(":")[0].partition(",")[0] for actor in acting)
    said = "something this repository brings sleeps until you trust it"
    return f"Leeboard: {said} ({'; '.join(kinds)}). `leeboard trust` shows exactly what it would do, and asks."


# What the tasks of a work tree may do here: be told to agents as their contract, and run acceptance commands.
#
# Tasks change all day, by `wg` and by our own commands. So their folder is trusted once, as what holds agents to its
# tasks; the acceptance commands of each task are trusted one by one, as they are. A folder outside of the repository
# that `WG_DIR` names is the user's own word.


def tasks_count(root: str, env: Mapping[str, str]) -> bool:
    """Whether agents here are held to the tasks; true where there are none."""
    folder, _ = task_folder(root, env)
    return not folder or _is_users(root, folder, env) or record.trusts(root, *_of_folder(folder))


def folder_actor(folder: str) -> Actor:
    part, digest = _of_folder(folder)
    return Actor(
        part=part,
        digest=digest,
        place=f"{basename(folder)}/{GRAPH}",
        does="tasks: what those in progress say they are for, and may touch, is told to agents and held against them",
        shown=("the contracts of its tasks in progress, as they come",),
    )


def acceptance_actor(folder: str, task: Task, commands: tuple[str, ...]) -> Actor:
    return Actor(
        part=f"acceptance:{task.id}",
        digest=record.digest_of(commands),
        place=f"{basename(folder)}/{GRAPH}",
        does="acceptance commands, run by `leeboard check --run-acceptance`",
        shown=tuple(record.escaped(f"{task.id}: {command}") for command in commands),
    )


def sleeping_acceptance(root: str, task: Task, commands: tuple[str, ...]) -> tuple[str, ...]:
    """The commands of a task that nobody trusted as they are now: none of them is run until a person has."""
    if not commands or record.trusts(root, f"acceptance:{task.id}", record.digest_of(commands)):
        return ()
    return commands


def task_actors(root: str, env: Mapping[str, str]) -> Iterator[Actor]:
    from leeboard.contracts.disk.workgraph import Workgraph  # noqa: PLC0415 - only where there are tasks
    from leeboard.contracts.table import read_task  # noqa: PLC0415 - only where there are tasks

    folder, kind = task_folder(root, env)
    if not folder or _is_users(root, folder, env):
        return
    yield folder_actor(folder)
    for task in Workgraph(folder, kind).all():
        contract = read_task(task).contract if not task.is_ended and not task.is_system else None
        if contract is not None and contract.acceptance:
            yield acceptance_actor(folder, task, contract.acceptance)


def _of_folder(folder: str) -> tuple[str, str]:
    return f"tasks:{basename(folder)}", record.digest_of(["tasks", basename(folder)])


def _is_users(root: str, folder: str, env: Mapping[str, str]) -> bool:
    return bool(env.get("WG_DIR")) and not f"{realpath(folder)}/".startswith(join(realpath(root), ""))


# The one line a person hears where something of a repository sleeps: when a session begins, once for each state of it.
#
# Where a repository has no settings of ours, no plan and no tasks, this costs a few looks at names.


def say_asleep(root: str, env: Mapping[str, str]) -> str:
    """Empty where nothing sleeps, or it was said before."""
    found = tuple(actor for actor in sleeping(root, env) if actor.acts)
    if not found:
        return ""
    state = record.digest_of(sorted((actor.part, actor.digest) for actor in found))
    if record.told_before(root, state):
        return ""
    problem = record.known(root).problem
    line = asleep_line(found)
    return f"{line} ({record.escaped(problem)})" if problem else line
