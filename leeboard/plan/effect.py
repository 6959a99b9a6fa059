"""What the engine of a workflow has to do to the world: imperative, and harmless the second time.

A step is a few effects in an order in which every prefix is a state the next look understands: killed anywhere, the
next tick derives what is left to do from the files and from git.
"""

from __future__ import annotations

from typing import Any

import msgspec

from leeboard.model.plan import Clue
from leeboard.model.studio import GateCommand
from leeboard.model.truth import BaselineEntry, Dispatch, DriftAssessment, EntryType, LogEntry, Marker
from leeboard.model.unit import Decision


class WriteIntent(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Set fields of `intent.md`; everything else in it stays."""

    fields: dict[str, Any]


class WriteStage(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Set keys of a stage's `state.json`."""

    stage: str
    fields: dict[str, Any]


class WriteUnit(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Set fields of a unit's frontmatter."""

    stage: str
    unit: str
    fields: dict[str, Any]


class WriteFeedback(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Set fields of a feedback file; `stage` empty: of the intent."""

    stage: str
    feedback: str
    fields: dict[str, Any]


class NewFeedback(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """File a finding. `key` makes it the same one when it is filed again."""

    stage: str
    title: str
    body: str
    origin: str
    author: str
    key: str
    fields: dict[str, Any] = msgspec.field(default_factory=dict)


class RecordReport(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Keep what a review agent said, for this visit of the stage."""

    stage: str
    agent: str
    verdict: str
    body: str
    findings: tuple[str, ...] = ()
    tree: str = ""
    """The work it is about."""


class RecordRuling(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Keep what a person decided at a gate, before anything follows from it."""

    stage: str
    decision: Decision
    feedback: str
    by: str
    visit: int
    context: str
    shown: str = ""
    """Digest of what was decided over."""
    takes_back: int = 0
    """`withdrawn`: how many of the decisions before it."""


class EstablishBaseline(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Take the surface of these scopes as it is: for one that never had a baseline, or by an operator's word."""

    scopes: tuple[str, ...]
    tick: int


class WriteBaseline(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Set entries of one scope's `baseline.json`, and take others out; their texts are kept to compare with."""

    scope: str
    put: tuple[BaselineEntry, ...] = ()
    drop: tuple[str, ...] = ()
    log: tuple[LogEntry, ...] = ()
    """Lines for the action log that go with it: from here on no earlier line explains these paths."""


class WriteMarkers(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Add or replace markers (known by path and assessment), and take others out."""

    put: tuple[Marker, ...] = ()
    drop: tuple[Marker, ...] = ()


class WriteDispatch(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """The assessment that is asked for; None: none is any more."""

    dispatch: Dispatch | None


class RecordAssessment(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Keep what was decided, under the stage that was active."""

    stage: str
    number: int
    assessment: DriftAssessment


class LogBaseline(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Put down in the action log that a baseline was made, or lost."""

    scope: str
    entry_type: EntryType
    tick: int


class EnsureBranch(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Have the intent's own branch checked out in the primary work tree."""

    base: str = ""
    """Where it begins when it is made; empty: where the work tree is."""
    follows: str = ""
    """The intent whose branch it goes on from instead."""


class MakeWorktree(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    unit: str


class MergeUnit(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Bring a unit's branch into the hub. A conflict is left in the unit's work tree, never in the primary one."""

    unit: str
    message: str


class RemoveWorktree(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """With its branch, once it is part of the hub."""

    unit: str


class RunGates(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Run quality gates and keep how they ended over the tree as it is."""

    stage: str
    commands: tuple[GateCommand, ...]
    unit: str = ""
    """In this unit's work tree; empty: in the primary one."""


class Commit(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Commit the plan's own files, and nothing else."""

    message: str


Effect = (
    WriteIntent
    | WriteStage
    | WriteUnit
    | WriteFeedback
    | NewFeedback
    | RecordReport
    | RecordRuling
    | EstablishBaseline
    | WriteBaseline
    | WriteMarkers
    | WriteDispatch
    | RecordAssessment
    | LogBaseline
    | EnsureBranch
    | MakeWorktree
    | MergeUnit
    | RemoveWorktree
    | RunGates
    | Commit
)


class PlanStep(msgspec.Struct, frozen=True, kw_only=True):
    """What one look at the plan leads to: something to do and then look again, or a clue for somebody."""

    do: tuple[Effect, ...] = ()
    clue: Clue | None = None
    """None: look again when it is done."""


class Refusal(msgspec.Struct, frozen=True, kw_only=True):
    """Why a move is not allowed, and which one is."""

    code: str
    message: str
    details: dict[str, Any] = msgspec.field(default_factory=dict)
