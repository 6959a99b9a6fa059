"""The truth of files: what they were when they were last acknowledged, what they are, and who made the difference.

A baseline is a tree of digests that somebody vouched for. Whatever differs from it and is explained by nothing is
handed to the agent to classify, before any other work. Field names are those of the files they are kept in.
"""

from __future__ import annotations

from typing import Literal

import msgspec

AuthorClass = Literal["agent", "human-via-mcp", "human-implicit"]
AcknowledgedVia = Literal["agent-write", "human-write-tool", "spa-upload", "classification-terminal", "baseline-init"]
TrackingClass = Literal["stage-output", "knowledge"]
DivergenceKind = Literal["new-file-detected", "modified", "file-removed"]
Outcome = Literal["ignore", "inline-fix", "surface-as-feedback", "trigger-revisit"]
EntryType = Literal[
    "human_write",
    "agent_write",
    "person_said",
    "baseline_established",
    "baseline_corruption_event",
    "baseline_acknowledged",
]
"""`person_said`: what a person said was written down; nobody has to ask what that means. `baseline_acknowledged`: a
path was accepted as it is; no line before it explains a later state.
"""
Standing = Literal["unestablished", "established", "missing", "corrupt", "altered"]
"""The state of a baseline. `missing`: it was there once. `altered`: somebody other than the engine wrote it."""

OUTCOMES: tuple[Outcome, ...] = ("ignore", "inline-fix", "surface-as-feedback", "trigger-revisit")
"""Each is legal for every finding; only the target of a revisit is limited."""
TERMINAL: tuple[Outcome, ...] = ("ignore", "inline-fix")
"""Those that move the baseline at once."""
ABSENT = "absent"
"""Stands where a digest would, for a file that is not there."""
INTENT_SCOPE = ""
"""The baseline at the intent's root; every other scope is a stage."""


class BaselineEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A file as it was acknowledged: one value of `baseline.json`."""

    path: str
    """Canonical, relative to the intent's folder."""
    sha256: str
    bytes: int
    mtime_ns: int
    is_binary: bool
    author_class: AuthorClass
    acknowledged_at: str
    acknowledged_via: AcknowledgedVia
    stage: str | None
    tracking_class: TrackingClass
    acknowledged_tick: int = 0
    """Log entries of earlier ticks explain nothing any more. Ticks, for clocks go backwards."""


class SurfaceFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file of the tracked surface as it is now. A link is its own text; it is never followed."""

    path: str
    """Canonical: `outputs/` is spelled `artifacts/`, unless both have the file."""
    place: str
    """Where it really lies, relative to the intent's folder."""
    sha256: str
    bytes: int
    mtime_ns: int
    is_binary: bool
    stage: str | None
    tracking_class: TrackingClass

    def acknowledged(self, *, by: AuthorClass, via: AcknowledgedVia, at: str, tick: int) -> BaselineEntry:
        """The entry by which the baseline takes this state of the file as known."""
        return BaselineEntry(
            path=self.path,
            sha256=self.sha256,
            bytes=self.bytes,
            mtime_ns=self.mtime_ns,
            is_binary=self.is_binary,
            author_class=by,
            acknowledged_at=at,
            acknowledged_via=via,
            stage=self.stage,
            tracking_class=self.tracking_class,
            acknowledged_tick=tick,
        )


class LogEntry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=False):
    """A line of `action-log.jsonl`: who wrote which digest to which path."""

    entry_type: EntryType
    path: str
    sha: str
    author_class: AuthorClass
    timestamp: str
    claimed_author_id: str | None = None
    human_author_id: str | None = None
    entry_id: str = ""
    tick_counter: int = 0
    tick_scope: Literal["stage", "intent"] = "stage"
    before_sha: str | None = None
    """What the writer wrote over (`absent` for nothing); None where nobody looked. A change that lies beneath shows."""
    fixed_by: str | None = None
    """The person who took it into the work as an `inline-fix`; what an agent says of a change is no fix of its own."""


class Divergence(msgspec.Struct, frozen=True, kw_only=True):
    """A path whose state on the disk is not the one in its baseline, or whose change was written over unseen."""

    path: str
    scope: str
    """The stage whose baseline it is compared with; empty: that of the intent."""
    entry: BaselineEntry | None = None
    """None: it is new."""
    file: SurfaceFile | None = None
    """None: it is gone."""
    log: tuple[LogEntry, ...] = ()
    """What the log says of this path since it was acknowledged, oldest first."""
    diff: str | None = None
    """Unified; None for what is no text, is too large, or has no snapshot to compare with."""
    buried: str = ""
    """The digest of what somebody had put there and a tool wrote over, unseen; `sha` itself where it was put back."""

    @property
    def sha(self) -> str:
        return self.file.sha256 if self.file else ABSENT

    @property
    def vouched(self) -> str:
        return self.entry.sha256 if self.entry else ABSENT

    @property
    def lost(self) -> str:
        """What was written over and is not there any more."""
        return self.buried if self.buried != self.sha else ""

    @property
    def kind(self) -> DivergenceKind:
        if self.file is None:
            return "file-removed"
        return "modified" if self.entry else "new-file-detected"


class Marker(msgspec.Struct, frozen=True, kw_only=True):
    """A divergence that is being handled: not reported again while the file stays as it was then."""

    path: str
    created_at: str
    created_by_assessment_id: str
    outcome: Literal["surface-as-feedback", "trigger-revisit"]
    baseline_sha_at_creation: str
    """The digest on the disk when it was made; `absent` for a removed file (the earlier tool wrote nothing there)."""
    linked_feedback_id: str | None = None
    linked_revisit_target_stage: str | None = None
    cleared_at: str | None = None
    resolved_sha: str | None = None
    visit: int = 0
    """The visit of the revisited stage when it was made: the visit after it has to be completed."""
    feedback_stage: str | None = None
    """Where the linked finding was filed (empty: for the intent); None: not said, an earlier tool made it."""
    revisit_ref: str = ""
    """`source_ref` of the finding that asks for the revisit: without it nobody goes back."""

    @property
    def is_open(self) -> bool:
        return not self.cleared_at

    @property
    def sha(self) -> str:
        return self.baseline_sha_at_creation or ABSENT


