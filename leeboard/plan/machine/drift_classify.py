"""What the agent decided over an assessment: validated and done as a whole, and the same when it is repeated."""

from __future__ import annotations

from typing import Any, cast, get_args

import msgspec
from msgspec.structs import replace

from leeboard.model.plan import Clue, Plan
from leeboard.model.truth import (
    TERMINAL,
    Classification,
    Dispatch,
    Divergence,
    DriftAssessment,
    DriftFinding,
    Marker,
    Outcome,
    Truth,
)
from leeboard.model.unit import Feedback, Resolution
from leeboard.plan.effect import (
    Effect,
    NewFeedback,
    PlanStep,
    RecordAssessment,
    Refusal,
    WriteBaseline,
    WriteDispatch,
    WriteFeedback,
    WriteMarkers,
)
from leeboard.plan.files.truth import assessment_file
from leeboard.plan.machine import drift_checks
from leeboard.plan.machine.drift_assess import acknowledged, joined, noticed
from leeboard.plan.machine.drift_checks import (
    ALL_OTHERS,
    LONGEST_EXCERPT,
    AskedOutcome,
    ClassifyRequest,
    FeedbackCreate,
    all_filed,
    drift_ref,
    filed_for,
    linked_item,
)
from leeboard.plan.machine.drift_gate import stage_name
from leeboard.plan.machine.feedback_moves import FeedbackDraft, feedback_new
from leeboard.plan.machine.look import committed, looking, named
from leeboard.plan.machine.refusal import closed, refuse
from leeboard.plan.machine.stage_moves import revisit
from leeboard.plan.machine.table import clue as told
from leeboard.plan.surface import canonical, spelled, unspelled

__all__ = [
    "LONGEST_EXCERPT",
    "AskedOutcome",
    "ClassifyRequest",
    "FeedbackCreate",
    "RepeatedCall",
    "classified",
    "classify",
    "linked_item",
]


class RepeatedCall(msgspec.Struct, frozen=True, kw_only=True):
    """The call was made before: the same answer, and nothing to do."""

    clue: Clue


def classify(plan: Plan, request: ClassifyRequest, now: str) -> PlanStep | Refusal | RepeatedCall:
    """One step that is done whole or not at all. `plan.truth` has to be of this moment."""
    if refusal := drift_checks.wordless(request) or closed(plan):
        return refusal
    truth = plan.truth
    request = _canonical(request, truth)
    if truth is None or truth.dispatch is None or truth.dispatch.tick_id != request.tick_id:
        return _again(plan, truth, request, now) or drift_checks.stale(truth, request)
    asked = drift_checks.spread(request, truth.dispatch)
    if isinstance(asked, Refusal):
        return asked
    if refusal := _unfit(plan, request, asked) or drift_checks.changed(truth.dispatch.findings, truth):
        return refusal
    return _Classifying(plan, truth, truth.dispatch, asked, now, person=request.person).step(request)


def _canonical(request: ClassifyRequest, truth: Truth | None) -> ClassifyRequest:
    """A file is named as it lies, or by its canonical path."""
    known = {each.path for each in truth.dispatch.findings} if truth and truth.dispatch else set()
    known |= {each.path for each in truth.last_assessment.classifications} if truth and truth.last_assessment else set()

    def meant(path: str) -> str:
        other = spelled(canonical(unspelled(path)))
        return other if path not in known and other in known else path

    creates = (
        replace(each, for_classification_path=meant(each.for_classification_path)) for each in request.feedback_creates
    )
    return replace(
        request,
        classifications=tuple(replace(each, path=meant(each.path)) for each in request.classifications),
        feedback_creates=tuple(creates),
    )


def classified(plan: Plan, request: ClassifyRequest, now: str) -> PlanStep | Refusal:
    """The same as a move: what is known already is answered, and nothing is done."""
    found = classify(plan, request, now)
    return PlanStep(clue=found.clue) if isinstance(found, RepeatedCall) else found


def _unfit(plan: Plan, request: ClassifyRequest, asked: dict[str, AskedOutcome]) -> Refusal | None:
    return (
        drift_checks.unfit_outcome(asked.values())
        or drift_checks.unfit_target(plan, asked)
        or drift_checks.unfit_links(plan, request, asked)
    )


