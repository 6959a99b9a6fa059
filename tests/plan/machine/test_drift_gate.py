from __future__ import annotations

import pytest
from msgspec.structs import replace

from leeboard.model.truth import Standing, Truth
from leeboard.model.unit import Feedback
from leeboard.plan.effect import EstablishBaseline, LogBaseline, WriteDispatch
from leeboard.plan.machine.drift_gate import RESET_COMMAND, change_explained, obstacle
from leeboard.plan.machine.look import looking
from leeboard.plan.machine.table import BEFORE_TICK, advance
from tests.plan.plan_world import NOW
from tests.plan.truth_world import EARLIER, NEEDS, REQUIREMENTS, TruthWorld, asked, sha


def test_an_existing_tree_is_recorded_and_not_reported() -> None:
    """FD-13: of all stages, so that what is dropped into a later one is found when it is reached."""
    world = TruthWorld()
    world.edit(NEEDS, "a")
    world.edit(EARLIER, "a")
    assert world.gate() is None
    assert {scope: sorted(entries) for scope, entries in world.baselines.items()} == {
        "": [NEEDS],
        "design": [EARLIER],
        "build": [],
        "ship": [],
    }
    kinds = [(effect.scope, effect.entry_type) for effect in world.truth_effects if isinstance(effect, LogBaseline)]
    assert kinds == [(scope, "baseline_established") for scope in ("", "design", "build", "ship")]


def test_stages_that_were_not_looked_at_are_recorded_with_the_first() -> None:
    world = TruthWorld()
    world.truth = Truth(standing={"": "unestablished", "design": "established"})
    step = advance(world.look(), NOW)
    assert [each.scopes for each in step.do if isinstance(each, EstablishBaseline)] == [("", "build", "ship")]


@pytest.mark.parametrize("standing", ["missing", "corrupt", "altered"])
def test_a_baseline_that_is_not_to_be_believed_waits_for_a_person(standing: Standing) -> None:
    world = TruthWorld()
    assert world.gate() is None
    world.standing["build"] = standing
    world.edit(REQUIREMENTS, "b")
    clue = world.tick()
    assert clue is not None
    assert (clue.action, clue.is_error, clue.waits) == ("error", True, True)
    assert clue.payload["error"] == "baseline_corrupt"
    assert clue.payload["scopes"] == {"build": standing}
    assert f"`{RESET_COMMAND} login`" in clue.message
    assert LogBaseline(scope="build", entry_type="baseline_corruption_event", tick=1) in world.truth_effects
    assert world.baselines["build"] == {}, "nothing is taken over by itself"


def test_an_operators_word_lets_it_be_made_anew_unless_it_is_worn_down() -> None:
    world = TruthWorld()
    lost = Truth(standing={"": "established", "build": "missing"}, acks={"build": "a" * 64})
    world.truth = lost
    step = advance(world.look(), NOW)
    assert step.clue is None
    assert step.do[0] == EstablishBaseline(scopes=("build",), tick=0)
    world.truth = replace(lost, thrashing={"build": 4})
    step = advance(world.look(), NOW)
    assert step.clue is not None
    assert step.clue.payload["thrashing"] == ["build"]
    assert "again and again" in step.clue.message


def drifted() -> TruthWorld:
    world = TruthWorld()
    assert world.gate() is None
    world.edit(REQUIREMENTS, "b")
    return world


def test_changed_files_go_before_triage_and_all_other_work() -> None:
    """FD-05 FD-11 FD-12"""
    world = drifted()
    world.file(Feedback(id="FB-01", stage="build", title="Wrong"))
    for repeats in range(6):
        clue = world.tick()
        assert clue is not None
        assert (clue.action, clue.payload["repeats"]) == ("manual_change_assessment", repeats), "it never halts"
    world.classify(asked(REQUIREMENTS))
    clue = world.tick()
    assert clue is not None
    assert clue.action == "feedback_triage"


def test_the_dispatch_is_written_once_and_taken_away_when_nothing_is_left() -> None:
    world = drifted()
    step = advance(world.look(), NOW)
    assert [type(effect) for effect in step.do] == [WriteDispatch]
    world.perform(step.do)
    assert advance(world.look(), NOW).do == ()
    world.edit(REQUIREMENTS, "absent")
    found = change_explained(looking(world.look(), NOW))
    assert found is not None
    assert found.do == (WriteDispatch(dispatch=None),)


def test_what_was_shown_and_can_not_be_looked_at_now_waits_as_it_was_shown() -> None:
    """Whatever keeps us from it: the question stays, with its id."""
    world = drifted()
    shown = world.tick()
    assert shown is not None
    world.truth = replace(world.look().truth, divergences=(), unseen=(REQUIREMENTS,))
    again = world.tick()
    assert again is not None
    assert again.action == "manual_change_assessment"
    assert again.payload["findings"] == shown.payload["findings"]
    assert again.payload["tick_id"] == shown.payload["tick_id"]
    assert getattr(world.classify(asked(REQUIREMENTS)), "code", "") == "finding_changed", "nobody saw what it is now"


def test_everything_that_is_known_is_put_down_with_the_question() -> None:
    world = drifted()
    world.write(NEEDS, "c")
    assert world.findings() == {REQUIREMENTS: sha("b")}
    assert world.vouched(NEEDS) == sha("c")


def test_switched_off_it_does_nothing() -> None:
    """FD-54: nobody looked."""
    look = looking(replace(drifted().look(), truth=None), NOW)
    assert [row.when(look) for row in BEFORE_TICK] == [None] * len(BEFORE_TICK)


def test_what_tracked_files_keep_all_other_work_from() -> None:
    world = drifted()
    assert REQUIREMENTS in obstacle(world.look())
    assert obstacle(replace(world.look(), truth=None)) == "", "nobody looked"
    git = replace(world.look().git, available=True, branch="another", hub="haiku/login/main")
    assert obstacle(replace(world.look(), git=git)) == "", "these are the files of another branch"
    lost = Truth(standing={"build": "missing"}, thrashing={"build": 4})
    assert "after 4 more ticks" in obstacle(replace(world.look(), truth=lost))
    accepted = Truth(standing={"build": "missing"}, acks={"build": "a" * 64})
    assert obstacle(replace(world.look(), truth=accepted)) == "", "the next tick takes it"