class DriftFinding(msgspec.Struct, frozen=True, kw_only=True):
    """A divergence as it is shown to the agent."""

    finding_id: str
    path: str
    change_kind: DivergenceKind
    is_binary: bool
    diff_unified: str | None
    before_sha256: str | None
    after_sha256: str | None
    before_bytes: int | None
    after_bytes: int | None
    tracking_class: TrackingClass
    stage: str | None
    context_unit: str | None = None
    author_class: AuthorClass = "human-implicit"
    written_over: bool = False
    """A tool wrote it last, over a change that nobody accounts for."""
    lost_sha256: str | None = None
    """What was written over, where it is not there any more. `before_sha256` too, where the file says again what its
    baseline says.
    """
    place: str = ""
    """Where it really lies, where that is not its canonical path: `outputs/` is the other name of `artifacts/`."""

    @property
    def shown(self) -> str:
        return self.place or self.path

    @property
    def sha(self) -> str:
        return self.after_sha256 or ABSENT


class Dispatch(msgspec.Struct, frozen=True, kw_only=True):
    """`drift-dispatch.json`: the assessment that is asked for. It keeps its id while nothing changes."""

    tick_id: str
    stage: str
    tick_counter: int
    mode: str
    created_at: str
    findings: tuple[DriftFinding, ...]
    legal_outcomes: dict[str, tuple[Outcome, ...]]
    mass_change: bool = False


class Classification(msgspec.Struct, frozen=True, kw_only=True):
    path: str
    outcome: Outcome
    rationale_excerpt: str = ""
    linked_feedback_id: str | None = None
    linked_revisit_target_stage: str | None = None


class DriftAssessment(msgspec.Struct, frozen=True, kw_only=True):
    """`drift-assessments/DA-NN.json`: what was decided over one dispatch."""

    id: str
    """AS-NN."""
    created_at: str
    tick_id: str
    findings: tuple[DriftFinding, ...]
    classifications: tuple[Classification, ...]
    agent_rationale: str
    resulting_sha: str | None = None
    revisit_invoked_at: str | None = None
    mode: str = "continuous"
    confirmed_by_user: bool = False
    feedback_created: tuple[str, ...] = ()


class Truth(msgspec.Struct, frozen=True, kw_only=True):
    """One look at the tracked surface of an intent: only what differs, however much there is."""

    standing: dict[str, Standing] = msgspec.field(default_factory=dict)
    """By scope, of every stage up to the active one and of the intent."""
    reasons: dict[str, str] = msgspec.field(default_factory=dict)
    """Why a baseline is corrupt, missing or altered, by scope."""
    divergences: tuple[Divergence, ...] = ()
    markers: tuple[Marker, ...] = ()
    """The open ones, oldest first."""
    now_at: dict[str, str] = msgspec.field(default_factory=dict)
    """Digest on the disk (or `absent`) of every path that has an open marker."""
    acknowledged: dict[str, str] = msgspec.field(default_factory=dict)
    """Digest in the baseline (or `absent`) of every path that has an open marker."""
    dispatch: Dispatch | None = None
    unseen: tuple[str, ...] = ()
    """Paths of the dispatch that nobody could look at now: they wait as they were shown."""
    last_assessment: DriftAssessment | None = None
    next_assessment: int = 1
    """NN of the next DA-NN."""
    acks: dict[str, str] = msgspec.field(default_factory=dict)
    """Scope to the digest of what an operator was shown and accepted, where they asked for a reset."""
    thrashing: dict[str, int] = msgspec.field(default_factory=dict)
    """Scopes whose baseline was lost too often lately: even an operator's reset waits, for so many ticks."""
    surface: int = 0
    """Files looked at."""
    notes: tuple[str, ...] = ()
    """What could not be looked at: unreadable files, a time budget that ran out, lines of the log nobody signed."""


# Files whose state somebody vouched for: the surface a project has set to be watched, and what differs from it.

AcknowledgedBy = Literal["established", "accepted"]
"""Taken as it was when it was first looked at, or accepted by a person."""


class TrackedFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file as it was when somebody last acknowledged it."""

    path: str
    sha256: str
    """Empty: it, or all that lies in it, could not be read then, and is taken as it is once it can be."""
    size: int
    is_binary: bool
    lines: bytes = b""
    """A keyed digest of each line; empty where it is no text, too long, or there are too many files."""
    count: int = 0
    head: str = ""
    """The commit of that time: where the file is in it, its text can be had again."""
    acknowledged_at: float = 0.0
    acknowledged_via: AcknowledgedBy = "established"


class TrackedChange(msgspec.Struct, frozen=True, kw_only=True):
    """A path of the surface that is not as it was acknowledged."""

    path: str
    before: TrackedFile | None
    """None: it is new."""
    sha256: str
    """As it is now; `absent` where it is gone."""
    size: int = 0
    is_binary: bool = False

    @property
    def kind(self) -> DivergenceKind:
        if self.before is None:
            return "new-file-detected"
        return "file-removed" if self.sha256 == ABSENT else "modified"


class Baseline(msgspec.Struct, frozen=True, kw_only=True):
    """What was acknowledged of a surface."""

    patterns: tuple[str, ...]
    """Globs it was looked for by. What only others give is not new, it was not looked at before."""
    files: dict[str, TrackedFile]
