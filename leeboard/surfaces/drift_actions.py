"""What is done about a drift report: the task's log, follow-ups, pit stops. Each of it once, however often it is tried.

Nothing here depends on having been interrupted before: a log entry is known by its moment, a follow-up by its id, and
the state is saved last. What fails (a held lock, a graph that can not be read) is tried again at the next check.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from leeboard.io.tasks.workgraph import Workgraph
from leeboard.judge.streak import Step, signature, stopped
from leeboard.model.contract import Contract
from leeboard.model.drift import DriftReport
from leeboard.model.streak import TaskState
from leeboard.model.task import Task
from leeboard.report.followup import PIT, followups, has_room, pit_id, refreshed
from leeboard.wire.drift_json import summary_line


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """Which actions somebody asked for."""

    log: bool = False
    followups: bool = False
    must: bool = False
    """What can not be done is an error: who acts on events may not pass one over."""
    refresh: bool = True
    """Bring open follow-ups up to date; not from a report that is of the past."""


class Done(msgspec.Struct, frozen=True, kw_only=True):
    """What was done."""

    state: TaskState
    logged: str = ""
    created: tuple[str, ...] = ()
    refreshed: tuple[str, ...] = ()
    held_back: tuple[str, ...] = ()
    """Follow-ups for which there was no room."""


def act(
    tasks: Workgraph, report: DriftReport, contract: Contract | None, step: Step, wanted: Wanted, stamp: str
) -> Done:
    """Carry out what the report calls for. `stamp` is the moment of the check: it makes a log entry the same one."""
    done = Done(state=step.state)
    called_for = followups(report, contract, step.state, pit_stop=step.pit_stop_due) if wanted.followups else ()
    for task in called_for:
        done = _followed(tasks, _dated(task, stamp), report.task_id, wanted, done)
    stops = done.state.pit_stop_created and not step.state.pit_stop_created
    if not wanted.log or not (step.changed or stops):
        return done
    words = summary_line(report)
    is_new = tasks.log(report.task_id, words, stamp)
    return replace(done, logged=words if is_new else "", state=replace(done.state, logged=signature(report)))


def _dated(task: Task, stamp: str) -> Task:
    """A pit stop tells which check called for it: the same check never calls for another."""
    if not task.id.startswith(PIT):
        return task
    return replace(task, description=f"{task.description}\nCalled for by the check of {stamp}.\n")


def _followed(tasks: Workgraph, task: Task, origin: str, wanted: Wanted, done: Done) -> Done:
    known = tasks.all()
    is_pit = task.id.startswith(PIT)
    if is_pit:
        dated = task.description.splitlines()[-1]
        task = replace(task, id=pit_id(origin, (one for one in known if dated not in one.description)))
    there = next((one for one in known if one.id == task.id), None)
    if there is None and not has_room(origin, known):
        return replace(done, held_back=(*done.held_back, task.id))
    if is_pit:
        done = replace(done, state=stopped(done.state))
    if there is None:
        return replace(done, created=(*done.created, task.id)) if tasks.add(task) else done
    return _refreshed(tasks, there, task, done) if wanted.refresh else done


def _refreshed(tasks: Workgraph, there: Task, task: Task, done: Done) -> Done:
    """One that somebody works on, or is done with, stays as they know it."""
    words = refreshed(there.description, task.description)
    if there.is_ended or there.is_active or words == there.description:
        return done
    tasks.redescribe(task.id, lambda old: refreshed(old, task.description))
    return replace(done, refreshed=(*done.refreshed, task.id))
