"""`leeboard contract`."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable
from functools import partial
from typing import Any

import click

from leeboard.app.actors import acceptance_actor, folder_actor
from leeboard.app.hook_origin import agent_above
from leeboard.app.settings_files import read_project
from leeboard.app.views.tree import ContractPage, contract_page, short_base
from leeboard.app.work_contract import find_contract, notes_of, open_tasks, own_tasks
from leeboard.contracts.block_text import MAX_FILES, MAX_LOC, new_block, with_block, with_values
from leeboard.contracts.disk.drift_folder import DriftFolder
from leeboard.contracts.disk.task_folder import task_folder
from leeboard.contracts.disk.workgraph import Workgraph
from leeboard.contracts.table import INFO, find_block
from leeboard.errors import ConfigError, EffectError
from leeboard.io import clock
from leeboard.io.git.work_tree import base_for, before_any_commit, head_of
from leeboard.io.places import current_project
from leeboard.model.contract import MODES, Contract, Held, Mode
from leeboard.model.task import TOUCH_SET, Task
from leeboard.surfaces.cli.person import require_person
from leeboard.surfaces.cli.screen import fields, json_option, print_json, say, screen, words
from leeboard.text.words import counted
from leeboard.trust import record
from leeboard.trust.released import release

_WAITING = ("open", "in-progress")
_TASK = click.option("--task", "task_id", default="", metavar="ID", help="Of this task; else the one in progress.")


@click.group(
    invoke_without_command=True, epilog="Example:  leeboard contract start --goal 'Fix the login' --touch 'src/auth/**'"
)
@json_option
@click.pass_context
def command(ctx: click.Context, *, as_json: bool) -> None:
    """What the work promised: start, show, set-touch, ensure, end.

    A contract says what a task may touch, how large it may get and how it is shown to be done. It stands in the task's
    description as a fenced `wg-contract` block of TOML, in a workgraph or in Leeboard's own task file. Without a word
    it shows what holds here.
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(show, as_json=as_json)
    elif as_json:
        ctx.fail(f"put --json after {ctx.invoked_subcommand}")


@command.command(epilog="Example:  leeboard contract start --goal 'Fix the login' --touch 'src/auth/**' --max-files 5")
@click.option("--goal", required=True, help="What is to be done, in one sentence.")
@click.option("--touch", multiple=True, metavar="GLOB", help="What the work may touch; give it as often as needed.")
@click.option("--mode", type=click.Choice(list(MODES)), default="core", show_default=True, help="Kind of work.")
@click.option("--non-goal", "non_goals", multiple=True, metavar="TEXT", help="What is not to be done.")
@click.option("--acceptance", multiple=True, metavar="COMMAND", help="A command that shows that it is done.")
@click.option("--max-files", type=click.IntRange(0), default=MAX_FILES, show_default=True, help="Files it may change.")
@click.option("--max-loc", type=click.IntRange(0), default=MAX_LOC, show_default=True, help="Lines it may change.")
@click.option("--base", default="", metavar="REV", help="Where the work begins; HEAD unless given.")
@json_option
def start(goal: str, mode: Mode, base: str, *, as_json: bool, **written: Any) -> None:
    """Begin a piece of work with a contract of its own.

    For projects without a workgraph: the task is kept in `.leeboard/`, which stays out of git. The commit it begins at
    is recorded, so that `leeboard check` sees what was committed since.
    """
    root = current_project()
    _may_start(root, goal, written["touch"])
    began = base_for(root, base) if base else head_of(root) or before_any_commit(root)
    was_there = task_folder(root, os.environ)[0]
    tasks = own_tasks(root)
    known = tasks.all()
    going_on = next((task for task in known if task.is_active), None)
    if going_on is not None:
        raise ConfigError(f"{going_on.id} is in progress: `leeboard contract end` ends it")
    given = {"acceptance": written["acceptance"], "max_files": written["max_files"], "max_loc": written["max_loc"]}
    given |= {"non_goals": written["non_goals"]} if written["non_goals"] else {}
    task = Task(
        id=_new_id(goal, known),
        title=" ".join(goal.split())[:200],
        description=new_block(goal, mode, written["touch"], **given),
        status="in-progress",
        started_at=clock.iso(clock.now()),
    )
    tasks.add(task)
    _record_base(tasks, task.id, began)
    _trust_started(root, tasks, task, written["acceptance"], was_there=bool(was_there))
    if agent_above():
        tasks.log(task.id, _touch_line(written["touch"]))
    else:
        release(root, "tasks")
    show_contract(contract_page(root, os.environ, task.id), as_json=as_json)


