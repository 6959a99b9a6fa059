from __future__ import annotations

from leeboard.judge.progress import settle
from leeboard.model.session import AgentState, Pending
from leeboard.model.touch import Diff
from leeboard.model.verdict import Evidence, Finding, Signal, Stage


def agent(subclass: str = "A1", stage: Stage = "DIFF", turn: int = 6) -> AgentState:
    signal = Signal(subclass=subclass, rework_cost=3, self_correct_prob=0.8, stage=stage, symbol="verify")
    finding = Finding(rule="r", subject="new.py:verify", evidence=(Evidence("x"),), path="new.py", signal=signal)
    pending = Pending(id="s1", finding=finding, turn=5, urgency=2.7, disposition="QUEUE")
    return AgentState(turn=turn, pending=(pending,))


def wrote(path: str, text: str) -> tuple[Diff, ...]:
    return (Diff(path=path, after=text, added=((1, text.count("\n") + 1),)),)


def test_code_in_another_file_that_uses_it_settles_and_wires_it() -> None:
    """SW-49: settled and wired gives 4.0."""
    (pending,) = settle(agent(), wrote("api.py", "from new import verify\nverify(token)")).pending
    assert (pending.urgency, pending.disposition, pending.wired) == (4.0, "FIRE", True)
    assert "turn 6 builds on it from another file" in pending.trace


def test_more_work_in_the_same_file_settles_it() -> None:
    (pending,) = settle(agent(), wrote("new.py", "x = 1")).pending
    assert (pending.urgency, pending.disposition, pending.wired) == (3.0, "QUEUE", False)


def test_other_work_changes_nothing() -> None:
    for diffs in (wrote("api.py", "verify_all(x)"), wrote("api.py", "print(1)"), ()):
        assert settle(agent(), diffs) == agent()


def test_the_turn_of_detection_is_not_the_next_one() -> None:
    assert settle(agent(turn=5), wrote("new.py", "x")) == agent(turn=5)


def test_only_class_a_and_only_what_is_written() -> None:
    """SW-49."""
    for state in (agent("B3"), agent("D2"), agent("A1", "PLAN")):
        assert settle(state, wrote("api.py", "verify()")) == state
