from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped] # it ships no types

from leeboard.surfaces.mcp.tools import Tool, problems, tools

TOOL = Tool(
    "t",
    "A tool.",
    {
        "unit": {"kind": "identifier", "needed": True, "about": "A unit."},
        "words": {"kind": "text", "longest": 5, "about": "Some."},
        "kind": {"kind": "choice", "values": ["a", "b"], "about": "One."},
        "sure": {"kind": "flag", "about": "Whether."},
        "many": {"kind": "texts", "most": 2, "about": "Several."},
        "value": {"kind": "any", "about": "Anything."},
    },
)


def plain(name: str) -> bool:
    return "/" not in name


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ({"unit": "u"}, ()),
        ({"unit": "u", "words": "12345", "kind": "a", "sure": True, "many": ["x"], "value": None}, ()),
        ({}, ("unit is missing",)),
        ({"unit": 3}, ("unit is not of the type string",)),
        ({"unit": ""}, ("unit is empty",)),
        (
            {"unit": "a/b"},
            ("unit is no plain name: no slashes, no leading dot, no spaces around, no control characters",),
        ),
        ({"unit": "u", "words": "123456"}, ("words is longer than 5 characters",)),
        ({"unit": "u", "words": "\0"}, ("words holds a NUL character",)),
        ({"unit": "u", "words": "\ud800"}, ("words holds half a character (a lone surrogate)",)),
        ({"unit": "u", "kind": "c"}, ("kind is none of a, b",)),
        ({"unit": "u", "sure": 1}, ("sure is not of the type boolean",)),
        ({"unit": "u", "many": ["x"] * 3}, ("many has more than 2 entries",)),
        ({"unit": "u", "many": ["x", 1]}, ("many holds an entry that is not of the type string",)),
        (
            {"unit": "u", "value": {"k": ["\0"]}},
            ("value holds an entry that holds an entry that holds a NUL character",),
        ),
        ({"unit": "u", "x": 1}, ("'x' is no argument (there are: unit, words, kind, sure, many, value)",)),
    ],
)
def test_arguments_are_held_against_the_schema(arguments: dict[str, Any], found: tuple[str, ...]) -> None:
    assert problems(TOOL, arguments, plain) == found


ROW = {
    "path": {"kind": "text", "longest": 3, "needed": True, "about": "Where."},
    "why": {"kind": "text", "about": "Why."},
}
RECORDS = Tool("r", "A tool.", {"rows": {"kind": "records", "most": 2, "about": "Rows.", "fields": ROW}})


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        ([{"path": "a"}, {"path": "b", "why": None}], ()),
        ([{"why": "x"}], ("rows holds an entry that lacks path",)),
        ([{"path": None}], ("rows holds an entry that lacks path",)),
        ([{"path": "abcd"}], ("rows holds an entry that has a path that is longer than 3 characters",)),
        ([{"path": "a", "other": 1}], ("rows holds an entry that has the field 'other' (there are: path, why)",)),
        ([7], ("rows holds an entry that is not of the type object",)),
        ([{"path": "a"}] * 3, ("rows has more than 2 entries",)),
    ],
)
def test_records_are_held_against_their_shape(rows: list[Any], found: tuple[str, ...]) -> None:
    assert problems(RECORDS, {"rows": rows}, plain) == found


def test_a_value_without_a_type_may_be_anything_but_deep() -> None:
    deep: Any = []
    for _ in range(500):
        deep = [deep]
    (found,) = problems(TOOL, {"unit": "u", "value": deep}, plain)
    assert found.endswith("is nested too deeply")


VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.text(max_size=6), st.lists(st.text(max_size=3), max_size=3)
)


@given(st.dictionaries(st.sampled_from([*TOOL.fields, "other"]), VALUES))
def test_what_the_schema_refuses_is_refused(arguments: dict[str, Any]) -> None:
    """A client that holds its arguments against the schema itself comes to the same answer, or a milder one."""
    if not Draft202012Validator(TOOL.schema).is_valid(arguments):
        assert problems(TOOL, arguments, plain)


def test_schemas_are_schemas() -> None:
    for tool in tools():
        Draft202012Validator.check_schema(tool.schema)


def test_what_only_reads_says_so() -> None:
    assert Tool("r", "Reads.", {}, reads=True).listed["annotations"]["readOnlyHint"] is True
    assert TOOL.listed["annotations"]["readOnlyHint"] is False
    assert "required" not in Tool("r", "Reads.", {}, reads=True).schema
