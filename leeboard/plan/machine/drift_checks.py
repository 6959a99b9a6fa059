"""What stands against a classification, in the order in which it is looked at. The first that does refuses all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from leeboard.model.plan import Plan, StageState
from leeboard.model.truth import OUTCOMES, Dispatch, DriftFinding, Marker, Truth
from leeboard.model.unit import ENDED, Feedback
from leeboard.plan.effect import Refusal
from leeboard.plan.machine.look import looking, named
from leeboard.plan.machine.refusal import ASK_AGAIN, refuse

ALL_OTHERS = "*"
"""The path of a classification that speaks for every finding nobody named."""
LONGEST_RATIONALE, LONGEST_EXCERPT = 10_240, 1024
"""Bytes."""


class AskedOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """What is to become of one finding, as it was asked for."""

    path: str
    outcome: str
    rationale_excerpt: str = ""
    linked_feedback_id: str | None = None
    linked_revisit_target_stage: str | None = None


class FeedbackCreate(msgspec.Struct, frozen=True, kw_only=True):
    """A finding to be filed for one classification."""

    for_classification_path: str
    title: str
    body: str
    origin: str = "agent"
    resolution: str = ""


class ClassifyRequest(msgspec.Struct, frozen=True, kw_only=True):
    tick_id: str
    classifications: tuple[AskedOutcome, ...]
    agent_rationale: str
    feedback_creates: tuple[FeedbackCreate, ...] = ()
    person: str = ""
    """Who says it, where it is a person: what is filed is theirs. Empty: the agent."""


def wordless(request: ClassifyRequest) -> Refusal | None:
    """Nothing said, or too much."""
    if not request.agent_rationale.strip():
        return refuse("empty_rationale", "Nothing says why it is classified so.", "Give agent_rationale.")
    if _size(request.agent_rationale) > LONGEST_RATIONALE:
        step = f"Keep agent_rationale to {LONGEST_RATIONALE} bytes."
        return refuse("agent_rationale_too_long", "The rationale is too long.", step, max=LONGEST_RATIONALE)
    long = [each.path for each in request.classifications if _size(each.rationale_excerpt) > LONGEST_EXCERPT]
    if long:
        step = f"Keep each rationale_excerpt to {LONGEST_EXCERPT} bytes."
        return refuse("rationale_excerpt_too_long", f"Too long for {named(long)}.", step, max=LONGEST_EXCERPT)
    return None


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def stale(truth: Truth | None, request: ClassifyRequest) -> Refusal:
    active = truth.dispatch.tick_id if truth and truth.dispatch else None
    last = truth.last_assessment if truth else None
    if last is not None and last.tick_id == request.tick_id:
        why = f"{request.tick_id} was classified as {last.id} already, and in another way."
    else:
        why = f"No assessment {request.tick_id} is asked for."
    step = f"The one that is asked for is {active}." if active else ASK_AGAIN
    return refuse("tick_id_stale", why, step, active_tick_id=active)


def spread(request: ClassifyRequest, dispatch: Dispatch) -> dict[str, AskedOutcome] | Refusal:
    """By the path of each finding."""
    paths = [found.path for found in dispatch.findings]
    asked = {each.path: each for each in request.classifications}
    given, others = len(request.classifications), asked.pop(ALL_OTHERS, None)
    short = len(asked) < len(paths) if others is None else False
    if short or len(asked) > len(paths) or len(asked) + bool(others) != given:
        why = f"{given} classifications for {len(paths)} findings: each needs one, and only one."
        left = [path for path in paths if path not in asked]
        step = f'Classify {named(left)} too, or all others at once with the path "*".' if left else "Name each once."
        return refuse("classifications_count_mismatch", why, step, expected=len(paths), given=given)
    unknown = [path for path in asked if path not in dispatch.legal_outcomes]
    if unknown:
        step = f"The findings are {named(paths)}."
        return refuse("path_unknown", f"No finding is about {named(unknown)}.", step, paths=unknown)
    every = {path: asked.get(path) or others for path in paths}
    return {path: each for path, each in every.items() if each is not None}


def unfit_outcome(asked: Iterable[AskedOutcome]) -> Refusal | None:
    """One of four, and said why where it is more than passing over."""
    each_once = tuple({each.path: each for each in asked}.values())
    for each in each_once:
        if each.outcome not in OUTCOMES:
            why = f"{each.outcome!r} for {each.path} is no outcome."
            return refuse("illegal_outcome", why, f"Choose one of {named(OUTCOMES)}.", legal_outcomes=list(OUTCOMES))
    for each in each_once:
        if each.outcome != "ignore" and not each.rationale_excerpt.strip():
            step = "Give its rationale_excerpt."
            return refuse("empty_rationale", f"Nothing says why {each.path} is {each.outcome}.", step, path=each.path)
    return None


def unfit_target(plan: Plan, asked: dict[str, AskedOutcome]) -> Refusal | None:
    """A revisit goes to a stage that was reached: back, or to the active one, never forward."""
    reached = [view.spec.name for view in looking(plan, "").reached]
    for path, each in asked.items():
        target = each.linked_revisit_target_stage
        if each.outcome == "trigger-revisit" and target not in reached:
            what = f"{target} is no stage that was reached" if target else "No stage is named"
            step = f"Name one of {named(reached)} in linked_revisit_target_stage."
            return refuse("revisit_target_invalid", f"{what}, for {path}.", step, stages=reached)
    return None


def unfit_links(plan: Plan, request: ClassifyRequest, asked: dict[str, AskedOutcome]) -> Refusal | None:
    """Whatever is surfaced hangs on one finding: one that is open, or one that is filed with it."""
    for create in request.feedback_creates:
        if create.origin != "agent":
            step = "Leave the origin out, or say agent."
            return refuse("illegal_outcome", f"What is filed here is the agent's, not {create.origin}'s.", step)
    surfaced = {each.path for each in asked.values() if each.outcome == "surface-as-feedback"}
    created = [create.for_classification_path for create in request.feedback_creates]
    odd = [path for at, path in enumerate(created) if path not in surfaced or path in created[:at]]
    if odd:
        why = f"feedback_creates for {named(odd)} belong to no classification, or to one that has its finding."
        return _unlinked(why, "Give one for each path that is surfaced as feedback, and for no other.", odd[0])
    return next((found for path, each in asked.items() if (found := _unfit_link(plan, path, each, created))), None)


def _unfit_link(plan: Plan, path: str, each: AskedOutcome, created: list[str]) -> Refusal | None:
    if each.outcome != "surface-as-feedback":
        return None
    step = "Name an open finding in linked_feedback_id, or file one in feedback_creates: one of both."
    if bool(each.linked_feedback_id) == (each.path in created):
        what = "hangs on two findings" if each.linked_feedback_id else "hangs on no finding"
        return _unlinked(f"{path} is surfaced as feedback and {what}.", step, path)
    if each.linked_feedback_id:
        item = linked_item(plan, path, each.linked_feedback_id)
        if item is None or not item.is_open:
            what = "does not exist" if item is None else f"is {item.status}"
            return _unlinked(f"{each.linked_feedback_id} {what}, so {path} can not hang on it.", step, path)
    return None


def _unlinked(why: str, step: str, path: str) -> Refusal:
    return refuse("missing_link", why, step, path=path)


def linked_item(plan: Plan, path: str, name: str) -> Feedback | None:
    """`FB-NN` of the file's stage, of the active one, of the intent, then of the others; or `stage/FB-NN`. An open one
    goes before one that was settled.
    """
    where, _, short = name.rpartition("/")
    if where:
        stages = ["" if where == "intent" else where]
    else:
        active = [plan.active.spec.name] if plan.active else []
        stages = [stage_of(path), *active, "", *(view.spec.name for view in looking(plan, "").reached)]
    items = [item for stage in stages for item in filed_for(plan, stage) if item.id == short and not item.problem]
    return next((item for item in items if item.is_open), items[0] if items else None)


def changed(findings: Iterable[DriftFinding], truth: Truth) -> Refusal | None:
    """A refusal where a file has changed since it was shown: nobody decides on what they have not seen."""
    now = {divergence.path: (divergence.sha, divergence.lost) for divergence in truth.divergences}
    moved = [found.path for found in findings if now.get(found.path) != (found.sha, found.lost_sha256 or "")]
    if moved:
        why = f"Changed again since it was shown: {named(moved)}."
        return refuse("finding_changed", why, paths=moved)
    lost = sorted({found.stage or "" for found in findings if truth.standing.get(found.stage or "") != "established"})
    if lost:
        why = f"The baseline of {named([scope or 'the intent' for scope in lost])} can not be believed."
        return refuse("baseline_corrupt", why, scopes=lost)
    return None


# How a pending marker ends: with the finding or the revisit it hangs on, and never by being forgotten.


Fate = Literal["holds", "ended", "lost"]
"""`lost`: what was to handle the change is gone, so it has to be told again."""

_MOVED = "moved to "
"""How a finding ends that goes on in another stage."""


def fate(plan: Plan, marker: Marker) -> Fate:
    if marker.outcome == "trigger-revisit":
        return _of_revisit(plan, marker)
    item = _followed(plan, linked(plan, marker))
    if item is None:
        return "lost"
    return "ended" if item.status in ENDED else "holds"


def linked(plan: Plan, marker: Marker) -> Feedback | None:
    """The finding a marker hangs on: where it was filed, or the nearest of that name for a marker that does not say."""
    stages = _nearest(plan, marker.path) if marker.feedback_stage is None else (marker.feedback_stage,)
    items = [item for stage in stages for item in filed_for(plan, stage)]
    by_id = next((item for item in items if item.id == marker.linked_feedback_id), None)
    source = drift_ref(marker.path, marker.sha)
    return by_id or next((item for item in items if item.source_ref.startswith(source)), None)


def drift_ref(path: str, sha: str) -> str:
    """How a finding says which divergence it is about."""
    return f"drift:{path}@{sha}"


def filed_for(plan: Plan, stage: str) -> tuple[Feedback, ...]:
    """`stage` empty: for the intent as a whole."""
    view = plan.stage(stage) if stage else None
    if stage and view is None:
        return ()
    return view.feedback if view else plan.feedback


def stage_of(path: str) -> str:
    """Whose file it is; empty: the intent's."""
    parts = path.split("/", 2)
    return parts[1] if parts[0] == "stages" and len(parts) > 1 else ""


