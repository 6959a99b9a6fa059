from __future__ import annotations

import ast

import pytest

from tools._clones_python import statements_in, variant

METHOD = """async def load(self, path: str) -> dict:
        \"\"\"Doc.\"\"\"
        with open(path) as handle:
            found = parse(handle, strict=True)
        for read in found.readers:
            read(path)
        if found.count > 3:
            return {'count': found.count}
        return {}
"""


def made(level: str, seed: str = "1") -> str:
    text = variant(METHOD, level, seed)
    assert text is not None
    return text


@pytest.mark.parametrize("level", ["reformatted", "renamed", "edited", "re-implemented"])
def test_variants_parse(level: str) -> None:
    assert isinstance(ast.parse(made(level)).body[0], ast.AsyncFunctionDef)
    assert "Doc." not in made(level)


def test_renamed_keeps_what_is_not_its_own() -> None:
    for own in ("load", "found", "path", "read(", "'count'", "> 3"):
        assert own not in made("renamed")
    for foreign in ("open(", ".count", ".readers", "strict=", "self"):
        assert foreign in made("renamed")


@pytest.mark.parametrize("seed", "12345")
def test_edited_has_a_statement_less_and_another_one_more(seed: str) -> None:
    count = statements_in(METHOD)
    assert statements_in(made("edited", seed)) in {count, count + 1}  # a condition brings its branch
    assert made("edited", seed) != made("renamed", seed)


def test_reimplemented_has_another_flow() -> None:
    assert "for " not in made("re-implemented")
    assert "while True" in made("re-implemented")


def test_statements_are_counted_without_documentation() -> None:
    assert statements_in(METHOD) == 7
    assert statements_in("def broken(:") == 0


def test_what_does_not_parse_has_no_variant() -> None:
    assert variant("def broken(:", "renamed", "1") is None
    assert variant("x = 1", "renamed", "1") is None
