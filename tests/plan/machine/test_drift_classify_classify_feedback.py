from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from leeboard.model.unit import Feedback
from leeboard.plan.effect import NewFeedback, PlanStep
from tests.plan.plan_world import NOW
from tests.plan.truth_world import EARLIER, NEEDS, REQUIREMENTS, TruthWorld, asked, filing, sha

SURFACE = "surface-as-feedback"


def drifted(*paths: str) -> TruthWorld:
    world = TruthWorld()
    assert world.gate() is None
    for path in paths:
        world.edit(path, "b")
    assert set(world.findings()) == set(paths)
    return world


def filed(world: TruthWorld, *asks: Any, **changes: Any) -> list[NewFeedback]:
    step = world.classify(*asks, **changes)
    assert isinstance(step, PlanStep), step
    return [effect for effect in step.do if isinstance(effect, NewFeedback)]


def links(world: TruthWorld) -> dict[str, tuple[str | None, str | None]]:
    return {marker.path: (marker.feedback_stage, marker.linked_feedback_id) for marker in world.markers}


def test_a_finding_lies_with_the_changed_file_or_with_the_active_stage() -> None:
    """FD-29: numbered as the files are."""
    world = drifted(EARLIER, NEEDS, REQUIREMENTS)
    world.file(Feedback(id="FB-04", stage="build", status="closed"))
    world.file(Feedback(id="odd name", stage="build", status="closed"))
    paths = (EARLIER, NEEDS, REQUIREMENTS)
    found = filed(world, *(asked(path, SURFACE) for path in paths), feedback_creates=tuple(map(filing, paths)))
    assert [effect.stage for effect in found] == ["design", "build", "build"]
    assert links(world) == {EARLIER: ("design", "FB-01"), NEEDS: ("build", "FB-05"), REQUIREMENTS: ("build", "FB-06")}
    assert found[0].key == f"drift:{EARLIER}@{sha('b')}"
    assert found[0].fields["triaged_at"] == NOW


def test_an_open_finding_may_be_named_instead() -> None:
    """FD-32"""
    world = drifted(EARLIER, NEEDS)
    world.file(Feedback(id="FB-01", stage="build", triaged_at=NOW))
    assert filed(world, asked("*", SURFACE, linked_feedback_id="FB-01")) == []
    assert links(world) == {EARLIER: ("build", "FB-01"), NEEDS: ("build", "FB-01")}


def test_what_is_open_about_just_this_change_is_not_filed_again() -> None:
    world = drifted(REQUIREMENTS)
    known = Feedback(id="FB-01", stage="build", triaged_at=NOW, source_ref=f"drift:{REQUIREMENTS}@{sha('b')}")
    world.file(known)
    call = {"feedback_creates": (filing(REQUIREMENTS),)}
    assert filed(world, asked(REQUIREMENTS, SURFACE), **call) == []
    assert links(world) == {REQUIREMENTS: ("build", "FB-01")}
    assert world.assessments[-1].feedback_created == ()


@pytest.mark.parametrize(
    ("stage", "link"), [("design", ("design", "FB-01")), ("", ("", "FB-01")), ("ship", ("build", "FB-01"))]
)
def test_a_finding_about_this_change_counts_wherever_it_lies(stage: str, link: tuple[str, str]) -> None:
    """The active stage was another one then. Nobody comes to a stage that is not reached: there it is filed anew."""
    world = drifted(NEEDS)
    ref = f"drift:{NEEDS}@{sha('b')}"
    world.file(Feedback(id="FB-01", stage=stage, triaged_at=NOW, source_ref=ref))
    found = filed(world, asked(NEEDS, SURFACE), feedback_creates=(filing(NEEDS),))
    assert [effect.key for effect in found] == ([f"{ref}#AS-01"] if stage == "ship" else [])
    assert links(world) == {NEEDS: link}


def test_what_ended_about_just_this_change_is_filed_anew() -> None:
    """Hung on the old one, the marker would end at once and nobody would look."""
    world = drifted(REQUIREMENTS)
    ref = f"drift:{REQUIREMENTS}@{sha('b')}"
    world.file(Feedback(id="FB-01", stage="build", status="closed", source_ref=ref))
    (found,) = filed(world, asked(REQUIREMENTS, SURFACE), feedback_creates=(filing(REQUIREMENTS),))
    assert found.key == f"{ref}#AS-01"
    assert links(world) == {REQUIREMENTS: ("build", "FB-02")}
    assert world.findings() == {}
    world.feedback["build"]["FB-02"] = replace(world.feedback["build"]["FB-02"], status="closed")
    assert world.findings() == {}
    assert world.vouched(REQUIREMENTS) == sha("b")


def test_one_finding_for_all_others_lies_where_they_have_in_common() -> None:
    world = drifted(EARLIER, "stages/design/knowledge/a.md", NEEDS)
    dispatch = world.dispatch
    assert dispatch is not None
    (found,) = filed(world, asked(NEEDS), asked("*", SURFACE), feedback_creates=(filing("*"),))
    assert (found.stage, found.key) == ("design", f"drift:{dispatch.tick_id}")
    assert set(links(world).values()) == {("design", "FB-01")}


def test_a_word_for_all_others_where_there_are_none_files_nothing() -> None:
    world = drifted(NEEDS)
    assert filed(world, asked(NEEDS), asked("*")) == []
