"""Who may let a stage through its gate: its `review` policy, and what people ruled on this visit."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from leeboard.model.plan import GitFacts, Intent, StageView
from leeboard.model.studio import GateKind, StageSpec, Studio
from leeboard.model.unit import Decision, Feedback, Ruling
from leeboard.plan.effect import NewFeedback, WriteIntent
from leeboard.plan.machine.authored import changed, plan_digest, work_digest
from leeboard.plan.machine.look import PlanLook, RowMatch
from leeboard.plan.machine.proof import stage_commands, unproven

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


def gate_kinds(look: PlanLook) -> tuple[GateKind, ...]:
    """The same at the gate of the finished stage: what nobody could prove passes by nobody's word but a person's, nor
    does what a person asked for and agents call settled.
    """
    found = kinds(look.stage, look.plan.git)
    asked = found == ("auto",) and (unproven(stage_commands(look.plan, look.stage), look.stage) or unended(look))
    return ("ask",) if asked else found


def unended(look: PlanLook) -> tuple[Feedback, ...]:
    """What a person asked for and an agent calls settled: it ends with a person's word."""
    return tuple(item for item in look.feedback if item.is_human and item.status == "addressed")


def spec_context(look: PlanLook) -> str:
    """The first plan of an intent is the review of the intent itself."""
    return "intent_review" if look.is_first and not look.plan.intent.intent_reviewed else "elaborate_to_execute"


def contexts(look: PlanLook) -> tuple[str, ...]:
    """What a decision would be about now."""
    if look.stage.state.phase == "elaborate":
        return SPEC_CONTEXTS
    return CHANGED_CONTEXTS if changed(look.plan, look.stage) else STAGE_CONTEXTS


def context(look: PlanLook) -> str:
    found = contexts(look)
    return spec_context(look) if found == SPEC_CONTEXTS else found[0]


def shown(look: PlanLook) -> str:
    """Digest of what a person decides over now."""
    return (work_digest if contexts(look) == STAGE_CONTEXTS else plan_digest)(look.plan, look.stage)


def last_ruling(look: PlanLook, about: tuple[str, ...] = ()) -> tuple[int, Ruling] | None:
    """The newest decision about what stands at the gate now, and its number: earlier visits decide nothing."""
    stage, wanted = look.stage, about or contexts(look)
    found: list[tuple[int, Ruling]] = []
    for at, ruling in enumerate(stage.rulings):
        if ruling.visit != stage.state.visits or ruling.context not in wanted:
            continue
        if ruling.decision == "withdrawn":
            del found[max(len(found) - ruling.takes_back, 0) :]
        else:
            found.append((at, ruling))
    return found[-1] if found else None


def unfollowed(look: PlanLook) -> Ruling | None:
    """The newest decision, while nothing has followed from it: the next tick acts on it, unless it is taken back."""
    found = last_ruling(look)
    waits = look.stage.state.phase in {"elaborate", "gate"} or contexts(look) == CHANGED_CONTEXTS
    if found is None or not waits or changes_item(look) is not None:
        return None
    is_sent = found[1].decision == "external_review" and look.stage.state.gate_outcome == "blocked"
    return None if is_sent else found[1]


def undecided(look: PlanLook) -> PlanLook:
    """The same look, as if nobody had decided what nothing has followed from yet."""
    while unfollowed(look) is not None:
        back = Ruling(decision="withdrawn", visit=look.stage.state.visits, context=context(look), takes_back=1)
        look = replace(look, stage=replace(look.stage, rulings=(*look.stage.rulings, back)))
    return look


def ruled(look: PlanLook, decision: Decision) -> bool:
    """An approval counts for what was approved, and for nothing that came after."""
    found = last_ruling(look)
    if found is None or found[1].decision != decision:
        return False
    return decision != "approved" or found[1].shown == shown(look)


def offered(look: PlanLook) -> tuple[Decision, ...]:
    """The decisions a person has at the gate the stage stands at."""
    found = gate_kinds(look)
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


def changes_key(look: PlanLook, about: tuple[str, ...] = ()) -> str:
    """Names the finding that a request for changes becomes; empty: there is no such request."""
    found = last_ruling(look, about)
    if found is None or found[1].decision != "changes_requested":
        return ""
    kind = CHANGED_PLAN if found[1].context in CHANGED_CONTEXTS else "ruling"
    return f"{kind}/{look.stage.spec.name}/{look.stage.state.visits}/{found[0]}"


def changes_item(look: PlanLook, about: tuple[str, ...] = ()) -> Feedback | None:
    key = changes_key(look, about)
    return next((item for item in look.stage.feedback if key and item.source_ref == key), None)


def changes_filed(look: PlanLook, about: tuple[str, ...] = ()) -> NewFeedback | None:
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


# Who lets each stage of an intent through its gate: noted when the work begins, held against what is defined now.


NOBODY = "auto"


def guard(spec: StageSpec) -> str:
    """`auto`: no person is asked."""
    return "+".join(kind for kind in dict.fromkeys(spec.review) if kind != NOBODY) or NOBODY


def guards(specs: Iterable[StageSpec]) -> tuple[str, ...]:
    """As `intent.md` notes them."""
    return tuple(f"{spec.name}={guard(spec)}" for spec in specs)


def chosen_fields(studio: Studio) -> dict[str, Any]:
    """What `intent.md` keeps of a person's choice: who lets its stages through is noted with it."""
    return {"studio": studio.slug, "studio_chosen": studio.slug, "guards": list(guards(studio.stages))}


def noted_guard(intent: Intent, stage: str) -> str:
    return _noted(intent).get(stage, NOBODY)


def loosened(intent: Intent, specs: Iterable[StageSpec]) -> tuple[str, ...]:
    """What a person chose and is no longer so: their studio, and their gates as they were when the work began."""
    now = {spec.name: guard(spec) for spec in specs}
    was = intent.studio_chosen
    other = (
        (f"the studio: a person chose {was}, it is {intent.studio or 'none'}",)
        if was not in {"", intent.studio}
        else ()
    )
    return other + tuple(
        f"the gate of stage {name}: {kind} became {now.get(name, 'nothing')}"
        for name, kind in _noted(intent).items()
        if kind not in {NOBODY, now.get(name)}
    )


def _noted(intent: Intent) -> dict[str, str]:
    return {name: kind for name, _, kind in (line.rpartition("=") for line in intent.guards)}


def guards_unkept(look: PlanLook) -> RowMatch | None:
    """Before the first stage begins; or a tree of an earlier version."""
    plan = look.plan
    if not plan.stages:
        return None
    fields: dict[str, Any] = {}
    if not plan.intent.guards:
        fields["guards"] = list(guards(view.spec for view in plan.stages))
    if plan.guarding and not plan.intent.guarding:
        fields["guarding"] = list(plan.guarding)
    return RowMatch(do=(WriteIntent(fields=fields),)) if fields else None
