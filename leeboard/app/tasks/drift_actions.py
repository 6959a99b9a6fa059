"""What is done about a drift report: the task's log, follow-ups, pit stops. Each of it once, however often it is tried.

Nothing here depends on having been interrupted before: a log entry is known by its moment, a follow-up by its id, and
the state is saved last. What fails (a held lock, a graph that can not be read) is tried again at the next check.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from leeboard.contracts.disk.drift_folder import DriftFolder, DriftState, EventCursor
from leeboard.contracts.disk.workgraph import Workgraph
from leeboard.contracts.report import (
    PIT,
    StreakStep,
    TreeCheck,
    advance,
    followups,
    has_room,
    is_stuck,
    pit_id,
    refreshed,
    signature,
    stopped,
)
from leeboard.contracts.report_json import summary_line
from leeboard.errors import EffectError
from leeboard.model.contract import Contract
from leeboard.model.task import Drifted, DriftReport, Task, TaskState


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
    tasks: Workgraph, report: DriftReport, contract: Contract | None, step: StreakStep, wanted: Wanted, stamp: str
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


# A check remembered and acted on: streak, log, follow-ups and pit stop, for a command and for the redirect alike.


class Work(msgspec.Struct, frozen=True, kw_only=True):
    """Whose tree was checked, and where that is kept."""

    name: str
    """The name of the task, or of the contract that holds without one."""
    folder: DriftFolder
    contract: Contract | None = None
    tasks: Workgraph | None = None
    base: str = ""
    """The commit it was compared with; recorded once, when the task is first seen in progress."""
    active: bool = True


class Recorded(msgspec.Struct, frozen=True, kw_only=True):
    report: DriftReport
    """With what the streak adds to it."""
    step: StreakStep
    done: Done
    notes: tuple[str, ...] = ()


def record(work: Work, check: TreeCheck, wanted: Wanted, cursor: EventCursor | None = None) -> Recorded:
    """Remember the check and do what it calls for. `cursor` moves together with what is remembered.

    Actions come before the state is saved, and each is harmless the second time: killed in between, the same check
    leads to the same actions again, and to no second effect.
    """
    before = work.folder.read().task(work.name)
    step, report = judged(before, check, work.contract)
    done, notes = _acted(work, report, step, wanted, check.stamp)

    def saved(state: DriftState) -> DriftState:
        latest = _merged(before, state.task(work.name), done, check, work.contract)
        base = latest.base_commit or (work.base if work.active else "")
        moved = state.with_task(work.name, replace(latest, base_commit=base))
        return replace(moved, cursor=cursor) if cursor is not None else moved

    work.folder.update(saved)
    said = dict.fromkeys((*notes, *work.folder.notes))
    return Recorded(report=report, step=step, done=done, notes=tuple(said))


def acted_on(work: Work, check: TreeCheck, wanted: Wanted) -> Recorded:
    """Do what a look from another base calls for. It counts for nothing: another base is another question."""
    before = work.folder.read().task(work.name)
    step = StreakStep(state=before, changed=signature(check.report) != before.logged)
    done, notes = _acted(work, check.report, step, wanted, check.stamp)
    if done.state.logged != before.logged:
        work.folder.update(
            lambda state: state.with_task(work.name, replace(state.task(work.name), logged=done.state.logged))
        )
    return Recorded(report=check.report, step=step, done=done, notes=notes)


def judged(state: TaskState, check: TreeCheck, contract: Contract | None) -> tuple[StreakStep, DriftReport]:
    """What a check changes, and its report with what the streak adds to it."""
    step = advance(state, check, contract)
    report = _stuck(check.report, step, contract)
    moved = replace(step.state, score=report.score, kinds=report.kinds)
    return replace(step, state=moved, changed=signature(report) != state.logged), report


def _merged(
    before: TaskState, current: TaskState, done: Done, check: TreeCheck, contract: Contract | None
) -> TaskState:
    """What is remembered where somebody else may have remembered another check while we acted on this one."""
    if current == before:
        return done.state
    latest = judged(current, check, contract)[0].state
    if done.state.pit_stops > before.pit_stops and not latest.pit_stop_created:
        latest = stopped(latest)
    return replace(latest, logged=done.state.logged) if done.state.logged != before.logged else latest


def _acted(
    work: Work, report: DriftReport, step: StreakStep, wanted: Wanted, stamp: str
) -> tuple[Done, tuple[str, ...]]:
    """What could not be done is said, and stays to be done."""
    if work.tasks is None or not report.task_id or not (wanted.log or wanted.followups):
        return Done(state=step.state), ()
    try:
        return act(work.tasks, report, work.contract, step, wanted, stamp), ()
    except EffectError as error:
        if wanted.must:
            raise
        return Done(state=step.state), (f"not done, will be tried again: {error}",)


def _stuck(report: DriftReport, step: StreakStep, contract: Contract | None) -> DriftReport:
    """Red where the work stayed off course for twice as long as calls for a pit stop."""
    if report.score == "green" or not is_stuck(step.state, contract):
        return report
    found = Drifted(
        kind="drift_persists",
        severity="error",
        summary=f"off course in {step.state.streak} checks in a row",
        details={"streak": step.state.streak},
    )
    return replace(report, score="red", findings=(*report.findings, found))