def _again(plan: Plan, truth: Truth | None, request: ClassifyRequest, now: str) -> RepeatedCall | None:
    """The same decisions over the same assessment: their answer was lost, so it is given once more."""
    last = truth.last_assessment if truth else None
    if last is None or last.tick_id != request.tick_id:
        return None
    named_ones = {each.path: each.outcome for each in request.classifications}
    others = named_ones.get(drift_checks.ALL_OTHERS, "")
    same = all(named_ones.get(each.path, others) == each.outcome for each in last.classifications)
    return RepeatedCall(clue=_answer(plan, last, now)) if same else None


class _Classifying:
    def __init__(
        self, plan: Plan, truth: Truth, dispatch: Dispatch, asked: dict[str, AskedOutcome], now: str, *, person: str
    ) -> None:
        self._plan = plan
        self._truth = truth
        self._dispatch = dispatch
        self._asked = asked
        self._now = now
        self._person = person
        self._id = f"AS-{truth.next_assessment:02}"

    def step(self, request: ClassifyRequest) -> PlanStep | Refusal:
        findings = filed(self._plan, request, self._dispatch, self._id, self._now)
        if isinstance(findings, Refusal):
            return findings
        back = self._revisit(request.agent_rationale)
        if isinstance(back, Refusal):
            return back
        ref = next(filter(None, map(self._asking, back)), "")
        assessment = self._assessment(request, findings, revisited=bool(back))
        look = looking(self._plan, self._now)
        markers = tuple(self._marker(found, findings, ref) for found in self._dispatch.findings if self._waits(found))
        effects: tuple[Effect, ...] = (
            *findings.effects,
            RecordAssessment(stage=stage_name(look), number=self._truth.next_assessment, assessment=assessment),
            *self._baselines(),
            *((WriteMarkers(put=markers),) if markers else ()),
            *back,
            WriteDispatch(dispatch=None),
            committed(self._plan, f"classify changed files as {self._id}"),
        )
        return PlanStep(do=effects, clue=_answer(self._plan, assessment, self._now))

    def _waits(self, found: DriftFinding) -> bool:
        return self._asked[found.path].outcome not in TERMINAL

    def _revisit(self, rationale: str) -> tuple[Effect, ...] | Refusal:
        """One, to the earliest stage that somebody named: the later ones are gone through again after it."""
        wanted = {path: each for path, each in self._asked.items() if each.outcome == "trigger-revisit"}
        targets = {each.linked_revisit_target_stage for each in wanted.values()}
        stage = next((view.spec.name for view in self._plan.stages if view.spec.name in targets), "")
        if not stage:
            return ()
        said = dict.fromkeys(each.rationale_excerpt.strip() for each in wanted.values())
        reason = f"{self._id}: {named(list(wanted), 3)} changed\n\n{rationale.strip()}\n\n" + "\n".join(said)
        found = revisit(self._plan, self._now, stage, reason, by_person=bool(self._person))
        return found if isinstance(found, Refusal) else found.do

    def _asking(self, effect: Effect) -> str:
        """How the finding that asks to go back is known: a new one, or one whose words a person changes."""
        if isinstance(effect, WriteFeedback):
            item = next((each for each in filed_for(self._plan, effect.stage) if each.id == effect.feedback), None)
            return item.source_ref if item else ""
        return effect.key if isinstance(effect, NewFeedback) else ""

    def _baselines(self) -> tuple[Effect, ...]:
        there = {divergence.path: divergence for divergence in self._truth.divergences}
        return joined(self._write(found, there[found.path]) for found in self._dispatch.findings)

    def _write(self, found: DriftFinding, divergence: Divergence) -> WriteBaseline:
        if self._waits(found):
            return noticed(self._plan, divergence, found.author_class, self._now)
        taken = acknowledged(self._plan, divergence, "classification-terminal", found.author_class, self._now)
        if not self._person or self._asked[found.path].outcome != "inline-fix":
            return taken
        return replace(taken, log=tuple(replace(line, fixed_by=self._person) for line in taken.log))

    def _marker(self, found: DriftFinding, findings: Filed, ref: str) -> Marker:
        asked = self._asked[found.path]
        is_revisit = asked.outcome == "trigger-revisit"
        stage, item = findings.links.get(found.path, ("", ""))
        target = self._plan.stage(asked.linked_revisit_target_stage or "") if is_revisit else None
        return Marker(
            path=found.path,
            created_at=self._now,
            created_by_assessment_id=self._id,
            outcome="trigger-revisit" if is_revisit else "surface-as-feedback",
            baseline_sha_at_creation=found.sha,
            linked_feedback_id=None if is_revisit else item,
            linked_revisit_target_stage=asked.linked_revisit_target_stage if is_revisit else None,
            visit=target.state.visits if target else 0,
            feedback_stage=None if is_revisit else stage,
            revisit_ref=ref if is_revisit else "",
        )

    def _assessment(self, request: ClassifyRequest, findings: Filed, *, revisited: bool) -> DriftAssessment:
        made = tuple(self._classification(found, findings) for found in self._dispatch.findings)
        is_final = all(each.outcome in TERMINAL for each in made)
        left = (found.after_sha256 for found in self._dispatch.findings if found.after_sha256)
        return DriftAssessment(
            id=self._id,
            created_at=self._now,
            tick_id=self._dispatch.tick_id,
            findings=self._dispatch.findings,
            classifications=made,
            agent_rationale=request.agent_rationale,
            resulting_sha=next(left, None) if is_final else None,
            revisit_invoked_at=self._now if revisited else None,
            mode=self._plan.intent.mode,
            confirmed_by_user=bool(self._person),
            feedback_created=findings.created,
        )

    def _classification(self, found: DriftFinding, findings: Filed) -> Classification:
        asked = self._asked[found.path]
        is_revisit = asked.outcome == "trigger-revisit"
        return Classification(
            path=found.path,
            outcome=cast("Outcome", asked.outcome),
            rationale_excerpt=asked.rationale_excerpt,
            linked_feedback_id=findings.links[found.path][1] if found.path in findings.links else None,
            linked_revisit_target_stage=asked.linked_revisit_target_stage if is_revisit else None,
        )


