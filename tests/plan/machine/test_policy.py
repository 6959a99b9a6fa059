from __future__ import annotations

from typing import Any

import pytest

from leeboard.model.plan import GitFacts
from leeboard.model.unit import Ruling
from leeboard.plan.machine.look import looking
from leeboard.plan.machine.policy import changes_filed, changes_item, kinds, last_ruling, offered, ruled, spec_context
from tests.plan.plan_world import NOW, PlanWorld, stage_spec, work_unit


@pytest.mark.parametrize(
    ("review", "git", "expected"),
    [
        (("auto",), True, ("auto",)),
        ((), True, ("auto",)),
        (("ask",), True, ("ask",)),
        (("auto", "ask"), True, ("ask",)),
        (("external",), True, ("external",)),
        (("external",), False, ("ask",)),
        (("external", "ask"), True, ("external", "ask")),
        (("external", "ask"), False, ("ask",)),
        (("await",), False, ("await",)),
        (("external", "await"), False, ("await",)),
    ],
)
def test_what_guards_a_stage(review: tuple[Any, ...], git: bool, expected: tuple[str, ...]) -> None:  # noqa: FBT001 - a parameter
    """SH-36 SH-41: without git an external review falls back to asking."""
    world = PlanWorld(stage_spec(review=review))
    assert kinds(world.view("build"), GitFacts(available=git)) == expected


@pytest.mark.parametrize(
    ("review", "phase", "expected"),
    [
        (("ask",), "gate", ("approved", "changes_requested")),
        (("external",), "gate", ("changes_requested", "external_review")),
        (("external", "ask"), "gate", ("approved", "changes_requested", "external_review")),
        (("await",), "gate", ("approved", "changes_requested")),
        (("external", "ask"), "elaborate", ("approved", "changes_requested")),
    ],
)
def test_what_may_be_decided(review: tuple[Any, ...], phase: str, expected: tuple[str, ...]) -> None:
    """SH-41 SH-48"""
    world = PlanWorld(stage_spec(review=review))
    world.enter(phase)
    assert offered(looking(world.look(), NOW)) == expected


def test_a_ruling_counts_in_its_visit_and_its_context() -> None:
    """SH-49: an earlier decision decides nothing now."""
    world = PlanWorld()
    world.enter("gate", visits=2)
    world.rulings["build"] = [
        Ruling(decision="approved", visit=1),
        Ruling(decision="approved", visit=2, context="elaborate_to_execute"),
    ]
    assert last_ruling(looking(world.look(), NOW)) is None
    world.rulings["build"].append(Ruling(decision="external_review", visit=2))
    assert ruled(looking(world.look(), NOW), "external_review")
    world.rulings["build"].append(Ruling(decision="approved", visit=2))
    assert not ruled(looking(world.look(), NOW), "external_review")


def test_the_first_plan_is_the_review_of_the_intent() -> None:
    world = PlanWorld(stage_spec(), stage_spec("ship"))
    assert spec_context(looking(world.look(), NOW)) == "intent_review"
    world.enter("gate", status="completed")
    assert spec_context(looking(world.look(), NOW)) == "elaborate_to_execute"


@pytest.mark.parametrize(("phase", "context"), [("elaborate", "intent_review"), ("gate", "stage_gate")])
def test_a_request_for_changes_becomes_one_finding_of_a_person(phase: str, context: str) -> None:
    """SH-48: it is filed once, however often it is looked at."""
    world = PlanWorld()
    world.enter(phase)
    world.plan_units(work_unit())
    words = "Name it otherwise\nand shorter"
    world.rulings["build"] = [Ruling(decision="changes_requested", feedback=words, by="ann", visit=1, context=context)]
    filed = changes_filed(looking(world.look(), NOW))
    assert filed is not None
    assert (filed.title, filed.body, filed.author) == ("Name it otherwise", words, "ann")
    world.apply(filed)
    assert changes_filed(looking(world.look(), NOW)) is None
    item = changes_item(looking(world.look(), NOW))
    assert item is not None
    assert item.is_human
    assert bool(item.triaged_at) == (phase == "elaborate")
