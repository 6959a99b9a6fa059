"""Who may let a stage through its gate: its `review` policy, and what people ruled on this visit."""

from __future__ import annotations

from leeboard.model.effect import NewFeedback
from leeboard.model.plan import Decision, Feedback, GateKind, GitFacts, Ruling, StageView
from leeboard.workflow.look import Look

SPEC_CONTEXTS = ("intent_review", "elaborate_to_execute")
STAGE_CONTEXTS = ("stage_gate",)


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
    return SPEC_CONTEXTS if look.stage.state.phase == "elaborate" else STAGE_CONTEXTS


def last_ruling(look: Look) -> tuple[int, Ruling] | None:
    """The newest decision about what stands at the gate now, and its number: earlier visits decide nothing."""
    stage, wanted = look.stage, contexts(look)
    found = [
        (at, ruling)
        for at, ruling in enumerate(stage.rulings)
        if ruling.visit == stage.state.visits and ruling.context in wanted
    ]
    return found[-1] if found else None


def ruled(look: Look, decision: Decision) -> bool:
    found = last_ruling(look)
    return found is not None and found[1].decision == decision


def offered(look: Look) -> tuple[Decision, ...]:
    """The decisions a person has at the gate the stage stands at."""
    found = kinds(look.stage, look.plan.git)
    if look.stage.state.phase == "elaborate":
        return ("approved", "changes_requested")
    decisions: list[Decision] = []
    # Once it is reviewed elsewhere, a person may say that it was accepted there: a squashed merge does not show.
    if {"ask", "await"} & {*found} or ruled(look, "external_review"):
        decisions.append("approved")
    decisions.append("changes_requested")
    if "external" in found:
        decisions.append("external_review")
    return tuple(decisions)


def changes_key(look: Look) -> str:
    """Names the finding that a request for changes becomes; empty: there is no such request."""
    found = last_ruling(look)
    if found is None or found[1].decision != "changes_requested":
        return ""
    return f"ruling/{look.stage.spec.name}/{look.stage.state.visits}/{found[0]}"


def changes_item(look: Look) -> Feedback | None:
    key = changes_key(look)
    return next((item for item in look.stage.feedback if key and item.source_ref == key), None)


def changes_filed(look: Look) -> NewFeedback | None:
    """The request as a finding, where it is not filed yet."""
    found = last_ruling(look)
    key = changes_key(look)
    if found is None or not key or changes_item(look) is not None:
        return None
    ruling = found[1]
    fields: dict[str, str] = {"source_ref": key}
    if look.stage.state.phase == "elaborate":
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
