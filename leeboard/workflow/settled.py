"""What was settled stays settled: the plan of a stage since it passed, and who lets each stage through its gate.

A plan that somebody changed goes back to the person where a person let it pass; put back as it was, nothing happened.
Where nobody was asked it counts as it is, and the next clue says so.
"""

from __future__ import annotations

from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from leeboard.model.effect import WriteIntent, WriteStage
from leeboard.model.plan import Approved
from leeboard.workflow.authored import approved, changed
from leeboard.workflow.gate import specs_to_revise
from leeboard.workflow.guards import NOBODY, guards, noted_guard
from leeboard.workflow.look import Found, Look, named
from leeboard.workflow.policy import CHANGED_CONTEXTS, changes_filed, context, kinds, offered, ruled


def plan_unkept(look: Look) -> Found | None:
    """A tree of an earlier version: what is there is what passed, as far as nothing was kept of it."""
    was, now = look.stage.state.approved, approved(look.plan, look.stage)
    if not was.stage:
        return _kept(look, now)
    if was.guidance and was.intent:
        return None
    return _kept(look, replace(was, guidance=was.guidance or now.guidance, intent=was.intent or now.intent))


def change_approved(look: Look) -> Found | None:
    is_approved = changed(look.plan, look.stage) and ruled(look, "approved")
    return _kept(look, approved(look.plan, look.stage)) if is_approved else None


def _kept(look: Look, passed: Approved) -> Found:
    fields: dict[str, Any] = {"approved": to_builtins(passed)}
    return Found(do=(WriteStage(stage=look.stage.spec.name, fields=fields),))


def change_refused(look: Look) -> Found | None:
    """What the person asked for instead becomes a finding first."""
    filed = changes_filed(look, CHANGED_CONTEXTS)
    return Found(do=(filed,)) if filed else None


def change_to_revise(look: Look) -> Found | None:
    return specs_to_revise(look, CHANGED_CONTEXTS)


def change_taken(look: Look) -> Found | None:
    names = changed(look.plan, look.stage)
    asked = noted_guard(look.plan.intent, look.stage.spec.name) != NOBODY
    if not names or asked or kinds(look.stage, look.plan.git) != ("auto",):
        return None
    words = f"Changed since the plan passed, and from now on as it is: {named(names)}."
    return Found(
        text=words,
        payload={"changed": list(names), "warnings": [words]},
        do=_kept(look, approved(look.plan, look.stage)).do,
    )


def change_waits(look: Look) -> Found | None:
    names = changed(look.plan, look.stage)
    if not names:
        return None
    text = (
        f"Changed since a person approved the plan: {named(names)}. Put it back as it was, or let them decide with "
        "`leeboard flow review`; until then nothing is built, proven or merged."
    )
    payload = {
        "gate_type": "ask",
        "gate_context": context(look),
        "next_phase": look.stage.state.phase,
        "changed": list(names),
        "decisions": list(offered(look)),
    }
    return Found(text=text, payload=payload)


def guards_unkept(look: Look) -> Found | None:
    """Before the first stage begins; or a tree of an earlier version."""
    plan = look.plan
    if not plan.stages:
        return None
    fields: dict[str, Any] = {}
    if not plan.intent.guards:
        fields["guards"] = list(guards(view.spec for view in plan.stages))
    if plan.guarding and not plan.intent.guarding:
        fields["guarding"] = list(plan.guarding)
    return Found(do=(WriteIntent(fields=fields),)) if fields else None
