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


@pytest.mark.parametrize("level", ["reformatted", "renamed", "edited", "rewritten"])
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


def test_what_does_not_parse_has_no_variant() -> None:
    assert variant("def broken(:", "renamed", "1") is None
    assert variant("x = 1", "renamed", "1") is None
