"""A person's word about changed files, and over an agent's."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.person.changes import ChangeWord, Overruled, classify, overrule
from leeboard.app.plan.engine import Engine
from leeboard.model.plan import Clue
from leeboard.plan.effect import Refusal
from tests.flow_desk import SLUG, FlowDesk

PATH = "knowledge/NOTES.md"
SAID = Overruled(assessment="AS-01", path=PATH, was="ignore", stage="shape", feedback="")


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Engine:
    flow = FlowDesk(tmp_path, monkeypatch)
    flow.begin()
    flow.until("elaborate")
    place = flow.root / ".haiku/intents" / SLUG / PATH
    place.parent.mkdir(exist_ok=True)
    place.write_text("one\n")
    return Engine(str(flow.root))


def asked(engine: Engine) -> str:
    clue = engine.tick(SLUG)
    assert clue.action == "manual_change_assessment"
    return str(clue.payload["tick_id"])


def word(outcome: str, why: str = "It is so", stage: str = "") -> ChangeWord:
    return ChangeWord(path=PATH, outcome=outcome, why=why, stage=stage)


def test_a_change_is_taken_in(engine: Engine) -> None:
    stale = classify(engine, SLUG, "tick-0", (word("ignore"),), "because")
    assert isinstance(stale, Refusal)
    done = classify(engine, SLUG, asked(engine), (word("ignore"),), "because")
    assert isinstance(done, Clue)
    assert done.payload["assessment_id"] == "AS-01"


def test_a_change_becomes_a_finding_of_the_person(engine: Engine) -> None:
    classify(engine, SLUG, asked(engine), (word("surface-as-feedback", "Too short"),), "because")
    (item,) = engine.look(SLUG).stages[0].feedback
    assert (item.title, item.is_human) == ("Too short", True)


def test_a_person_overrules_what_was_said(engine: Engine) -> None:
    classify(engine, SLUG, asked(engine), (word("ignore"),), "because")
    assert overrule(engine, SLUG, SAID, word("surface-as-feedback", "Look again")) is None
    (item,) = engine.look(SLUG).stages[0].feedback
    assert (item.title, item.source_ref) == ("Look again", f"AS-01:{PATH}")
    for refused in (
        word("ignore"),
        word("surface-as-feedback", " "),
        word("inline-fix"),
        word("trigger-revisit", "x", "ship"),
    ):
        assert overrule(engine, SLUG, SAID, refused) is not None