def _may_start(root: str, goal: str, touch: tuple[str, ...]) -> None:
    """ConfigError where nothing may begin here, or not like this. An agent may not put its own word over a person's."""
    tasks = open_tasks(root, os.environ)
    if tasks is not None and tasks.kind == "workgraph":
        raise ConfigError("this project has a workgraph: `wg add`, then `leeboard contract ensure --apply`")
    if not goal.strip():
        raise ConfigError("--goal is empty: say in one sentence what is to be done")
    _check_globs(touch)
    read = read_project(root, os.environ)
    if read.settings.contract or (read.project and read.project.contract):
        require_person("contract start")


def _trust_started(root: str, tasks: Workgraph, task: Task, commands: tuple[str, ...], *, was_there: bool) -> None:
    """What a person writes here counts here. An agent's word makes no command run, and wakes no folder that came."""
    person = not agent_above()
    made = [folder_actor(tasks.folder)] if person or not was_there else []
    made += [acceptance_actor(tasks.folder, task, commands)] if person and commands else []
    if made:
        record.grant(root, made, record.MADE_HERE)


def _record_base(tasks: Workgraph, task_id: str, base: str) -> None:
    from msgspec.structs import replace  # noqa: PLC0415 - only where a contract starts

    def recorded(state: Any) -> Any:
        return state.with_task(task_id, replace(state.task(task_id), base_commit=base))

    DriftFolder(tasks.folder).update(recorded)


def _new_id(goal: str, known: Iterable[Task]) -> str:
    """A short name out of the goal's first words."""
    taken = {task.id for task in known}
    name = "-".join(re.findall(r"[a-z0-9]+", goal.lower())[:5])[:40].strip("-") or "work"
    number, unique = 1, name
    while unique in taken:
        number += 1
        unique = f"{name}-{number}"
    return unique


@command.command(epilog="Example:  leeboard contract end")
@_TASK
@json_option
def end(task_id: str, *, as_json: bool) -> None:
    """End a piece of work that `contract start` began.

    Only people may do this: without the contract nothing is out of bounds any more.
    """
    require_person("contract end")
    work_contract = find_contract(current_project(), os.environ, task_id)
    if work_contract.task is None or work_contract.tasks is None:
        raise ConfigError("no work is in progress here")
    if work_contract.task.is_ended:
        raise ConfigError(f"{work_contract.task.id} is {work_contract.task.status} already")
    work_contract.tasks.set_status(work_contract.task.id, "done")
    release(current_project(), "tasks")
    if as_json:
        print_json({"task_id": work_contract.task.id, "status": "done"})
    else:
        screen().print(words("ended ", (work_contract.task.id, "bold")))


@command.command(epilog="Example:  leeboard contract show --json")
@_TASK
@json_option
def show(task_id: str, *, as_json: bool) -> None:
    """What holds for this work tree, and where it is written."""
    show_contract(contract_page(current_project(), os.environ, task_id), as_json=as_json)


@command.command(epilog="Example:  leeboard contract ensure --apply")
@click.option("--apply", is_flag=True, help="Write them; without it only say which tasks would change.")
@click.option("--only-open", is_flag=True, help="Leave tasks alone that somebody works on.")
@json_option
def ensure(*, apply: bool, only_open: bool, as_json: bool) -> None:
    """Give every open task a contract that has none.

    The default one: mode core, the task's title as objective, no globs yet. A task that has a block already is left
    alone, also where the block can not be read.
    """
    tasks = open_tasks(current_project(), os.environ)
    if tasks is None:
        raise ConfigError("there are no tasks here: `leeboard contract start` begins one")
    statuses = _WAITING[:1] if only_open else _WAITING
    lacking = [task for task in tasks.all() if task.status in statuses and not task.is_system and _lacks(task)]
    for task in lacking if apply else ():
        tasks.redescribe(task.id, partial(_with_default, title=task.title))
    show_notes((*tasks.problems(), *notes_of(tasks)))
    if as_json:
        print_json({"applied": apply, "tasks": [task.id for task in lacking]})
        return
    console = screen()
    for task in lacking:
        console.print(words("wrote " if apply else "would write ", (task.id, "bold"), f": {task.title}"))
    if not lacking:
        console.print(words("every task has a contract"))
    elif not apply:
        console.print(words(("--apply writes them", "dim")))


def _lacks(task: Task) -> bool:
    return find_block(task.description) is None and INFO not in task.metadata


def _with_default(description: str, title: str) -> str:
    """Somebody may have written one since it was looked for."""
    return description if find_block(description) else with_block(description, new_block(title))


