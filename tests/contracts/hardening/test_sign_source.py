from __future__ import annotations

import pytest

from leeboard.contracts.hardening.sign import NOT_CODE, HardeningSource, body_of
from leeboard.source.syntax import parse


def _source(text: str, language: str) -> HardeningSource:
    tree = parse(text, language)
    assert tree is not None
    return HardeningSource(tree)


@pytest.mark.parametrize(
    ("language", "text", "code"),
    [
        ("python", "x = 'a b'  # c\ny = 1", "x = '   '     \ny = 1"),
        ("javascript", "f(`a ${b}`) // c", "f(`      `)     "),
        ("go", "package a\nvar s = `é`\n", "package a\nvar s = ` `\n"),
        ("php", "$x = 'a';", "<?php $x = ' ';"),
    ],
)
def test_comments_and_literals_are_blanked_in_place(language: str, text: str, code: str) -> None:
    assert _source(text, language).code == code


@pytest.mark.parametrize("language", NOT_CODE)
def test_every_grammar_knows_the_kinds(language: str) -> None:
    assert _source("x", language).code.endswith("x")


def test_handlers_have_lines_and_a_body() -> None:
    source = _source("try:\n    f()\nexcept A:\n    g()\n", "python")
    (handler,) = source.handlers
    body = body_of(handler)
    assert list(source.lines_of(handler)) == [3, 4]
    assert body is not None
    assert source.code_of(body) == "g()"
