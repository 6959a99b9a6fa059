"""What a row of the machine sees, and what it may find."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal

import msgspec
from msgspec import to_builtins
from msgspec.structs import replace

from leeboard.model.plan import MOST_BOLTS, MOST_FIX_BOLTS, Iteration, Phase, Plan, StageState, StageView
from leeboard.model.studio import StageSpec, Template
from leeboard.model.unit import Feedback
from leeboard.plan.effect import Commit, Effect, WriteFeedback, WriteIntent, WriteStage, WriteUnit

Section = Literal["intent", "drift", "feedback", "start", "elaborate", "execute", "review", "gate"]
Waits = Literal["", "person", "event", "classification", "over"]

NO_STAGE = StageView(spec=StageSpec(name=""), state=StageState(stage=""))


class PlanLook(msgspec.Struct, frozen=True, kw_only=True):
    """A plan as it was found at a moment: what every condition of the table is asked about."""

    plan: Plan
    stage: StageView
    """The active one; `NO_STAGE` where all are completed."""
    now: str

    @property
    def is_first(self) -> bool:
        return bool(self.plan.stages) and self.plan.stages[0].spec.name == self.stage.spec.name

    @property
    def next_stage(self) -> str:
        """The one after the active stage; empty: it is the last."""
        names = [view.spec.name for view in self.plan.stages]
        after = names.index(self.stage.spec.name) + 1 if self.stage.spec.name in names else len(names)
        return names[after] if after < len(names) else ""

    @property
    def reached(self) -> tuple[StageView, ...]:
        """The stages up to and including the active one: the agent is never told of later ones."""
        names = [view.spec.name for view in self.plan.stages]
        last = names.index(self.stage.spec.name) + 1 if self.stage.spec.name in names else len(names)
        return self.plan.stages[:last]

    @property
    def feedback(self) -> tuple[Feedback, ...]:
        """All that was filed for the intent and for the stages reached."""
        return (*self.plan.feedback, *(item for view in self.reached for item in view.feedback))

    @property
    def open_feedback(self) -> tuple[Feedback, ...]:
        return tuple(item for item in self.feedback if item.is_open)


class RowMatch(msgspec.Struct, frozen=True, kw_only=True):
    """A row whose condition holds: what the engine does for it, and what is said."""

    text: str = ""
    payload: dict[str, Any] = msgspec.field(default_factory=dict)
    do: tuple[Effect, ...] = ()
    fields: dict[str, Any] = msgspec.field(default_factory=dict)
    """For `state.json`, beside the change of phase."""


class Row(msgspec.Struct, frozen=True):
    """One row of the machine. The first row of a tick whose condition finds something decides it."""

    when: Callable[[PlanLook], RowMatch | None]
    note: str
    """Its condition, in words."""
    action: str = ""
    """The clue that is given; empty: the engine does it by itself and looks again."""
    waits: Waits = ""
    to: Phase = ""
    """The phase the stage enters; empty: it stays where it is."""
    leads: Literal["", "next stage", "revisited stage", "last stage", "completed"] = ""
    """Where the intent goes when the stage is left."""
    is_error: bool = False
    section: Section = "intent"


def looking(plan: Plan, now: str) -> PlanLook:
    return PlanLook(plan=plan, stage=plan.active or NO_STAGE, now=now)


def places_told(look: PlanLook, missing: Iterable[Template]) -> list[str]:
    """Each artifact with the place it has to lie at, in full: who reads it may be in a unit's work tree."""
    top = f"{look.plan.git.primary}/" if look.plan.git.primary else ""
    return [f"{each.name} at {top}{each.place(look.plan.intent.slug)}" for each in missing]


def places_payload(look: PlanLook, missing: Iterable[Template]) -> dict[str, Any]:
    return {"missing": [{"name": each.name, "location": each.place(look.plan.intent.slug)} for each in missing]}


def promised(look: PlanLook) -> list[dict[str, str]]:
    """What the stage has to bring forth before it is reviewed: known from its beginning."""
    slug = look.plan.intent.slug
    wanted = (each for each in look.stage.spec.templates if each.kind == "output" and each.required)
    return [{"name": each.name, "location": each.place(slug)} for each in wanted]


def promised_text(look: PlanLook) -> str:
    """The same as a sentence; empty where there is nothing."""
    told = [f"{each['name']} at {each['location']}" for each in promised(look)]
    where = "in its own work tree" if look.plan.git.available else "there"
    return f" The stage has to bring forth {named(told)}; a unit writes it {where}." if told else ""


def committed(plan: Plan, text: str) -> Commit:
    return Commit(message=f"haiku({plan.intent.slug}): {text}")


def one_of(items: tuple[str, ...] | list[str]) -> str:
    """To choose from, in a sentence."""
    return items[0] if len(items) == 1 else f"one of {named(items)}"


