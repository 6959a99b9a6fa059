from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from leeboard.model.plan import Iteration
from leeboard.model.truth import ABSENT
from leeboard.plan.effect import (
    Commit,
    NewFeedback,
    PlanStep,
    RecordAssessment,
    Refusal,
    WriteBaseline,
    WriteDispatch,
    WriteMarkers,
)
from leeboard.plan.machine.drift_classify import AskedOutcome, FeedbackCreate, RepeatedCall
from tests.plan.plan_world import NOW
from tests.plan.truth_world import EARLIER, MOCKUP, NEEDS, REQUIREMENTS, TruthWorld, asked, filing, sha


def drifted(**contents: str) -> TruthWorld:
    """Files that were acknowledged as `a` and changed since."""
    world = TruthWorld()
    names = {"needs": NEEDS, "requirements": REQUIREMENTS, "mockup": MOCKUP, "sketch": EARLIER}
    for path in names.values():
        world.edit(path, "a")
    assert world.gate() is None
    for name, content in contents.items():
        world.edit(names[name], content)
    assert set(world.findings()) == {names[name] for name in contents}
    return world


def answer(found: PlanStep | Refusal | RepeatedCall) -> dict[str, Any]:
    assert isinstance(found, PlanStep), found
    assert found.clue is not None
    return found.clue.payload


@pytest.mark.parametrize("outcome", ["ignore", "inline-fix"])
@pytest.mark.parametrize("content", ["b", ABSENT])
def test_what_is_accepted_moves_the_baseline_and_does_not_come_back(outcome: str, content: str) -> None:
    """FD-12 FD-24 FD-25 FD-26"""
    world = drifted(requirements=content)
    payload = answer(world.classify(asked(REQUIREMENTS, outcome)))
    assert payload["ok"] is True
    assert (payload["baselines_updated"], payload["pending_markers_created"]) == (1, 0)
    assert payload["next_tick_will"] == "resume_per_state_dispatch"
    assert world.vouched(REQUIREMENTS) == sha(content)
    assert world.feedback["build"] == {}
    assert world.markers == []
    assert world.findings() == {}


def test_whoever_made_the_change_stays_named() -> None:
    """FD-40 FD-47"""
    world = drifted()
    world.write(REQUIREMENTS, "b", "human_write")
    world.edit(NEEDS, "b")
    world.findings()
    answer(world.classify(asked("*")))
    entries = {path: entry for known in world.baselines.values() for path, entry in known.items()}
    found = {path: (entries[path].author_class, entries[path].acknowledged_via) for path in (REQUIREMENTS, NEEDS)}
    assert found == {
        REQUIREMENTS: ("human-via-mcp", "classification-terminal"),
        NEEDS: ("human-implicit", "classification-terminal"),
    }


@pytest.mark.parametrize(
    ("phase", "following"),
    [("execute", "resume_per_state_dispatch"), ("review", "dispatch_review_fix_for_FB-01")],
)
def test_what_is_surfaced_gets_a_finding_and_a_marker_and_leaves_the_baseline(phase: str, following: str) -> None:
    """FD-27 FD-28 FD-29"""
    world = drifted(requirements="b")
    world.enter(phase)
    before = dict(world.baselines["build"])
    payload = answer(
        world.classify(asked(REQUIREMENTS, "surface-as-feedback"), feedback_creates=(filing(REQUIREMENTS),))
    )
    assert payload["feedback_created"] == ["FB-01"]
    assert (payload["next_tick_will"], payload["assessment_file"]) == (following, "DA-01.json")
    assert world.baselines["build"] == before
    item = world.feedback["build"]["FB-01"]
    assert (item.origin, item.triaged_at, item.source_ref) == ("agent", NOW, f"drift:{REQUIREMENTS}@{sha('b')}")
    (marker,) = world.markers
    assert (marker.path, marker.sha, marker.linked_feedback_id) == (REQUIREMENTS, sha("b"), "FB-01")
    assert (marker.created_by_assessment_id, marker.feedback_stage) == ("AS-01", "build")


@pytest.mark.parametrize("target", ["design", "build"])
def test_a_revisit_goes_to_the_stage_that_is_named(target: str) -> None:
    """FD-30 FD-31 FD-34: earlier or the active one."""
    world = drifted(sketch="b")
    payload = answer(world.classify(asked(EARLIER, "trigger-revisit", linked_revisit_target_stage=target)))
    assert payload["next_tick_will"] == f"dispatch_revisit_to_{target}"
    assert world.assessments[-1].revisit_invoked_at == NOW
    (marker,) = world.markers
    assert (marker.outcome, marker.linked_revisit_target_stage, marker.visit) == ("trigger-revisit", target, 1)
    assert world.vouched(EARLIER) == sha("a")
    clue = world.tick()
    assert clue is not None
    assert (clue.action, clue.payload["target_stage"]) == ("revisited", target)
    assert world.findings() == {}
    world.enter("gate", target, status="completed", gate_outcome="advanced", visits=2)
    assert world.findings() == {}
    assert world.vouched(EARLIER) == sha("b")
    assert [each.is_open for each in world.markers] == [False]


