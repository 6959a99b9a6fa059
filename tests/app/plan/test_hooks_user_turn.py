"""Which prompts are turns of a person; through the hooks they stand in test_plan_hooks.py."""

from __future__ import annotations

import pytest

from leeboard.app.plan.hooks import MOMENT, says_something, turn_name
from leeboard.model.event import PromptGiven


def spoke(text: str = "", command: str = "", time: float = 100.0, key: str = "") -> PromptGiven:
    return PromptGiven(session="s", cwd="/repo", time=time, text=text, command=command, key=key)


@pytest.mark.parametrize(
    ("text", "command", "prompt", "counts"),
    [
        ("by mail", "", "by mail", 1),
        ("no, by mail", "", "no, by mail", 1),
        ("ok", "", "ok", 0),
        ("continue", "", "continue", 0),
        ("go", "", "go", 0),
        ("Yes, go ahead!", "", "Yes, go ahead!", 0),
        ("ok", "", "ok [Image #1]", 1),
        ("", "", "", 0),
        ("", "", "[Image #1]", 1),
        ("", "/clear", "/clear", 0),
        ("", "/plan-it", "/plan-it", 1),
        ("/model opus", "", "/model opus", 0),
        ("/model opus is too slow", "", "/model opus is too slow", 1),
        ("/etc/hosts", "", "/etc/hosts", 1),
    ],
)
def test_steering_the_client_is_no_turn(text: str, command: str, prompt: str, counts: int) -> None:
    """SH-22."""
    assert says_something(spoke(text, command), prompt) == bool(counts)


def test_the_same_words_a_moment_later_are_the_same_turn() -> None:
    first = turn_name(spoke("by mail", time=100.9 * MOMENT), lambda _name: False)
    again = spoke("by mail", time=101.1 * MOMENT)
    assert turn_name(again, lambda name: name == first) == first
    assert turn_name(again, lambda _name: False) != first
    assert turn_name(spoke("by post", time=101.1 * MOMENT), lambda name: name == first) != first


def test_an_id_is_a_name() -> None:
    assert turn_name(spoke("by mail", key="prompt:p1"), lambda _name: True) == "p1"
