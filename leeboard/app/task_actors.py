"""What the tasks of a work tree may do here: be told to agents as their contract, and run acceptance commands.

Tasks change all day, by `wg` and by our own commands. So their folder is trusted once, as what holds agents to its
tasks; the acceptance commands of each task are trusted one by one, as they are. A folder outside of the repository that
`WG_DIR` names is the user's own word.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from posixpath import basename, join, realpath

from leeboard.io import trust
from leeboard.io.tasks.place import GRAPH, task_folder
from leeboard.model.task import Task
from leeboard.model.trust import Actor


def tasks_count(root: str, env: Mapping[str, str]) -> bool:
    """Whether agents here are held to the tasks; true where there are none."""
    folder, _ = task_folder(root, env)
    return not folder or _is_users(root, folder, env) or trust.trusts(root, *_of_folder(folder))


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
        digest=trust.digest_of(commands),
        place=f"{basename(folder)}/{GRAPH}",
        does="acceptance commands, run by `leeboard check --run-acceptance`",
        shown=tuple(trust.escaped(f"{task.id}: {command}") for command in commands),
    )


def sleeping_acceptance(root: str, task: Task, commands: tuple[str, ...]) -> tuple[str, ...]:
    """All of them, where they are not what was trusted."""
    if not commands or trust.trusts(root, f"acceptance:{task.id}", trust.digest_of(commands)):
        return ()
    return commands


def task_actors(root: str, env: Mapping[str, str]) -> Iterator[Actor]:
    from leeboard.io.tasks.workgraph import Workgraph  # noqa: PLC0415 - only where there are tasks
    from leeboard.wire.contract_block import read_task  # noqa: PLC0415 - as above

    folder, kind = task_folder(root, env)
    if not folder or _is_users(root, folder, env):
        return
    yield folder_actor(folder)
    for task in Workgraph(folder, kind).all():
        contract = read_task(task).contract if not task.is_ended and not task.is_system else None
        if contract is not None and contract.acceptance:
            yield acceptance_actor(folder, task, contract.acceptance)


def _of_folder(folder: str) -> tuple[str, str]:
    return f"tasks:{basename(folder)}", trust.digest_of(["tasks", basename(folder)])


def _is_users(root: str, folder: str, env: Mapping[str, str]) -> bool:
    return bool(env.get("WG_DIR")) and not f"{realpath(folder)}/".startswith(join(realpath(root), ""))
