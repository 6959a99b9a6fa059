from __future__ import annotations

from leeboard.model.unit import Ruling
from leeboard.plan.disk.records import read_rulings, rulings_file, with_ruling
from leeboard.plan.disk.seal import lines_of
from leeboard.plan.effect import RecordRuling

NOW = "2026-01-01T10:00:00Z"


PATH = rulings_file("x", "build")


def test_a_decision_is_a_line() -> None:
    """SH-48: three decisions, three values, in the order they were made, and over what."""
    approved = RecordRuling(
        stage="build", decision="approved", feedback="", by="kim", visit=1, context="stage_gate", shown="d1"
    )
    changes = RecordRuling(
        stage="build", decision="changes_requested", feedback="shorter", by="kim", visit=2, context="stage_gate"
    )
    text = with_ruling(with_ruling("", "x", approved, NOW), "x", changes, NOW)
    found, bad = read_rulings(lines_of(PATH, text))
    assert bad == 0
    assert found == (
        Ruling(decision="approved", by="kim", decided_at=NOW, visit=1, shown="d1"),
        Ruling(decision="changes_requested", feedback="shorter", by="kim", decided_at=NOW, visit=2),
    )
    assert read_rulings(lines_of(rulings_file("x", "other"), text)) == ((), 2)


def test_an_agent_can_not_write_one() -> None:
    """SH-49."""
    assert read_rulings(lines_of(PATH, '{"decision": "approved", "visit": 1, "by": "kim"}')) == ((), 1)
