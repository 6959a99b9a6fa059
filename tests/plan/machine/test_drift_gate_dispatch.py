from __future__ import annotations

import re
from typing import Any

import pytest

from leeboard.model.truth import OUTCOMES
from leeboard.plan.effect import Refusal
from leeboard.plan.machine.drift_gate import FITS
from tests.plan.plan_world import NOW
from tests.plan.truth_world import MOCKUP, NEEDS, REQUIREMENTS, TruthWorld, asked


def drifted(*paths: str) -> TruthWorld:
    world = TruthWorld()
    assert world.gate() is None
    for path in paths:
        world.edit(path, "b")
    return world


def told(world: TruthWorld) -> dict[str, Any]:
    clue = world.gate()
    assert clue is not None
    return clue.payload


def test_what_is_asked_for() -> None:
    """FD-08 FD-22: all four outcomes for every finding."""
    payload = told(drifted(NEEDS, MOCKUP))
    assert payload["intent_slug"] == "login"
    assert payload["mode"] == "continuous"
    assert re.fullmatch(rf"tick-login-2-{NOW}-[0-9a-f]{{6}}", payload["tick_id"])
    assert payload["legal_outcomes"] == {NEEDS: list(OUTCOMES), MOCKUP: list(OUTCOMES)}
    assert payload["revisit_targets"] == ["design", "build"]
    assert [found["finding_id"] for found in payload["findings"]] == ["DRF-01", "DRF-02"]
    assert payload["mass_change"] is False


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        ("ignore", "cosmetic or expected"),
        ("inline-fix", "into your current work at once"),
        ("surface-as-feedback", "fix loop"),
        ("trigger-revisit", "earlier stage"),
    ],
)
def test_the_instructions_say_when_each_outcome_fits(outcome: str, words: str) -> None:
    """FD-23"""
    payload = told(drifted(NEEDS))
    line = next(line for line in payload["instructions"].splitlines() if line.startswith(f"- {outcome}: "))
    assert words in line
    assert list(FITS) == list(OUTCOMES)
    assert payload["tick_id"] in payload["instructions"]
    assert "ship" not in payload["instructions"], "the agent is never told of later stages"


def test_the_id_stays_while_nothing_changes() -> None:
    world = drifted(NEEDS)
    first = told(world)["tick_id"]
    assert told(world)["tick_id"] == first
    world.edit(REQUIREMENTS, "b")
    second = told(world)["tick_id"]
    assert second != first
    world.edit(REQUIREMENTS, "c")
    assert told(world)["tick_id"] != second


def test_a_change_beneath_the_agents_own_write_is_pointed_at() -> None:
    world = drifted(NEEDS)
    world.write(NEEDS, "c")
    payload = told(world)
    assert f"You wrote {NEEDS} last" in payload["instructions"]
    assert [(found["author_class"], found["written_over"]) for found in payload["findings"]] == [("agent", True)]


def test_what_is_lost_is_said_to_be_so_and_has_an_id_of_its_own() -> None:
    world = drifted(NEEDS)
    first = told(world)["tick_id"]
    world.write(NEEDS, "a")
    payload = told(world)
    assert payload["tick_id"] != first
    assert f"overwritten in {NEEDS}" in payload["instructions"]
    assert "editor or the version control" in payload["instructions"]
    world.edit(NEEDS, "c")
    world.write(NEEDS, "a")
    refused = world.classify(asked("*"))
    assert isinstance(refused, Refusal)
    assert refused.code == "finding_changed"
    assert told(world)["tick_id"] != payload["tick_id"]


def test_many_changes_say_how_to_answer_at_once() -> None:
    payload = told(drifted(*(f"knowledge/{at}.md" for at in range(12))))
    assert payload["mass_change"] is True
    assert '"*"' in payload["instructions"]
    assert "ask the user" in payload["instructions"]
