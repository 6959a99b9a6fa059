"""A person's decision at a gate, and what they were shown before it.

A decision is written down and nothing more: what follows from it belongs to whoever does the work. What a person
looked at is kept in their own state directory for a day, and is gone when they decide. They approve that, and nothing
that came after they looked; where nothing was shown, nothing is held against it.
"""

from __future__ import annotations

from collections.abc import Callable
from posixpath import join

import msgspec

from leeboard.app.hook_origin import agent_above
from leeboard.app.plan.engine import Engine
from leeboard.app.tree_watch import KEPT_SECONDS, KeptLooks
from leeboard.app.views.plan import mark_of
from leeboard.io.places import state_dir
from leeboard.model.plan import Clue, Plan
from leeboard.model.unit import Decision
from leeboard.plan.effect import PlanStep, Refusal
from leeboard.plan.machine.entry import unreadable
from leeboard.plan.machine.moves import decide, external_url, withdraw
from leeboard.plan.machine.refusal import refuse

Change = Callable[[Plan, str], PlanStep | Refusal]


class GateWord(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody decides at a gate, and everything that goes with it."""

    decision: Decision
    by: str
    changes: str = ""
    """What has to change, where changes are requested."""
    url: str = ""
    """Where it is reviewed, as far as that is known."""
    shown: str = ""
    """The name of what they looked at; empty: whatever was shown to this user last."""


def note(engine: Engine, slug: str, change: Change, *, truth: bool = False) -> Refusal | None:
    """Write down what a person wants, and no more: no clue is spent on somebody who does not do the work."""
    outcome = engine.move(slug, lambda plan, now: _silent(plan, change(plan, now)), truth=truth)
    return outcome if isinstance(outcome, Refusal) else None


def _silent(plan: Plan, step: PlanStep | Refusal) -> PlanStep | Refusal:
    """The step with an answer of its own."""
    if isinstance(step, Refusal):
        return step
    return PlanStep(do=step.do, clue=Clue(action=plan.last.name if plan.last else "", message="", waits=True))


def record_decision(engine: Engine, slug: str, word: GateWord) -> Refusal | None:
    """On the disk when it returns; a Refusal where it can not be decided, or is not what they were shown."""

    def ruled(plan: Plan, now: str) -> PlanStep | Refusal:
        refusal = unreadable(plan)
        if refusal is None and word.decision == "approved":
            refusal = unseen(engine.home, plan, word.shown)
        return refusal or _ruled(plan, word, now)

    refusal = note(engine, slug, ruled, truth=True)
    if refusal is None:
        forget_shown(engine.home, slug)
    return refusal


def _ruled(plan: Plan, word: GateWord, now: str) -> PlanStep | Refusal:
    """The ruling, and behind it where the stage is reviewed."""
    if word.decision == "withdrawn":
        return withdraw(plan, word.by, now)
    ruling = decide(plan, word.decision, word.by, now, word.changes)
    if isinstance(ruling, Refusal) or not word.url:
        return ruling
    where = external_url(plan, word.url, by_person=True)
    return where if isinstance(where, Refusal) else PlanStep(do=(*ruling.do, *where.do))


# What was shown, as a short name, and whether it is still what stands there.


def keep_shown(home: str, plan: Plan) -> None:
    """For who is a person: what an agent looks at, nobody has seen."""
    mark = mark_of(plan)
    if mark and not agent_above():
        _kept().keep(_key(home, plan.intent.slug), mark.encode("ascii"))


def forget_shown(home: str, slug: str) -> None:
    _kept().take(_key(home, slug))


def unseen(home: str, plan: Plan, named: str = "") -> Refusal | None:
    """Why it can not be approved as it is: it is not what was shown last, or not what they name."""
    kept, key = _kept(), _key(home, plan.intent.slug)
    last = kept.peek(key) if kept.age(key) < KEPT_SECONDS else None
    wanted = named or (last or b"").decode("ascii", "replace")
    now = mark_of(plan)
    if not wanted or not now or now == wanted:
        return None
    why = "It changed since you looked." if not named else f"What stands there now is {now}, not {named}."
    return refuse("changed_since_shown", why, "Look again with `leeboard flow review`, then decide.", shown=now)


def _kept() -> KeptLooks:
    return KeptLooks(join(state_dir(), "shown"))


def _key(home: str, slug: str) -> str:
    return f"{home}\0{slug}"
