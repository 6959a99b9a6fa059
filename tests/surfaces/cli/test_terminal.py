from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.surfaces.cli.terminal import Console, Text, columns

PARTS = st.lists(st.tuples(st.text("ab \n", max_size=5), st.sampled_from(["", "bold", "dim red"])), max_size=5)


def printed(text: Text | str, monkeypatch: pytest.MonkeyPatch, **env: str) -> str:
    for name in ("FORCE_COLOR", "NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    out = io.StringIO()
    Console(file=out).print(text)
    return out.getvalue()


@pytest.mark.parametrize(
    ("env", "coloured"),
    [
        ({}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, False),
    ],
)
def test_colour_is_for_terminals_and_for_who_asks(
    env: dict[str, str], *, coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = printed(Text([("halt", "bold red"), (" here", "")]), monkeypatch, **env)
    assert ("\x1b[" in out) is coloured
    assert out.endswith(" here\n")
    if not coloured:
        assert out == "halt here\n"


def test_each_style_is_said_in_codes() -> None:
    assert Text([("a", "dim red"), ("b", "")]).coloured() == "\x1b[31m\x1b[2ma\x1b[0mb"


@given(PARTS, st.integers(0, 30), st.integers(0, 30))
def test_a_part_of_a_text_is_that_part_of_its_letters(parts: list[tuple[str, str]], begin: int, end: int) -> None:
    text = Text(parts)
    assert text.between(begin, end).plain == text.plain[begin:end]
    assert [line.plain for line in text.lines()] == text.plain.split("\n")
    assert "".join(piece.plain for piece in text.divide(sorted({min(begin, len(text)), len(text)}))) == text.plain
    stripped = text.copy()
    stripped.rstrip()
    assert stripped.plain == text.plain.rstrip()


@pytest.mark.parametrize(("text", "wide"), [("abc", 3), ("日本", 4), ("e\N{COMBINING ACUTE ACCENT}", 1), ("", 0)])
def test_columns_are_those_of_a_terminal(text: str, wide: int) -> None:
    assert columns(text) == wide


@pytest.mark.parametrize(("told", "width"), [("40", 40), ("0", None), ("wide", None)])
def test_the_width_is_what_columns_says(told: str, width: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    usual = Console().width
    monkeypatch.setenv("COLUMNS", told)
    assert Console().width == (width or usual)
    assert Console(width=33).width == 33


def test_a_line_is_written_over_and_wiped_out() -> None:
    out = io.StringIO()
    console = Console(file=out, width=8)
    console.rewrite("judging 3 of 7")
    console.rewrite("")
    assert out.getvalue() == "\rjudging\r       \r"
