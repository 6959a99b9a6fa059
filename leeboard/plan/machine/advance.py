"""One look at the plan, one next thing: work for the engine, or the clue somebody gets."""

from __future__ import annotations

from typing import Any

from msgspec import msgpack
from msgspec.structs import replace

from leeboard.errors import StateError
from leeboard.model.plan import Clue, LastAction, Plan
from leeboard.model.text import digest
from leeboard.plan.effect import Effect, PlanStep, WriteStage
from leeboard.plan.machine.cautions import without_criteria, without_outputs
from leeboard.plan.machine.look import PlanLook, Row, RowMatch, Waits, committed, looking
from leeboard.plan.machine.table import rows_for

_ENDINGS: dict[Waits, str] = {
    "": "Then call haiku_run_next again.",
    "person": "This waits for a person; when they have answered, call haiku_run_next again.",
    "event": "This waits for something outside; when it has happened, call haiku_run_next again.",
    "classification": "Work goes on when every finding is classified; then call haiku_run_next again.",
    "over": "Nothing more is to be done.",
}


PLAN_PROBLEMS = frozenset(
    {
        *("unresolved_dependencies", "dag_cycle_detected", "unit_naming_invalid", "spec_validation_failed"),
        *("unit_inputs_missing", "discovery_missing"),
    }
)
"""Actions that say what is wrong with the units of a stage."""


def advance(plan: Plan, now: str) -> PlanStep:
    """What a plan leads to. Effects without a clue are to be done, and then looked at again."""
    look = looking(plan, now)
    for row in rows_for(look.stage):
        found = row.when(look)
        if found is not None:
            return PlanStep(do=_effects(row, look, found), clue=_clue(row, look, found))
    raise StateError(f"no row of the machine speaks for stage {look.stage.spec.name} in {look.stage.state.phase}")


def stands_at(look: PlanLook) -> str:
    """The action the stage itself has come to, whatever branch is checked out and whatever is left to be noted down."""
    speaking = (row for row in rows_for(look.stage) if row.section != "intent" and (row.action or row.to or row.leads))
    return next((row.action for row in speaking if row.when(look) is not None), "")


def clue(look: PlanLook, action: str, text: str, payload: dict[str, Any], waits: Waits = "") -> Clue:
    """An action as it is told: every message ends with what comes after it."""
    head: dict[str, Any] = {"intent": look.plan.intent.slug}
    if look.stage.spec.name:
        head["stage"] = look.stage.spec.name
    if look.plan.intent.studio:
        head["studio"] = look.plan.intent.studio
    message = f"{text} {_ENDINGS[waits]}"
    return Clue(action=action, message=message, payload={**head, **payload}, waits=bool(waits))


def _clue(row: Row, look: PlanLook, found: RowMatch) -> Clue | None:
    if not row.action:
        return None
    payload = _with_warnings(look, _with_others(row, look, found.payload))
    told = clue(look, row.action, found.text, payload, row.waits)
    return Clue(action=told.action, message=told.message, payload=told.payload, waits=told.waits, is_error=row.is_error)


def _with_others(row: Row, look: PlanLook, payload: dict[str, Any]) -> dict[str, Any]:
    """What else is wrong with the same plan, so that all of it can be put right at once."""
    if row.action not in PLAN_PROBLEMS:
        return payload
    others = (each for each in rows_for(look.stage) if each.section == row.section and each.action in PLAN_PROBLEMS)
    said = ((each.action, each.when(look)) for each in others if each.action != row.action)
    also = [{"problem": action, "message": found.text} for action, found in said if found is not None]
    bare = {"unit_without_criteria": without_criteria(look.stage), "unit_without_outputs": without_outputs(look.stage)}
    also += [{"problem": problem, "message": text} for problem, text in bare.items() if text]
    return {**payload, "also": also} if also else payload


def _with_warnings(look: PlanLook, payload: dict[str, Any]) -> dict[str, Any]:
    """Beside what has to be said anyway: slips in the definition of the studio and of the stage, and in settings."""
    studio = look.plan.studio
    own = [f"studio {studio.slug}: {problem}" for problem in studio.problems] if studio else []
    slips = [*own, *look.stage.spec.complaints, *look.plan.notes]
    return {**payload, "warnings": [*payload.get("warnings", ()), *slips]} if slips else payload


def _effects(row: Row, look: PlanLook, found: RowMatch) -> tuple[Effect, ...]:
    """The phase moves last: whoever dies before it finds the same row again, and does it once more."""
    if not row.to or row.section == "start":
        return found.do
    stage = look.stage.spec.name
    fields: dict[str, Any] = {
        "phase": row.to,
        "gate_tries": 0,
        "gate_tree": "",
        "gate_entered_at": look.now if row.to == "gate" else "",
        **found.fields,
    }
    moved = committed(look.plan, f"{stage} from {look.stage.state.phase} to {row.to}")
    return (*found.do, WriteStage(stage=stage, fields=fields), moved)


# Whether anything moved since the last answer: a working action that changes nothing is halted, waiting never is.


MOST_REPEATS = 3
"""How often an action may be given again while nothing moves."""


ALONE = (1.0, 0.0)
"""Asked for after the last answer, whenever that was: nobody else asks."""


def signature(plan: Plan) -> str:
    """Digest of everything that may move; how often it was looked at is no part of it."""
    truth = replace(plan.truth, dispatch=None) if plan.truth else None  # the question itself is no answer to it
    moving = replace(plan, tick=0, last=None, studio=None, studios=(), truth=truth)
    try:
        return digest(msgpack.encode(moving), 16)
    except (ValueError, TypeError, OverflowError):  # bytes that are no text, numbers that are too large
        return digest(repr(moving), 16)


def counted(plan: Plan, given: Clue, now: str, span: tuple[float, float] = ALONE) -> tuple[Clue, LastAction]:
    """The clue as it is answered, and what is to be kept of it: the same one again counts, and may become a halt.

    It counts for who could have known it. A tick that had begun before the answer was there gets the same one, as if
    both had asked together. `span` is when this one was asked for, and when it is answered.
    """
    mark = signature(plan)
    last = plan.last
    repeats = 0
    if last is not None and last.name == given.action and last.progress == mark:
        repeats = last.repeats + (span[0] > last.answered)
    kept = LastAction(name=given.action, at=now, progress=mark, repeats=repeats, answered=span[1])
    if given.waits:
        return replace(given, payload={**given.payload, "repeats": repeats}), kept
    return (_halted(plan, given, repeats, now) if repeats >= MOST_REPEATS else given), kept


def _halted(plan: Plan, given: Clue, repeats: int, now: str) -> Clue:
    said = given.message.removesuffix("Then call haiku_run_next again.").rstrip()  # that alone moved nothing
    text = (
        f"{given.action} was given {repeats + 1} times and nothing moved. It said: {said} Tell the user what "
        "stands in the way; whatever changes the plan, or a word of the user, lets the work go on."
    )
    payload: dict[str, Any] = {"loop": "repeat", "halted_action": given.action, "repeats": repeats}
    return clue(looking(plan, now), "loop_halted", text, {**payload, "halted_payload": given.payload}, "person")