@command.command("set-touch", epilog="Example:  leeboard contract set-touch 'src/auth/**' 'tests/auth/**'")
@click.argument("globs", nargs=-1, required=True, metavar="GLOB...")
@_TASK
@json_option
def set_touch(globs: tuple[str, ...], task_id: str, *, as_json: bool) -> None:
    """Say what the task may touch, in place of what its contract said.

    An agent may do this for its own task: it is written onto the task and shown in every report, and lifts nothing
    that a person forbade. Globs begin at the repository's root: `*` stays inside one folder, `**` crosses folders,
    `dir/` means all below, `!glob` takes away.
    """
    work_contract = find_contract(current_project(), os.environ, task_id)
    if work_contract.task is None or work_contract.tasks is None:
        raise ConfigError("there is no task to set it for: `leeboard contract start` begins one")
    task = work_contract.task
    if INFO in task.metadata:
        raise ConfigError(f"the contract of {task.id} is in its metadata: change `touch` there")
    _check_globs(globs)
    with_touch = partial(_with_touch, title=task.title, globs=globs)
    if with_touch(task.description) != task.description:
        # Said before it is done: nobody may stop it in between and widen unseen.
        work_contract.tasks.log(task.id, _touch_line(globs))
        work_contract.tasks.redescribe(task.id, with_touch)
    show_notes(notes_of(work_contract.tasks))
    show_contract(contract_page(current_project(), os.environ, task.id), as_json=as_json)


def _touch_line(globs: tuple[str, ...]) -> str:
    by = " by an agent" if agent_above() else ""
    return f"{TOUCH_SET} {' '.join(map(shlex.quote, globs)) or 'anything'}{by}"


def _check_globs(globs: tuple[str, ...]) -> None:
    from leeboard.contracts.table import contract_of  # noqa: PLC0415 - only where globs are set

    for problem in contract_of({"touch": list(globs)})[1]:
        raise ConfigError(problem.text)


def _with_touch(description: str, title: str, globs: tuple[str, ...]) -> str:
    from leeboard.errors import WireError  # noqa: PLC0415 - only where globs are set

    if find_block(description) is None:
        return with_block(description, new_block(title, touch=globs))
    try:
        return with_values(description, {"touch": globs})
    except WireError as error:
        raise EffectError(f"{error}: correct it first (`leeboard contract show`)") from error


# A contract as people and programs read it.


def show_contract(page: ContractPage, *, as_json: bool) -> None:
    """What holds, and on stderr what could not be read of it."""
    show_notes(page.notes)
    if as_json:
        print_json(_object(page))
        return
    held, console = page.held, screen()
    if held is None:
        console.print(words("no contract", f": {page.task_id} has none" if page.task_id else ""))
        return
    rows = [("task", f"{page.task_id}: {page.title}")] if page.task_id else []
    rows += _rows(held.contract)
    rows += [("since", short_base(page.base_commit))] if page.base_commit else []
    fields(rows, console)
    for problem in held.problems:
        where = f"line {problem.line}: " if problem.line else ""
        console.print(words(("! ", "bold red"), f"{where}{problem.text}"))


def show_notes(notes: tuple[str, ...]) -> None:
    for note in notes:
        say(note)


def _object(page: ContractPage) -> dict[str, Any]:
    held = page.held
    return {
        "task_id": page.task_id or None,
        "contract": _table(held) if held else None,
        "source": held.contract.source if held else None,
        "problems": [{"key": one.key, "line": one.line, "text": one.text} for one in held.problems] if held else [],
        "base_commit": page.base_commit or None,
    }


def _table(held: Held) -> dict[str, Any]:
    if held.problems and not held.table:
        return {"parse_error": held.problems[0].text}
    return held.table or {"objective": held.contract.objective, "scope": list(held.contract.scope)}


def _rows(contract: Contract) -> list[tuple[str, str]]:
    source = contract.source if contract.is_explicit else "inferred from what the newest session here was asked"
    rows = [("from", source), ("mode", contract.mode), ("objective", contract.objective)]
    guides = bool(contract.scope) and not contract.touch
    rows += [("scope", ", ".join(contract.scope)) if guides else ("touch", ", ".join(contract.touch) or "anything")]
    rows += [("not", text) for text in contract.non_goals]
    rows += [("not", limit.text) for limit in contract.constraints]
    rows += [("shown by", line) for line in contract.acceptance]
    limits = [("file", contract.max_files), ("line", contract.max_loc)]
    most = ", ".join(counted(limit, noun) for noun, limit in limits if limit is not None)
    return [*rows, ("at most", most or "no limit")]
