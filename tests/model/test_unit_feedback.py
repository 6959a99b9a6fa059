"""Feedback: whose it is, and whether it keeps a gate shut."""

from __future__ import annotations

import pytest

from leeboard.model.unit import Feedback, FeedbackStatus


@pytest.mark.parametrize(
    ("status", "is_open"),
    [
        ("pending", True),
        ("fixing", True),
        ("addressed", False),
        ("answered", False),
        ("closed", False),
        ("rejected", False),
    ],
)
def test_which_feedback_keeps_a_gate_shut(status: FeedbackStatus, *, is_open: bool) -> None:
    assert Feedback(id="FB-01", status=status).is_open == is_open


def test_whose_feedback_it_is() -> None:
    assert Feedback(id="FB-01", origin="user-chat").is_human
    assert not Feedback(id="FB-01", origin="adversarial-review").is_human
