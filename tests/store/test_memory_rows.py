from __future__ import annotations

from msgspec.structs import replace

from leeboard.model.outcome import Outcome
from leeboard.store.memory import MemoryRows
from tests.store_suite import a_session, a_step, a_verdict

EDIT = a_step("one", 9, action_type="edit", files=("a.py",))


def keep(rows: MemoryRows, *steps: object) -> None:
    bare = Outcome(session=a_session(), verdict=a_verdict("v"))
    rows.keep(replace(bare, steps=steps))


def test_a_forgotten_session_decides_nothing_any_more() -> None:
    rows = MemoryRows()
    keep(rows, EDIT)
    rows.forget({"s1"})
    assert (rows.steps, rows.verdicts) == ({}, {})
    keep(rows, replace(EDIT, id="two"))
    assert rows.steps["two"].is_key_decision


def test_a_step_told_again_is_still_the_first() -> None:
    rows = MemoryRows()
    keep(rows, EDIT)
    keep(rows, replace(EDIT, drift_score=10))
    assert rows.steps["one"].is_key_decision
