"""Limits as people write them, each with the calls that break it and the calls that do not, judged as a hook judges."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from leeboard.model.verdict import Action
from leeboard.speech.limits.constraint import find_constraints
from leeboard.testing.scenario import play

TABLES = Path(__file__).resolve().parents[2] / "fixtures" / "limits"
LEAST = {"english": 160} | dict.fromkeys(
    ("german", "french", "spanish", "portuguese", "italian", "russian", "chinese", "japanese", "korean"), 13
)


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """What was said, what was there before, and the calls with their marks."""

    messages: tuple[str, ...]
    setup: tuple[str, ...]
    calls: tuple[tuple[str, str], ...]


def blocks(table: str) -> Iterator[Said]:
    text = (TABLES / f"{table}.txt").read_text(encoding="utf-8")
    for block in text.split("\n\n"):
        lines = [line for line in block.splitlines() if line and not line.startswith("#")]
        said = tuple(line[1:].strip().replace("\\n", "\n") for line in lines if line[0] == ">")
        rest = [(line[0], line[1:].strip()) for line in lines if line[0] != ">"]
        if said:
            setup = tuple(text for mark, text in rest if mark == "=")
            yield Said(messages=said, setup=setup, calls=tuple(one for one in rest if one[0] != "="))


def rows() -> list[tuple[Said, str, str]]:
    tables = sorted(path.stem for path in TABLES.glob("*.txt"))
    return [(said, mark, call) for table in tables for said in blocks(table) for mark, call in said.calls]


@pytest.mark.parametrize(
    ("said", "mark", "call"), [pytest.param(*row, id=f"{row[0].messages[-1][:50]} {row[1]} {row[2]}") for row in rows()]
)
def test_a_limit_holds_where_it_is_broken_and_nowhere_else(said: Said, mark: str, call: str) -> None:
    if mark == "?":
        limits = [limit for message in said.messages for limit in find_constraints(message)]
        assert limits
        assert not any(limit.checkable for limit in limits)
        return
    verdict = play([*said.setup, *(f"@ {message}" for message in said.messages), call]).proposed()[-1]
    refused = verdict.action is Action.DENY and "broken_constraint" in verdict.rules
    assert refused == (mark == "!"), verdict.message
    assert ("broken_constraint" in verdict.rules) == (mark == "!")


@pytest.mark.parametrize("table", LEAST)
def test_the_table_is_as_long_as_it_says(table: str) -> None:
    assert len(list(blocks(table))) >= LEAST[table]
