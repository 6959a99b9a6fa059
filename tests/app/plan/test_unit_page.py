"""A drafted unit is one the plan takes, with the criteria of the wish, and nothing is written over."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.plan.engine import Engine
from leeboard.app.plan.unit_page import draft_unit
from leeboard.plan.effect import Refusal
from tests.flow_desk import FlowDesk

SLUG = "say-when"


def test_a_draft_is_a_unit_that_can_be_planned_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = FlowDesk(tmp_path, monkeypatch)
    desk.ok(
        "new", "--from", 'Say "when": the log\n\nDone when:\n- the log has a time\n- a test shows it\n', "--slug", SLUG
    )
    engine = Engine(str(desk.root))
    early = draft_unit(engine, SLUG, "unit-01-when")
    assert isinstance(early, Refusal), "no stage has begun"
    desk.ok("next")
    made = draft_unit(engine, SLUG, "unit-01-when")
    assert isinstance(made, str)
    (unit,) = engine.look(SLUG).stages[0].units
    assert (unit.problem, unit.title, unit.type) == ("", 'Say "when": the log', "feature")
    assert [text for text, _ in unit.criteria] == ["the log has a time", "a test shows it"]
    again = draft_unit(engine, SLUG, "unit-01-when")
    assert isinstance(again, Refusal)
    assert again.code == "unit_exists"
    misnamed = draft_unit(engine, SLUG, "when")
    assert isinstance(misnamed, Refusal)
    assert misnamed.code == "unit_naming_invalid"
    assert desk.told("next")["action"] == "gate_review"


def test_by_hand_from_a_wish_to_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As docs/commands/flow.md tells it: a person alone, in a dozen commands."""
    desk = FlowDesk(tmp_path, monkeypatch)
    commands: list[str] = []

    def flow(*words: str) -> str:
        commands.append(" ".join(words))
        return desk.ok(*words)

    flow("new", "--from", "Add a greeting. `hello.txt` says hello.", "--slug", "greet")
    flow("next")
    assert "drafted unit-01-hello" in flow("unit", "unit-01-hello", "--draft")
    page = desk.root / ".haiku/intents/greet/stages/change/units/unit-01-hello.md"
    page.write_text(page.read_text().replace("outputs: []", "outputs: [hello.txt]"))
    assert "gate_review" in flow("next")
    flow("review", "--approve")
    flow("next")
    assert "start_unit" in flow("next")
    flow("unit", "unit-01-hello", "--start")
    tree = desk.root / ".haiku/worktrees/greet/unit-01-hello"
    (tree / "hello.txt").write_text("hello\n")
    desk.repository.run("-C", str(tree), "add", "-A")
    desk.repository.run("-C", str(tree), "commit", "-qm", "say hello")
    assert "gate_review" in flow("unit", "unit-01-hello", "--advance", "--met")
    flow("review", "--approve")
    assert "intent_complete" in flow("next")
    assert len(commands) <= 12, commands
    assert desk.repository.run("show", "haiku/greet/main:hello.txt") == "hello"
