from __future__ import annotations

import pytest

from leeboard.errors import ConfigError
from leeboard.settings.decisions.baseline import parse
from leeboard.settings.decisions.committed_file import CommittedFile, read, written


def test_an_empty_one_is_one() -> None:
    assert read(written("things", ()), CommittedFile, "x.json", "leeboard x").version == 1


@pytest.mark.parametrize("text", ["", "\0", "[" * 100_000, "\ud800", '{"version": "1"}'])
def test_who_writes_it_is_named_where_it_is_none(text: str) -> None:
    with pytest.raises(ConfigError, match=r"x.json(:1)?: can not be read: .*`leeboard x` writes it"):
        read(text, CommittedFile, "x.json", "leeboard x")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{\n  "version": 1,\n<<<<<<< HEAD\n  "findings": []\n}\n', 3),
        ('{\n  "version": 1,\n  "findings": [\n', 3),
        ('{\n  "version": 1,\n  "findings": [\n    {"path":"a","rule":"b","what":"c"},\n    {"path":"a"}\n  ]\n}\n', 5),
        ('{\n  "findings": [\n    {"path":"a","rule":"b","what":"c"},\n    null\n  ],\n  "version": 1\n}\n', 4),
    ],
)
def test_the_line_is_named(text: str, line: int) -> None:
    with pytest.raises(ConfigError, match=f"^x.json:{line}: can not be read"):
        parse(text, "x.json")


def test_a_byte_order_mark_is_no_fault() -> None:
    assert parse(f"\ufeff{written('findings', ())}") == ()
