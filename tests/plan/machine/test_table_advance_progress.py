from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from leeboard.model.plan import LastAction
from leeboard.plan.machine.table import MOST_REPEATS, counted, signature
from tests.plan.plan_world import NOW, PlanWorld, stage_spec, work_unit


def working() -> PlanWorld:
    world = PlanWorld()
    world.enter("execute")
    world.plan_units(work_unit(status="active", hat="builder", bolt=1, criteria=(("it is", False),)))
    return world


def actions(world: PlanWorld, count: int) -> list[str]:
    return [clue.action for _ in range(count) if (clue := world.tick())]


def test_work_without_progress_halts_with_a_reason() -> None:
    world = working()
    assert actions(world, 1 + MOST_REPEATS) == ["continue_unit"] * MOST_REPEATS + ["loop_halted"]
    clue = world.tick()
    assert clue is not None
    assert (clue.action, clue.waits, clue.payload["repeats"]) == ("loop_halted", True, MOST_REPEATS + 1)
    assert clue.payload["halted_action"] == "continue_unit"
    assert "unit-01-part" in clue.message


@pytest.mark.parametrize(
    "moves",
    [
        lambda world: world.say(),
        lambda world: world.work("unit-01-part"),
        lambda world: world.plan_units(replace(world.units["build"]["unit-01-part"], criteria=(("it is", True),))),
    ],
)
def test_whatever_moves_lets_the_work_go_on(moves: Any) -> None:
    world = working()
    actions(world, 6)
    moves(world)
    assert actions(world, 1) == ["continue_unit"]


def test_waiting_never_halts() -> None:
    """SH-45: it carries a count instead."""
    world = PlanWorld(stage_spec(elaboration="collaborative"))
    world.enter("elaborate")
    answers = [world.tick() for _ in range(12)]
    assert [clue.payload["repeats"] for clue in answers if clue] == list(range(12))
    assert {clue.action for clue in answers if clue} == {"elaborate"}


def test_looking_is_no_progress() -> None:
    plan = working().look()
    seen = replace(plan, tick=9, last=LastAction(name="elaborate"), studios=())
    assert signature(plan) == signature(seen)
    assert signature(plan) != signature(replace(plan, user_turns=1))
    assert signature(replace(plan, tampered=("\ud800",)))


def test_who_asked_before_the_answer_was_there_does_not_repeat() -> None:
    """Eight ticks that began together are one question; each that begins later counts."""
    world = working()
    clue = world.tick()
    assert clue is not None
    plan, last = world.look(), None
    for moment in range(8):
        told, last = counted(replace(plan, last=last), clue, NOW, (5.0 - moment / 10, 5.0 + moment / 10))
        assert (told.action, last.repeats) == ("continue_unit", 0)
    seen = []
    for moment in range(10, 13):
        told, last = counted(replace(plan, last=last), clue, NOW, (moment, moment + 0.5))
        seen.append(told.action)
    assert seen == ["continue_unit"] * 2 + ["loop_halted"]


def test_the_same_question_stands_since_it_was_asked_first() -> None:
    """Who rings for it rings once, however often the agent asks."""
    world = working()
    clue = world.tick()
    assert clue is not None
    plan = world.look()
    _, first = counted(plan, clue, "2026-01-01T00:00:00Z")
    _, again = counted(replace(plan, last=first), clue, "2026-01-01T00:00:07Z")
    assert again.at == first.at
    _, moved = counted(replace(plan, last=again, user_turns=1), clue, "2026-01-01T00:00:09Z")
    assert moved.at == "2026-01-01T00:00:09Z"


@pytest.mark.parametrize("odd", ["\udcff", 1 << 80, float("nan"), {1: "a"}], ids=repr)
def test_whatever_a_file_holds_tells_one_plan_from_the_next(odd: object) -> None:
    """Bytes that are no text, and values that no other format takes, come in with a state's further keys."""
    plan = working().look()
    stage = plan.stages[0]

    def holding(**extra: object) -> str:
        held = replace(stage, state=replace(stage.state, extra=extra))
        return signature(replace(plan, stages=(held, *plan.stages[1:])))

    assert holding(odd=odd) == holding(odd=odd)
    assert len({holding(), holding(odd=odd), holding(odd=[odd]), holding(odd="other")}) == 4
