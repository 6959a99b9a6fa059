from __future__ import annotations

from pathlib import Path

from leeboard.io.plan._folder import Folder
from leeboard.io.plan.rulings import read_rulings, write_ruling
from leeboard.model.effect import RecordRuling
from leeboard.model.plan import Ruling

NOW = "2026-01-01T10:00:00Z"


def test_a_decision_is_on_the_disk(tmp_path: Path) -> None:
    """SH-48: three decisions, three values, in the order they were made."""
    folder = Folder(str(tmp_path))
    approved = RecordRuling(stage="build", decision="approved", feedback="", by="kim", visit=1, context="stage_gate")
    changes = RecordRuling(
        stage="build", decision="changes_requested", feedback="shorter", by="kim", visit=2, context="stage_gate"
    )
    write_ruling(folder, "x", approved, NOW)
    write_ruling(folder, "x", changes, NOW)
    found, bad = read_rulings(folder, "x", "build")
    assert bad == 0
    assert found == (
        Ruling(decision="approved", by="kim", decided_at=NOW, visit=1),
        Ruling(decision="changes_requested", feedback="shorter", by="kim", decided_at=NOW, visit=2),
    )
    assert read_rulings(folder, "x", "other") == ((), 0)


def test_an_agent_can_not_write_one(tmp_path: Path) -> None:
    """SH-49."""
    folder = Folder(str(tmp_path))
    folder.append("intents/x/stages/build/rulings.jsonl", b'{"decision": "approved", "visit": 1, "by": "kim"}')
    assert read_rulings(folder, "x", "build") == ((), 1)
