"""What a person says is a turn, and lies in the intent's knowledge before anybody is told so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from leeboard.app.person.answer import HeardAnswer, active_stage, say
from leeboard.app.plan.engine import Engine
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.records import read_turns
from leeboard.plan.effect import Refusal
from tests.flow_desk import SLUG, FlowDesk


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlowDesk:
    made = FlowDesk(tmp_path, monkeypatch)
    made.through_shape()
    return made


def test_what_is_said_is_kept_and_counts_once(desk: FlowDesk) -> None:
    engine = Engine(str(desk.root))
    first = say(engine, SLUG, "Words are split\nat white space.")
    again = say(engine, SLUG, "words are split at white space.")
    assert isinstance(first, HeardAnswer)
    assert isinstance(again, HeardAnswer)
    assert (first.stage, first.turns, again.turns) == (active_stage(engine.look(SLUG)), again.turns, first.turns)
    kept = (desk.root / ".haiku/intents/thing/knowledge/ANSWERS.md").read_text()
    assert kept.count("plit at white space.") == 2


def test_a_nod_is_kept_and_is_no_turn(desk: FlowDesk) -> None:
    """SH-44."""
    engine = Engine(str(desk.root))
    for nod in ("ok", "continue", "go"):
        heard = say(engine, SLUG, nod)
        assert isinstance(heard, HeardAnswer)
        assert (heard.turns, heard.counts) == (0, False)
    assert "continue" in (desk.root / ".haiku/intents/thing/knowledge/ANSWERS.md").read_text()


def test_what_was_said_is_on_record_as_a_persons_and_nobody_is_asked_about_it(desk: FlowDesk) -> None:
    desk("run_next")
    say(Engine(str(desk.root)), SLUG, "Words are split at white space.")
    line = json.loads((desk.root / ".haiku/intents/thing/action-log.jsonl").read_text().splitlines()[-1])
    assert (line["entry_type"], line["author_class"], line["path"]) == (
        "person_said",
        "human-via-mcp",
        "knowledge/ANSWERS.md",
    )
    assert desk("run_next")["action"] != "manual_change_assessment"
    kept = json.loads((desk.root / ".haiku/intents/thing/baseline.json").read_text())["knowledge/ANSWERS.md"]
    assert (kept["author_class"], kept["acknowledged_via"]) == ("human-via-mcp", "human-write-tool")
    (turn,) = read_turns(PlanFolder(str(desk.root)), SLUG)
    assert turn.text == "Words are split at white space."


def test_nobody_waits_for_an_answer_where_the_work_is_done(desk: FlowDesk) -> None:
    page = desk.root / ".haiku/intents/thing/intent.md"
    page.write_text(page.read_text().replace("status: active", "status: completed"))
    refused = say(Engine(str(desk.root)), SLUG, "Too late.")
    assert isinstance(refused, Refusal)
    assert refused.code == "intent_completed"
