"""Feedback on its way: triaged, answered, fixed hat by hat, or the reason to go back to a stage."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from leeboard.model.plan import MOST_FIX_BOLTS, Iteration, StageView
from leeboard.model.studio import Hat
from leeboard.model.unit import Feedback
from leeboard.plan.effect import WriteFeedback, WriteStage
from leeboard.plan.machine.hats import worn
from leeboard.plan.machine.look import (
    MOST_AGENT_REVISITS,
    PlanLook,
    RowMatch,
    agent_revisits,
    begun,
    named,
    revisit_effects,
)
from leeboard.plan.machine.proof import sent_back


def item_payload(item: Feedback) -> dict[str, Any]:
    return {
        "feedback_id": item.id,
        "feedback_file": item.file,
        "feedback_title": item.title,
        "stage": item.stage,
        "author": item.author,
        "status": item.status,
        "resolution": item.resolution,
        "bolt": item.bolt,
    }


def claim(item: Feedback) -> str:
    """How a unit's `closes` names it."""
    return item.id if item.stage else f"intent/{item.id}"


def claimable(look: PlanLook) -> tuple[Feedback, ...]:
    """What a unit of the active stage can settle."""
    return (*look.plan.feedback, *look.stage.feedback)


def is_inline(item: Feedback) -> bool:
    """Fixed where the work stands. So is what nobody chose a way for."""
    return item.is_open and item.resolution in {"", "inline_fix"}


def is_revisit(item: Feedback) -> bool:
    return item.is_open and item.resolution == "stage_revisit"


def place_of(item: Feedback) -> str:
    """How a look names it beside those of other stages."""
    return f"{item.stage}/{item.id}"


def shows_work(item: Feedback, hats: tuple[Hat, ...]) -> bool:
    """Whether it is being fixed, so that somebody looks what has changed for it."""
    return item.status == "fixing" and is_inline(item) and bool(hats)


def owes_change(item: Feedback, hats: tuple[Hat, ...]) -> bool:
    """Whether it is with the hat that has to change something: the first one."""
    return shows_work(item, hats) and worn(hats, item.hat) == 0


def fix_hats(look: PlanLook, item: Feedback) -> tuple[Hat, ...]:
    """Those of the stage it was filed for, else of the active one."""
    home = look.plan.stage(item.stage)
    return (home.spec.fix_hats if home else ()) or look.stage.spec.fix_hats


def home_of(look: PlanLook, item: Feedback) -> StageView:
    """The stage it is about; what is about the intent belongs to the stage the work has come to."""
    return look.plan.stage(item.stage) or look.plan.active or look.plan.stages[-1]


def untriaged(look: PlanLook) -> RowMatch | None:
    items = [item for item in look.open_feedback if not item.triaged_at]
    if not items:
        return None
    stages = [view.spec.name for view in look.reached]
    text = (
        f"Triage {named([item.id for item in items])}: for each say with haiku_feedback_update whether it is an "
        "inline_fix or a stage_revisit. Only the person who filed it makes a question of it, or puts it to another "
        "stage."
    )
    return RowMatch(text=text, payload={"items": [item_payload(item) for item in items], "valid_stages": stages})


def revisit_over_cap(look: PlanLook) -> RowMatch | None:
    asked = tuple(_revisits_asked(look))
    items = [item for item in asked if agent_revisits(home_of(look, item)) >= MOST_AGENT_REVISITS]
    if not items or any(item.is_human for item in asked):
        return None
    stage = home_of(look, items[0])
    text = (
        f"{stage.spec.name} went back to its beginning {agent_revisits(stage)} times for findings of agents, and "
        f"{named([item.id for item in items])} ask for it again. A person decides: `leeboard flow revisit "
        f"{stage.spec.name} --reason WHY` goes back once more, `leeboard flow feedback close` ends a finding."
    )
    payload = {
        "reason": "iteration_limit",
        "iteration": agent_revisits(stage),
        "max_iterations": MOST_AGENT_REVISITS,
        "pending_items": [item_payload(item) for item in items],
    }
    return RowMatch(text=text, payload=payload)


def revisit_asked(look: PlanLook) -> RowMatch | None:
    """A person's word goes first. Whatever else asks for the same stage is settled by the same visit."""
    asked = tuple(_revisits_asked(look))
    item = next((each for each in asked if each.is_human), asked[0] if asked else None)
    if item is None:
        return None
    target = home_of(look, item)
    along = tuple(each for each in asked if each is not item and home_of(look, each) is target)
    text = f"Back to stage {target.spec.name} for {item.id}: {item.title}. Its units and their history stay."
    return RowMatch(
        text=text,
        payload={
            "target_stage": target.spec.name,
            "target_phase": "elaborate",
            "items": [*map(item_payload, (item, *along))],
        },
        do=revisit_effects(look.plan, target, (item, *along), look.now),
    )


