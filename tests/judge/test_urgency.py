from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.judge.urgency import by_threshold, label, shown, weigh
from leeboard.model.verdict import HIGH, LOW, MED, Evidence, Finding, Signal, Stage


def finding(
    subclass: str, cost: int, stays: float, stage: Stage = "DIFF", *, confidence: float = 0.8, **parts: object
) -> Finding:
    signal = Signal(subclass=subclass, rework_cost=cost, self_correct_prob=stays, stage=stage, **parts)  # type: ignore[arg-type]  # the table gives the right ones
    return Finding(rule="a_rule", subject="x", evidence=(Evidence("a reason"),), confidence=confidence, signal=signal)


CLASS_A: list[tuple[str, int, float, Stage, bool, float, str, str]] = [
    ("A1", 3, 0.8, "PLAN", False, 0.0, "2.4", "QUEUE"),
    ("A1", 3, 0.8, "DIFF", False, 0.0, "2.7", "QUEUE"),
    ("A1", 3, 0.8, "SETTLED", False, 0.0, "3.0", "QUEUE"),
    ("A1", 3, 0.8, "SETTLED", True, 0.0, "4.0", "FIRE"),
    ("A1", 3, 0.5, "PLAN", False, 0.0, "1.5", "LOG"),
    ("A1", 3, 0.5, "DIFF", False, 0.0, "2.4", "QUEUE"),
    ("A1", 3, 0.5, "SETTLED", True, 0.0, "4.0", "FIRE"),
    ("A1", 3, 0.9, "PLAN", False, 0.0, "2.7", "QUEUE"),
    ("A1", 4, 0.8, "PLAN", False, 0.0, "3.2", "QUEUE"),
    ("A1", 4, 0.8, "DIFF", False, 0.0, "3.6", "QUEUE"),
    ("A1", 4, 0.8, "SETTLED", False, 0.0, "4.0", "FIRE"),
    ("A1", 4, 0.8, "SETTLED", True, 0.0, "5.0", "FIRE"),
    ("A1", 2, 0.8, "PLAN", False, 2.0, "2.0", "QUEUE"),
    ("A1", 2, 0.8, "DIFF", False, 2.0, "2.0", "QUEUE"),
    ("A1", 2, 0.8, "SETTLED", True, 2.0, "3.0", "QUEUE"),
    ("A2", 3, 0.7, "PLAN", False, 0.0, "2.1", "QUEUE"),
    ("A2", 4, 0.7, "PLAN", False, 0.0, "2.8", "QUEUE"),
    ("A2", 5, 0.7, "PLAN", False, 0.0, "3.5", "QUEUE"),
    ("A2", 5, 0.7, "DIFF", False, 0.0, "4.0", "FIRE"),
    ("A2", 4, 0.7, "SETTLED", False, 0.0, "4.0", "FIRE"),
    ("A2", 5, 0.7, "SETTLED", True, 0.0, "5.0", "FIRE"),
    ("A3", 3, 0.5, "PLAN", False, 2.0, "2.0", "QUEUE"),
    ("A3", 3, 0.5, "DIFF", False, 2.0, "2.4", "QUEUE"),
    ("A3", 3, 0.5, "SETTLED", True, 2.0, "4.0", "FIRE"),
]


@pytest.mark.parametrize("row", CLASS_A)
def test_class_a_gets_more_urgent_with_commitment(
    row: tuple[str, int, float, Stage, bool, float, str, str],
) -> None:
    """SW-31, SW-39, SW-48, SW-49."""
    subclass, cost, stays, stage, wired, floor, urgency, disposition = row
    weighed = weigh(finding(subclass, cost, stays, stage, floor=floor), wired=wired)
    assert (shown(weighed.urgency), weighed.disposition) == (urgency, disposition)


PRODUCTS: list[tuple[str, int, float, str, str]] = [
    ("B3", 1, 0.5, "0.5", "LOG"),
    ("B3", 2, 0.5, "1.0", "LOG"),
    ("C1", 1, 0.7, "0.7", "LOG"),
    ("C3", 2, 0.8, "1.6", "LOG"),
    ("D1", 2, 0.6, "1.2", "LOG"),
    ("D2", 3, 0.7, "2.1", "QUEUE"),
    ("D2", 3, 0.5, "1.5", "LOG"),
    ("D3", 1, 0.5, "0.5", "LOG"),
]


