"""A workflow that lives on disk: its intent, its stages, and one look at all that belongs to them.

Everything here is read from files and nothing is kept between two looks. Times are RFC 3339 in UTC; empty where there
is none yet.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from leeboard.model.studio import GateCommand, StageSpec, Studio, Template
from leeboard.model.truth import Truth
from leeboard.model.unit import Feedback, GateRun, ReviewReport, Ruling, Unit

Phase = Literal["", "elaborate", "execute", "review", "gate"]
PHASES: tuple[Phase, ...] = ("elaborate", "execute", "review", "gate")
StageStatus = Literal["pending", "active", "completed", "blocked"]
GateOutcome = Literal["", "advanced", "blocked"]

TURNS_NEEDED, MOST_BOLTS, MOST_FIX_BOLTS, MOST_GATE_TRIES, MOST_PARALLEL = 3, 5, 3, 5, 5


class Iteration(msgspec.Struct, frozen=True, kw_only=True):
    """One visit of a stage."""

    index: int
    started_at: str = ""
    completed_at: str = ""
    trigger: Literal["initial", "feedback", "external-changes", "user-revisit"] = "initial"
    result: str = ""
    reason: str = ""


class Approved(msgspec.Struct, frozen=True, kw_only=True):
    """The plan of a stage as it passed, as digests: what is built and shown later is held against it."""

    stage: str = ""
    """The digest of the stage's definition and of the gates of the intent; empty: nothing was kept yet."""
    units: dict[str, str] = msgspec.field(default_factory=dict)
    outputs: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    """What each unit promised: more may come, none may go."""
    guidance: str = ""
    """The digest of what the stage's definition says in words; empty: not kept by an earlier version."""
    intent: str = ""
    """The digest of the title and text of the intent; empty as above."""


DECISION_LOG = "decision_log"
"""The key of a stage's state under which decisions are written down: what was chosen from what, by whom, and why."""


class StageState(msgspec.Struct, frozen=True, kw_only=True):
    """What `state.json` of a stage says."""

    stage: str
    status: StageStatus = "pending"
    phase: Phase = ""
    started_at: str = ""
    completed_at: str = ""
    gate_entered_at: str = ""
    gate_outcome: GateOutcome = ""
    elaboration_turns: int = 0
    external_review_url: str = ""
    external_review_by: str = ""
    """`user`: a person gave the address."""
    visits: int = 0
    iterations: tuple[Iteration, ...] = ()
    gate_tries: int = 0
    """How often its quality gates failed since the last change of phase."""
    gate_tree: str = ""
    """The tree they failed over last: one tree is counted once, however often it is looked at."""
    stale_reason: str = ""
    stale_marked_at: str = ""
    stale_told: int = 0
    """The visit in which somebody was told why it is stale, and went on."""
    review_tree: str = ""
    """The work that review agents were asked to look at last."""
    approved: Approved = Approved()
    extra: dict[str, Any] = msgspec.field(default_factory=dict)
    """Keys of other versions, kept as they are."""
    problem: str = ""
    """Why its file can not be read as one."""

    @property
    def decisions(self) -> list[dict[str, Any]]:
        found = self.extra.get(DECISION_LOG)
        return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []

    @property
    def question(self) -> dict[str, Any] | None:
        """The newest choice that was put to the user in this visit, where nobody has made it."""
        asked = (each for each in reversed(self.decisions) if each.get("asked") == self.visits)
        return next((each for each in asked if not each.get("choice") and isinstance(each.get("options"), list)), None)


class Intent(msgspec.Struct, frozen=True, kw_only=True):
    """What the head of `intent.md` says."""

    slug: str
    title: str = ""
    studio: str = ""
    studio_chosen: str = ""
    """The studio that a person chose; empty: none of them did. No agent takes another one."""
    mode: str = "continuous"
    status: str = "active"
    archived: bool = False
    active_stage: str = ""
    phase: str = ""
    stages: tuple[str, ...] = ()
    """Those of the studio it goes through; empty: all."""
    skip_stages: tuple[str, ...] = ()
    follows: str = ""
    base: str = ""
    """The branch its own one began at, where its work goes back to."""
    quality_gates: tuple[GateCommand, ...] = ()
    intent_reviewed: bool = False
    guards: tuple[str, ...] = ()
    """Who lets each stage through its gate, as it was when the work began: `stage=ask`."""
    guarding: tuple[str, ...] = ()
    """The settings of the project that guard the work, as a person last took note of them: `key=digest`."""
    created_at: str = ""
    started_at: str = ""
    completed_at: str = ""
    body: str = ""
    problem: str = ""
    """Why its file can not be read as one."""


