"""Tasks as a store of them keeps them: a workgraph's, or our own file of the same shape."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import msgspec

ACTIVE = ("in-progress", "pending-validation", "pending-eval", "failed-pending-eval")
"""Statuses in which somebody works on a task, or what they did is being looked at."""
TOUCH_SET = "Speedrift: touch set to"
"""How a task's log tells that its globs were changed."""
ENDED = ("done", "failed", "abandoned")


class Task(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    title: str
    description: str = ""
    status: str = "open"
    """As it is written: a status nobody knows is no reason to fail."""
    after: tuple[str, ...] = ()
    """Ids of the tasks it waits for."""
    tags: tuple[str, ...] = ()
    started_at: str = ""
    """RFC 3339; empty where it was never started."""
    metadata: dict[str, Any] = msgspec.field(default_factory=dict)
    """Structured data, where the store keeps any; `wg-contract` in it goes before the description's block."""

    touch_changes: tuple[str, ...] = ()
    """What its log says of changes of its globs: an agent may widen them, but not unseen."""

    @property
    def is_active(self) -> bool:
        return self.status in ACTIVE

    @property
    def is_ended(self) -> bool:
        return self.status in ENDED

    @property
    def is_system(self) -> bool:
        return self.id.startswith(".")


class Tasks(Protocol):
    """Where tasks are kept. Every write is atomic and leaves everything else as it was."""

    @property
    def folder(self) -> str:
        """The directory of the store; `.speedrift/` lies in it."""

    @property
    def kind(self) -> str:
        """`workgraph` or `leeboard`, for people."""

    def all(self) -> tuple[Task, ...]:
        """In the order of the file. Raises EffectError where it can not be read."""

    def problems(self) -> tuple[str, ...]:
        """What could not be read of it, line by line."""

    def redescribe(self, task_id: str, change: Callable[[str], str]) -> Task:
        """Change a description under the store's lock; the task as it is then."""

    def log(self, task_id: str, message: str, key: str = "") -> bool:
        """Append an entry. With a key: once only, however often it is asked for; False when it was there."""

    def add(self, task: Task) -> bool:
        """A new task that waits for `task.after`. False when one of this id is there."""
