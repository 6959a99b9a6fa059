from __future__ import annotations

import pytest

from leeboard.model.studio import Template
from leeboard.model.unit import Feedback
from leeboard.plan.machine.look import NO_STAGE, committed, looking, named, one_of, promised_text
from leeboard.text.words import counted
from tests.plan.plan_world import NOW, PlanWorld, stage_spec


def world_of_three() -> PlanWorld:
    world = PlanWorld(stage_spec("design"), stage_spec("build"), stage_spec("ship"))
    for stage in ("", "design", "build", "ship"):
        world.file(Feedback(id="FB-01", stage=stage))
    world.enter("gate", "design", status="completed")
    return world


def test_a_look_ends_at_the_active_stage() -> None:
    """SH-03: nothing of later stages is seen."""
    look = looking(world_of_three().look(), NOW)
    assert [view.spec.name for view in look.reached] == ["design", "build"]
    assert [item.stage for item in look.open_feedback] == ["", "design", "build"]
    assert (look.next_stage, look.is_first) == ("ship", False)


def test_all_completed_is_no_stage() -> None:
    world = world_of_three()
    for stage in ("build", "ship"):
        world.enter("gate", stage, status="completed")
    look = looking(world.look(), NOW)
    assert look.stage is NO_STAGE
    assert look.next_stage == ""
    assert len(look.reached) == 3


@pytest.mark.parametrize(("count", "text"), [(0, ""), (2, "0, 1"), (3, "0, 1, 2"), (5, "0, 1, 2 and 2 more")])
def test_names_in_a_sentence_are_few(count: int, text: str) -> None:
    assert named([str(number) for number in range(count)], 3) == text


def test_one_is_told_as_one() -> None:
    assert [counted(number, "unit") for number in (0, 1, 2)] == ["0 units", "1 unit", "2 units"]
    assert (one_of(["design"]), one_of(("design", "build"))) == ("design", "one of design, build")


def test_commits_name_the_intent() -> None:
    assert committed(PlanWorld().look(), "begin").message == "haiku(login): begin"


@pytest.mark.parametrize(("git", "where"), [(True, "in its own work tree."), (False, "a unit writes it there.")])
def test_what_a_stage_has_to_bring_forth_is_said_with_its_place(git: bool, where: str) -> None:  # noqa: FBT001 - a case
    """Without git there are no work trees."""
    output = Template(name="API", kind="output", location="docs/{intent-slug}.md")
    text = promised_text(looking(PlanWorld(stage_spec(templates=(output,)), git=git).look(), NOW))
    assert "API at docs/login.md" in text
    assert text.endswith(where)
