"""What a person says to the agents of an intent: a turn with them, kept where every agent finds it."""

from __future__ import annotations

from typing import Any

import msgspec

from leeboard.app.person.gate import note
from leeboard.app.plan.engine import Engine
from leeboard.io import clock
from leeboard.model.plan import DECISION_LOG, Plan
from leeboard.model.text import digest
from leeboard.plan.disk import layout
from leeboard.plan.disk.folder import PlanFolder, hold
from leeboard.plan.disk.records import UserTurn, record_turn, words_kept
from leeboard.plan.disk.truth.agent_writes import answer_written
from leeboard.plan.disk.truth.surface import digest_of
from leeboard.plan.effect import PlanStep, Refusal, WriteStage
from leeboard.plan.machine.refusal import refuse
from leeboard.speech.prompt import is_nod


class HeardAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Which stage an answer went to, and whether it counts as a turn with a person."""

    stage: str
    """The one that is being worked on; empty: none."""
    turns: int
    """Turns with a person in this visit of the stage, this one among them where it counts."""
    counts: bool = True
    """A nod is kept and is no turn: it says nothing about the work."""


def say(engine: Engine, slug: str, text: str) -> HeardAnswer | Refusal:
    """On the disk when it returns. The same sentence in the same visit is the same turn: it says nothing new."""
    plan, at = engine.look(slug), clock.iso(clock.now())
    if plan.intent.status == "completed":
        step = "Take it up again with haiku_feedback or haiku_revisit."
        return refuse("intent_completed", f"{slug} is completed: nobody waits for an answer.", step)
    stage, said = active_stage(plan), " ".join(text.split())
    _keep_answer(PlanFolder(engine.home), slug, f"- {at} {stage or 'intent'}: {said}", at)
    refusal = note(engine, slug, lambda now_seen, now: _chosen(now_seen, said, now)) if _asked(plan) else None
    if refusal is not None:
        return refusal
    counts = not is_nod(said)
    if counts:
        turn = UserTurn(id=_turn_id(plan, said), at=at, source="answer", stage=stage, text=words_kept(text))
        record_turn(engine.home, slug, turn)
    return HeardAnswer(stage=stage, turns=engine.look(slug).user_turns, counts=counts)


def _asked(plan: Plan) -> dict[str, Any] | None:
    return plan.active.state.question if plan.active else None


def _chosen(plan: Plan, said: str, now: str) -> PlanStep | Refusal:
    """What a person says while a choice is put to them is their choice: one of the options, or something else."""
    stage, asked = plan.active, _asked(plan)
    if stage is None or asked is None:
        return PlanStep()
    options = [str(each) for each in asked.get("options", ())]
    first = said.partition(":")[0].strip().casefold()
    choice = next((each for each in options if each.casefold() in {first, said.casefold()}), said)
    made = {**asked, "choice": choice, "source": "user", "chosen_at": now}
    log = [made if each is asked else each for each in stage.state.decisions]
    return PlanStep(do=(WriteStage(stage=stage.spec.name, fields={DECISION_LOG: log}),))


def active_stage(plan: Plan) -> str:
    """The stage that somebody works on; empty where none has begun."""
    active = plan.active
    return active.spec.name if active and active.state.phase else ""


def _keep_answer(folder: PlanFolder, slug: str, line: str, at: str) -> None:
    """Put on record as written by us: whoever says something is not asked what that change means."""
    place = layout.ANSWERS
    path = f"{layout.intent_folder(slug)}/{place}"
    with hold(folder, slug):
        before = digest_of(folder, path)
        folder.append(path, line.encode("utf-8", "surrogateescape"))
        answer_written(folder, slug, place, before, at)


def _turn_id(plan: Plan, said: str) -> str:
    active = plan.active
    visit = f"{active.spec.name}/{active.state.visits}" if active else ""
    return f"say-{digest(f'{plan.intent.slug}/{visit}/{said.lower()}')}"
