"""Tasks as a store of them keeps them: a workgraph's, or our own file of the same shape."""

from __future__ import annotations

from typing import Any

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