def _nearest(plan: Plan, path: str) -> tuple[str, ...]:
    active = (plan.active.spec.name,) if plan.active else ()
    return tuple(dict.fromkeys((stage_of(path), *active, "", *(view.spec.name for view in plan.stages))))


def _followed(plan: Plan, item: Feedback | None) -> Feedback | None:
    """A finding that was put to another stage goes on there."""
    passed: set[tuple[str, str]] = set()
    while item is not None and item.closed_by.startswith(_MOVED) and (item.stage, item.id) not in passed:
        passed.add((item.stage, item.id))
        heirs = (each for each in all_filed(plan) if each.source_ref and each.source_ref == item.source_ref)
        item = next((each for each in heirs if (each.stage, each.id) not in passed), item)
    return item


def all_filed(plan: Plan) -> Iterator[Feedback]:
    yield from plan.feedback
    for view in plan.stages:
        yield from view.feedback


def _of_revisit(plan: Plan, marker: Marker) -> Fate:
    view = plan.stage(marker.linked_revisit_target_stage or "")
    if view is None:
        return "lost"
    if _is_completed_since(view.state, marker):
        return "ended"
    was_gone_back_to = view.state.visits > marker.visit  # for whatever reason: its next completion settles this too
    return "lost" if not was_gone_back_to and _was_never_begun(plan, marker) else "holds"


def _is_completed_since(state: StageState, marker: Marker) -> bool:
    """A marker of an earlier tool knows no visit."""
    is_later = state.visits > marker.visit if marker.revisit_ref else state.completed_at > marker.created_at
    return is_later and state.status == "completed" and state.gate_outcome == "advanced"


def _was_never_begun(plan: Plan, marker: Marker) -> bool:
    """The finding that asked to go back was settled or taken away before anybody went."""
    kind, _, rest = marker.revisit_ref.partition("/")
    stage, _, visits = rest.rpartition("/")[0].partition("/")
    view = plan.stage(stage)
    if kind != "revisit" or view is None or not visits.isdecimal() or view.state.visits > int(visits):
        return False
    return not any(item.is_open and item.source_ref == marker.revisit_ref for item in view.feedback)
