"""What is done about a drift report: the task's log, follow-ups, pit stops. Each of it once, however often it is tried.

Nothing here depends on having been interrupted before: a log entry is known by its moment, a follow-up by its id, and
the state is saved last. What fails (a held lock, a graph that can not be read) is tried again at the next check.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from posixpath import dirname

import msgspec
from msgspec.structs import replace

from leeboard.app.tasks.event_place import epoch, resumed
from leeboard.app.work_contract import WorkContract, open_tasks
from leeboard.contracts.disk.drift_folder import Appended, DriftFolder, DriftState, EventCursor, read_events
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
from leeboard.contracts.report_json import DriftEvent, parse_event, summary_line
from leeboard.contracts.table import contract_of
from leeboard.errors import EffectError, WireError
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
    """What was written for a report: its line in the log, tasks made or refreshed, the state for the next check."""

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
    is_new = tasks.said_last(report.task_id, stamp) != words and tasks.log(report.task_id, words, stamp)
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


# Acting on the events of a monitor: each in its order, each once.
#
# What an event calls for is done first, and is known by its own name (a log entry by the moment of the event, a task by
# its id), so doing it again does nothing. Then the streak and the place behind the event are saved in one move. Killed
# anywhere in between, the next one does the same event again and comes to the same end. An event that can not be acted
# on now waits, and all behind it; one that nobody can ever act on is passed over, and said.


WITHOUT_TASK = "contract"
"""Name of the work whose contract comes from no task."""


class Handled(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the monitor's events after it was read, and what was done about it."""

    offset: int
    """Where in the file the next one begins."""
    event: DriftEvent | None = None
    """None for a line that is passed over."""
    streak: int = 0
    done: Done = Done(state=TaskState())
    notes: tuple[str, ...] = ()


class Redirect:
    """Acts on the events of one folder. Only one may be at work there at a time: whoever runs it sees to that."""

    def __init__(self, folder: DriftFolder, tasks: Workgraph | None, wanted: Wanted) -> None:
        self._store = dirname(folder.path)
        self._tasks = tasks
        self._wanted = replace(wanted, must=True)

    @property
    def folder(self) -> DriftFolder:
        """Fresh, so that what is wrong with its files is said once each time it is met."""
        return DriftFolder(self._store)

    def round(self) -> Iterator[Handled]:
        """Act on what is new. Raises where that can not be done now; the cursor is before that event then."""
        folder = self.folder
        cursor = resumed(folder.events, folder.read().cursor)
        passed: EventCursor | None = None
        for appended in read_events(folder.events, cursor):
            event, task, note = self._read(appended)
            if event is None:
                passed = appended.cursor
                yield Handled(offset=passed.offset, notes=(note,) if note else ())
                continue
            passed = None
            behind = replace(appended.cursor, event_id=event.id)
            recorded = record(self._work(event, task), _check(event), self._wanted, behind)
            yield _handled(event, recorded, behind.offset)
        if passed is not None:
            last = passed
            folder.update(lambda state: replace(state, cursor=last))

    def replay(self) -> Iterator[Handled]:
        """Act again on what was acted on before, where something of it is missing. Nothing is counted again.

        Streaks and the cursor stay as they are; there are no pit stops for a drift of the past, and what is there is
        not brought back to what it was.
        """
        folder = self.folder
        end = resumed(folder.events, folder.read().cursor)
        states: dict[str, TaskState] = {}
        for appended in read_events(folder.events, EventCursor(inode=end.inode)):
            if appended.cursor.offset > end.offset:
                return
            event, _task, _said_before = self._read(appended)
            if event is None or self._tasks is None or not event.report.task_id:
                continue
            report, done = self._again(self._tasks, event, states)
            if done.logged or done.created or done.held_back:
                yield Handled(offset=appended.cursor.offset, event=replace(event, report=report), done=done)

    def _again(self, tasks: Workgraph, event: DriftEvent, states: dict[str, TaskState]) -> tuple[DriftReport, Done]:
        name, contract = event.report.task_id, _contract(event.report)
        step, report = judged(states.get(name, TaskState()), _check(event), contract)
        states[name] = replace(step.state, logged=signature(report))
        past = replace(step, pit_stop_due=False)
        done = act(tasks, report, contract, past, replace(self._wanted, refresh=False), event.timestamp)
        return report, done

    def _read(self, appended: Appended) -> tuple[DriftEvent | None, Task | None, str]:
        """The event on a line and its task, or why there is none; events of other kinds are nobody's business."""
        if not appended.line.strip():
            return None, None, ""
        try:
            event = parse_event(appended.line)
            if event is not None:
                epoch(event.timestamp)
        except (WireError, ValueError) as error:
            start = appended.cursor.offset - len(appended.line) - 1
            return None, None, f"{self.folder.events}, the line at byte {start} is passed over: {error}"
        if event is None or not event.report.task_id:
            return event, None, ""
        known = self._tasks.all() if self._tasks else ()
        task = next((one for one in known if one.id == event.report.task_id), None)
        if task is None or task.is_ended:
            now = "gone" if task is None else task.status
            return None, task, f"an event of {event.report.task_id} is passed over: that task is {now}"
        return event, task, ""

    def _work(self, event: DriftEvent, task: Task | None) -> Work:
        return Work(
            name=event.report.task_id or WITHOUT_TASK,
            folder=self.folder,
            contract=_contract(event.report),
            tasks=self._tasks if task is not None else None,
            base=event.base,
            active=task is not None and task.is_active,
        )


def redirects(root: str, env: Mapping[str, str], wanted: Wanted) -> tuple[Redirect, ...]:
    """For what is kept beside the tasks of a work tree, and for the contract that holds there without a task."""
    tasks = open_tasks(root, env)
    beside = (Redirect(DriftFolder(tasks.folder), tasks, wanted),) if tasks else ()
    return (*beside, Redirect(WorkContract(root=root).folder, None, wanted))


def _handled(event: DriftEvent, recorded: Recorded, offset: int) -> Handled:
    streak = recorded.step.state.streak
    told = replace(event, report=recorded.report)
    return Handled(offset=offset, event=told, streak=streak, done=recorded.done, notes=recorded.notes)


def _check(event: DriftEvent) -> TreeCheck:
    """The look as it was then: time passes between events, not between their readings."""
    return TreeCheck(report=event.report, tree=event.tree, now=epoch(event.timestamp), stamp=event.timestamp)


def _contract(report: DriftReport) -> Contract | None:
    """As it was when the tree was looked at."""
    return contract_of(report.contract, report.task_title)[0] if report.contract is not None else None
