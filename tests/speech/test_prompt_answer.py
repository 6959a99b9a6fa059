"""What a short message answers: it lets pass, takes back, or only asks."""

from __future__ import annotations

import pytest

from leeboard.speech.prompt import is_question, is_undo, permits


@pytest.mark.parametrize(
    "text",
    [
        "yes",
        "That's fine",
        "yes, keep it",
        "keep it",
        "fine by me",
        "I'm ok with that",
        "yes please keep that change",
        "leave it as is",
        "ok that's fine, go on",
        "sure, go ahead",
    ],
)
def test_it_lets_pass(text: str) -> None:
    assert permits(text)


@pytest.mark.parametrize(
    "text", ["thanks", "perfect", "ok", "no", "leave it alone", "that's fine, but undo it", "why?"]
)
def test_it_lets_nothing_pass(text: str) -> None:
    assert not permits(text)


@pytest.mark.parametrize(
    "text",
    ["undo that", "no, revert it please", "Undo the last change", "rollback", "take that back", "can you undo that?"],
)
def test_it_takes_back(text: str) -> None:
    assert is_undo(text)


@pytest.mark.parametrize(
    "text", ["add an undo button", "the revert command is slow", "fix the rollback", "why did you revert it?"]
)
def test_it_takes_nothing_back(text: str) -> None:
    assert not is_undo(text)


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Why is it slow?", True),
        ("explain the cache", True),
        ("ok, and how does the login work?", True),
        ("can you show me the plan?", True),
        ("can you fix it?", False),
        ("fix it", False),
        ("Why is it slow? Fix it.", False),
    ],
)
def test_a_question_orders_nothing(text: str, *, asks: bool) -> None:
    assert is_question(text) is asks