def test_several_targets_are_one_revisit_of_the_earliest() -> None:
    world = drifted(sketch="b", needs="b")
    given = {EARLIER: "build", NEEDS: "design"}
    asks = [asked(path, "trigger-revisit", linked_revisit_target_stage=stage) for path, stage in given.items()]
    step = world.classify(*asks)
    assert answer(step)["next_tick_will"] == "dispatch_revisit_to_design"
    assert isinstance(step, PlanStep)
    filed = [effect for effect in step.do if isinstance(effect, NewFeedback)]
    assert [(effect.stage, effect.fields["resolution"]) for effect in filed] == [("design", "stage_revisit")]
    assert {marker.path: marker.linked_revisit_target_stage for marker in world.markers} == given


def test_a_revisit_may_be_asked_for_before_the_next_stage_has_begun() -> None:
    world = drifted()
    world.enter("gate", "build", status="completed", gate_outcome="advanced")
    world.edit(REQUIREMENTS, "b")
    assert world.findings()
    answer(world.classify(asked(REQUIREMENTS, "trigger-revisit", linked_revisit_target_stage="build")))
    clue = world.tick()
    assert clue is not None
    assert clue.action == "revisited"


def test_a_revisit_that_is_refused_refuses_everything() -> None:
    world = drifted(sketch="b", needs="b")
    often = tuple(Iteration(index=at, trigger="feedback") for at in (1, 2))
    world.states["design"] = replace(world.states["design"], iterations=often)
    found = world.classify(asked(NEEDS), asked(EARLIER, "trigger-revisit", linked_revisit_target_stage="design"))
    assert isinstance(found, Refusal)
    assert found.code == "iteration_limit"
    assert world.vouched(NEEDS) == sha("a")
    assert world.dispatch is not None


def test_a_revisit_that_is_talked_away_brings_the_change_back() -> None:
    world = drifted(sketch="b")
    answer(world.classify(asked(EARLIER, "trigger-revisit", linked_revisit_target_stage="design")))
    item = world.feedback["design"]["FB-01"]
    world.feedback["design"]["FB-01"] = replace(item, status="rejected")
    assert world.findings() == {EARLIER: sha("b")}


def test_all_of_it_is_one_step_in_an_order_that_can_be_done_again() -> None:
    """FD-55"""
    world = drifted(requirements="b", needs="c", sketch=ABSENT)
    step = world.classify(
        asked(REQUIREMENTS, "surface-as-feedback"),
        asked(NEEDS, "trigger-revisit", linked_revisit_target_stage="design"),
        asked(EARLIER),
        feedback_creates=(filing(REQUIREMENTS),),
    )
    assert isinstance(step, PlanStep)
    kinds = [type(effect) for effect in step.do]
    assert list(dict.fromkeys(kinds)) == [
        NewFeedback,
        RecordAssessment,
        WriteBaseline,
        WriteMarkers,
        WriteDispatch,
        Commit,
    ]
    assert kinds.index(WriteMarkers) < len(kinds) - 1 - kinds[::-1].index(NewFeedback) < kinds.index(WriteDispatch)
    (record,) = (effect for effect in step.do if isinstance(effect, RecordAssessment))
    assert (record.stage, record.number, record.assessment.id) == ("build", 1, "AS-01")
    made = record.assessment
    assert made.resulting_sha is None
    assert made.mode == "continuous"
    assert {each.path: each.outcome for each in made.classifications} == {
        NEEDS: "trigger-revisit",
        EARLIER: "ignore",
        REQUIREMENTS: "surface-as-feedback",
    }
    assert world.dispatch is None


def test_the_first_digest_that_is_left_is_kept_where_all_was_accepted() -> None:
    world = drifted(sketch=ABSENT, requirements="b")
    answer(world.classify(asked("*")))
    assert world.assessments[-1].resulting_sha == sha("b")


def test_the_same_call_again_has_the_same_answer_and_does_nothing() -> None:
    world = drifted(requirements="b", needs="b")
    dispatch = world.dispatch
    assert dispatch is not None
    asks = (asked(REQUIREMENTS, "surface-as-feedback"), asked("*"))
    call = {"tick_id": dispatch.tick_id, "feedback_creates": (filing(REQUIREMENTS),)}
    first = answer(world.classify(*asks, **call))
    again = world.classify(*asks, **call)
    assert isinstance(again, RepeatedCall)
    assert again.clue.payload == first
    other = world.classify(asked("*"), tick_id=dispatch.tick_id)
    assert isinstance(other, Refusal)
    assert (other.code, other.details["active_tick_id"]) == ("tick_id_stale", None)


