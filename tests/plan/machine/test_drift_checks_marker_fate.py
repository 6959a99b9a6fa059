from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from leeboard.model.truth import Marker
from leeboard.model.unit import Feedback
from leeboard.plan.machine.drift_checks import fate, linked, stage_of
from tests.plan.plan_world import NOW
from tests.plan.truth_world import NEEDS, REQUIREMENTS, TruthWorld

SURFACED = Marker(
    path=REQUIREMENTS,
    created_at=NOW,
    created_by_assessment_id="AS-01",
    outcome="surface-as-feedback",
    baseline_sha_at_creation="a" * 64,
    linked_feedback_id="FB-01",
    feedback_stage="build",
)
REF = "revisit/design/1/abc"
REVISIT = replace(
    SURFACED,
    outcome="trigger-revisit",
    linked_feedback_id=None,
    feedback_stage=None,
    linked_revisit_target_stage="design",
    visit=1,
    revisit_ref=REF,
)


def item(**changes: Any) -> Feedback:
    return Feedback(**{"id": "FB-01", "stage": "build", "source_ref": "filed/1", **changes})


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ("pending", "holds"),
        ("fixing", "holds"),
        ("addressed", "holds"),
        ("answered", "holds"),
        ("closed", "ended"),
        ("rejected", "ended"),
    ],
)
def test_a_marker_ends_with_its_finding(status: Any, expected: str) -> None:
    """FD-52: closed or rejected, and nothing less."""
    world = TruthWorld()
    world.file(item(status=status))
    assert fate(world.look(), SURFACED) == expected


def test_without_its_finding_nobody_handles_it() -> None:
    world = TruthWorld()
    assert fate(world.look(), SURFACED) == "lost"
    world.file(item(stage="design", status="closed"))
    assert fate(world.look(), SURFACED) == "lost"


def test_a_finding_that_was_put_to_another_stage_goes_on_there() -> None:
    world = TruthWorld()
    world.file(item(status="closed", closed_by="moved to design"))
    assert fate(world.look(), SURFACED) == "ended"
    world.file(item(stage="design"))
    assert fate(world.look(), SURFACED) == "holds"
    world.file(item(stage="design", status="closed"))
    assert fate(world.look(), SURFACED) == "ended"


def test_the_finding_of_a_marker_that_does_not_say_where() -> None:
    world = TruthWorld()
    world.file(item(stage="", title="of the intent"))
    world.file(item(stage="design", title="of design"))
    old = replace(SURFACED, feedback_stage=None)
    found = [linked(world.look(), replace(old, path=path)) for path in (NEEDS, REQUIREMENTS, "stages/design/a")]
    assert [each.title if each else "" for each in found] == ["of the intent", "of the intent", "of design"]


def test_a_finding_with_another_number_is_known_by_what_it_is_about() -> None:
    world = TruthWorld()
    world.file(item(id="FB-07", source_ref=f"drift:{REQUIREMENTS}@{'a' * 64}"))
    found = linked(world.look(), SURFACED)
    assert found is not None
    assert found.id == "FB-07"


@pytest.mark.parametrize(
    ("visits", "status", "outcome", "asking", "expected"),
    [
        (1, "completed", "advanced", "pending", "holds"),
        (1, "completed", "advanced", "rejected", "lost"),
        (1, "completed", "advanced", "", "lost"),
        (2, "active", "", "fixing", "holds"),
        (2, "active", "", "rejected", "holds"),
        (2, "completed", "blocked", "closed", "holds"),
        (2, "completed", "advanced", "closed", "ended"),
        (3, "completed", "advanced", "", "ended"),
    ],
)
def test_a_marker_ends_with_the_later_visit(visits: int, status: Any, outcome: Any, asking: Any, expected: str) -> None:
    """A revisit that nobody goes on is told again, so that it can not be talked away."""
    world = TruthWorld()
    world.states["design"] = replace(world.states["design"], visits=visits, status=status, gate_outcome=outcome)
    if asking:
        world.file(item(stage="design", source_ref=REF, status=asking, resolution="stage_revisit"))
    assert fate(world.look(), REVISIT) == expected
    assert fate(world.look(), replace(REVISIT, linked_revisit_target_stage="gone")) == "lost"


@pytest.mark.parametrize(
    ("status", "outcome", "expected"), [("active", "", "holds"), ("completed", "advanced", "ended")]
)
def test_whoever_went_back_to_the_named_stage_handles_it(status: Any, outcome: Any, expected: str) -> None:
    """The request went to an earlier stage and was taken back; the named one was gone back to all the same."""
    world = TruthWorld()
    marker = replace(REVISIT, linked_revisit_target_stage="build")
    assert fate(world.look(), marker) == "lost"
    world.states["build"] = replace(world.states["build"], visits=2, status=status, gate_outcome=outcome)
    assert fate(world.look(), marker) == expected


@pytest.mark.parametrize(
    ("completed", "expected"), [("2026-02-01T10:00:00Z", "holds"), ("2026-04-01T10:00:00Z", "ended")]
)
def test_a_marker_of_an_earlier_tool_knows_no_visit(completed: str, expected: str) -> None:
    world = TruthWorld()
    world.states["design"] = replace(world.states["design"], completed_at=completed)
    assert fate(world.look(), replace(REVISIT, visit=0, revisit_ref="")) == expected


def test_whose_file_it_is() -> None:
    assert [stage_of(path) for path in (NEEDS, REQUIREMENTS, "stages")] == ["", "build", ""]
