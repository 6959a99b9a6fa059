"""A task as a workgraph or our own file keeps it, what is remembered between two checks of it, and its drift report."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from leeboard.model.verdict import Finding, Severity

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


# What is remembered of a task between two checks of its tree.


class TaskState(msgspec.Struct, frozen=True, kw_only=True):
    """`score`, `kinds`, `streak`, `pit_stop_created` and `updated_at` have the names other tools know them by."""

    score: Score = "green"
    kinds: tuple[str, ...] = ()
    streak: int = 0
    pit_stop_created: bool = False
    """Since the drift that stands began; a recovery takes it back."""
    pit_stops: int = 0
    """Made for this task in all."""
    updated_at: str = ""
    """RFC 3339, UTC, as all times that people read."""
    first_seen: str = ""
    last_green_at: str = ""
    base_commit: str = ""
    """HEAD when the task was first seen in progress, or when a person set it."""
    tree: str = ""
    """Digest of the tree at the last check that counted."""
    counted_at: float = 0.0
    """Epoch seconds of that check."""
    logged: str = ""
    """Score and kinds that were written onto the task last."""


# The drift report: what a work tree is against what was promised for it.


Score = Literal["green", "yellow", "red"]
SCORES: tuple[Score, ...] = ("green", "yellow", "red")


class Drifted(msgspec.Struct, frozen=True, kw_only=True):
    """All findings of one kind."""

    kind: str
    severity: Severity
    summary: str
    details: dict[str, Any] | None = None
    findings: tuple[Finding, ...] = ()


class Recommendation(msgspec.Struct, frozen=True, kw_only=True):
    """A countersteer: what would bring the work back."""

    priority: Literal["high", "medium"]
    action: str
    rationale: str
    commands: tuple[str, ...] = ()


class DriftReport(msgspec.Struct, frozen=True, kw_only=True):
    task_id: str
    """Empty where the contract does not come from a task."""
    task_title: str
    git_root: str
    score: Score
    contract: dict[str, Any] | None
    """As it is written, unknown keys too; `{"parse_error": ...}` where it is no TOML, None where there is none."""
    telemetry: dict[str, Any]
    findings: tuple[Drifted, ...] = ()
    recommendations: tuple[Recommendation, ...] = ()

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of what drifted, sorted; what is only worth knowing is no drift."""
        return tuple(sorted({one.kind for one in self.findings if one.severity != "info"}))
