"""A check remembered and acted on: streak, log, follow-ups and pit stop, for a command and for the redirect alike."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from leeboard.errors import EffectError
from leeboard.io.drift_folder import DriftFolder, DriftState, EventCursor
from leeboard.io.tasks.workgraph import Workgraph
from leeboard.judge.streak import Check, Step, advance, is_stuck, signature, stopped
from leeboard.model.contract import Contract
from leeboard.model.drift import Drifted, DriftReport
from leeboard.model.streak import TaskState
from leeboard.surfaces.drift_actions import Done, Wanted, act


class Work(msgspec.Struct, frozen=True, kw_only=True):
    """Whose tree was checked, and where that is kept."""

    name: str
    """Of the task, or of the contract that holds without one."""
    folder: DriftFolder
    contract: Contract | None = None
    tasks: Workgraph | None = None
    base: str = ""
    """The commit it was compared with; recorded once, when the task is first seen in progress."""
    active: bool = True


class Recorded(msgspec.Struct, frozen=True, kw_only=True):
    report: DriftReport
    """With what the streak adds to it."""
    step: Step
    done: Done
    notes: tuple[str, ...] = ()


def record(work: Work, check: Check, wanted: Wanted, cursor: EventCursor | None = None) -> Recorded:
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


def acted_on(work: Work, check: Check, wanted: Wanted) -> Recorded:
    """Do what a look from another base calls for. It counts for nothing: another base is another question."""
    before = work.folder.read().task(work.name)
    step = Step(state=before, changed=signature(check.report) != before.logged)
    done, notes = _acted(work, check.report, step, wanted, check.stamp)
    if done.state.logged != before.logged:
        work.folder.update(
            lambda state: state.with_task(work.name, replace(state.task(work.name), logged=done.state.logged))
        )
    return Recorded(report=check.report, step=step, done=done, notes=notes)


def judged(state: TaskState, check: Check, contract: Contract | None) -> tuple[Step, DriftReport]:
    """What a check changes, and its report with what the streak adds to it."""
    step = advance(state, check, contract)
    report = _stuck(check.report, step, contract)
    moved = replace(step.state, score=report.score, kinds=report.kinds)
    return replace(step, state=moved, changed=signature(report) != state.logged), report


def _merged(before: TaskState, current: TaskState, done: Done, check: Check, contract: Contract | None) -> TaskState:
    """What is remembered where somebody else may have remembered another check while we acted on this one."""
    if current == before:
        return done.state
    latest = judged(current, check, contract)[0].state
    if done.state.pit_stops > before.pit_stops and not latest.pit_stop_created:
        latest = stopped(latest)
    return replace(latest, logged=done.state.logged) if done.state.logged != before.logged else latest


def _acted(work: Work, report: DriftReport, step: Step, wanted: Wanted, stamp: str) -> tuple[Done, tuple[str, ...]]:
    """What could not be done is said, and stays to be done."""
    if work.tasks is None or not report.task_id or not (wanted.log or wanted.followups):
        return Done(state=step.state), ()
    try:
        return act(work.tasks, report, work.contract, step, wanted, stamp), ()
    except EffectError as error:
        if wanted.must:
            raise
        return Done(state=step.state), (f"not done, to be tried again: {error}",)


def _stuck(report: DriftReport, step: Step, contract: Contract | None) -> DriftReport:
    """Red where the work stayed off course for twice as long as calls for a pit stop."""
    if report.score == "green" or not is_stuck(step.state, contract):
        return report
    found = Drifted(
        kind="drift_persists",
        severity="error",
        summary=f"off course in {step.state.streak} checks one after the other",
        details={"streak": step.state.streak},
    )
    return replace(report, score="red", findings=(*report.findings, found))
