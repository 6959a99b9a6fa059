"""A finding about the work of a workflow that outlives the conversation, and how it stands."""

from __future__ import annotations

from typing import Literal

import msgspec

from leeboard.model.unit import Pass

FeedbackStatus = Literal["pending", "fixing", "addressed", "answered", "closed", "rejected"]
Resolution = Literal["", "question", "inline_fix", "stage_revisit"]

SETTLED: tuple[FeedbackStatus, ...] = ("addressed", "answered", "closed", "rejected")
"""Feedback that keeps no gate shut."""
ENDED: tuple[FeedbackStatus, ...] = ("closed", "rejected")
HUMAN_ORIGINS = ("user-visual", "user-chat", "user-question", "user-revisit", "external-pr", "external-mr")


class Feedback(msgspec.Struct, frozen=True, kw_only=True):
    """A finding that outlives the conversation; `id` is FB-NN."""

    id: str
    stage: str = ""
    """Empty: of the intent as a whole."""
    file: str = ""
    title: str = ""
    body: str = ""
    status: FeedbackStatus = "pending"
    origin: str = "agent"
    author: str = ""
    created_at: str = ""
    triaged_at: str = ""
    resolution: Resolution = ""
    bolt: int = 0
    hat: str = ""
    passes: tuple[Pass, ...] = ()
    closed_by: str = ""
    source_ref: str = ""
    fix_from: str = ""
    """The commit its fix began at; without git the time."""
    problem: str = ""
    """Why its file can not be read as one."""
    replies: tuple[dict[str, str], ...] = ()
    """`{author, at, text}`, the oldest first."""

    @property
    def is_human(self) -> bool:
        return self.origin in HUMAN_ORIGINS

    @property
    def is_open(self) -> bool:
        return self.status not in SETTLED
