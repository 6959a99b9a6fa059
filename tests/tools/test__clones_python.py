from __future__ import annotations

import ast

import pytest

from tools._clones_python import variant

METHOD = """async def load(self, path: str) -> dict:
        \"\"\"Doc.\"\"\"
        with open(path) as handle:
            found = parse(handle, strict=True)
        if found.count > 3:
            return {'count': found.count}
        return {}
"""


@pytest.mark.parametrize("level", ["reformatted", "renamed", "edited", "rewritten", "disguised", "patched"])
def test_variants_parse(level: str) -> None:
    made = variant(METHOD, level, "1")
    assert made is not None
    assert isinstance(ast.parse(made).body[0], ast.AsyncFunctionDef)
    assert "Doc." not in made


def test_renamed_keeps_what_is_not_its_own() -> None:
    made = variant(METHOD, "renamed", "1")
    assert made is not None
    assert "found" not in made
    assert "path" not in made
    assert "open(" in made
    assert ".count" in made


def test_disguised_keeps_no_text_and_no_number() -> None:
    made = variant(METHOD, "disguised", "1")
    assert made is not None
    assert "'count'" not in made
    assert "> 3" not in made
    assert "open(" in made


def test_patched_has_another_statement() -> None:
    disguised, patched = (variant(METHOD, level, "1") for level in ("disguised", "patched"))
    assert disguised is not None
    assert patched is not None
    assert len(set(patched.splitlines()) - set(disguised.splitlines())) >= 1


def test_what_does_not_parse_has_no_variant() -> None:
    assert variant("def broken(:", "renamed", "1") is None
    assert variant("x = 1", "renamed", "1") is None
