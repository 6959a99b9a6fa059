"""What steering one event produced, ready to be committed in one transaction."""

from __future__ import annotations

from typing import Literal

import msgspec

from leeboard.model.event import ActionType
from leeboard.model.known import Known
from leeboard.model.ledger import Entry, Mention
from leeboard.model.session import Session
from leeboard.model.verdict import Correction, Disposition, DriftType, Finding, Verdict


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the seed's `steps`: an action, its score and what was said of it."""

    id: str
    session_id: str
    action_type: ActionType
    files: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    command: str | None = None
    reasoning: str | None = None
    drift_score: int = 10
    drift_type: DriftType = "none"
    correction_given: str | None = None
    is_key_decision: bool = False
    is_validated: bool = True
    keywords: tuple[str, ...] = ()
    timestamp: int = 0


class TeamStep(Step, frozen=True, kw_only=True):
    """A step of somebody else in the team."""

    member: str


class Capture(msgspec.Struct, frozen=True, kw_only=True):
    """The record of a session for those who come later: one per session, written anew at each stop."""

    session_id: str
    project_path: str
    goal: str
    status: str
    drift_events: int
    final_score: int
    had_halt: bool
    needs_review: bool
    tags: tuple[str, ...]
    reasoning_trace: str
    updated: float


class Offer(msgspec.Struct, frozen=True):
    """A change in the life of a correction."""

    correction: Correction
    state: str
    """waiting, offered or dropped"""


JudgedState = Literal["logged", "waiting", "fired", "delivered", "self-corrected", "dropped"]
FINDING_STATES: dict[JudgedState, str] = {
    "logged": "noted and not said",
    "waiting": "waiting to be said",
    "fired": "said",
    "delivered": "said at a pause",
    "self-corrected": "put right by the agent",
    "dropped": "dropped",
}
"""What became of a finding, in the words people are shown."""


def told_urgency(label: str) -> str:
    """An urgency as people and agents read it: a number, or that it could not wait."""
    return "at once" if label.endswith("-ESCALATE") else label


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """A finding of the classes A to D, as it was judged, and what became of it."""

    id: str
    agent: str
    turn: int
    """In which it was detected."""
    subclass: str
    urgency: str
    """The number with one decimal, or the name of the override."""
    disposition: Disposition
    state: JudgedState
    rule: str
    subject: str
    path: str
    line: int
    confidence: float
    message: str
    reason: str
    spoken_turn: int = -1
    note: str = ""
    """`user-directed: not signaled`, `self-corrected`, `test fixture`, ..."""
    trace: tuple[str, ...] = ()


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    session: Session
    verdict: Verdict
    key: str = ""
    """Key of the event, to answer it the same way when another source reports it again."""
    mentions: tuple[Mention, ...] = ()
    steps: tuple[Step, ...] = ()
    findings: tuple[Finding, ...] = ()
    offers: tuple[Offer, ...] = ()
    entries: tuple[Entry, ...] = ()
    judged: tuple[Judged, ...] = ()
    capture: Capture | None = None
    known: tuple[Known, ...] = ()
    """What the agent knows of files from now on."""
