"""What of a plan is no longer what was approved."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.plan.changed import DefinitionChange, changed_parts
from tests.flow_desk import SLUG, FlowDesk

UNITS = f".haiku/intents/{SLUG}/stages/build/units"
LEFT = f"{UNITS}/unit-01-left.md"
GATE = "quality_gates:\n  - {name: tests, command: 'true'}\n"


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlowDesk:
    made = FlowDesk(tmp_path, monkeypatch)
    made.at_plan_gate()
    return made


def approve(desk: FlowDesk) -> None:
    desk.ok("review", "--approve")
    desk.until("start_units")


def found(desk: FlowDesk) -> dict[str, DefinitionChange]:
    plan = desk.plan_now
    assert plan.active is not None
    return {each.name: each for each in changed_parts(str(desk.root), plan, plan.active)}


def test_a_plan_that_is_being_made_has_not_changed(desk: FlowDesk) -> None:
    assert found(desk) == {}


def test_each_part_old_and_new(desk: FlowDesk) -> None:
    approve(desk)
    assert found(desk) == {}
    page = desk.root / LEFT
    text = page.read_text().replace("title: unit-01-left\n", f"title: Another\n{GATE}")
    text = text.replace("outputs: [left.txt]", "outputs: []").replace("- [ ] left.txt is there", "- [ ] it is big")
    page.write_text(text.replace("Write left.txt.", "Write nothing."))
    told = {part.part: (part.was, part.now) for part in found(desk)["unit-01-left"].parts}
    assert told == {
        "title": (("unit-01-left",), ("Another",)),
        "quality_gates": ((), ("tests: true",)),
        "criteria": (("left.txt is there",), ("it is big",)),
        "body": (("Write left.txt.",), ("Write nothing.",)),
        "outputs": (("left.txt",), ()),
    }


def test_units_that_came_and_went(desk: FlowDesk) -> None:
    approve(desk)
    (desk.root / UNITS / "unit-03-new.md").write_text((desk.root / LEFT).read_text())
    (desk.root / LEFT).unlink()
    stage = desk.root / ".haiku/studios/small/stages/build/STAGE.md"
    stage.write_text(stage.read_text().replace("unit_types: [code]", "unit_types: [code, text]"))
    assert {name: each.unknown for name, each in found(desk).items()} == {
        "unit-01-left": "it is gone",
        "unit-03-new": "it is new",
        "the definition of stage build": "",
    }


def test_what_git_does_not_have_is_said(desk: FlowDesk) -> None:
    desk.repository.write(".gitignore", ".haiku/intents/\n")
    desk.repository.run("rm", "-r", "-q", "--cached", ".haiku/intents")
    desk.repository.commit("the plan is nobody's business")
    page = desk.root / LEFT
    page.write_text(page.read_text().replace("Write left.txt.", "Write it well."))
    approve(desk)
    page.write_text(page.read_text().replace("Write it well.", "Write it."))
    assert found(desk)["unit-01-left"] == DefinitionChange(
        name="unit-01-left", unknown="git does not have it as it was approved: read the unit"
    )
