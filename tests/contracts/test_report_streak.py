"""Persistence: what counts, what ends it, and when a pit stop is due."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from leeboard.contracts.report import LEAST_SECONDS, StreakStep, TreeCheck, advance, is_stuck, stopped
from leeboard.model.contract import Contract
from leeboard.model.task import Drifted, DriftReport, Score, TaskState

CORE = Contract(pit_stop_after=3)


def check(score: Score, tree: str, now: float = 1_000.0, kinds: tuple[str, ...] = ("scope_drift",)) -> TreeCheck:
    found = () if score == "green" else tuple(Drifted(kind=kind, severity="warn", summary="") for kind in kinds)
    report = DriftReport(
        task_id="t", task_title="", git_root="/r", score=score, contract=None, telemetry={}, findings=found
    )
    return TreeCheck(report=report, tree=tree, now=now, stamp="2026-01-01T00:00:00Z")


def run(*checks: TreeCheck, contract: Contract = CORE, state: TaskState | None = None) -> list[StreakStep]:
    steps: list[StreakStep] = []
    for one in checks:
        steps.append(advance(steps[-1].state if steps else state or TaskState(), one, contract))
    return steps


def test_the_streak_counts_to_the_pit_stop_and_green_ends_it() -> None:
    """SP-18, SP-29, SP-30, SP-43: yellow and red both count, and the kinds may differ."""
    steps = run(
        check("yellow", "a"), check("red", "b"), check("yellow", "c", kinds=("churn_loc",)), check("green", "d")
    )
    assert [step.state.streak for step in steps] == [1, 2, 3, 0]
    assert [step.pit_stop_due for step in steps] == [False, False, True, False]
    assert (steps[2].state.score, steps[2].state.kinds) == ("yellow", ("churn_loc",))


def test_looks_at_one_dirty_tree_are_one_look() -> None:
    """SP-32."""
    steps = run(*(check("yellow", "a", 1_000.0 + second) for second in range(20)))
    assert [step.state.streak for step in steps] == [1] * 20
    assert not any(step.pit_stop_due for step in steps)


def test_time_counts_too() -> None:
    """Staying off course is a drift that goes on, though nothing moves."""
    steps = run(*(check("yellow", "a", 1_000.0 + LEAST_SECONDS * times) for times in range(3)))
    assert [step.state.streak for step in steps] == [1, 2, 3]


def test_a_clock_that_goes_backwards_neither_counts_nor_stops_the_count_for_good() -> None:
    steps = run(check("yellow", "a", 9_000.0), check("yellow", "a", 10.0), check("yellow", "a", 11.0 + LEAST_SECONDS))
    assert [step.state.streak for step in steps] == [1, 1, 2]


def test_the_same_tree_counts_when_it_only_now_drifts() -> None:
    """A narrowed contract makes a drift of what was none."""
    assert [step.state.streak for step in run(check("green", "a"), check("yellow", "a"))] == [0, 1]


def test_a_pit_stop_is_made_once_and_again_after_a_recovery() -> None:
    """SP-31."""
    due = run(check("yellow", "a"), check("yellow", "b"), check("yellow", "c"))[-1]
    made = stopped(due.state)
    later = run(check("yellow", "d"), state=made)[-1]
    assert not later.pit_stop_due
    again = run(check("green", "e"), *(check("yellow", tree) for tree in "fgh"), state=later.state)
    assert [step.pit_stop_due for step in again] == [False, False, False, True]
    assert (made.pit_stops, again[-1].state.pit_stop_created) == (1, False)


@pytest.mark.parametrize(
    "contract",
    [
        Contract(pit_stop_after=0),
        Contract(auto_followups=False),
        *(Contract(mode=m) for m in ("harden", "perf", "explore")),
    ],
)
def test_who_never_gets_one(contract: Contract) -> None:
    """SP-19, SP-43: core only; zero switches it off."""
    steps = run(*(check("yellow", str(number)) for number in range(9)), contract=contract)
    assert not any(step.pit_stop_due for step in steps)


def test_twice_as_long_is_stuck() -> None:
    assert not is_stuck(TaskState(streak=5), CORE)
    assert is_stuck(TaskState(streak=6), CORE)
    assert not is_stuck(TaskState(streak=99), replace(CORE, pit_stop_after=0))


def test_what_was_written_onto_the_task_is_not_written_again() -> None:
    step = run(check("yellow", "a"))[0]
    assert step.changed
    assert not run(check("yellow", "b"), state=replace(step.state, logged="yellow scope_drift"))[0].changed


@given(
    st.lists(st.tuples(st.sampled_from(("green", "yellow", "red")), st.sampled_from("abc"), st.floats(0, 1e6))),
    st.integers(0, 4),
)
def test_against_a_plain_count(looks: list[tuple[Score, str, float]], after: int) -> None:
    """The streak is never above the looks that were not green since the last green one."""
    state, since = TaskState(), 0
    for score, tree, now in looks:
        step = advance(state, check(score, tree, now), Contract(pit_stop_after=after))
        since = 0 if score == "green" else since + 1
        assert 0 <= step.state.streak <= since
        assert (step.state.streak > 0) == (score != "green" and since > 0)
        assert not (step.pit_stop_due and (after == 0 or step.state.streak < after))
        state = stopped(step.state) if step.pit_stop_due else step.state