def test_what_changed_since_it_was_shown_is_not_classified_unseen() -> None:
    world = drifted(requirements="b")
    for content in ("c", "a", ABSENT):
        world.edit(REQUIREMENTS, content)
        found = world.classify(asked(REQUIREMENTS))
        assert isinstance(found, Refusal)
        assert (found.code, found.details["paths"]) == ("finding_changed", [REQUIREMENTS])
    world.edit(REQUIREMENTS, "b")
    world.edit(NEEDS, "b")
    answer(world.classify(asked(REQUIREMENTS)))
    assert world.findings() == {NEEDS: sha("b")}, "what came since is asked about by itself"


def test_one_call_speaks_for_many() -> None:
    world = drifted()
    paths = [f"knowledge/{at:03}.md" for at in range(300)]
    for path in paths:
        world.edit(path, "b")
    assert set(world.findings()) == set(paths)
    many = asked("*", "surface-as-feedback")
    payload = answer(world.classify(asked(paths[0]), many, feedback_creates=(filing("*"),)))
    assert (payload["baselines_updated"], payload["pending_markers_created"]) == (1, 299)
    assert payload["feedback_created"] == ["FB-01"]
    assert world.findings() == {}


def test_switched_off_there_is_nothing_to_classify() -> None:
    world = drifted(requirements="b")
    plan = replace(world.look(), truth=None)
    world.look = lambda: plan  # type: ignore[method-assign]  # the project switched it off meanwhile
    found = world.classify(asked(REQUIREMENTS))
    assert isinstance(found, Refusal)
    assert found.code == "tick_id_stale"


def test_an_archived_intent_is_left_alone() -> None:
    world = drifted(requirements="b")
    world.intent = replace(world.intent, archived=True)
    found = world.classify(AskedOutcome(path=REQUIREMENTS, outcome="ignore"), feedback_creates=())
    assert isinstance(found, Refusal)
    assert found.code == "intent_archived"
    assert FeedbackCreate(for_classification_path="a", title="t", body="b").origin == "agent"


def test_what_a_person_files_is_theirs() -> None:
    """As with a finding they file by hand: it waits for triage, and an agent does not close it."""
    world = drifted(requirements="b")
    outcome = asked(REQUIREMENTS, "surface-as-feedback")
    payload = answer(world.classify(outcome, feedback_creates=(filing(REQUIREMENTS),), person="user"))
    (item,) = world.feedback["build"].values()
    assert (item.author, item.origin, item.is_human, item.triaged_at) == ("user", "user-chat", True, "")
    assert payload["next_tick_will"] == "resume_per_state_dispatch"
    assert world.findings() == {}, "its marker holds"


def test_a_persons_word_is_filed_beside_an_agents() -> None:
    world = drifted(requirements="b")
    outcome = asked(REQUIREMENTS, "surface-as-feedback")
    answer(world.classify(outcome, feedback_creates=(filing(REQUIREMENTS),)))
    world.edit(REQUIREMENTS, "c")
    world.findings()
    world.edit(REQUIREMENTS, "b")
    assert set(world.findings()) == {REQUIREMENTS}
    answer(world.classify(outcome, feedback_creates=(filing(REQUIREMENTS, title="Mine"),), person="user"))
    assert [item.is_human for item in world.feedback["build"].values()] == [False, True]


def test_a_revisit_that_a_person_asks_for_is_theirs_and_its_marker_knows_it() -> None:
    """Also where they asked for the same one before: their words are changed, and it stays one request."""
    world = drifted(requirements="b")
    outcome = asked(REQUIREMENTS, "trigger-revisit", linked_revisit_target_stage="design")
    answer(world.classify(outcome, person="user"))
    (item,) = world.feedback["design"].values()
    assert (item.origin, world.markers[-1].revisit_ref) == ("user-revisit", item.source_ref)
    world.edit(NEEDS, "b")
    assert set(world.findings()) == {NEEDS}
    answer(world.classify(asked(NEEDS, "trigger-revisit", linked_revisit_target_stage="design"), person="user"))
    assert len(world.feedback["design"]) == 1
    assert {marker.revisit_ref for marker in world.markers} == {item.source_ref}


@pytest.mark.parametrize(
    ("outcome", "person", "fixed_by"),
    [("inline-fix", "user", "user"), ("inline-fix", "", None), ("ignore", "user", None)],
)
def test_the_log_knows_what_a_person_took_in_as_a_fix(outcome: str, person: str, fixed_by: str | None) -> None:
    world = drifted(requirements="b")
    step = world.decided(asked(REQUIREMENTS, outcome), person=person)
    assert isinstance(step, PlanStep)
    lines = [line for effect in step.do if isinstance(effect, WriteBaseline) for line in effect.log]
    assert [(line.path, line.sha, line.fixed_by) for line in lines] == [(REQUIREMENTS, sha("b"), fixed_by)]
    (record,) = (effect for effect in step.do if isinstance(effect, RecordAssessment))
    assert record.assessment.confirmed_by_user is bool(person)
