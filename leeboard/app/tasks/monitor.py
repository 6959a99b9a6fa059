"""Looks at the work tree for every task in progress, and adds an event where something changed.

It writes nothing but events: no task, no state. What it said last it reads from the events themselves, so it may be
killed and started again, or run twice, and still says each change once. An unchanged tree is told of again every ten
minutes, for whoever counts how long a drift stands.
"""

from __future__ import annotations

import json
import os
import select
import signal
import uuid
from collections.abc import Callable, Iterator, Mapping
from types import FrameType
from typing import Self

import msgspec
from msgspec.structs import replace

from leeboard.app.check import Checked, CheckOptions, check_tree
from leeboard.app.tasks.event_place import EventMark, EventMarks, Failed, failed, seen
from leeboard.app.work_contract import WorkContract, active_contracts, find_contract
from leeboard.contracts.disk.drift_folder import append_event
from leeboard.contracts.report_json import DriftEvent, parse, render, render_event, summary_line
from leeboard.errors import LeeboardError
from leeboard.io import clock

HEARTBEAT = 600.0
"""Seconds after which an unchanged tree is told of again."""
_ERRORS = (LeeboardError, OSError, ValueError)


class MonitorNews(msgspec.Struct, frozen=True, kw_only=True):
    """One event that was written, or a note for people."""

    task: str = ""
    line: bytes = b""
    """The event as it stands in the file; empty for a note."""
    summary: str = ""
    note: str = ""
    is_error: bool = False


class Monitor:
    """Looks at the tasks in progress in one work tree; `task_id` narrows it to one of them."""

    def __init__(self, root: str, env: Mapping[str, str], task_id: str = "") -> None:
        self._root, self._env, self._task_id = root, env, task_id
        self._marks: dict[str, EventMarks] = {}

    def round(self, is_over: Callable[[], bool] = lambda: False) -> Iterator[MonitorNews]:
        """Look at each task once. What one of them fails at keeps no other from being looked at.

        Once it `is_over` failures count for nothing: the signal that ends us ends the programs we asked as well.
        """
        try:
            active = self._in_progress()
        except _ERRORS as error:
            if not is_over():
                yield MonitorNews(note=f"can not tell what is in progress: {_reason(error)}", is_error=True)
            return
        for work_contract in active:
            if is_over():
                return
            try:
                yield from self._looked_at(work_contract, is_over)
            except _ERRORS as error:
                yield MonitorNews(
                    task=work_contract.name, note=f"{work_contract.name}: {_reason(error)}", is_error=True
                )

    def _in_progress(self) -> tuple[WorkContract, ...]:
        """What is in progress. Where there is neither task nor contract there is nothing to look at."""
        if not self._task_id:
            found = active_contracts(self._root, self._env)
            return tuple(one for one in found if one.task is not None or one.held is not None)
        work_contract = find_contract(self._root, self._env, self._task_id)
        return (work_contract,) if work_contract.task is not None and work_contract.task.is_active else ()

    def _looked_at(self, work_contract: WorkContract, is_over: Callable[[], bool]) -> Iterator[MonitorNews]:
        folder = work_contract.folder
        state = folder.read()
        yield from (MonitorNews(task=work_contract.name, note=note) for note in folder.notes)
        marks = self._marks.setdefault(folder.events, EventMarks(folder.events))
        name = work_contract.task.id if work_contract.task else ""
        mark = marks.read().get(name)
        try:
            checked = check_tree(
                work_contract, self._env, _look(work_contract, mark, state.task(work_contract.name).base_commit)
            )
        except _ERRORS as error:
            told, says = _failure(name, _reason(error)), failed(_reason(error))
            if is_over():
                return
        else:
            told, says = _event(checked), _says(checked)
        if _is_due(mark, says):
            folder.make()
            append_event(folder.events, told.line, folder.read().cursor)
            yield told


def _look(work_contract: WorkContract, mark: EventMark | None, recorded: str) -> CheckOptions:
    """Compared with where the work began: until somebody records that, the first event of the task tells it."""
    known = recorded or (work_contract.held.contract.base if work_contract.held else "")
    return CheckOptions(base=mark.base if work_contract.task is not None and mark is not None and not known else "")