def _answer(plan: Plan, assessment: DriftAssessment, now: str) -> Clue:
    """Made of what was recorded, so that it is the same whenever it is asked for."""
    made = assessment.classifications
    ended = sum(each.outcome in TERMINAL for each in made)
    payload: dict[str, Any] = {
        "ok": True,
        "assessment_id": assessment.id,
        "assessment_file": assessment_file(int(assessment.id.removeprefix("AS-"))),
        "feedback_created": list(assessment.feedback_created),
        "pending_markers_created": len(made) - ended,
        "baselines_updated": ended,
        "next_tick_will": _next(plan, assessment),
    }
    what = f"{len(made)} changed file{'s' if len(made) > 1 else ''}"
    text = f"{assessment.id} ({payload['assessment_file']}) says what became of {what}."
    if assessment.feedback_created:
        text += f" Filed for it: {named(assessment.feedback_created)}."
    return told(looking(plan, now), "drift_classified", text, payload)


def _next(plan: Plan, assessment: DriftAssessment) -> str:
    """Fixes belong to the review of a stage: before it, its plan and its units come first. What a person filed is
    triaged before.
    """
    targets = {each.linked_revisit_target_stage for each in assessment.classifications}
    stage = next((view.spec.name for view in plan.stages if view.spec.name in targets), "")
    if stage:
        return f"dispatch_revisit_to_{stage}"
    links = dict.fromkeys(each.linked_feedback_id for each in assessment.classifications if each.linked_feedback_id)
    triaged_first = assessment.confirmed_by_user and bool(assessment.feedback_created)
    at_review = plan.active is None or plan.active.state.phase in {"review", "gate"}
    fixed_next = bool(links) and at_review and not triaged_first
    return f"dispatch_review_fix_for_{'_'.join(links)}" if fixed_next else "resume_per_state_dispatch"


# Findings that a classification hangs on: those it names, and those it files.


_PREFIX = "FB-"


class Filed(msgspec.Struct, frozen=True, kw_only=True):
    effects: tuple[NewFeedback, ...] = ()
    links: dict[str, tuple[str, str]] = msgspec.field(default_factory=dict)
    """Path of a changed file to the stage (empty: the intent) and the id of the finding it hangs on."""
    created: tuple[str, ...] = ()


