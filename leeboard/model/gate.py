"""What a gate of a workflow is decided by: commands that ran, reviews that were recorded, a person's decision."""

from __future__ import annotations

from typing import Literal

import msgspec

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


class Ruling(msgspec.Struct, frozen=True, kw_only=True):
    """A person's decision at a gate, as it was written to disk first."""

    decision: Decision
    feedback: str = ""
    by: str = ""
    decided_at: str = ""
    visit: int = 0
    """Of the stage: a decision of an earlier visit decides nothing now."""
    context: str = "stage_gate"
    shown: str = ""
    """Digest of what was decided over: an approval of something else decides nothing now."""
    takes_back: int = 0
    """`withdrawn`: how many of the decisions before it."""
