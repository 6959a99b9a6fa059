"""Acts on the events of a monitor: each in its order, each once.

What an event calls for is done first, and is known by its own name (a log entry by the moment of the event, a task by
its id), so doing it again does nothing. Then the streak and the place behind the event are saved in one move. Killed
anywhere in between, the next one does the same event again and comes to the same end. An event that can not be acted on
now waits, and all behind it; one that nobody can ever act on is passed over, and said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from posixpath import dirname

import msgspec
from msgspec.structs import replace

from leeboard.app.tasks.drift_actions import Done, Recorded, Wanted, Work, act, judged, record
from leeboard.app.tasks.event_place import epoch, resumed
from leeboard.app.work_contract import WorkContract, open_tasks
from leeboard.contracts.disk.drift_folder import Appended, DriftFolder, EventCursor, read_events
from leeboard.contracts.disk.workgraph import Workgraph
from leeboard.contracts.report import TreeCheck, signature
from leeboard.contracts.report_json import DriftEvent, parse_event
from leeboard.contracts.table import contract_of
from leeboard.errors import WireError
from leeboard.model.contract import Contract
from leeboard.model.task import DriftReport, Task, TaskState

WITHOUT_TASK = "contract"
"""Name of the work whose contract comes from no task."""


class Handled(msgspec.Struct, frozen=True, kw_only=True):
    """One line that was read."""

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