def named(items: tuple[str, ...] | list[str], most: int = 8) -> str:
    """A few names in a sentence."""
    shown = ", ".join(items[:most])
    return f"{shown} and {len(items) - most} more" if len(items) > most else shown


# Visits of a stage: how one begins, and how a stage is gone back to.
#
# A revisit is journalled as a finding that asks for it (`stage_revisit`, pending): killed anywhere, the next look sees
# the finding and does what is left. Later stages are reset first, the stage itself next, and only then is the finding
# being worked on.


MOST_AGENT_REVISITS = 2
"""How often findings of agents may send a stage back to its beginning; people may as often as they like."""


def begun(state: StageState, visit: Iteration, phase: Phase = "elaborate") -> dict[str, Any]:
    """What `state.json` says when a visit begins: rulings and reports of earlier ones no longer count."""
    earlier = [each if each.completed_at else ended(each, visit) for each in state.iterations]
    return {
        "status": "active",
        "phase": phase,
        "started_at": state.started_at or visit.started_at,
        "completed_at": "",
        "gate_entered_at": "",
        "gate_outcome": "",
        "external_review_url": "",
        "external_review_by": "",
        "gate_tries": 0,
        "gate_tree": "",
        "visits": visit.index,
        "iterations": [to_builtins(each) for each in (*earlier, visit)],
    }


def ended(visit: Iteration, by: Iteration) -> Iteration:
    return replace(visit, completed_at=by.started_at, result=by.trigger)


def revisit_effects(plan: Plan, target: StageView, items: tuple[Feedback, ...], now: str) -> tuple[Effect, ...]:
    """Everything a revisit for the first of these findings does: each prefix is a state in which the next look does
    the rest.
    """
    name, item = target.spec.name, items[0]
    mark = f"{_mark(item)}{item.title}"
    effects: list[Effect] = []
    if not is_under_way(target, item):
        effects += _stale(plan, name, mark, now)
        trigger: Any = "user-revisit" if item.is_human else "feedback"
        visit = Iteration(index=target.state.visits + 1, started_at=now, trigger=trigger, reason=mark)
        effects.append(WriteStage(stage=name, fields=begun(target.state, visit)))
    effects.append(WriteIntent(fields={"active_stage": name}))
    if item.is_human:
        effects += _lifted(plan, target)
    for each in (*items[1:], item):
        effects.append(WriteFeedback(stage=each.stage, feedback=each.id, fields={"status": "fixing"}))
    effects.append(committed(plan, f"revisit stage {name} for {item.id}"))
    return tuple(effects)


def reopened(plan: Plan) -> tuple[WriteIntent, ...]:
    """What takes a completed intent up again; nothing where it is not completed."""
    fields = {"status": "active", "completed_at": ""}
    return (WriteIntent(fields=fields),) if plan.intent.status == "completed" else ()


def is_under_way(target: StageView, item: Feedback) -> bool:
    """Whether the stage's visit is the one this finding asked for, and still at its beginning."""
    state = target.state
    return state.phase == "elaborate" and bool(state.iterations) and state.iterations[-1].reason.startswith(_mark(item))


def _mark(item: Feedback) -> str:
    return f"{item.stage or 'intent'}/{item.id}: "


def _stale(plan: Plan, target: str, mark: str, now: str) -> list[Effect]:
    """Stages after the target that were begun, the last one first: they wait for their own new visit."""
    names = [view.spec.name for view in plan.stages]
    later = [view for view in plan.stages[names.index(target) + 1 :] if view.state.visits or view.state.phase]
    fields = {
        "status": "pending",
        "phase": "elaborate",
        "completed_at": "",
        "gate_outcome": "",
        "gate_entered_at": "",
        "stale_reason": f"{target} was revisited for {mark}",
        "stale_marked_at": now,
    }
    return [WriteStage(stage=view.spec.name, fields=fields) for view in reversed(later)]


def _lifted(plan: Plan, target: StageView) -> list[Effect]:
    """What a person goes back for gets its tries anew: they have looked at what took too many."""
    effects: list[Effect] = [
        WriteUnit(stage=unit.stage, unit=unit.id, fields={"bolt": 1})
        for unit in target.units
        if unit.status == "active" and unit.bolt >= MOST_BOLTS
    ]
    fields = {"status": "pending", "bolt": 0, "hat": ""}
    spent = (each for each in (*plan.feedback, *target.feedback) if each.is_open and each.bolt > MOST_FIX_BOLTS)
    effects += [WriteFeedback(stage=each.stage, feedback=each.id, fields=fields) for each in spent]
    return effects


def agent_revisits(stage: StageView) -> int:
    """For findings of agents, since a person last sent the stage back."""
    triggers = [visit.trigger for visit in stage.state.iterations]
    last = max((at for at, trigger in enumerate(triggers) if trigger == "user-revisit"), default=-1)
    return triggers[last + 1 :].count("feedback")
