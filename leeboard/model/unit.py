"""A unit of work in a workflow, and what stands between it and its end: hats, feedback, gates, an agent that stops."""

from __future__ import annotations

from typing import Literal

import msgspec

from leeboard.model.event import Event
from leeboard.model.studio import GateCommand

UnitStatus = Literal["pending", "active", "completed"]
PassResult = Literal["advance", "reject"]


class Pass(msgspec.Struct, frozen=True, kw_only=True):
    """One hat worn once."""

    hat: str
    started_at: str = ""
    completed_at: str = ""
    result: PassResult = "advance"
    reason: str = ""
    """In an advance, why nothing had to change; in a reject, what fell short."""
    changed: bool = False
    """Something had changed by then, as far as somebody looked."""
    work: str = ""
    """In a reject, a name for what had been changed by then; empty: nothing, or nobody looked."""


class Unit(msgspec.Struct, frozen=True, kw_only=True):
    """A work item of one stage; `id` is the stem of its file."""

    id: str
    stage: str
    title: str = ""
    type: str = ""
    depends_on: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    touch: tuple[str, ...] = ()
    """Globs it may change, where its author named some."""
    quality_gates: tuple[GateCommand, ...] = ()
    closes: tuple[str, ...] = ()
    model: str = ""
    status: UnitStatus = "pending"
    bolt: int = 0
    hat: str = ""
    started_at: str = ""
    hat_started_at: str = ""
    completed_at: str = ""
    passes: tuple[Pass, ...] = ()
    """`iterations` in the file."""
    criteria: tuple[tuple[str, bool], ...] = ()
    """What it has to meet, and whether it was ticked off."""
    body: str = ""
    problem: str = ""
    """Why its file can not be read as a unit."""

    @property
    def unmet(self) -> tuple[str, ...]:
        return tuple(text for text, done in self.criteria if not done)


# A finding about the work of a workflow that outlives the conversation, and how it stands.


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
    resolution_by: str = ""
    """`user`: a person said how it is to be settled; else an agent did, or nobody."""
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


# What a gate of a workflow is decided by: commands that ran, reviews that were recorded, a person's decision.


Decision = Literal["approved", "changes_requested", "external_review", "withdrawn"]
"""`withdrawn`: what was decided before it is taken back, before anything followed from it."""


class GateRun(msgspec.Struct, frozen=True, kw_only=True):
    """A quality gate as it ended over one state of the tree."""

    name: str
    command: str
    dir: str = ""
    passed: bool = False
    code: int | None = None
    """None: killed at its time limit."""
    seconds: float = 0.0
    tail: str = ""
    missing: str = ""
    """The program it needs that is not there: it was not run."""
    tree: str = ""
    unit: str = ""
    """Whose work tree it ran in; empty: the primary one."""


class ReviewReport(msgspec.Struct, frozen=True, kw_only=True):
    """What a review agent said; recorded before the phase moves."""

    agent: str
    verdict: Literal["pass", "findings"]
    findings: tuple[str, ...] = ()
    """Ids of the feedback it filed."""
    digest: str = ""
    recorded_at: str = ""
    tree: str = ""
    """The name of the work it looked at: it says nothing of any other."""


class Ruling(msgspec.Struct, frozen=True, kw_only=True):
    """A person's decision at a gate, as it was written to disk first."""

    decision: Decision
    feedback: str = ""
    by: str = ""
    decided_at: str = ""
    visit: int = 0
    """The visit of the stage: a decision of an earlier visit decides nothing now."""
    context: str = "stage_gate"
    shown: str = ""
    """Digest of what was decided over: an approval of something else decides nothing now."""
    takes_back: int = 0
    """`withdrawn`: how many of the decisions before it."""


# An agent about to end, with all that decides whether it may.


class WorkedOn(msgspec.Struct, frozen=True, kw_only=True):
    """A unit an agent worked on, as it is now, and how it stood when the agent last set to work on it."""

    unit: Unit
    hat: str
    bolt: int
    passes: int

    @property
    def is_recorded(self) -> bool:
        """Whether the hat was passed on or sent back since, or another bolt begun."""
        unit = self.unit
        return unit.status != "active" or (unit.hat, unit.bolt, len(unit.passes)) != (self.hat, self.bolt, self.passes)


class StopProposed(Event, frozen=True, kw_only=True):
    """It may still be kept going. `Stopped` and `AgentEnded` follow once it is let go."""

    already_blocked: bool = False
    """The client says that a stop hook has already kept the agent going."""
    text: str = ""
    worked_on: tuple[WorkedOn, ...] = ()
    gate_runs: tuple[GateRun, ...] = ()
    """Quality gates of what it worked on, over the tree as it leaves it; none where its hat need not meet them yet."""
