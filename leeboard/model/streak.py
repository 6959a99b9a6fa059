"""What is remembered of a task between two checks of its tree."""

from __future__ import annotations

import msgspec

from leeboard.model.drift import Score


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
