from __future__ import annotations

import argparse
import http.server
import inspect
import re
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.truth.state import plain_of


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("f('a', 1)\n", 'f(\n    "a",\n    1,\n)\n'),
        ("x = [1, 2]\n", "x=[1, 2,]\n"),
        ("if x:\n  return 1\n", "if x:\n    return 1\n\n\n"),
        ("function f() {\n\treturn {a: 1}\n}\n", "function f() {\n  return { a: 1, }\n}\n"),
        ("a: 1\r\nb:   2\r\n", "a: 1\nb: 2\n"),
        ("x = 1  # don't\n", "x = 1 # don't  \n"),
        ("", "\n\n"),
    ],
)
def test_what_formatters_change(one: str, other: str) -> None:
    assert plain_of(one) == plain_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "for x in y:\n    if x:\n        go()\n        return 1\n",
            "for x in y:\n    if x:\n        go()\n    return 1\n",
        ),
        ("a:\n  b: 1\n  c: 2\n", "a:\n  b: 1\nc: 2\n"),
        ("all:\n\tmake\n", "all:\n        make\n"),
        ("x = 'a b'\n", "x = 'ab'\n"),
        ("x = 'a, b'\n", "x = 'a,b'\n"),
        ("10 20\n", "1020\n"),
        ("x = 1\n", "x = 2\n"),
        ("a, b\n", "a b\n"),
        ("return\nx\n", "return x\n"),
    ],
)
def test_what_somebody_means(one: str, other: str) -> None:
    assert plain_of(one) != plain_of(other)


@given(st.text(alphabet="ab \t\n\r\"'`\\()[]{},", max_size=80))
def test_any_text_is_taken_and_blank_lines_at_the_end_count_for_nothing(text: str) -> None:
    assert plain_of(text + "\n\n") == plain_of(text)


@pytest.mark.parametrize("hostile", ['\\"', '"', "(", " ", "\t\n", "'\\"])
def test_it_takes_time_with_the_length(hostile: str) -> None:
    assert isinstance(plain_of(hostile * 50_000), str)


TOKEN = re.compile(
    r'(?P<quoted>"(?:[^"\\\n]|\\.)*"?|\'(?:[^\'\\\n]|\\.)*\'?|`(?:[^`\\\n]|\\.)*`?)'
    r"|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<line>\n[^\S\n]*)|(?P<blank>[^\S\n]+)|[^\s\"'`()\[\]{}]+"
)


class WordByWord:
    """The same, told slowly: one token after the other."""

    def __init__(self, text: str) -> None:
        self.parts: list[str] = []
        self.depth = 0
        self.levels: list[int] = []
        self.gap = False
        self.line: str | None = None
        for token in TOKEN.finditer("\n" + "\n".join(text.removeprefix("\ufeff").splitlines())):
            self.take(token.lastgroup or "", token[0])

    def take(self, kind: str, token: str) -> None:
        if kind == "blank":
            self.gap = True
        elif kind == "line":
            self.line, self.gap = (None if self.depth else token[1:]), True
        else:
            self.begin(token)
            self.add(kind, token)

    def begin(self, token: str) -> None:
        if self.line is not None:
            self.parts.append(self.level(self.line))
        elif self.gap and self.parts and is_word(self.parts[-1][-1:]) and is_word(token[0]):
            self.parts.append(" ")
        self.line, self.gap = None, False

    def add(self, kind: str, token: str) -> None:
        if kind == "quoted":
            closed = len(token) > 1 and token[-1] == token[0]
            token = f'"{token[1:-1]}"' if closed else f'"{token[1:].rstrip()}'
        elif kind == "close" and self.parts and self.parts[-1].endswith(","):
            self.parts[-1] = self.parts[-1][:-1]
        self.depth = max(self.depth + (kind == "open") - (kind == "close"), 0)
        self.parts.append(token)

    def level(self, blanks: str) -> str:
        width = len(blanks.expandtabs(8))
        while self.levels and width < self.levels[-1]:
            self.levels.pop()
        if width > (self.levels[-1] if self.levels else 0):
            self.levels.append(width)
        return f"\n{len(self.levels)}{'t' if chr(9) in blanks else ''} "


def is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


PIECES = (
    *(
        "a",
        "_b",
        "1",
        "\u00e9",
        "\u00b2",
        " ",
        "  ",
        "\t",
        "\xa0",
        "\x1f",
        "\n",
        "\n  ",
        "\n\t",
        "\r\n",
        "\x0c",
        "\u2028",
    ),
    *('"', "'", "`", "\\", "\\\n", "(", ")", "[", "]", "{", "}", ",", "=", "# don't", "\ufeff", "\0"),
)


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join) | st.text(max_size=40))
def test_it_is_what_going_word_by_word_would_give(text: str) -> None:
    assert plain_of(text) == "".join(WordByWord(text).parts)


@pytest.mark.parametrize("module", [argparse, http.server])
def test_so_it_is_of_code(module: ModuleType) -> None:
    text = inspect.getsource(module)
    assert plain_of(text) == "".join(WordByWord(text).parts)
