"""Names of scores, identity of findings."""

from __future__ import annotations

import pytest

from leeboard.model.verdict import Action, DriftType, Evidence, Finding, type_of


@pytest.mark.parametrize(
    ("score", "name"),
    [
        (10, "none"),
        (9, "none"),
        (8, "none"),
        (7, "minor"),
        (6, "minor"),
        (5, "minor"),
        (4, "major"),
        (3, "major"),
        (2, "critical"),
        (1, "critical"),
    ],
)
def test_the_type_at_each_score(score: int, name: DriftType) -> None:
    """AD-36."""
    assert type_of(score) == name


def test_a_finding_is_what_its_rule_says_of_its_subject() -> None:
    one = Finding(rule="scope_drift", subject="a.py", evidence=(Evidence("x", -3),))
    same = Finding(rule="scope_drift", subject="a.py", evidence=(Evidence("y", -1), Evidence("z", -1)))
    assert one.fingerprint == same.fingerprint == "scope_drift:a.py"
    assert (one.delta, same.delta) == (-3, -2)


def test_the_worst_answer_is_the_greatest() -> None:
    assert max(Action.ALLOW, Action.DENY, Action.QUEUE) is Action.DENY
    assert [action.name for action in sorted(Action)] == ["ALLOW", "LOG", "QUEUE", "INJECT", "ASK", "DENY"]
