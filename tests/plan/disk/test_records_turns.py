from __future__ import annotations

from pathlib import Path

from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.records import UserTurn, record_turn, turns_since

BEGAN, LATER = "2026-01-01T10:00:00Z", "2026-01-01T10:00:01Z"


def test_distinct_words_of_a_person_since_the_visit_began(tmp_path: Path) -> None:
    """SH-22, SH-44: counted from evidence; the same prompt told twice is one."""
    folder, root = PlanFolder(str(tmp_path)), str(tmp_path)
    folder.write("intents/x/intent.md", b"x")
    record_turn(root, "x", UserTurn(id="early", source="prompt", at="2026-01-01T09:59:59Z"))
    record_turn(root, "x", UserTurn(id="p1", source="prompt", at=BEGAN))
    record_turn(root, "x", UserTurn(id="p1", source="prompt", at=LATER))
    record_turn(root, "x", UserTurn(id="a1", source="answer", at="2026-01-01T10:00:00.5Z", stage="build"))
    record_turn(root, "x", UserTurn(id="a2", source="answer", at=LATER, stage="other"))
    folder.append("intents/x/user-turns.jsonl", b'{"id": "forged", "at": "2026-01-02T00:00:00Z", "source": "prompt"}')
    assert turns_since(folder, "x", BEGAN, "build") == 2
    assert turns_since(folder, "x", LATER, "build") == 1
    assert turns_since(folder, "x", "", "build") == 0
    assert turns_since(folder, "y", BEGAN) == 0


def test_nothing_is_made_for_an_intent_that_is_not_there(tmp_path: Path) -> None:
    record_turn(str(tmp_path), "gone", UserTurn(id="p1", source="prompt", at=BEGAN))
    assert list(tmp_path.glob(".haiku/**/*")) == []
