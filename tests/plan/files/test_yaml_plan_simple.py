"""The line reader agrees with the full one wherever it speaks, and speaks where files are ordinary."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.errors import WireError
from leeboard.plan.files.values import entry_lines
from leeboard.plan.files.yaml import compose, read_simple

ORDINARY = """\
# a unit
title: Fix the login page # soon
depends_on: [unit-01-a, "unit-02-b"]
inputs:
- .haiku/knowledge/A.md
- src/x.py
quality_gates:
  - name: tests
    command: make test && make lint
  - name: "lint"
    command: 'ruff check'

started_at: 2026-04-16T10:00:00Z
bolt: 2
hat:
note: "two\\nlines"
empty: []
"""


def test_ordinary_files_are_read() -> None:
    assert read_simple(ORDINARY) == {
        "title": "Fix the login page",
        "depends_on": ["unit-01-a", "unit-02-b"],
        "inputs": [".haiku/knowledge/A.md", "src/x.py"],
        "quality_gates": [
            {"name": "tests", "command": "make test && make lint"},
            {"name": "lint", "command": "ruff check"},
        ],
        "started_at": "2026-04-16T10:00:00Z",
        "bolt": 2,
        "hat": None,
        "note": "two\nlines",
        "empty": [],
    }
    assert read_simple(ORDINARY.replace("\n", "\r\n")) == read_simple(ORDINARY)


@pytest.mark.parametrize(
    "text",
    [
        "a: &x 1",
        "a: *x",
        "a: !!str 1",
        "a: |\n  text",
        "a: one\n  two",
        "a:\n  b: 1",
        "a: 1\na: 2",
        "a: {b: 1}",
        "a: [[b]]",
        "a: b: c",
        "a:\tb",
        "- a",
        "a: [b c]",
        "a: [b,,c]",
        "a:\n - b\n  - c",
        "a: 'it''s'",
        'a: "\\x41"',
        'a: "\\ud83d\\ude00"',
        "a: 1\n- b",
        "? a",
        "a: -",
        "just words",
        "a: b\x00",
    ],
)
def test_all_else_is_left_to_the_full_reader(text: str) -> None:
    assert read_simple(text) is None


def agree(text: str) -> None:
    simple = read_simple(text)
    if simple is None:
        return
    full = compose(text).values()
    assert json.dumps(simple) == json.dumps(full)


PIECES = st.sampled_from(
    [
        *(
            "a",
            "b",
            "key",
            "- ",
            "  ",
            " ",
            ":",
            ": ",
            "#",
            " # c",
            "\n",
            "\r\n",
            '"',
            "'",
            "[",
            "]",
            ", ",
            "{",
            "}",
            "|",
        ),
        *(
            ">",
            "&x ",
            "*x",
            "!",
            "1",
            "-1",
            "true",
            "~",
            "\\n",
            "\\",
            "\t",
            "?",
            "%",
            "@",
            "é",
            "\u3000",
            "\x85",
            "---",
            "...",
        ),
        *("k: v\n", "l:\n", "  - x\n", "- y: z\n", "    w: 1\n", "\ufeff", "\U0001f600", "..", "+", "/x"),
    ]
)


@given(st.lists(PIECES, max_size=25).map("".join))
def test_both_readers_agree_on_pieces(text: str) -> None:
    agree(text)


LINES = st.sampled_from(
    [
        *(
            "a: 1",
            "b: x y # c",
            "c:",
            "d: ",
            "e: [a, b]",
            "f: [ ]",
            "g: 'x'",
            'h: "y\\u00e9"',
            "i: a:b",
            "j: a#b",
            "k: x #",
        ),
        *(
            "- a",
            "  - a",
            "  - a: 1",
            "    b: 2",
            "    b:",
            "  # c",
            "",
            "  - a # c",
            "  -  a: 1",
            "     b: 3",
            "- ",
            "  -",
        ),
        *(
            "l: .5",
            "m: 1.",
            "n: +1",
            "o: [1, .2, +x]",
            "p: 'a'b",
            'q: "a" # c',
            "r: x  ",
            "null: 1",
            "true: 2",
            "  b: 2",
        ),
        *("s: [a,]", "t: [ 'a' ,\"b\" ]", "u: a ]", "v: a, b", "w: x'y\"z", "x: ...", "y: /", "z: _"),
    ]
)


@given(st.lists(LINES, max_size=12).map("\n".join))
def test_both_readers_agree_on_lines(text: str) -> None:
    agree(text)


@given(st.text(max_size=60))
def test_any_text_is_read_or_left(text: str) -> None:
    try:
        agree(text)
    except WireError as error:  # pragma: no cover - would be a disagreement
        raise AssertionError(text) from error


words = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
records = st.lists(st.dictionaries(st.sampled_from(["hat", "result", "reason"]), words, min_size=1), max_size=3)


@given(title=words, names=st.lists(words, max_size=5), worn=records)
def test_what_we_write_is_mostly_read_by_lines(title: str, names: list[str], worn: list[dict[str, Any]]) -> None:
    fields: dict[str, Any] = {"title": title, "names": names, "iterations": worn}
    text = "\n".join(line for key, value in fields.items() for line in entry_lines(key, value, 0))
    found = read_simple(text)
    assert found in (None, fields)


def test_a_hostile_line_costs_little() -> None:
    for text in ("a: " + "b " * 200_000, "a: [" + "b, " * 100_000 + "]", "a: " + '"' * 300_000, "a:" + " " * 300_000):
        read_simple(text)
