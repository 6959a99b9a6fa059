from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.surfaces.cli.screen import fields, print_json, printable, score_bar, table, words
from leeboard.surfaces.cli.terminal import Console


def narrow_console() -> Console:
    return Console(width=40)


@given(st.text())
def test_nothing_a_terminal_obeys_gets_through(text: str) -> None:
    assert not [c for c in printable(text) if not c.isprintable() and c not in "\n\t"]


def test_words_are_never_markup(capsys: pytest.CaptureFixture[str]) -> None:
    narrow_console().print(words("[bold]x[/bold] :tada: \x1b[31mred"))
    assert capsys.readouterr().out == "[bold]x[/bold] :tada: \N{REPLACEMENT CHARACTER}[31mred\n"


def test_json_stands_on_one_ascii_line(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"text": "ä\ud800\n"})
    out = capsys.readouterr().out
    assert out.isascii()
    assert out.count("\n") == 1
    assert json.loads(out) == {"text": "ä\ud800\n"}


def test_fields_wrap_below_their_first_line_and_end_without_spaces(capsys: pytest.CaptureFixture[str]) -> None:
    fields([("goal", "word " * 12), ("a", "b")], narrow_console())
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("goal  word")
    assert lines[1].startswith("      word")
    assert lines[-1] == "a     b"
    assert all(len(line) <= 40 and line == line.rstrip() for line in lines)


def test_a_table_gives_its_last_column_the_rest(capsys: pytest.CaptureFixture[str]) -> None:
    table(("A", "B"), [("one", "word " * 12)], narrow_console())
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "A    B"
    assert lines[2].startswith("     word")


@pytest.mark.parametrize(("score", "full"), [(0, 0), (1, 1), (7, 7), (10, 10)])
def test_a_bar_is_as_long_as_its_score(score: int, full: int) -> None:
    bar = score_bar(score, "none", narrow_console()).plain
    assert bar.count("█") + bar.count("#") == full
    assert bar.endswith(f"{score}/10")


def test_what_one_may_copy_is_never_broken(capsys: pytest.CaptureFixture[str]) -> None:
    long = "/a/" + "folder/" * 9 + "file.md"
    command = "`leeboard flow feedback triage FB-01 --as HOW`"
    fields([("next", f"look at {long} and run {command} then, and then `go on`")], narrow_console())
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert lines == ["next  look at", long, "and run", command, "then, and then `go on`"]
