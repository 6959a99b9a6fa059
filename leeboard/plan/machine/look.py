"""What a row of the machine sees, and what it may find."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import msgspec

from leeboard.model.plan import Phase, Plan, StageState, StageView
from leeboard.model.studio import StageSpec
from leeboard.model.unit import Feedback
from leeboard.plan.effect import Commit, Effect

Section = Literal["intent", "drift", "feedback", "start", "elaborate", "execute", "review", "gate"]
Waits = Literal["", "person", "event", "classification", "over"]

NO_STAGE = StageView(spec=StageSpec(name=""), state=StageState(stage=""))


class PlanLook(msgspec.Struct, frozen=True, kw_only=True):
    """One look at a plan, at one moment."""

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
