"""Findings to one score, scores to levels."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.judge.score import level_of, louder, raised, ratio_score, score_of, standing
from leeboard.model.contract import Allowance
from leeboard.model.verdict import LEVELS, Confidence, Evidence, Finding, Level

finding = st.builds(
    lambda rule, subject, deltas, cap: Finding(
        rule=rule, subject=subject, evidence=tuple(Evidence("e", delta) for delta in deltas), cap=cap
    ),
    st.sampled_from(["scope_drift", "tangent", "circling", "broken_constraint"]),
    st.sampled_from(["a.py", "b.py", "c.py"]),
    st.lists(st.integers(-9, 0), max_size=3),
    st.sampled_from([10, 10, 10, 2, 1]),
)
findings = st.lists(finding, max_size=8)
confidence: st.SearchStrategy[Confidence] = st.sampled_from(["low", "high"])


def one(delta: int, rule: str = "scope_drift", subject: str = "a.py", cap: int = 10) -> Finding:
    return Finding(rule=rule, subject=subject, evidence=(Evidence("e", delta),), cap=cap)


@given(findings, confidence)
def test_the_score_is_always_between_1_and_10(found: list[Finding], sure: Confidence) -> None:
    """AD-35: total, whatever the rules say."""
    assert 1 <= score_of(found, sure) <= 10


@given(findings, confidence, st.randoms())
def test_the_order_of_findings_is_irrelevant(found: list[Finding], sure: Confidence, dice: st.DataObject) -> None:
    shuffled = list(found)
    dice.shuffle(shuffled)  # type: ignore[attr-defined] # hypothesis' randoms are random.Random
    assert score_of(shuffled, sure) == score_of(found, sure)


@given(findings, finding, confidence)
def test_one_more_finding_never_raises_the_score(found: list[Finding], more: Finding, sure: Confidence) -> None:
    assert score_of([*found, more], sure) <= score_of(found, sure)


@given(findings, confidence)
def test_the_same_finding_twice_counts_once(found: list[Finding], sure: Confidence) -> None:
    assert score_of([*found, *found], sure) == score_of(found, sure)


def test_the_worst_path_decides_and_its_findings_add_up() -> None:
    found = [one(-3), one(-2, "tangent"), one(-4, subject="b.py")]
    assert score_of(found, "high") == 5
    assert score_of([], "high") == 10


def test_evidence_that_costs_nothing_costs_nothing() -> None:
    assert score_of([one(0)], "high") == 10


def test_low_confidence_stops_at_5_unless_a_limit_was_set() -> None:
    assert score_of([one(-9)], "low") == 5
    assert score_of([one(-9), one(-8, "broken_constraint", cap=2)], "low") == 2


RATIO = """
in=0: 10 3 2 1 1 1     in=3: 10 7 5 3 1 1     in=6: 10 8 6 4 3 1
in=1: 10 5 3 1 1 1     in=4: 10 7 5 4 2 1     in=7: 10 8 6 5 3 2
in=2: 10 6 4 2 1 1     in=5: 10 8 6 4 2 1     in=8: 10 8 6 5 3 2
"""
"""Files inside against files outside (0 to 5), as the first version of the check scored them."""


def ratio_table() -> list[tuple[int, int, int]]:
    rows = []
    for cell in RATIO.replace("in=", "\nin=").split("\n"):
        head, _, scores = cell.partition(":")
        if scores:
            rows += [(int(head[3:]), outside, int(score)) for outside, score in enumerate(scores.split())]
    return rows


@pytest.mark.parametrize(("inside", "outside", "score"), ratio_table())
def test_the_ratio_of_a_batch(inside: int, outside: int, score: int) -> None:
    """AD-16: what a check at the next prompt sees at once is scored by the share that stayed inside."""
    assert ratio_score(inside, outside) == score


def test_the_table_is_whole() -> None:
    assert len(ratio_table()) == 54


def test_half_a_point_is_rounded_up() -> None:
    """13 inside and 3 outside is exactly 8.5."""
    assert ratio_score(13, 3) == 6


@given(st.integers(0, 500), st.integers(0, 500))
def test_a_ratio_is_a_score(inside: int, outside: int) -> None:
    assert 1 <= ratio_score(inside, outside) <= 10
    assert ratio_score(inside, outside + 1) <= ratio_score(inside, outside)


@pytest.mark.parametrize(
    ("score", "level"),
    [
        (10, "none"),
        (9, "none"),
        (8, "none"),
        (7, "nudge"),
        (6, "correct"),
        (5, "correct"),
        (4, "intervene"),
        (3, "intervene"),
        (2, "halt"),
        (1, "halt"),
    ],
)
def test_the_level_of_each_score(score: int, level: Level) -> None:
    """AD-39 to AD-43."""
    assert level_of(score) == level


@given(st.sampled_from(LEVELS), st.sampled_from(LEVELS), st.integers(0, 9))
def test_levels_only_get_louder(one_level: Level, other: Level, steps: int) -> None:
    assert LEVELS.index(louder(one_level, other)) == max(LEVELS.index(one_level), LEVELS.index(other))
    assert raised("none", steps) == "none"
    assert LEVELS.index(raised(one_level, steps)) >= LEVELS.index(one_level)
    assert raised("halt", steps) == "halt"


@pytest.mark.parametrize(
    ("allowance", "subject", "left"),
    [
        (Allowance(id="a1", rule="self_allowance"), "leeboard pause", 1),
        (Allowance(id="a1", rule="self_allowance"), "leeboard.toml", 1),
        (Allowance(id="a1", rule="self_allowance", path="**"), "leeboard.toml", 1),
        (Allowance(id="a1", fingerprint="self_allowance:leeboard pause"), "leeboard pause", 1),
        (Allowance(id="a1", rule="self_allowance", path="leeboard.toml"), "leeboard pause", 1),
        (Allowance(id="a1", rule="self_allowance", path="leeboard.toml"), "leeboard.toml", 0),
    ],
)
def test_of_the_guards_own_files_an_allowance_lets_pass_the_one_it_names(
    allowance: Allowance, subject: str, left: int
) -> None:
    found = Finding(rule="self_allowance", subject=subject, evidence=())
    assert len(standing((found,), (allowance,))) == left
