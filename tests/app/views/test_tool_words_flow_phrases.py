"""What the engine says to whoever holds its tools, as a person reads it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

import leeboard
from leeboard.app.views.tool_words import DECISIONS, PHRASES, for_people
from leeboard.model.unit import Decision

FACTS = {"unit": "unit-01-a", "feedback_id": "FB-01", "intent": "thing", "agent": "critic"}


def engine_texts() -> Iterator[str]:
    """Every text of the engine, with `{}` where a value is put in."""
    package = Path(leeboard.__path__[0])
    for part in ("plan/machine", "plan/disk"):
        for path in (package / part).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.JoinedStr):
                    parts = (each.value if isinstance(each, ast.Constant) else "{}" for each in node.values)
                    yield "".join(map(str, parts))
                elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield node.value


@pytest.mark.parametrize("said", [said for said, _ in PHRASES])
def test_the_engine_still_says_it(said: str) -> None:
    """Where a sentence was written anew, its words for people are written anew too."""
    assert any(said in text for text in engine_texts())


@pytest.mark.parametrize(("said", "meant"), PHRASES)
def test_no_tool_and_no_gap_is_left(said: str, meant: str) -> None:
    told = for_people(said, FACTS)
    assert told == meant.format(**FACTS)
    assert "haiku_" not in told


def test_each_decision_has_its_option() -> None:
    assert {*DECISIONS} == {*get_args(Decision)}
