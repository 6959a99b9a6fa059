"""Tokens and their roles, in every language."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.source.tokens import family, reader, role, tokens

LANGUAGES = "python ruby php javascript typescript tsx go kotlin csharp rust java c cpp".split()
READ = (
    ("python", 'x = f"a{b}" # no\n', ["x", "=", 'f"a{b}"', "\n"]),
    ("python", '"""a\n"b" c"""', ['"""a\n"b" c"""']),
    ("python", "a //= b \\\n+ 1", ["a", "//=", "b", "+", "1"]),
    ("javascript", "a?.b ?? `x ${y}` // no", ["a", "?.", "b", "??", "`x ${y}`"]),
    ("javascript", "/* no */ a === b", ["a", "===", "b"]),
    ("go", "x := `a\nb`\n", ["x", ":=", "`a\nb`", "\n"]),
    ("rust", "let s: &'a str = r#\"x\"#; 'c'", ["let", "s", ":", "&", "str", "=", 'r#"x"#', ";", "'c'"]),
    ("ruby", "@a.empty? # no", ["@a", ".", "empty?"]),
    ("php", "$this->x # no", ["$this", "->", "x"]),
    ("csharp", '$"a{b}" + @"c""d"', ['$"a{b}"', "+", '@"c""d"']),
    ("kotlin", '"""a""" + 1_000', ['"""a"""', "+", "1_000"]),
    ("java", "a->b /* open", ["a", "->", "b"]),
)


@pytest.mark.parametrize(("language", "text", "expected"), READ)
def test_reads(language: str, text: str, expected: list[str]) -> None:
    assert tokens(text, language) == expected


def test_words_of_one_language_are_names_in_another() -> None:
    assert reader("python")[1]["match"] == "v"
    assert reader("rust")[1]["match"] == role("match")
    assert reader("python")[1]["None"] == reader("go")[1]["nil"] == role("null")
    assert reader("java")[1]["String"] == "T"
    assert family("tsx") == "javascript"
    assert family("cobol") == "java"


def test_unknown_word_has_no_role() -> None:
    with pytest.raises(KeyError):
        role("cobol")


def test_table_forgets_when_it_is_full() -> None:
    table = reader("python")[1]
    for number in range(21_000):
        assert table[f"name{number}"] == "v"
    assert len(table) <= 20_002
    assert table["if"] == role("if")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "text", ["\\'" * 5_000, "'\"" * 5_000, "/*" * 5_000, '"""' * 3_000, "`\\" * 5_000, 'r#"' * 3_000, "0x" * 5_000]
)
def test_hostile_lines(language: str, text: str) -> None:
    assert isinstance(tokens(text, language), list)


@given(st.text(max_size=300), st.sampled_from(LANGUAGES))
def test_any_text(text: str, language: str) -> None:
    pattern, table = reader(language)
    for token in tokens(text, language):
        assert token in text
        assert len(table[token]) == 1
    assert pattern.groups == 1