def _revisits_asked(look: PlanLook) -> Iterator[Feedback]:
    return (item for item in look.open_feedback if is_revisit(item) and item.status == "pending")


def work_reopened(look: PlanLook) -> RowMatch | None:
    """All stages are completed, and something is to be fixed still: the last one goes back to its review."""
    if look.plan.active is not None or not look.open_feedback or not look.plan.stages:
        return None
    last = look.plan.stages[-1]
    why = named([item.id for item in look.open_feedback])
    visit = Iteration(index=last.state.visits + 1, started_at=look.now, trigger="external-changes", reason=why)
    return RowMatch(do=(WriteStage(stage=last.spec.name, fields=begun(last.state, visit, "review")),))


def question_open(look: PlanLook) -> RowMatch | None:
    items = [item for item in look.open_feedback if item.resolution == "question"]
    if not items:
        return None
    text = f"Answer {named([item.id for item in items])} with haiku_feedback_update and a `reply`: that settles it."
    counts = {"questions": len(items), "inline_fixes": sum(map(is_inline, look.open_feedback))}
    payload: dict[str, Any] = {"items": [item_payload(item) for item in items], "counts": counts}
    return RowMatch(text=text, payload=payload | ({"feedback_id": items[0].id} if len(items) == 1 else {}))


def fix_over_cap(look: PlanLook) -> RowMatch | None:
    items = [item for item in look.open_feedback if is_inline(item) and item.bolt > MOST_FIX_BOLTS]
    if not items:
        return None
    text = (
        f"{MOST_FIX_BOLTS} tries did not settle {named([item.id for item in items])}. "
        "A person decides: `leeboard flow feedback close` or `reject` ends it, `leeboard flow revisit "
        f"{look.stage.spec.name} --reason WHY` plans it anew."
    )
    payload = {
        "reason": "fix_loop_cap_exceeded",
        "iteration": items[0].bolt,
        "max_iterations": MOST_FIX_BOLTS,
        "pending_items": [item_payload(item) for item in items],
    }
    return RowMatch(text=text, payload=payload)


def fix_without_hats(look: PlanLook) -> RowMatch | None:
    items = [item for item in look.open_feedback if is_inline(item) and not fix_hats(look, item)]
    if not items:
        return None
    text = (
        f"The stage has no fix hats for {named([item.id for item in items])}: set the resolution stage_revisit with "
        "haiku_feedback_update, or reject what does not hold with haiku_feedback_reject and a reason."
    )
    payload = {"pending_items": [item_payload(item) for item in items], "iteration": look.stage.state.visits}
    return RowMatch(text=text, payload=payload)


def fix_unstarted(look: PlanLook) -> RowMatch | None:
    item = next(filter(is_inline, look.open_feedback), None)
    if item is None or item.status == "fixing":
        return None
    fields = {
        "status": "fixing",
        "bolt": max(item.bolt, 1),
        "hat": fix_hats(look, item)[0].name,
        "fix_from": look.plan.git.head if look.plan.git.available else look.now,
    }
    return RowMatch(do=(WriteFeedback(stage=item.stage, feedback=item.id, fields=fields),))


def fix_going(look: PlanLook) -> RowMatch | None:
    """One at a time: fixes share the primary work tree."""
    items = tuple(filter(is_inline, look.open_feedback))
    if not items:
        return None
    item, hats = items[0], fix_hats(look, items[0])
    hat = hats[worn(hats, item.hat)]
    why = sent_back(item.passes)
    again = f"The fix of {item.id} was sent back by its {item.passes[-1].hat}: {why.rstrip('.')}. " if why else ""
    commits = "commit the fix" if hat is hats[0] else "commit what you change"
    before = "" if hat is hats[0] else "; where the hat before fell short, haiku_feedback_reject_hat"
    text = (
        f"{again}Fix {item.id} ({item.title}) as its {hat.name}, bolt {item.bolt} of {MOST_FIX_BOLTS}; {commits}. "
        f"When the hat's work is done call haiku_feedback_advance_hat (hat {hat.name}, bolt {item.bolt}){before}."
    )
    payload = {
        "fix_hats": [each.name for each in hats],
        "hat": hat.name,
        "mandate": hat.mandate,
        "max_bolts": MOST_FIX_BOLTS,
        "rejected_for": why,
        "items": [{**item_payload(item), "worktree": None, "branch": look.plan.git.hub or None}],
        "total_pending": len(items),
    }
    return RowMatch(text=text, payload=payload)


def revisit_unclaimed(look: PlanLook) -> RowMatch | None:
    """The work is done and nothing settled what the stage was revisited for: more is to be planned."""
    return RowMatch() if any(is_revisit(item) for item in look.open_feedback) else None
