"""What is done about an assessment now: deny it, say what waits, or keep it for a better moment."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from leeboard.judge.conclude import action_for, denies, due, enqueue, spoken, still_wanted, was_said
from leeboard.model.policy import Policy, Profile
from leeboard.model.session import WAITING_WINDOW, AgentState
from leeboard.model.verdict import Action, Assessment, Correction, Evidence, Finding, Level, Moment, type_of

STEP = Moment(kind="after_call", actions=(Action.ALLOW, Action.INJECT))
PAUSE = Moment(kind="batch_end", actions=(Action.ALLOW, Action.INJECT), pause=True)
BEFORE = Moment(kind="before_call", actions=(Action.ALLOW, Action.ASK, Action.DENY))
STOP = Moment(kind="stop", actions=(Action.ALLOW, Action.INJECT), pause=True)
STOP_BLOCKED = Moment(kind="stop", pause=True)
ADVISE = Policy()


def correction(path: str = "x.css", level: Level = "correct") -> Correction:
    text = f'<leeboard level="{level}" score="6/10">\n{path} is off\nGoal: g. Scope: s.\n</leeboard>'
    return Correction(id=path, agent="", turn=1, level=level, score=6, text=text, rules=("scope_drift",), paths=(path,))


def assessment(score: int, confidence: str = "high") -> Assessment:
    finding = Finding(rule="scope_drift", subject="x.css", evidence=(Evidence("e", score - 10),))
    return Assessment(
        score=score,
        type=type_of(score),
        level="correct",
        confidence="high" if confidence == "high" else "low",
        findings=(finding,),
    )


@pytest.mark.parametrize(
    ("profile", "score", "confidence", "refused"),
    [
        ("enforce", 4, "high", True),
        ("enforce", 1, "high", True),
        ("enforce", 5, "high", False),
        ("enforce", 4, "low", False),
        ("advise", 1, "high", False),
        ("observe", 1, "high", False),
    ],
)
def test_only_enforce_refuses_and_only_from_4_down(
    profile: Profile, score: int, confidence: str, *, refused: bool
) -> None:
    policy = Policy(profile=profile)
    assert denies(assessment(score, confidence), policy, named_few=False, forced_other=False) is refused


@pytest.mark.parametrize(("profile", "refused"), [("enforce", True), ("advise", True), ("observe", False)])
def test_the_named_few_are_refused_under_advise_too(profile: Profile, *, refused: bool) -> None:
    assert denies(assessment(9), Policy(profile=profile), named_few=True, forced_other=False) is refused


@pytest.mark.parametrize(("profile", "refused"), [("enforce", True), ("advise", False), ("observe", False)])
def test_in_forced_enforce_refuses_every_other_change(profile: Profile, *, refused: bool) -> None:
    assert denies(assessment(10), Policy(profile=profile), named_few=False, forced_other=True) is refused


def test_a_denial_needs_a_moment_that_can_deny() -> None:
    assert action_for(assessment(1), BEFORE, refused=True, made=True) is Action.DENY
    assert action_for(assessment(1), STEP, refused=True, made=True) is Action.QUEUE
    assert action_for(assessment(9), BEFORE, refused=False, made=False) is Action.LOG
    assert action_for(None, BEFORE, refused=False, made=False) is Action.ALLOW


def test_what_waits_is_said_once() -> None:
    agent = enqueue(AgentState(turn=1), correction())
    said = due(agent, STEP, ADVISE)
    assert said == correction()
    agent = spoken(agent, said)
    assert (agent.waiting, agent.spoken_turn, agent.corrected, agent.correction) == ((), 1, True, correction())
    assert due(agent, PAUSE, ADVISE) is None
    assert was_said(agent, correction())


def test_louder_than_before_is_not_the_same() -> None:
    agent = spoken(enqueue(AgentState(), correction()), correction())
    assert not was_said(agent, correction(level="intervene"))


def test_what_names_nothing_is_never_the_same_again() -> None:
    assert not was_said(AgentState(), replace(correction(), paths=()))


def test_nothing_waits_twice() -> None:
    agent = enqueue(enqueue(AgentState(), correction()), correction())
    assert len(agent.waiting) == 1


def test_what_waits_is_bounded() -> None:
    agent = AgentState()
    for number in range(WAITING_WINDOW * 2):
        agent = enqueue(agent, correction(f"{number}.css"))
    assert len(agent.waiting) == WAITING_WINDOW


def test_one_voice_a_turn_the_rest_waits_for_the_pause() -> None:
    agent = enqueue(AgentState(turn=3, spoken_turn=3), correction())
    assert due(agent, STEP, ADVISE) is None
    assert due(agent, PAUSE, ADVISE) == correction()
    assert due(replace(agent, turn=4), STEP, ADVISE) == correction()


def test_a_stop_is_held_up_only_by_what_is_louder_than_a_nudge() -> None:
    agent = enqueue(AgentState(), correction(level="nudge"))
    assert due(agent, STOP, ADVISE) is None
    louder = enqueue(agent, correction("y.css"))
    said = due(louder, STOP, ADVISE)
    assert said is not None
    assert said.paths == ("y.css",)
    assert [left.paths for left in spoken(louder, said).waiting] == [("x.css",)]


def test_a_client_that_kept_going_already_is_let_go() -> None:
    assert due(enqueue(AgentState(), correction()), STOP_BLOCKED, ADVISE) is None


def test_observe_says_nothing() -> None:
    assert due(enqueue(AgentState(), correction()), PAUSE, Policy(profile="observe")) is None


def test_a_moment_without_words_says_nothing() -> None:
    assert due(enqueue(AgentState(), correction()), BEFORE, ADVISE) is None


def test_what_the_human_asks_for_is_not_held_against_the_agent() -> None:
    agent = enqueue(enqueue(AgentState(), correction("src/styles/theme.css")), correction("src/b.py"))
    left = still_wanted(agent, ("src/styles/",)).waiting
    assert [waiting.paths for waiting in left] == [("src/b.py",)]
    assert still_wanted(agent, ()) is agent