@pytest.mark.parametrize(("subclass", "cost", "stays", "urgency", "disposition"), PRODUCTS)
def test_urgency_is_the_product(subclass: str, cost: int, stays: float, urgency: str, disposition: str) -> None:
    """SW-131: and commitment raises class A alone."""
    for stage in ("PLAN", "DIFF", "SETTLED"):
        weighed = weigh(finding(subclass, cost, stays, stage))
        assert (shown(weighed.urgency), weighed.disposition) == (urgency, disposition)


def test_the_labels_are_the_seeds() -> None:
    """SW-132."""
    assert (LOW, MED, HIGH) == (0.2, 0.5, 0.8)


@pytest.mark.parametrize(
    ("urgency", "disposition"),
    [(4.0, "FIRE"), (5.0, "FIRE"), (3.99, "QUEUE"), (2.0, "QUEUE"), (1.99, "LOG"), (1.9, "LOG"), (0.0, "LOG")],
)
def test_thresholds(urgency: float, disposition: str) -> None:
    """SW-133, SW-135, SW-136."""
    assert by_threshold(urgency) == disposition


def test_what_is_shown_never_crosses_a_threshold() -> None:
    assert [shown(value) for value in (3.99, 1.999, 2.1, 3 * 0.7, 4.0)] == ["3.9", "1.9", "2.1", "2.1", "4.0"]


@pytest.mark.parametrize("subclass", ["B1", "B2"])
def test_secrets_and_injections_escalate_above_the_line_alone(subclass: str) -> None:
    """SW-51, SW-71, SW-137, O-4."""
    escalated = weigh(finding(subclass, 2, 0.9, confidence=0.86))
    assert escalated.escalates
    assert escalated.disposition == "FIRE"
    assert label(finding(subclass, 2, 0.9, confidence=0.86), escalated) == f"{subclass}-ESCALATE"
    assert weigh(finding(subclass, 2, 0.9, confidence=0.85)).disposition == "QUEUE"
    assert weigh(finding(subclass, 2, 0.9, confidence=0.51)).disposition == "QUEUE"
    assert weigh(finding(subclass, 2, 0.8, confidence=0.5)).disposition == "LOG"
    assert weigh(finding(subclass, 4, 0.8, confidence=0.3)).disposition == "LOG"


def test_weak_cryptography_never_fires_at_once() -> None:
    """SW-80."""
    weighed = weigh(finding("B3", 2, 0.5, confidence=1.0, floor=2.0))
    assert (weighed.disposition, weighed.escalates) == ("QUEUE", False)


def test_a_cap_beats_floor_and_override() -> None:
    assert weigh(finding("B1", 2, 0.9, confidence=0.95, log_only="test fixture")).disposition == "LOG"
    assert weigh(finding("A3", 3, 0.5, floor=2.0, log_only="cover 0.5")).disposition == "LOG"
    assert weigh(finding("A1", 3, 0.9, log_only="superficial")).urgency < 2.0


def test_a_rule_may_fire_by_its_own_word() -> None:
    """SW-102, SW-121: shown as at least 3.0."""
    weighed = weigh(finding("C3", 2, 0.8, fires=True))
    assert (shown(weighed.urgency), weighed.disposition, weighed.escalates) == ("3.0", "FIRE", False)


def test_every_step_stands_in_the_trace() -> None:
    trace = weigh(finding("D2", 3, 0.5, floor=2.0)).trace
    assert trace == ("D2 DIFF: 3 x 0.5 = 1.5", "floor 2", "QUEUE")


def test_a_finding_without_a_signal_has_no_urgency() -> None:
    with pytest.raises(ValueError, match="no signal"):
        weigh(Finding(rule="scope_drift", subject="x", evidence=()))


@given(
    subclass=st.sampled_from(["A1", "A2", "A3", "B1", "B2", "B3", "C1", "C2", "C3", "D1", "D2", "D3"]),
    cost=st.integers(1, 5),
    stays=st.sampled_from([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]),
    confidence=st.floats(0, 1),
    floor=st.sampled_from([0.0, 2.0]),
    why=st.sampled_from(["", "a test"]),
)
def test_the_disposition_always_follows_from_what_is_told(
    subclass: str, cost: int, stays: float, confidence: float, floor: float, why: str
) -> None:
    told = finding(subclass, cost, stays, confidence=confidence, floor=floor, log_only=why)
    weighed = weigh(told)
    assert weighed.escalates == (subclass in {"B1", "B2"} and confidence > 0.85 and not why)
    if why:
        assert weighed.disposition == "LOG"
    elif not weighed.escalates and subclass not in {"B1", "B2"}:
        assert weighed.disposition == by_threshold(weighed.urgency)
    assert 0 <= weighed.urgency <= 5
