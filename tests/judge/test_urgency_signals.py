"""Fired, queued or logged: whole sessions played with a rule that signals what the written text says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import ModuleType

import pytest

from leeboard.model.event import MessageSaid, ToolFinished, ToolProposed
from leeboard.model.outcome import Judged
from leeboard.model.policy import Policy
from leeboard.model.touch import Diffs
from leeboard.model.verdict import Action, Evidence, Finding, Signal
from leeboard.model.world import World
from leeboard.rule import Rule, read_rule
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario import Played, play
from leeboard.testing.scenario_lines import SESSION

MARK = re.compile(
    r"!(?P<subclass>[A-D]\d) (?P<cost>\d) (?P<stays>[\d.]+)(?: c(?P<confidence>[\d.]+))?(?P<fires> fires)?(?: p(?P<patience>\d))? (?P<name>\w+)"
)


def _found(path: str, line: int, match: re.Match[str], stage: str) -> Finding:
    signal = Signal(
        subclass=match["subclass"],
        rework_cost=int(match["cost"]),
        self_correct_prob=float(match["stays"]),
        stage=stage,  # type: ignore[arg-type]  # as above
        fires=bool(match["fires"]),
        symbol=match["name"],
        patience=int(match["patience"] or 0),
    )
    return Finding(
        rule="marked",
        subject=f"{path}:{match['name']}",
        evidence=(Evidence(f"{match['name']} is marked."),),
        confidence=float(match["confidence"] or 0.8),
        path=path,
        line=line,
        message=f"Take {match['name']} out of {path}:{line}.",
        signal=signal,
    )


def detect(event: ToolProposed | ToolFinished | MessageSaid, _world: World, diffs: Diffs) -> Iterator[Finding]:
    if isinstance(event, MessageSaid):
        yield from (_found("", 0, match, "PLAN") for match in MARK.finditer(event.text))
    for diff in diffs:
        for number, line in enumerate(diff.after.split("\n"), 1):
            for match in MARK.finditer(line):
                found = _found(diff.path, number, match, "DIFF")
                if diff.path and (isinstance(event, ToolFinished) or found.confidence > 0.85):
                    yield found


MODULE = ModuleType("leeboard.rules.marked")
MODULE.__dict__.update(detect=detect, RULE=Rule(summary="a mark", channel="signal", subclass="A1"), FIRES=(), SILENT=())
RULES = (read_rule(MODULE),)

START = ("@ build the shop", "read a.py", "read b.py", "read c.py")
"""Three turns: the grace period is over."""
NEXT = "read d.py"


def shop(*lines: str, policy: Policy | None = None) -> tuple[Played, dict[str, Judged]]:
    store = MemoryStore()
    played = play((*START, *lines), policy, store, RULES)
    return played, {judged.subject.rpartition(":")[2]: judged for judged in store.signals(SESSION)}


def said(played: Played) -> list[tuple[int, str]]:
    return [(verdict.turn, verdict.message.split("\n")[1]) for verdict in played.spoken()]


def test_nothing_is_said_where_nothing_is_found() -> None:
    """SW-167."""
    played, judged = shop("write e.py | fine", NEXT)
    assert (played.spoken(), judged, played.session.turns) == ([], {}, 5)
    assert played.session.interrupt_budget == 3


def test_a_signal_waits_one_full_turn_before_it_fires() -> None:
    """SW-133, SW-163, SW-144, SW-03: detected in turn 4, said at the end of turn 5."""
    played, judged = shop("write e.py | !A2 5 0.7 orm", NEXT)
    assert said(played) == [(5, "Take orm out of e.py:1.")]
    assert played.spoken()[0].event == "TurnEnded"
    assert (judged["orm"].state, judged["orm"].turn, judged["orm"].spoken_turn) == ("fired", 4, 5)
    assert (played.session.interrupt_budget, played.session.fired) == (2, 1)


def test_what_the_agent_corrects_itself_is_not_said() -> None:
    """SW-164."""
    played, judged = shop("write e.py | !A2 5 0.7 orm", "write e.py | fine", NEXT)
    assert played.spoken() == []
    assert (judged["orm"].state, judged["orm"].note) == ("self-corrected", "self-corrected")
    assert played.session.interrupt_budget == 3


def test_a_queued_signal_is_said_at_the_next_pause_and_costs_nothing() -> None:
    """SW-135, SW-142, SW-05."""
    played, judged = shop("write e.py | !A2 4 0.7 raw", NEXT, NEXT, NEXT)
    assert said(played) == [(5, "Take raw out of e.py:1.")]
    assert (judged["raw"].state, judged["raw"].urgency, judged["raw"].disposition) == ("delivered", "3.2", "QUEUE")
    assert (played.session.interrupt_budget, played.session.delivered) == (3, 1)


def test_a_patient_one_waits_for_what_was_begun() -> None:
    """Three turns more than any other; what is gone by then is not said."""
    turns = (NEXT,) * 6
    assert said(shop("write e.py | !A2 4 0.7 p3 raw", *turns)[0]) == [(8, "Take raw out of e.py:1.")]
    assert said(shop("write e.py | !A2 5 0.7 p3 orm", *turns)[0]) == [(8, "Take orm out of e.py:1.")]
    played, judged = shop("write e.py | !A2 4 0.7 p3 raw", NEXT, NEXT, "write e.py | fine", *turns)
    assert (played.spoken(), judged["raw"].state) == ([], "self-corrected")


def test_below_two_it_is_logged_alone() -> None:
    """SW-136, SW-06."""
    played, judged = shop("write e.py | !C1 1 0.7 again", NEXT)
    assert (played.spoken(), judged["again"].state, played.session.logged) == ([], "logged", 1)


def test_secrets_are_denied_at_once_whatever_the_budget() -> None:
    """SW-137, SW-146, SW-04: the denial spends budget and goes below zero."""
    lines = [f"write e{n}.py | !B1 2 0.9 c0.95 key{n}" for n in range(5)]
    played, judged = shop(*lines)
    assert [verdict.action for verdict in played.spoken()] == [Action.DENY] * 5
    assert played.session.interrupt_budget == -2
    assert {one.urgency for one in judged.values()} == {"B1-ESCALATE"}
    assert [one.state for one in judged.values()] == ["fired"] * 5


def test_one_denied_call_is_one_interrupt() -> None:
    played, judged = shop("write e.py | !B1 2 0.9 c0.95 one\n!B1 2 0.9 c0.95 two", "write e.py | !B1 2 0.9 c0.95 two")
    assert [verdict.action for verdict in played.spoken()] == [Action.DENY, Action.DENY]
    assert (played.session.interrupt_budget, set(judged)) == (1, {"one", "two"})


def test_a_denial_repeated_stands_and_is_spent_once() -> None:
    played, _ = shop("write e.py | !B1 2 0.9 c0.95 key", "write e.py | !B1 2 0.9 c0.95 key")
    assert [verdict.action for verdict in played.spoken()] == [Action.DENY, Action.DENY]
    assert played.session.interrupt_budget == 2


def test_what_waited_and_is_certain_by_now_fires_once() -> None:
    """SW-144: it costs budget, is on record as fired, and is not said a second time."""
    played, judged = shop("write e.py | !B1 2 0.9 c0.8 key", "write e.py | !B1 2 0.9 c0.95 key", NEXT, NEXT, NEXT)
    assert [verdict.action for verdict in played.spoken()] == [Action.DENY]
    assert (judged["key"].state, played.session.interrupt_budget) == ("fired", 2)


def test_a_refusal_is_on_record_though_the_same_was_said_before() -> None:
    """SW-144."""
    soft, hard = "write e.py | !B1 2 0.9 c0.8 key", "write e.py | !B1 2 0.9 c0.95 key"
    played, judged = shop(soft, NEXT, NEXT, hard)
    assert [verdict.action for verdict in played.spoken()] == [Action.INJECT, Action.DENY]
    assert (judged["key"].state, played.session.interrupt_budget) == ("fired", 2)


def test_a_refused_secret_is_no_drift() -> None:
    played, _ = shop("write far/away/e.py | !B1 2 0.9 c0.95 key")
    assert (played.session.halts, played.session.drifted, played.session.mode) == (0, 0, "NORMAL")


def test_under_observe_nothing_is_said_and_all_is_on_record() -> None:
    played, judged = shop("write e.py | !B1 2 0.9 c0.95 key", NEXT, policy=Policy(profile="observe"))
    assert played.spoken() == []
    assert judged["key"].state == "fired"
    assert played.session.interrupt_budget == 2


def test_no_other_rule_makes_the_budget_negative() -> None:
    """SW-134, SW-145, SW-147, SW-137: the fourth is queued, with the note."""
    lines: list[str] = []
    for number in range(5):
        lines += [f"write e{number}.py | !A2 5 0.7 orm{number}", NEXT, NEXT, NEXT]
    played, judged = shop(*lines)
    assert played.session.interrupt_budget == 0
    assert [judged[f"orm{n}"].state for n in range(4)] == ["fired", "fired", "fired", "delivered"]
    assert "Budget exhausted — 1 signals queued" in judged["orm3"].trace


def test_after_an_interrupt_two_turns_are_silent() -> None:
    """SW-165: what would fire meanwhile is queued."""
    played, judged = shop("write e.py | !A2 5 0.7 one", NEXT, "write f.py | !A2 5 0.7 two", NEXT, NEXT, NEXT)
    assert [turn for turn, _ in said(played)] == [5, 8]
    assert judged["two"].disposition == "QUEUE"
    assert any("cooldown" in line for line in judged["two"].trace)


def test_secrets_ignore_the_cooldown() -> None:
    """SW-166."""
    played, _ = shop("write e.py | !A2 5 0.7 one", NEXT, "write f.py | !B1 2 0.9 c0.95 key")
    assert [turn for turn, _ in said(played)] == [5, 6]


def test_the_queue_goes_by_urgency_and_one_at_a_time() -> None:
    """SW-148, SW-158: each evaluated alone, the highest first, the others not dropped."""
    text = "!D2 3 0.7 low\n!A2 4 0.8 high\n!A1 3 0.8 mid"
    played, judged = shop(f"write e.py | {text}", *[NEXT] * 9)
    assert [words.split()[1] for _, words in said(played)] == ["high", "mid", "low"]
    assert {one.state for one in judged.values()} == {"delivered"}


def test_with_a_secret_among_them_the_secret_goes_first() -> None:
    """SW-50, SW-159."""
    played, judged = shop("write e.py | !A2 5 1.0 orm\n!B1 2 0.9 c0.95 key", NEXT)
    assert [verdict.action for verdict in played.spoken()] == [Action.DENY]
    assert "key" in played.spoken()[0].message
    assert set(judged) == {"key"}, "what was denied was not written, so the rest has nothing to stand on"


@pytest.mark.parametrize("subclass", ["C2", "D2"])
def test_the_first_three_turns_are_free_of_c_and_d(subclass: str) -> None:
    """SW-160: logged and counted, not spoken."""
    store = MemoryStore()
    played = play(("@ build", f"write e.py | !{subclass} 3 0.8 early", NEXT, NEXT, NEXT), None, store, RULES)
    assert played.spoken() == []
    (judged,) = store.signals(SESSION)
    assert (judged.state, judged.disposition) == ("logged", "LOG")
    assert "grace" in judged.note


def test_class_a_has_no_grace() -> None:
    store = MemoryStore()
    played = play(("@ build", "write e.py | !A2 5 0.8 orm", NEXT), None, store, RULES)
    assert len(played.spoken()) == 1


def test_a_rule_may_fire_below_four_and_still_waits() -> None:
    """SW-121."""
    played, judged = shop("write e.py | !D2 3 0.5 fires third", NEXT)
    assert [turn for turn, _ in said(played)] == [5]
    assert (judged["third"].urgency, judged["third"].state) == ("3.0", "fired")


def test_at_most_three_queued_signals_are_said() -> None:
    """SW-142, SW-149: the rest stays queued, for the report."""
    lines: list[str] = []
    for number in range(5):
        lines += [f"write e{number}.py | !A2 4 0.7 raw{number}", NEXT, NEXT, NEXT]
    played, judged = shop(*lines)
    assert [judged[f"raw{n}"].state for n in range(5)] == ["delivered"] * 3 + ["waiting"] * 2
    assert played.session.delivered == 3


def test_a_signal_in_a_plan_waits_as_well() -> None:
    played, judged = shop("~ I'll !A2 4 0.7 layer", NEXT, NEXT)
    assert judged["layer"].urgency == "2.8"
    assert len(played.spoken()) == 1


def test_the_same_finding_is_judged_once() -> None:
    played, judged = shop("write e.py | !A2 4 0.7 raw", "edit e.py | raw => raw", *[NEXT] * 6)
    assert len(said(played)) == 1
    assert len(judged) == 1


def test_every_decision_keeps_its_trace() -> None:
    _, judged = shop("write e.py | !A2 5 0.7 orm", NEXT)
    assert judged["orm"].trace[0] == "orm is marked."
    assert "A2 DIFF: 5 x 0.8 = 4.0" in judged["orm"].trace


def test_what_was_put_back_is_found_anew() -> None:
    played, judged = shop("write e.py | !A2 5 0.7 orm", "write e.py | fine", NEXT, "write e.py | !A2 5 0.7 orm", NEXT)
    assert len(played.spoken()) == 1
    assert judged["orm"].state == "fired"


def test_what_was_only_logged_may_become_worth_saying() -> None:
    played, judged = shop("write e.py | !B3 1 0.5 hash", "write e.py | !B3 5 0.8 hash", NEXT)
    assert len(played.spoken()) == 1
    assert judged["hash"].disposition == "FIRE"
