"""A person's word about files that somebody changed: before an agent has classified them, or after, over its word."""

from __future__ import annotations

import msgspec

from leeboard.app.person.gate import note
from leeboard.app.plan.engine import Engine
from leeboard.model.plan import Clue, Plan
from leeboard.model.truth import Outcome
from leeboard.plan.effect import PlanStep, Refusal
from leeboard.plan.machine.drift_classify import (
    LONGEST_EXCERPT,
    AskedOutcome,
    ClassifyRequest,
    FeedbackCreate,
    classified,
)
from leeboard.plan.machine.feedback_moves import FeedbackDraft, feedback_new, feedback_reject
from leeboard.plan.machine.refusal import refuse
from leeboard.plan.machine.stage_moves import revisit

_LONGEST_TITLE = 120


class ChangeWord(msgspec.Struct, frozen=True, kw_only=True):
    """What a person says of one changed file."""

    path: str
    outcome: str
    why: str
    stage: str = ""
    """trigger-revisit: the stage to go through again."""
    feedback: str = ""
    """surface-as-feedback: an open finding it belongs to; empty: one is filed."""


def classify(engine: Engine, slug: str, tick_id: str, words: tuple[ChangeWord, ...], why: str) -> Clue | Refusal:
    """All that was shown, in one go; on the disk when it returns."""
    creates = (
        FeedbackCreate(for_classification_path=word.path, title=_title(word), body=word.why or why)
        for word in words
        if word.outcome == "surface-as-feedback" and not word.feedback
    )
    request = ClassifyRequest(
        tick_id=tick_id,
        classifications=tuple(_asked(word, why) for word in words),
        agent_rationale=why,
        feedback_creates=tuple(creates),
        person="user",
    )
    return engine.move(slug, lambda plan, now: classified(plan, request, now), truth=True)


def _asked(word: ChangeWord, why: str) -> AskedOutcome:
    excerpt = (word.why or why).encode("utf-8", "replace")[:LONGEST_EXCERPT].decode("utf-8", "ignore")
    return AskedOutcome(
        path=word.path,
        outcome=word.outcome,
        rationale_excerpt=excerpt,
        linked_feedback_id=word.feedback or None if word.outcome == "surface-as-feedback" else None,
        linked_revisit_target_stage=word.stage if word.outcome == "trigger-revisit" else None,
    )


def _title(word: ChangeWord) -> str:
    return (word.why.strip().splitlines() or [f"{word.path} was changed"])[0][:_LONGEST_TITLE]


class Overruled(msgspec.Struct, frozen=True, kw_only=True):
    """What was decided over a file in an assessment, and what a person wants instead."""

    assessment: str
    path: str
    was: Outcome
    stage: str
    feedback: str
    """The finding that an earlier outcome hangs on; empty: none."""


def overrule(engine: Engine, slug: str, said: Overruled, word: ChangeWord) -> Refusal | None:
    """What an assessment says stays on record; what the person wants stands beside it from now on, under their name."""
    if not word.why.strip():
        return refuse("reason_missing", "Nothing says why.", "Give the reason: it is kept with the decision.")
    if word.outcome == said.was:
        return refuse("noop", f"{said.path} is classified as {said.was} already.", "There is nothing to do.")
    return note(engine, slug, lambda plan, now: _overruled(plan, said, word, now))


def _overruled(plan: Plan, said: Overruled, word: ChangeWord, now: str) -> PlanStep | Refusal:
    reason = (
        f"{said.assessment}: {said.path} was classified as {said.was}; a person wants {word.outcome}.\n\n{word.why}"
    )
    match word.outcome:
        case "trigger-revisit":
            return revisit(plan, now, word.stage, reason, by_person=True)
        case "surface-as-feedback":
            draft = FeedbackDraft(
                title=_title(word),
                body=reason,
                stage=said.stage,
                origin="user-chat",
                author="user",
                source_ref=f"{said.assessment}:{said.path}",
            )
            return feedback_new(plan, draft, now, by_person=True)
        case "ignore" | "inline-fix" if said.feedback:
            return feedback_reject(plan, said.stage, said.feedback, reason, now, by_person=True)
    why = f"{word.outcome} takes nothing back: the file was taken as it is already."
    return refuse("nothing_to_overrule", why, "Choose surface-as-feedback or trigger-revisit.")
