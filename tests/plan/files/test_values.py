"""Fields are read as what they should be; slips are named and change nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.model.studio import GateCommand
from leeboard.model.unit import Pass
from leeboard.plan.files.values import Fields


def test_texts_and_lists() -> None:
    fields = Fields({"a": "x", "n": 3, "b": True, "list": ["x", 2, " "], "one": "y", "refs": ["z"]})
    assert [fields.text(key) for key in "anbq"] == ["x", "3", "true", ""]
    assert fields.texts("list") == ("x", "2")
    assert fields.texts("one") == ("y",)
    assert fields.texts("inputs", "refs") == ("z",)
    assert fields.problem == ""


def test_numbers_and_flags() -> None:
    fields = Fields({"a": 3, "b": "4", "c": None, "yes": True, "no": None})
    assert [fields.count(key) for key in "abcd"] == [3, 4, 0, 0]
    assert fields.yes("yes")
    assert fields.yes("no", default=True)
    assert fields.problem == ""


@pytest.mark.parametrize(
    ("read", "problem"),
    [
        (lambda fields: fields.text("map"), "map must be a text"),
        (lambda fields: fields.texts("deep"), "deep must be a list of texts"),
        (lambda fields: fields.count("word"), "word must be a whole number from 0 on"),
        (lambda fields: fields.yes("word"), "word must be true or false"),
        (lambda fields: fields.records("word"), "word must be a list of mappings"),
        (lambda fields: fields.choice("word", ("a", "b"), "a", {}), "word is 'x'; valid are a, b"),
        (lambda fields: fields.gates("gates"), "quality gate 1 has no command"),
        (lambda fields: fields.passes("odd"), "a result of 'maybe' is read as reject"),
    ],
)
def test_slips_are_named(read: Any, problem: str) -> None:
    fields = Fields({"map": {}, "deep": [["x"]], "word": "x", "gates": [{"name": "n"}], "odd": [{"result": "maybe"}]})
    read(fields)
    assert fields.problem == problem


def test_choices_of_earlier_versions() -> None:
    fields = Fields({"status": "blocked"})
    assert fields.choice("status", ("pending", "active"), "pending", {"blocked": "pending"}) == "pending"
    assert fields.problem == ""


def test_gates_and_passes() -> None:
    """SH-15: gates may be written short; a hat that is still worn has not passed."""
    fields = Fields(
        {
            "quality_gates": [{"name": "t", "command": "make t", "dir": "api"}, "make lint"],
            "iterations": [
                {"hat": "a", "result": "advanced", "completed_at": "2026-01-01"},
                {"hat": "b", "result": "reject", "reason": "no", "changed": True, "work": "ab"},
                {"hat": "a", "started_at": "2026-01-02", "result": None},
            ],
        }
    )
    assert fields.gates() == (
        GateCommand(name="t", command="make t", dir="api"),
        GateCommand(name="make lint", command="make lint"),
    )
    assert fields.passes() == (
        Pass(hat="a", result="advance", completed_at="2026-01-01"),
        Pass(hat="b", result="reject", reason="no", changed=True, work="ab"),
    )


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["hat", "result", "command"]), inner),
    max_leaves=6,
)


@given(plain)
def test_no_value_raises(value: Any) -> None:
    fields = Fields({"k": value})
    fields.text("k")
    fields.texts("k")
    fields.count("k")
    fields.yes("k")
    fields.choice("k", ("a",), "a", {})
    fields.records("k")
    fields.passes("k")
    fields.gates("k")
