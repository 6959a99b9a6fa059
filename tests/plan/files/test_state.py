"""`state.json` of a stage."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.errors import WireError
from leeboard.plan.files.state import parse_stage_state, with_state

FULL = {
    "stage": "design",
    "status": "active",
    "phase": "review",
    "started_at": "2026-04-16T10:00:00Z",
    "completed_at": None,
    "gate_outcome": None,
    "elaboration_turns": 2,
    "visits": 1,
    "iterations": [{"index": 1, "trigger": "initial", "result": "advanced", "feedback_signature": "x"}],
    "decision_log": [{"decision": "a"}],
}


def test_a_state_is_read() -> None:
    """SH-08"""
    state = parse_stage_state(json.dumps(FULL), "design")
    assert (state.status, state.phase, state.elaboration_turns, state.visits) == ("active", "review", 2, 1)
    assert (state.completed_at, state.gate_outcome, state.problem) == ("", "", "")
    assert state.iterations[0].result == "advanced"
    assert state.extra == {"decision_log": [{"decision": "a"}]}


@pytest.mark.parametrize(
    ("text", "phase", "status", "problem"),
    [
        ("", "", "pending", ""),
        ('{"phase": "decompose", "status": "active"}', "elaborate", "active", ""),
        ('{"phase": "persist", "status": "blocked"}', "gate", "blocked", ""),
        ('{"phase": "dreaming"}', "", "pending", "state.json: phase is 'dreaming'"),
        ('{"status": 3}', "", "pending", "state.json: status is '3'"),
        ("{", "", "pending", "state.json: not valid JSON"),
        ("[]", "", "pending", "state.json: not a JSON object"),
        ('{"a": ' + "[" * 100_000, "", "pending", "state.json: not valid JSON"),
        ('{"iterations": 3, "visits": -1}', "", "pending", "state.json: visits must be"),
    ],
)
def test_states_of_all_kinds_open(text: str, phase: str, status: str, problem: str) -> None:
    state = parse_stage_state(text, "s")
    assert (state.phase, state.status) == (phase, status)
    assert state.problem.startswith(problem)
    assert bool(problem) == bool(state.problem)


def test_keys_are_set_and_others_kept() -> None:
    text = with_state(json.dumps(FULL), {"phase": "gate", "gate_tries": 1, "note": "é"})
    found = json.loads(text)
    assert found == FULL | {"phase": "gate", "gate_tries": 1, "note": "é"}
    assert list(found)[: len(FULL)] == list(FULL)
    assert text.startswith('{\n  "stage"')
    assert text.endswith("\n}\n")
    assert "é" in text


def test_a_visit_keeps_what_other_versions_say_of_it() -> None:
    visits: list[dict[str, Any]] = [
        {"index": 1, "trigger": "initial", "result": "advanced", "reason": "x"},
        {"index": 2},
    ]
    found = json.loads(with_state(json.dumps(FULL), {"iterations": visits}))
    assert found["iterations"] == [visits[0] | {"feedback_signature": "x"}, {"index": 2}]


def test_an_unreadable_state_is_not_overwritten() -> None:
    with pytest.raises(WireError):
        with_state("{", {"phase": "gate"})
    assert json.loads(with_state("", {"phase": "gate"})) == {"phase": "gate"}


@given(st.text(max_size=60) | st.recursive(st.none() | st.text(max_size=5) | st.integers(), st.lists).map(json.dumps))
def test_reading_never_raises(text: str) -> None:
    parse_stage_state(text, "s")


@given(
    st.dictionaries(
        st.sampled_from([*FULL, "x"]), st.none() | st.text(max_size=5) | st.integers() | st.lists(st.none())
    )
)
def test_any_object_is_a_state(found: dict[str, Any]) -> None:
    assert parse_stage_state(json.dumps(found), "s").stage == "s"