class StageView(msgspec.Struct, frozen=True, kw_only=True):
    """A stage of an intent: what it is to be, and how it stands."""

    spec: StageSpec
    state: StageState
    units: tuple[Unit, ...] = ()
    feedback: tuple[Feedback, ...] = ()
    missing_discovery: tuple[Template, ...] = ()
    missing_outputs: tuple[Template, ...] = ()
    missing_inputs: tuple[tuple[str, str], ...] = ()
    """Unit and the input that neither exists nor is made by a unit it depends on."""
    missing_unit_outputs: tuple[tuple[str, str], ...] = ()
    """Active unit and the output it declares that is not in the tree it is worked on in."""
    gate_runs: tuple[GateRun, ...] = ()
    """The runs on the tree as it is now."""
    reports: tuple[ReviewReport, ...] = ()
    """What belongs to this visit. Those of another tree than `reviewed` are void."""
    rulings: tuple[Ruling, ...] = ()
    tree: str = ""
    """At its gate: digest of the work as it stands, tracked files of the plan included; empty: nobody asks now."""
    reviewed: str = ""
    """In review: a name for the work that review agents look at; empty: there are none."""
    problems: tuple[str, ...] = ()
    """What is wrong with its files."""

    def unit(self, unit_id: str) -> Unit | None:
        return next((unit for unit in self.units if unit.id == unit_id), None)


class GitFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What git says of an intent. Without git work goes on in place."""

    available: bool = False
    primary: str = ""
    """The folder of the primary work tree."""
    branch: str = ""
    """Checked out in the primary work tree; empty: detached."""
    head: str = ""
    """The commit it is at; empty: there is none yet."""
    under_way: str = ""
    """What somebody is in the middle of in the primary work tree, and how it is ended."""
    hub: str = ""
    """The intent's own branch."""
    worktrees: dict[str, str] = msgspec.field(default_factory=dict)
    """Unit to the folder it is worked on in."""
    merged: tuple[str, ...] = ()
    """Units whose branch is part of the hub."""
    conflicts: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    """Units whose merge stopped, and on which files."""
    marked: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    """Those of them that were called resolved, staged or committed, with the conflict's marks still in them."""
    dirty: tuple[str, ...] = ()
    """Changed files of the primary work tree that are not the plan's own."""
    external_merged: bool = False
    """The stage's branch was merged elsewhere."""
    ignored: bool = False
    """Git is told not to see the plan: nothing of it is committed."""
    moves: dict[str, str] = msgspec.field(default_factory=dict)
    """Unit to a digest of where its tree stands: it changes whenever somebody works there."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """One look at an intent and all that belongs to it."""

    intent: Intent
    studio: Studio | None = None
    studios: tuple[Studio, ...] = ()
    """To choose from, while none is chosen."""
    stages: tuple[StageView, ...] = ()
    feedback: tuple[Feedback, ...] = ()
    """What was said of the intent as a whole."""
    git: GitFacts = GitFacts()
    tick: int = 0
    last: LastAction | None = None
    user_turns: int = 0
    """Times a person spoke since the active stage's visit began."""
    sealed: bool = True
    """False: fields that belong to the engine were changed by somebody else."""
    tampered: tuple[str, ...] = ()
    truth: Truth | None = None
    """The tracked files against their baselines; None where this look did not ask, or it is switched off."""
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """What is wrong around it, though work can go on: slips in the project's settings, and guards they gave up."""
    guarding: tuple[str, ...] = ()
    """The settings of the project that guard the work, as they are now."""
    untouched: tuple[str, ...] = ()
    """Units, and findings as `stage/FB-NN`, whose work is about to be claimed and shows no change since it began."""
    work: dict[str, str] = msgspec.field(default_factory=dict)
    """Units, and findings as `stage/FB-NN`, that are worked on to a name for what was changed for each: the same name
    twice is the same work.
    """

    @property
    def active(self) -> StageView | None:
        """The first stage that is not completed: derived, so that half a transition can not confuse it."""
        return next((stage for stage in self.stages if stage.state.status != "completed"), None)

    def stage(self, name: str) -> StageView | None:
        return next((stage for stage in self.stages if stage.spec.name == name), None)

    def summary(self) -> dict[str, Any]:
        """What programs and agents are told of an intent in a list."""
        active = self.active
        return {
            "intent": self.intent.slug,
            "title": self.intent.title,
            "studio": self.intent.studio,
            "status": self.intent.status,
            "archived": self.intent.archived,
            "stage": active.spec.name if active else "",
            "phase": active.state.phase if active else "",
        }


class LastAction(msgspec.Struct, frozen=True, kw_only=True):
    """The action that an agent was given last: given again without progress it tells that the work is stuck."""

    name: str
    at: str = ""
    """When it was answered first: the same one again is no other question."""
    progress: str = ""
    """Digest of everything that may move: the same one twice is no progress."""
    repeats: int = 0
    answered: float = 0.0
    """When, to the microsecond: who had asked by then could not know the answer."""


class Clue(msgspec.Struct, frozen=True, kw_only=True):
    """The one next action."""

    action: str
    message: str
    payload: dict[str, Any] = msgspec.field(default_factory=dict)
    waits: bool = False
    """For somebody: it may repeat, and never halts."""
    is_error: bool = False
