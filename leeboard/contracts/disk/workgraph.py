"""Tasks in a `graph.jsonl`, read and written beside a running `wg`.

`wg` holds `flock` on `graph.lock` from before it loads until after it has saved, writes the whole file anew in any
order, and moves it into place. So a write here takes the same lock, reads again, changes the one line, and moves the
file into place the same way; what it has read must still be there when it does. Where a line can not be read nothing is
written: `wg` would refuse the whole graph, and somebody has to look.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from posixpath import join

from leeboard.contracts import GRAPH, workgraph
from leeboard.contracts.workgraph import WorkgraphLine
from leeboard.errors import ConfigError, EffectError
from leeboard.io import clock
from leeboard.io.file import file_lock, read_regular, replace_file
from leeboard.model.task import Task

LOCK = "graph.lock"
LOCK_SECONDS = 5.0
LARGEST = 256 << 20

Change = Callable[[list[WorkgraphLine]], list[WorkgraphLine] | None]
"""What becomes of the lines; None: nothing."""


class Workgraph:
    """The tasks of one folder. `kind` is `leeboard` where the folder is our own."""

    def __init__(self, folder: str, kind: str = "workgraph") -> None:
        self._folder = folder
        self._kind = kind

    @property
    def folder(self) -> str:
        return self._folder

    @property
    def kind(self) -> str:
        return self._kind

    def all(self) -> tuple[Task, ...]:
        return workgraph.tasks(workgraph.parse(self._read()))

    def problems(self) -> tuple[str, ...]:
        return tuple(f"{self._path}: {problem}" for problem in workgraph.problems(workgraph.parse(self._read())))

    def said_last(self, task_id: str, moment: str) -> str:
        """Our newest words in the task's log by a moment; empty where we had said nothing by then."""
        found = (one for one in workgraph.parse(self._read()) if one.task_id == task_id)
        return next((workgraph.said_last(one, moment) for one in found), "")

    def redescribe(self, task_id: str, change: Callable[[str], str]) -> Task:
        def with_words(lines: list[WorkgraphLine]) -> list[WorkgraphLine] | None:
            at = self._at(lines, task_id)
            old = lines[at].fields.get("description")
            words = change(old if isinstance(old, str) else "")
            return None if words == old else _with(lines, at, workgraph.changed(lines[at], _now(), description=words))

        self._rewrite(with_words)
        return self._task(task_id)

    def log(self, task_id: str, message: str, key: str = "") -> bool:
        """`key` is the moment the entry is about, as people read it."""
        stamp = key or _now()

        def with_entry(lines: list[WorkgraphLine]) -> list[WorkgraphLine] | None:
            at = self._at(lines, task_id)
            if key and workgraph.has_logged(lines[at], message, key):
                return None
            return _with(lines, at, workgraph.logged(lines[at], message, stamp, _now()))

        return self._rewrite(with_entry)

    def add(self, task: Task) -> bool:
        extra: dict[str, object] = {"paused": True} if self._kind == "workgraph" else {}
        if task.started_at:
            extra |= {"started_at": task.started_at}

        def with_task(lines: list[WorkgraphLine]) -> list[WorkgraphLine] | None:
            if any(line.task_id == task.id for line in lines):
                return None
            now = _now()
            grown = [workgraph.blocking(line, task.id, now) if line.task_id in task.after else line for line in lines]
            return [*grown, workgraph.new_line(task, now, **extra)]

        return self._rewrite(with_task)

    def set_status(self, task_id: str, status: str) -> None:
        """Sets the status of one of our own tasks: a workgraph's statuses follow from a journal of its own."""
        if self._kind == "workgraph":
            raise ConfigError(f"{task_id} belongs to a workgraph: use wg to change its status")

        def with_status(lines: list[WorkgraphLine]) -> list[WorkgraphLine] | None:
            at = self._at(lines, task_id)
            return _with(lines, at, workgraph.changed(lines[at], _now(), status=status))

        self._rewrite(with_status)

    @property
    def _path(self) -> str:
        return join(self._folder, GRAPH)

    def _read(self) -> bytes:
        try:
            return read_regular(self._path, LARGEST, follow=True)
        except OSError as error:
            raise EffectError(f"can not read {self._path}: {error.strerror or error}") from error

    def _task(self, task_id: str) -> Task:
        found = next((task for task in self.all() if task.id == task_id), None)
        if found is None:
            raise EffectError(f"{self._path}: the task {task_id} is gone")
        return found

    def _at(self, lines: list[WorkgraphLine], task_id: str) -> int:
        found = [at for at, line in enumerate(lines) if line.task_id == task_id]
        if not found:
            raise ConfigError(f"{self._path} has no task {task_id}")
        return found[-1]

    def _rewrite(self, change: Change) -> bool:
        """False where there was nothing to change."""
        with file_lock(join(self._folder, LOCK), LOCK_SECONDS):
            before = self._read()
            lines = workgraph.parse(before)
            if problems := workgraph.problems(lines):
                raise EffectError(f"{self._path}, {problems[0]}: nothing is written until that is put right")
            after = change(lines)
            if after is None:
                return False
            if self._read() != before:
                raise EffectError(f"{self._path} was changed by somebody who does not lock it: try again")
            replace_file(self._path, workgraph.render(after), temporary=f".graph.tmp.{os.getpid()}")
            return True


def _with(lines: list[WorkgraphLine], at: int, line: WorkgraphLine) -> list[WorkgraphLine]:
    return [*lines[:at], line, *lines[at + 1 :]]


def _now() -> str:
    return clock.iso(clock.now())
