"""A workflow in memory with tracked files: what is on the disk, who wrote it, and what a look at it finds."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from leeboard.model.plan import Clue
from leeboard.model.truth import (
    ABSENT,
    BaselineEntry,
    Dispatch,
    Divergence,
    DriftAssessment,
    EntryType,
    LogEntry,
    Marker,
    Standing,
    SurfaceFile,
    Truth,
)
from leeboard.plan.effect import (
    Effect,
    EstablishBaseline,
    LogBaseline,
    NewFeedback,
    PlanStep,
    RecordAssessment,
    Refusal,
    WriteBaseline,
    WriteDispatch,
    WriteMarkers,
)
from leeboard.plan.machine.drift_assess import buried
from leeboard.plan.machine.drift_checks import stage_of
from leeboard.plan.machine.drift_classify import AskedOutcome, ClassifyRequest, FeedbackCreate, RepeatedCall, classify
from leeboard.plan.machine.look import looking
from leeboard.plan.machine.table import BEFORE_TICK
from leeboard.plan.surface import tracked
from tests.plan.plan_world import NOW, PlanWorld, stage_spec

REQUIREMENTS = "stages/build/knowledge/requirements.md"
MOCKUP = "stages/build/artifacts/mockup.png"
NEEDS = "knowledge/needs.md"
EARLIER = "stages/design/artifacts/sketch.md"


def sha(name: str) -> str:
    """Of a content that is called by one hexadecimal digit."""
    return name if name == ABSENT else name * 64


class TruthWorld(PlanWorld):
    """Stage design is completed, build is worked on, ship was not reached."""

    def __init__(self) -> None:
        super().__init__(stage_spec("design"), stage_spec(), stage_spec("ship"))
        self.enter("gate", "design", status="completed", gate_outcome="advanced", completed_at=NOW)
        self.enter("execute")
        self.disk: dict[str, str] = {}
        self.baselines: dict[str, dict[str, BaselineEntry]] = {}
        self.standing: dict[str, Standing] = {}
        self.log: list[LogEntry] = []
        self.markers: list[Marker] = []
        self.dispatch: Dispatch | None = None
        self.assessments: list[DriftAssessment] = []
        self.ticks = 0

    # -- what happens to files

    def edit(self, path: str, content: str) -> None:
        """By somebody of whom nobody knows."""
        if content == ABSENT:
            self.disk.pop(path, None)
        else:
            self.disk[path] = sha(content)

    def write(self, path: str, content: str, kind: EntryType = "agent_write", *, looked: bool = True) -> None:
        """By a tool, which puts it down in the log."""
        before = self.disk.get(path, ABSENT) if looked else None
        self.edit(path, content)
        entry = LogEntry(
            entry_type=kind,
            path=path,
            sha=sha(content),
            author_class="agent" if kind == "agent_write" else "human-via-mcp",
            timestamp=NOW,
            tick_counter=self.ticks,
            before_sha=before,
        )
        self.log.append(entry)

    # -- looking

    def look(self) -> Any:
        plan = super().look()
        return replace(plan, truth=self.truth or self._truth(), tick=self.ticks)

    def scopes(self) -> list[str]:
        return ["", *(view.spec.name for view in looking(super().look(), NOW).reached)]

    def _truth(self) -> Truth:
        standing: dict[str, Standing] = {
            scope: self.standing.get(scope, "established" if scope in self.baselines else "unestablished")
            for scope in ("", *self.specs)
        }
        open_ones = tuple(marker for marker in self.markers if marker.is_open)
        scanned = self.scopes()
        return Truth(
            standing=standing,
            divergences=tuple(each for scope in scanned for each in self._differing(scope)),
            markers=open_ones,
            now_at={each.path: self.disk.get(each.path, ABSENT) for each in open_ones},
            acknowledged={each.path: self.vouched(each.path) for each in open_ones},
            dispatch=self.dispatch,
            last_assessment=self.assessments[-1] if self.assessments else None,
            next_assessment=len(self.assessments) + 1,
            surface=sum(stage_of(path) in scanned for path in self.disk),
        )

    def vouched(self, path: str) -> str:
        entry = self.baselines.get(stage_of(path), {}).get(path)
        return entry.sha256 if entry else ABSENT

    def _differing(self, scope: str) -> Iterator[Divergence]:
        if scope not in self.baselines:
            return
        known = self.baselines[scope]
        here = {path for path in (*self.disk, *(line.path for line in self.log)) if stage_of(path) == scope}
        for path in sorted(here | known.keys()):
            entry = known.get(path)
            since = entry.acknowledged_tick if entry else 0
            log = tuple(line for line in self.log if line.path == path and line.tick_counter >= since)
            found = Divergence(path=path, scope=scope, entry=entry, file=self.file_at(path), log=log)
            over = buried(found, self.dispatch)
            if over or found.sha != found.vouched:
                yield replace(found, buried=over, diff=f"+{path}\n" if found.sha != found.vouched else None)

    def file_at(self, path: str) -> SurfaceFile | None:
        found = tracked(path, self.specs)
        if path not in self.disk or found is None:
            return None
        return SurfaceFile(
            path=path,
            place=path,
            sha256=self.disk[path],
            bytes=7,
            mtime_ns=1,
            is_binary=path.endswith(".png"),
            stage=found[0],
            tracking_class=found[1],
        )

    # -- the engine

    def gate(self, die_after: int | None = None) -> Clue | None:
        """What the rows before a tick come to: None where the work goes on. With `die_after` it is killed after so many
        effects, and answers nothing.
        """
        self.ticks += 1
        left = die_after
        for _ in range(10):
            look = looking(self.look(), NOW)
            row, found = next(((row, got) for row in BEFORE_TICK if (got := row.when(look))), (None, None))
            if row is None or found is None:
                return None
            done = self.perform(found.do, left)
            if left is not None and (left := left - done) <= 0:
                return None
            if row.action:
                return Clue(action=row.action, message=found.text, payload=found.payload, waits=bool(row.waits))
        raise AssertionError("the gate does not settle")

    def findings(self) -> dict[str, str]:
        """Path to digest of what the gate asks about."""
        clue = self.gate()
        if clue is None:
            return {}
        assert clue.action == "manual_change_assessment", clue
        return {found["path"]: found["after_sha256"] or ABSENT for found in clue.payload["findings"]}

    def classify(self, *asked: AskedOutcome, **changes: Any) -> PlanStep | Refusal | RepeatedCall:
        """As the agent calls it; a step is done."""
        found = self.decided(*asked, **changes)
        if isinstance(found, PlanStep):
            self.perform(found.do)
        return found

    def decided(self, *asked: AskedOutcome, **changes: Any) -> PlanStep | Refusal | RepeatedCall:
        """What the call comes to, before any of it is done."""
        given: dict[str, Any] = {
            "tick_id": self.dispatch.tick_id if self.dispatch else "none",
            "classifications": asked,
            "agent_rationale": "read it",
        }
        return classify(self.look(), ClassifyRequest(**{**given, **changes}), NOW)

    def kept(self) -> dict[str, Any]:
        """Everything that outlives the engine."""
        names = ("intent", "states", "feedback", "baselines", "log", "markers", "dispatch", "assessments")
        return copy.deepcopy({name: getattr(self, name) for name in names})

    def apply(self, effect: Effect) -> None:
        match effect:
            case EstablishBaseline(scopes=scopes, tick=tick):
                for scope in scopes:
                    self._establish(scope, tick)
            case WriteBaseline(scope=scope, put=put, drop=drop, log=log):
                self.baselines[scope] |= {entry.path: entry for entry in put}
                for path in drop:
                    self.baselines[scope].pop(path, None)
                newest = {line.path: line for line in self.log}
                self.log += [line for line in log if newest.get(line.path) != line]
            case WriteMarkers(put=put, drop=drop):
                gone = {(each.path, each.created_by_assessment_id) for each in (*put, *drop)}
                kept = [each for each in self.markers if (each.path, each.created_by_assessment_id) not in gone]
                self.markers = [*kept, *put]
            case WriteDispatch(dispatch=dispatch):
                self.dispatch = dispatch
            case RecordAssessment(number=number, assessment=assessment):
                self.assessments[number - 1 :] = [assessment]
            case LogBaseline():
                self.truth_effects.append(effect)
            case _:
                super().apply(effect)

    def _establish(self, scope: str, tick: int) -> None:
        files = [file for path in self.disk if stage_of(path) == scope and (file := self.file_at(path))]
        self.baselines[scope] = {file.path: as_entry(file, tick) for file in files}
        self.standing.pop(scope, None)

    def _file(self, effect: NewFeedback) -> None:
        """A finding says by which key it was filed; in each stage for itself."""
        fields = {"source_ref": effect.key, **effect.fields}
        super()._file(replace(effect, key=f"{effect.stage}/{effect.key}", fields=fields))


def as_entry(file: SurfaceFile, tick: int = 0) -> BaselineEntry:
    return BaselineEntry(
        path=file.path,
        sha256=file.sha256,
        bytes=file.bytes,
        mtime_ns=file.mtime_ns,
        is_binary=file.is_binary,
        author_class="human-implicit",
        acknowledged_at=NOW,
        acknowledged_via="baseline-init",
        stage=file.stage,
        tracking_class=file.tracking_class,
        acknowledged_tick=tick,
    )


def asked(path: str, outcome: str = "ignore", **changes: Any) -> AskedOutcome:
    return AskedOutcome(path=path, outcome=outcome, **{"rationale_excerpt": "seen", **changes})


def filing(path: str, **changes: Any) -> FeedbackCreate:
    given = {"for_classification_path": path, "title": f"Look at {path}", "body": "It changed."}
    return FeedbackCreate(**{**given, **changes})
