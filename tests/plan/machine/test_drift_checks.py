"""FD-11 FD-22 FD-32 FD-33 FD-34: what is refused, and in which order."""

from __future__ import annotations

from typing import Any

import pytest

from leeboard.model.unit import Feedback
from leeboard.plan.effect import Refusal
from leeboard.plan.machine.drift_checks import AskedOutcome, linked_item
from tests.plan.plan_world import NOW
from tests.plan.truth_world import NEEDS, REQUIREMENTS, TruthWorld, asked, filing

SURFACE, REVISIT = "surface-as-feedback", "trigger-revisit"
OTHER = asked(NEEDS)
LONG = "\u00e9" * 6000


def drifted() -> TruthWorld:
    world = TruthWorld()
    assert world.gate() is None
    world.edit(NEEDS, "b")
    world.edit(REQUIREMENTS, "b")
    assert len(world.findings()) == 2
    return world


def refusal(found: object) -> Refusal:
    assert isinstance(found, Refusal), found
    assert found.message.endswith(found.details["next_step"])
    return found


def to(path: str, **changes: Any) -> AskedOutcome:
    return asked(path, REVISIT, **changes)


@pytest.mark.parametrize(
    ("asks", "changes", "code"),
    [
        ((OTHER,), {"agent_rationale": " ", "tick_id": "x"}, "empty_rationale"),
        ((OTHER,), {"agent_rationale": LONG, "tick_id": "x"}, "agent_rationale_too_long"),
        ((asked(NEEDS, rationale_excerpt=LONG),), {"tick_id": "x"}, "rationale_excerpt_too_long"),
        ((OTHER,), {"tick_id": "x"}, "tick_id_stale"),
        ((), {}, "classifications_count_mismatch"),
        ((OTHER,), {}, "classifications_count_mismatch"),
        ((OTHER, OTHER), {}, "classifications_count_mismatch"),
        ((OTHER, asked(REQUIREMENTS), asked("x")), {}, "classifications_count_mismatch"),
        ((asked("*"), asked("*")), {}, "classifications_count_mismatch"),
        ((OTHER, asked("x", "maybe")), {}, "path_unknown"),
        ((asked("*"), asked("x", "maybe")), {}, "path_unknown"),
        ((OTHER, asked(REQUIREMENTS, "maybe", rationale_excerpt="")), {}, "illegal_outcome"),
        ((OTHER, asked(REQUIREMENTS, "inline-fix", rationale_excerpt=" ")), {}, "empty_rationale"),
        ((OTHER, to(REQUIREMENTS, rationale_excerpt="")), {}, "empty_rationale"),
        ((OTHER, to(REQUIREMENTS)), {}, "revisit_target_invalid"),
        ((OTHER, to(REQUIREMENTS, linked_revisit_target_stage="")), {}, "revisit_target_invalid"),
        ((OTHER, to(REQUIREMENTS, linked_revisit_target_stage="moon")), {}, "revisit_target_invalid"),
        ((OTHER, to(REQUIREMENTS, linked_revisit_target_stage="ship")), {}, "revisit_target_invalid"),
        (
            (OTHER, asked(REQUIREMENTS, SURFACE)),
            {"feedback_creates": (filing(REQUIREMENTS, origin="user-chat"),)},
            "illegal_outcome",
        ),
        ((OTHER, asked(REQUIREMENTS, SURFACE)), {}, "missing_link"),
        ((OTHER, asked(REQUIREMENTS)), {"feedback_creates": (filing(REQUIREMENTS),)}, "missing_link"),
        ((OTHER, asked(REQUIREMENTS, SURFACE)), {"feedback_creates": (filing("x"),)}, "missing_link"),
        ((OTHER, asked(REQUIREMENTS, SURFACE)), {"feedback_creates": (filing(REQUIREMENTS),) * 2}, "missing_link"),
        ((OTHER, asked(REQUIREMENTS, SURFACE, linked_feedback_id="FB-09")), {}, "missing_link"),
        ((OTHER, asked(REQUIREMENTS, SURFACE, linked_feedback_id="FB-02")), {}, "missing_link"),
        (
            (OTHER, asked(REQUIREMENTS, SURFACE, linked_feedback_id="FB-01")),
            {"feedback_creates": (filing(REQUIREMENTS),)},
            "missing_link",
        ),
        (
            (OTHER, asked(REQUIREMENTS, SURFACE)),
            {"feedback_creates": (filing(REQUIREMENTS, title=""),)},
            "invalid_title",
        ),
        (
            (OTHER, asked(REQUIREMENTS, SURFACE)),
            {"feedback_creates": (filing(REQUIREMENTS, resolution="later"),)},
            "resolution_unknown",
        ),
    ],
)
def test_the_first_thing_that_does_not_fit_refuses_all(
    asks: tuple[AskedOutcome, ...], changes: dict[str, Any], code: str
) -> None:
    world = drifted()
    world.file(Feedback(id="FB-01", stage="build", triaged_at=NOW))
    world.file(Feedback(id="FB-02", stage="build", status="closed"))
    before = (dict(world.disk), list(world.log), world.dispatch)
    assert refusal(world.classify(*asks, **changes)).code == code
    assert (world.disk, world.log, world.dispatch) == before
    assert not world.markers
    assert not world.assessments


def test_a_stale_id_names_the_one_that_is_asked_for() -> None:
    world = drifted()
    assert world.dispatch is not None
    found = refusal(world.classify(OTHER, tick_id="x"))
    assert found.details["active_tick_id"] == world.dispatch.tick_id


def test_a_baseline_that_was_lost_meanwhile_is_not_written() -> None:
    world = drifted()
    world.standing["build"] = "altered"
    assert refusal(world.classify(asked("*"))).code == "baseline_corrupt"


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("FB-01", "of build"),
        ("FB-02", "open of the intent"),
        ("intent/FB-01", "of the intent"),
        ("design/FB-01", "of design"),
        ("FB-03", ""),
        ("moon/FB-01", ""),
    ],
)
def test_the_finding_that_is_meant(name: str, title: str) -> None:
    world = drifted()
    world.file(Feedback(id="FB-01", stage="build", title="of build"))
    world.file(Feedback(id="FB-01", stage="design", title="of design"))
    world.file(Feedback(id="FB-01", title="of the intent"))
    world.file(Feedback(id="FB-02", stage="build", status="closed", title="closed of build"))
    world.file(Feedback(id="FB-02", title="open of the intent"))
    found = linked_item(world.look(), REQUIREMENTS, name)
    assert (found.title if found else "") == title
