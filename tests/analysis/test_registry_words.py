"""What an agent's words add to the registry."""

from __future__ import annotations

import pytest

from leeboard.analysis.built import word_entries
from leeboard.model.event import MessageSaid, ThoughtShown


def rows(text: str) -> list[tuple[str, str]]:
    return [(entry.kind, entry.data) for entry in word_entries(MessageSaid(session="s", text=text), 3)]


def test_decisions_and_what_becomes_of_them() -> None:
    assert ("decided", "") in rows("I'll use REST instead of GraphQL.")
    assert ("decided", "reopened") in rows("Let me reconsider REST vs GraphQL.")
    assert ("decided", "learned") in rows("Since it failed, let me reconsider REST vs GraphQL.")


@pytest.mark.parametrize(
    "text", ["That completes the parser.", "Next, I'll add the metrics.", "Now let me write the tests."]
)
def test_a_part_ends(text: str) -> None:
    assert ("research", "") in rows(text)


@pytest.mark.parametrize("text", ["", "   ", "```\ncode\n```", "Now let me look at the parser."])
def test_no_part_ends(text: str) -> None:
    assert ("research", "") not in rows(text)


def test_thoughts_are_plans_too() -> None:
    found = word_entries(ThoughtShown(session="s", agent="sub", text="The parser needs another lookahead token."), 3)
    assert [(entry.kind, entry.agent, entry.turn) for entry in found] == [("plan", "sub", 3)]


def test_a_sentence_is_cut() -> None:
    (entry,) = word_entries(MessageSaid(session="s", text="lighthouse " * 60), 3)
    assert len(entry.text) == 240
