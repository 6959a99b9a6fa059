"""Every table of `leeboard/data` has a schema, keeps to it, and is compiled as it is written."""

from __future__ import annotations

import ast
import fnmatch
import importlib
import json
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped] # it ships no types

from leeboard.data import load
from tools import compile_data

PACKAGE = Path(__file__).parent.parent / "leeboard"
PLAIN = sorted(
    path.parent.name + "/" + path.name.removesuffix(".schema.json") for path in PACKAGE.glob("data/*/*.schema.json")
)
"""Read as plain JSON by a process that waits for no library: their schemas lie beside them."""
TABLES = sorted({f"{path.parent.name}/{path.stem}" for path in PACKAGE.glob("data/*/*.toml")} - {*PLAIN})
DERIVED = ("rules",)
"""Compiled from the sources of the rules."""


@cache
def loads() -> dict[str, Any]:
    """Each table that is loaded, by its name or as one of a folder, and the schema it is loaded as."""
    found: dict[str, Any] = {}
    for path in PACKAGE.rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        if "leeboard.data import load" not in source:
            continue
        module = importlib.import_module(".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts))
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "load":
                name, schema = node.args
                parts = name.values if isinstance(name, ast.JoinedStr) else [name]
                named = "".join(str(part.value) if isinstance(part, ast.Constant) else "*" for part in parts)
                tables = fnmatch.filter(TABLES, named) or [named]
                found |= dict.fromkeys(tables, eval(ast.unparse(schema), vars(module)))
    return found


def test_every_table_is_loaded_and_every_loaded_table_is_there() -> None:
    assert sorted(loads()) == sorted((*TABLES, *DERIVED))


@pytest.mark.parametrize("name", TABLES)
def test_a_table_keeps_to_its_schema(name: str) -> None:
    """As it is written, not as it was compiled: the message names the key."""
    read = tomllib.loads((PACKAGE / "data" / f"{name}.toml").read_text(encoding="utf-8"))
    msgspec.convert(read, loads()[name])


@pytest.mark.parametrize("name", TABLES)
def test_a_schema_refuses_a_key_it_does_not_know(name: str) -> None:
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        msgspec.convert({"no-such-key": 1}, loads()[name])


def test_what_is_compiled_is_what_is_written() -> None:
    """`make data` writes it anew."""
    assert {path: compile_data.read(path) for path in compile_data.COMPILED.glob("*.json*")} == (compile_data.wanted())


@pytest.mark.parametrize("name", TABLES)
def test_a_compiled_table_loads(name: str) -> None:
    assert load(name, loads()[name]) is not None


@pytest.mark.parametrize("name", PLAIN)
def test_a_plain_table_keeps_to_the_schema_beside_it(name: str) -> None:
    schema = json.loads((PACKAGE / "data" / f"{name}.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    table = tomllib.loads((PACKAGE / "data" / f"{name}.toml").read_text(encoding="utf-8"))
    assert [error.message for error in Draft202012Validator(schema).iter_errors(table)] == []
    assert not Draft202012Validator(schema).is_valid({**table, "no-such-key": 1})


def test_a_shared_field_of_a_tool_is_there() -> None:
    table = tomllib.loads((PACKAGE / "data/mcp/tools.toml").read_text(encoding="utf-8"))
    named = {field["like"] for tool in table["tools"] for field in tool.get("takes", {}).values() if "like" in field}
    assert named == {*table["fields"]}
