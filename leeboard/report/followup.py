"""Drift turned into later work: which tasks a report calls for, and what stands in them.

Their ids follow from the task's, so asking twice makes nothing twice. They wait for the task they came from and block
nothing. Each carries a contract fit for its own mode, so a follow-up calls for no follow-ups. What we write in one
stands between two marks: only that is refreshed while it is open, whatever people write around it stays theirs.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from leeboard.model.contract import Contract, Mode
from leeboard.model.drift import Drifted, DriftReport
from leeboard.model.streak import TaskState
from leeboard.model.task import Task
from leeboard.wire.contract_text import new_block

HARDEN, SCOPE, PIT = "drift-harden-", "drift-scope-", "speedrift-pit-"
PREFIXES = (HARDEN, SCOPE, PIT)
MOST_ORIGINS = 10
"""Tasks that may have open follow-ups at a time. A task that has one gets its others too: no cap tears them apart."""
_START, _END = "<!-- speedrift: refreshed while this task is open -->", "<!-- /speedrift -->"
_ACTIONS = 5


def followups(report: DriftReport, contract: Contract | None, state: TaskState, *, pit_stop: bool) -> tuple[Task, ...]:
    """The tasks this report calls for."""
    contract = contract or Contract()
    if not report.task_id or not contract.auto_followups or contract.mode != "core" or is_followup(report.task_id):
        return ()
    found = {one.kind: one for one in report.findings if one.severity != "info"}
    made: list[Task] = []
    if one := found.get("hardening_in_core"):
        made.append(_hardening(report, contract, one))
    if one := found.get("scope_drift"):
        made.append(_scope(report, contract, one))
    if pit_stop:
        made.append(_pit_stop(report, contract, state))
    return tuple(made)


def is_followup(task_id: str) -> bool:
    return task_id.startswith(PREFIXES)


def has_room(task_id: str, tasks: Iterable[Task]) -> bool:
    """Whether this task may get follow-ups, by the number of tasks that have open ones."""
    origins = {task.after[0] for task in tasks if is_followup(task.id) and task.after and not task.is_ended}
    return task_id in origins or len(origins) < MOST_ORIGINS


def pit_id(task_id: str, earlier: Iterable[Task]) -> str:
    """Of the pit stop that stands for the present drift: one that has ended belongs to an earlier drift."""
    known = {task.id: task for task in earlier}
    name, number = f"{PIT}{task_id}", 1
    while name in known and known[name].is_ended:
        number += 1
        name = f"{PIT}{task_id}-{number}"
    return name


def refreshed(description: str, newer: str) -> str:
    """A follow-up's description with our part of it as it is now."""
    start, end = description.find(_START), description.find(_END)
    new_start, new_end = newer.find(_START), newer.find(_END)
    if start < 0 or end < start or new_start < 0:
        return description
    return f"{description[:start]}{newer[new_start:new_end]}{description[end:]}"


def _hardening(report: DriftReport, contract: Contract, found: Drifted) -> Task:
    purpose = "Guardrails that crept into the task belong here: decide which are needed, and make them good."
    task = Task(id=f"{HARDEN}{report.task_id}", title=f"harden: {report.task_title}", tags=("drift", "harden"))
    return _with_body(task, report, _block(task, "harden", contract), (purpose, f"Finding: {found.summary}"))


def _scope(report: DriftReport, contract: Contract, found: Drifted) -> Task:
    purpose = "The task reached beyond its contract: decide whether that work is wanted, and plan it if so."
    task = Task(id=f"{SCOPE}{report.task_id}", title=f"scope: {report.task_title}", tags=("drift", "scope"))
    return _with_body(task, report, _block(task, "explore", contract), (purpose, f"Finding: {found.summary}"))


def _pit_stop(report: DriftReport, contract: Contract, state: TaskState) -> Task:
    purpose = "The task has stayed off course: bring plan and work back together before more is built on it."
    lines = [f"Streak: {state.streak} checks", "Findings:"]
    lines += [f"- {one.kind}: {one.summary}" for one in report.findings if one.severity != "info"]
    lines += ["Recommended:", *(f"- {one.action}" for one in report.recommendations[:_ACTIONS])]
    tags = ("speedrift", "pit-stop", "drift")
    task = Task(id=f"{PIT}{report.task_id}", title=f"pit-stop: {report.task_title}", tags=tags)
    return _with_body(task, report, _block(task, "explore", contract), (purpose, "\n".join(lines)))


def _block(task: Task, mode: Mode, contract: Contract) -> str:
    return new_block(task.title, mode, contract.touch)


def _with_body(task: Task, report: DriftReport, block: str, words: tuple[str, str]) -> Task:
    purpose, found = words
    body = f"{block}\n\n{purpose}\n\n{_START}\nOrigin: {report.task_id}\n{_unmarked(found)}\n{_END}\n"
    return replace(task, description=body, after=(report.task_id,))


def _unmarked(text: str) -> str:
    """A path or title may hold anything, our marks and fences too."""
    return text.replace("<!--", "<! --").replace("```", "` ` `")
