"""Who may let a stage through its gate: its `review` policy, and what people ruled on this visit."""

from __future__ import annotations

from leeboard.model.effect import NewFeedback
from leeboard.model.plan import Decision, Feedback, GateKind, GitFacts, Ruling, StageView
from leeboard.workflow.authored import changed, plan_digest, work_digest
from leeboard.workflow.look import Look

SPEC_CONTEXTS = ("intent_review", "elaborate_to_execute")
STAGE_CONTEXTS = ("stage_gate",)
CHANGED_CONTEXTS = ("changed_plan",)
CHANGED_PLAN = "changed-plan"
"""What the finding's reference begins with, where a person wants a changed plan otherwise."""


def kinds(stage: StageView, git: GitFacts) -> tuple[GateKind, ...]:
    """What really guards it: beside others `auto` means nothing, and without git nobody can review elsewhere."""
    named = tuple(dict.fromkeys(stage.spec.review)) or ("auto",)
    guarded: tuple[GateKind, ...] = tuple(kind for kind in named if kind != "auto")
    if not guarded:
        return ("auto",)
    return tuple(kind for kind in guarded if kind != "external" or git.available) or ("ask",)


def spec_context(look: Look) -> str:
    """The first plan of an intent is the review of the intent itself."""
    return "intent_review" if look.is_first and not look.plan.intent.intent_reviewed else "elaborate_to_execute"


def contexts(look: Look) -> tuple[str, ...]:
    """What a decision would be about now."""
    if look.stage.state.phase == "elaborate":
        return SPEC_CONTEXTS
    return CHANGED_CONTEXTS if changed(look.plan, look.stage) else STAGE_CONTEXTS


def context(look: Look) -> str:
    found = contexts(look)
    return spec_context(look) if found == SPEC_CONTEXTS else found[0]


def shown(look: Look) -> str:
    """Digest of what a person decides over now."""
    return (work_digest if contexts(look) == STAGE_CONTEXTS else plan_digest)(look.plan, look.stage)


def last_ruling(look: Look, about: tuple[str, ...] = ()) -> tuple[int, Ruling] | None:
    """The newest decision about what stands at the gate now, and its number: earlier visits decide nothing."""
    stage, wanted = look.stage, about or contexts(look)
    found = [
        (at, ruling)
        for at, ruling in enumerate(stage.rulings)
        if ruling.visit == stage.state.visits and ruling.context in wanted
    ]
    return found[-1] if found else None


def ruled(look: Look, decision: Decision) -> bool:
    """An approval counts for what was approved, and for nothing that came after."""
    found = last_ruling(look)
    if found is None or found[1].decision != decision:
        return False
    return decision != "approved" or found[1].shown == shown(look)


def offered(look: Look) -> tuple[Decision, ...]:
    """The decisions a person has at the gate the stage stands at."""
    found = kinds(look.stage, look.plan.git)
    if contexts(look) != STAGE_CONTEXTS:
        return ("approved", "changes_requested")
    decisions: list[Decision] = []
    # Once it is reviewed elsewhere, a person may say that it was accepted there: a squashed merge does not show.
    if {"ask", "await"} & {*found} or ruled(look, "external_review"):
        decisions.append("approved")
    decisions.append("changes_requested")
    if "external" in found:
        decisions.append("external_review")
    return tuple(decisions)


def changes_key(look: Look, about: tuple[str, ...] = ()) -> str:
    """Names the finding that a request for changes becomes; empty: there is no such request."""
    found = last_ruling(look, about)
    if found is None or found[1].decision != "changes_requested":
        return ""
    kind = CHANGED_PLAN if found[1].context in CHANGED_CONTEXTS else "ruling"
    return f"{kind}/{look.stage.spec.name}/{look.stage.state.visits}/{found[0]}"


def changes_item(look: Look, about: tuple[str, ...] = ()) -> Feedback | None:
    key = changes_key(look, about)
    return next((item for item in look.stage.feedback if key and item.source_ref == key), None)


def changes_filed(look: Look, about: tuple[str, ...] = ()) -> NewFeedback | None:
    """The request as a finding, where it is not filed yet."""
    found = last_ruling(look, about)
    key = changes_key(look, about)
    if found is None or not key or changes_item(look, about) is not None:
        return None
    ruling = found[1]
    fields: dict[str, str] = {"source_ref": key}
    if ruling.context not in STAGE_CONTEXTS:
        fields["triaged_at"] = look.now
    title = (ruling.feedback.strip().splitlines() or ["Changes requested"])[0][:120]
    return NewFeedback(
        stage=look.stage.spec.name,
        title=title,
        body=ruling.feedback,
        origin="user-visual",
        author=ruling.by,
        key=key,
        fields=fields,
    )
