"""Every word that is explained is a word of the workflow, and appears where it is said to."""

from __future__ import annotations

from pathlib import Path

from leeboard.plan.machine.table import TABLE
from leeboard.plan.words import WORDS, explained, new_words

DOCS = Path(__file__).parents[2] / "docs" / "workflow.md"


def test_words_are_explained_in_one_line_at_the_action_they_come_with() -> None:
    assert explained("hat", "bolt") == f"hat: {WORDS['hat']}; bolt: {WORDS['bolt']}"
    actions = {row.action for row in TABLE if row.action}
    met = [word for action in sorted(actions) for word in new_words(action)]
    assert {"stage", "unit", "wave", "hat", "bolt", "gate"} == {*met}
    assert new_words("complete") == ()


def test_the_page_about_the_workflow_has_each_of_them() -> None:
    page = DOCS.read_text(encoding="utf-8")
    assert [word for word in WORDS if f"| {word} |" not in page] == []