def filed(plan: Plan, request: ClassifyRequest, dispatch: Dispatch, assessment: str, now: str) -> Filed | Refusal:
    """The feedback that classifications give rise to; a Refusal where one of them can not be filed."""
    spoken_of = {each.path for each in request.classifications}
    filing = _Filing(plan, assessment, now, request.person)
    for each in request.classifications:
        if each.outcome != "surface-as-feedback":
            continue
        found = [one for one in dispatch.findings if one.path == each.path or _is_other(each.path, one, spoken_of)]
        if each.linked_feedback_id:
            filing.link(found, each.linked_feedback_id)
            continue
        create = next(one for one in request.feedback_creates if one.for_classification_path == each.path)
        if found and (refusal := filing.new(found, create, dispatch)):
            return refusal
    return Filed(effects=tuple(filing.effects), links=filing.links, created=tuple(filing.created))


def _is_other(path: str, found: DriftFinding, spoken_of: set[str]) -> bool:
    return path == ALL_OTHERS and found.path not in spoken_of


class _Filing:
    def __init__(self, plan: Plan, assessment: str, now: str, person: str) -> None:
        self._plan = plan
        self._assessment = assessment
        self._now = now
        self._person = person
        self._worked_on = {"", *(view.spec.name for view in looking(plan, now).reached)}
        self.effects: list[NewFeedback] = []
        self.links: dict[str, tuple[str, str]] = {}
        self.created: list[str] = []

    def link(self, found: list[DriftFinding], name: str) -> None:
        for one in found:
            item = linked_item(self._plan, one.path, name)
            if item is not None:
                self.links[one.path] = (item.stage, item.id)

    def new(self, found: list[DriftFinding], create: FeedbackCreate, dispatch: Dispatch) -> Refusal | None:
        """What is open about just this change, and somebody comes to, is not filed again. A person's word is filed
        beside an agent's: only they close it.
        """
        stage = self._stage(found)
        ref = drift_ref(found[0].path, found[0].sha) if len(found) == 1 else f"drift:{dispatch.tick_id}"
        known = self._known(ref)
        theirs = (item for item in known if item.is_human or not self._person)
        open_one = next((item for item in theirs if item.is_open and item.stage in self._worked_on), None)
        if open_one is not None:
            self.links |= {one.path: (open_one.stage, open_one.id) for one in found}
            return None
        if create.resolution not in get_args(Resolution):
            step_on = f"Choose one of {named([each for each in get_args(Resolution) if each])}, or none."
            return refuse("resolution_unknown", f"There is no resolution {create.resolution}.", step_on)
        wanted = FeedbackDraft(
            title=create.title,
            body=create.body,
            stage=stage,
            origin="user-chat" if self._person else "agent",
            author=self._person,
            resolution=cast("Resolution", create.resolution),
        )
        step = feedback_new(self._plan, wanted, self._now)
        if isinstance(step, Refusal):
            return step
        key = f"{ref}#{self._assessment}" if known else ref
        self.effects += [replace(one, key=key) for one in step.do if isinstance(one, NewFeedback)]
        number = self._number(stage)
        self.created.append(number)
        self.links |= {one.path: (stage, number) for one in found}
        return None

    def _stage(self, found: list[DriftFinding]) -> str:
        """The stage of the changed files, where they have one in common; else the active one."""
        stages = {one.stage for one in found}
        active = self._plan.active.spec.name if self._plan.active else ""
        return (stages.pop() if len(stages) == 1 else None) or active

    def _known(self, ref: str) -> list[Feedback]:
        """In whichever stage: one about a file of the intent lies in the stage that was active then."""
        return [
            item for item in all_filed(self._plan) if item.source_ref == ref or item.source_ref.startswith(f"{ref}#")
        ]

    def _number(self, stage: str) -> str:
        """As the files are numbered: one more than the highest there is."""
        ids = [item.id.removeprefix(_PREFIX) for item in filed_for(self._plan, stage)]
        coming = sum(effect.stage == stage for effect in self.effects)
        return f"{_PREFIX}{max((int(number) for number in ids if number.isdecimal()), default=0) + coming:02}"
