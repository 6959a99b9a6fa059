from __future__ import annotations

import pytest

from leeboard.model.unit import StopProposed
from leeboard.testing.scenario import UNIT, planned


def test_the_agent_is_where_the_lines_put_it() -> None:
    assert planned({"phase": "execute"}, "/r").workspace == "/r"
    assert planned({"phase": "execute", "inside": True}, "/r").workspace == f"/r/.haiku/worktrees/login/{UNIT}"


def test_units_stand_as_the_phase_has_them() -> None:
    stands = {
        phase: [unit.status for unit in planned({"phase": phase}, "/r").plan.stages[0].units]
        for phase in ("elaborate", "execute", "gate")
    }
    assert stands == {
        "elaborate": ["pending", "pending"],
        "execute": ["active", "pending"],
        "gate": ["completed", "completed"],
    }


def test_only_who_worked_leaves_something() -> None:
    event = StopProposed(session="s")
    assert planned({}, "/r").leaving(event) == event
    left = planned({"worked": True, "gate_exit": 1}, "/r").leaving(event)
    assert [worked.unit.id for worked in left.worked_on] == [UNIT]
    assert [run.passed for run in left.gate_runs] == [False]


def test_a_key_nobody_knows_is_an_error() -> None:
    with pytest.raises(ValueError, match="phrase"):
        planned({"phrase": "execute"}, "/r")
