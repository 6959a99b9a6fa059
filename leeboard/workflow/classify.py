"""What the agent decided over an assessment: validated and done as a whole, and the same when it is repeated."""

from __future__ import annotations

from typing import Any, cast

import msgspec
from msgspec.structs import replace

from leeboard.model.effect import (
    Effect,
    NewFeedback,
    RecordAssessment,
    Refusal,
    Step,
    WriteBaseline,
    WriteDispatch,
    WriteFeedback,
    WriteMarkers,
)
from leeboard.model.plan import Clue, Plan
from leeboard.model.truth import (
    TERMINAL,
    Assessment,
    Classification,
    Dispatch,
    Divergence,
    DriftFinding,
    Marker,
    Outcome,
    Truth,
)
from leeboard.wire.truth_files import assessment_file
from leeboard.workflow import _classify_checks as checks
from leeboard.workflow._classify_checks import (
    LONGEST_EXCERPT,
    AskedOutcome,
    ClassifyRequest,
    FeedbackCreate,
    linked_item,
)
from leeboard.workflow._classify_feedback import Filed, filed
from leeboard.workflow._dispatch import stage_name
from leeboard.workflow._marker_fate import filed_for
from leeboard.workflow.advance import clue as told
from leeboard.workflow.assess import acknowledged, joined, noticed
from leeboard.workflow.look import committed, looking, named
from leeboard.workflow.refusal import closed
from leeboard.workflow.stage_moves import revisit

__all__ = [
    "LONGEST_EXCERPT",
    "AskedOutcome",
    "ClassifyRequest",
    "FeedbackCreate",
    "Known",
    "classified",
    "classify",
    "linked_item",
]


class Known(msgspec.Struct, frozen=True, kw_only=True):
    """The call was made before: the same answer, and nothing to do."""

    clue: Clue


def classify(plan: Plan, request: ClassifyRequest, now: str) -> Step | Refusal | Known:
    """One step that is done whole or not at all. `plan.truth` has to be of this moment."""
    if refusal := checks.wordless(request) or closed(plan):
        return refusal
    truth = plan.truth
    if truth is None or truth.dispatch is None or truth.dispatch.tick_id != request.tick_id:
        return _again(plan, truth, request, now) or checks.stale(truth, request)
    asked = checks.spread(request, truth.dispatch)
    if isinstance(asked, Refusal):
        return asked
    if refusal := _unfit(plan, request, asked) or checks.changed(truth.dispatch.findings, truth):
        return refusal
    return _Classifying(plan, truth, truth.dispatch, asked, now, person=request.person).step(request)


def classified(plan: Plan, request: ClassifyRequest, now: str) -> Step | Refusal:
    """The same as a move: what is known already is answered, and nothing is done."""
    found = classify(plan, request, now)
    return Step(clue=found.clue) if isinstance(found, Known) else found


def _unfit(plan: Plan, request: ClassifyRequest, asked: dict[str, AskedOutcome]) -> Refusal | None:
    return (
        checks.unfit_outcome(asked.values())
        or checks.unfit_target(plan, asked)
        or checks.unfit_links(plan, request, asked)
    )


def _again(plan: Plan, truth: Truth | None, request: ClassifyRequest, now: str) -> Known | None:
    """The same decisions over the same assessment: their answer was lost, so it is given once more."""
    last = truth.last_assessment if truth else None
    if last is None or last.tick_id != request.tick_id:
        return None
    named_ones = {each.path: each.outcome for each in request.classifications}
    others = named_ones.get(checks.ALL_OTHERS, "")
    same = all(named_ones.get(each.path, others) == each.outcome for each in last.classifications)
    return Known(clue=_answer(plan, last, now)) if same else None


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

    def step(self, request: ClassifyRequest) -> Step | Refusal:
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
        return Step(do=effects, clue=_answer(self._plan, assessment, self._now))

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

    def _assessment(self, request: ClassifyRequest, findings: Filed, *, revisited: bool) -> Assessment:
        made = tuple(self._classification(found, findings) for found in self._dispatch.findings)
        is_final = all(each.outcome in TERMINAL for each in made)
        left = (found.after_sha256 for found in self._dispatch.findings if found.after_sha256)
        return Assessment(
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


def _answer(plan: Plan, assessment: Assessment, now: str) -> Clue:
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


def _next(plan: Plan, assessment: Assessment) -> str:
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