def _is_due(mark: EventMark | None, says: str) -> bool:
    """A clock that went backwards makes an event due: the next one is then counted from there."""
    return mark is None or mark.says != says or not 0 <= clock.now() - mark.at < HEARTBEAT


def _says(checked: Checked) -> str:
    report = checked.report
    return seen(report.score, report.kinds, checked.event.change.digest)


def _event(checked: Checked) -> MonitorNews:
    event = DriftEvent(
        id=uuid.uuid4().hex,
        timestamp=clock.stamp(clock.now()),
        report=checked.report,
        tree=checked.event.change.digest,
        base=checked.event.change.base,
    )
    return MonitorNews(task=checked.work_contract.name, line=_line(event), summary=summary_line(checked.report))


def _line(event: DriftEvent) -> bytes:
    """A file's name may be no text; JSON is."""
    try:
        return render_event(event)
    except UnicodeEncodeError:
        text = json.dumps(render(event.report), ensure_ascii=False, default=str).encode("utf-8", "replace")
        return render_event(replace(event, report=parse(json.loads(text))))


def _failure(task: str, error: str) -> MonitorNews:
    event = Failed(event_id=uuid.uuid4().hex, timestamp=clock.stamp(clock.now()), task_id=task, error=error)
    line = msgspec.json.encode(event) + b"\n"
    return MonitorNews(task=task or "contract", line=line, note=f"{task or 'contract'}: {error}", is_error=True)


def _reason(error: Exception) -> str:
    """In one line that is text, whatever names stand in it."""
    return " ".join(str(error).split()).encode("utf-8", "replace").decode() or type(error).__name__


# Something done again and again until a signal ends it, with a rest in between that costs nothing.
#
# A signal never interrupts a round: it is noted, wakes a rest, and the round that runs is finished first. The note goes
# through a pipe, because a lock that a handler takes may be held by the very code it interrupted.


INTERRUPTED = 130


class Rounds:
    """To be used in a with block of the main thread."""

    def __init__(self, seconds: float, *, attached: bool = False, wakes: tuple[signal.Signals, ...] = ()) -> None:
        """`attached` ends it with whoever holds the other end of stdin; `wakes` are signals that only end a rest."""
        self._seconds = seconds
        self._attached = attached
        self._wakes = wakes
        self._ends = (-1, -1)
        self._before: dict[signal.Signals, Callable[[int, FrameType | None], object] | int | None] = {}
        self.ended_by = 0
        """The signal that ended it."""
        self.is_left = False
        """Whoever it was attached to is gone."""

    def __enter__(self) -> Self:
        self._ends = os.pipe()
        for end in self._ends:
            os.set_blocking(end, False)
        for number in (signal.SIGTERM, signal.SIGINT, *self._wakes):
            self._before[number] = signal.signal(number, self._noted)
        return self

    def __exit__(self, *exc_info: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        for end in self._ends:
            os.close(end)

    @property
    def is_over(self) -> bool:
        return bool(self.ended_by) or self.is_left

    @property
    def code(self) -> int:
        """The exit code: being interrupted by a person is no failure of the monitor, and is told apart."""
        return INTERRUPTED if self.ended_by == signal.SIGINT else 0

    def rest(self, seconds: float | None = None) -> bool:
        """Wait for the next round; False where there is none."""
        until = clock.monotonic() + (self._seconds if seconds is None else seconds)
        while not self.is_over and (left := until - clock.monotonic()) > 0:
            watched = [self._ends[0], *((0,) if self._attached else ())]
            ready, _, _ = select.select(watched, [], [], left)
            if self._ends[0] in ready and os.read(self._ends[0], 4096):
                break
            self.is_left = self._attached and 0 in ready and not os.read(0, 4096)
        return not self.is_over

    def _noted(self, number: int, _frame: FrameType | None) -> None:
        if number not in self._wakes:
            self.ended_by = self.ended_by or number
        try:
            os.write(self._ends[1], b".")
        except BlockingIOError:
            return  # full of notes already
