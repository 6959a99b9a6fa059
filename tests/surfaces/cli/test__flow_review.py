"""A person decides in a real project: three decisions, three effects, each written down before anything follows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from leeboard.surfaces.cli._flow_review import _decision
from tests.flow_desk import SLUG, FlowDesk
from tests.mcp_agent import UNIT

RULINGS = f".haiku/intents/{SLUG}/stages/build/rulings.jsonl"


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlowDesk:
    return FlowDesk(tmp_path, monkeypatch)


def rulings(desk: FlowDesk) -> list[str]:
    path = desk.root / RULINGS
    return [json.loads(line)["decision"] for line in path.read_text().splitlines()] if path.exists() else []


def external(desk: FlowDesk) -> None:
    page = desk.root / ".haiku/studios/small/stages/build/STAGE.md"
    page.write_text(page.read_text().replace("review: ask", "review: [external, ask]"))
    desk.repository.commit("review it elsewhere too")
    desk.ok("repair", "--apply", "--yes")  # a person says that it may, and that the plan still holds
    desk.ok("review", "--approve")
    desk.until("gate_review")


def test_a_plan_is_approved_for_the_agent_to_go_on(desk: FlowDesk) -> None:
    """SH-38, SH-48: the ruling is on the disk, and the phase still as it was."""
    desk.at_plan_gate()
    assert "decide with --approve, --request-changes TEXT" in desk.ok("review")
    assert "approved: written down" in desk.ok("review", "--approve")
    assert "decided approved; it takes effect with the next" in " ".join(desk.ok("status").split())
    assert desk.told("status")["decided"] == "approved"
    assert rulings(desk) == ["approved"]
    assert desk.plan_now.stages[1].state.phase == "elaborate"
    assert desk("run_next")["action"] == "start_units"
    assert "waits for no decision" in desk.denied("review", "--approve")
    assert desk.flow("review", "--approve", "--json").objects[0]["error"] == "gate_not_open"


def test_changes_are_requested_and_become_a_finding(desk: FlowDesk) -> None:
    desk.at_plan_gate()
    assert desk.told("review", "--request-changes", "Smaller.") == {"intent": SLUG, "decision": "changes_requested"}
    asked = desk("run_next")
    assert (asked["action"], asked["feedback"].strip()) == ("revise_unit_specs", "Smaller.")


def test_a_stage_is_shown_and_passes(desk: FlowDesk) -> None:
    desk.at_stage_gate()
    told = desk.told("review")
    assert [each["path"] for each in told["files"]] == ["left.txt", "right.txt"]
    assert (told["phase"], told["reports"][0]["verdict"]) == ("gate", "pass")
    text = desk.ok("review")
    assert "+unit-01-left" in text
    assert "review   critic: pass" in text
    assert text == desk.ok("review", "--full")
    desk.ok("review", "--approve")
    assert desk("run_next")["action"] == "advance_stage"


@pytest.mark.parametrize("url", ["", "https://example.invalid/1"])
def test_a_stage_is_reviewed_elsewhere(desk: FlowDesk, url: str) -> None:
    """SH-39, SH-41: the agent is told to open it; the address is known where the person named it."""
    desk.at_stage_gate()
    external(desk)
    assert "to be reviewed elsewhere" in desk.ok("review", "--external", *([url] if url else []))
    asked = desk("run_next")
    assert asked["action"] == "external_review_requested"
    assert asked.json.get("external_review_url", "") == url
    assert desk("run_next")["action"] == "awaiting_external_review"
    assert rulings(desk)[-1] == "external_review"


def test_a_bad_address_decides_nothing(desk: FlowDesk) -> None:
    desk.at_stage_gate()
    external(desk)
    before = rulings(desk)
    assert "no web address" in desk.denied("review", "--external", "not an address")
    assert rulings(desk) == before


def test_an_agent_sees_and_does_not_decide(desk: FlowDesk) -> None:
    """SH-49."""
    desk.at_plan_gate()
    desk.as_agent()
    for words in (("--approve",), ("--request-changes", "x"), ("--external",)):
        assert "only a person may run `leeboard flow review`" in desk.denied("review", *words, code=2)
    assert rulings(desk) == []
    assert "no decision" not in desk.ok("review")


def test_wrong_use(desk: FlowDesk) -> None:
    assert "No intent is active" in desk.denied("review", code=2)
    desk.begin()
    assert "no stage of thing is being worked on" in desk.denied("review", code=2)
    assert "three decisions: give one" in desk.denied("review", "--approve", "--external", code=2)


@pytest.mark.parametrize(
    ("changes", "external", "approve", "decision"),
    [
        (None, None, False, None),
        (None, None, True, "approved"),
        ("", None, False, "changes_requested"),
        (None, "", False, "external_review"),
    ],
)
def test_each_option_is_its_own_decision(
    changes: str | None,
    external: str | None,
    approve: bool,  # noqa: FBT001 - a case
    decision: str | None,
) -> None:
    assert _decision(changes, external, approve=approve) == decision


def test_nothing_is_decided_while_a_change_of_somebody_else_is_open(desk: FlowDesk) -> None:
    """What `next` stands at is what a person is told, everywhere."""
    desk.at_plan_gate()
    desk.ok("next")
    desk.repository.write(f".haiku/intents/{SLUG}/knowledge/doc.md", "theirs\n")
    before = {path: path.read_bytes() for path in (desk.root / ".haiku/intents").rglob("*") if path.is_file()}
    status = desk.told("status")
    assert status["next"]["action"] == "manual_change_assessment"
    assert any("knowledge/doc.md" in each for each in status["blocks"])
    assert "leeboard flow classify" in desk.ok("status")
    assert desk.told("review")["decisions"] == []
    assert "knowledge/doc.md" in desk.ok("review").splitlines()[-1]
    assert "knowledge/doc.md" in desk.denied("review", "--approve")
    assert rulings(desk) == []
    after = {path: path.read_bytes() for path in (desk.root / ".haiku/intents").rglob("*") if path.is_file()}
    assert after == before, "who looks changes nothing"
    (desk.root / f".haiku/intents/{SLUG}/baseline.json").unlink()
    assert desk.told("status")["next"]["action"] == "error"
    assert "baseline-reset" in desk.ok("status")
    assert "baseline-reset" in desk.denied("review", "--approve")


def test_what_the_agent_wrote_itself_hides_nothing(desk: FlowDesk) -> None:
    """What explains itself is put down by the next call: what comes after it is told."""
    desk.at_plan_gate()
    desk.ok("next")
    path = f".haiku/intents/{SLUG}/knowledge/doc.md"
    desk.repository.write(path, "mine\n")
    assert desk("record_agent_write", path=str(desk.root / path))["stamped"]
    assert desk.told("status")["next"]["action"] == "gate_review"
    desk.ok("review", "--approve")


def test_a_unit_that_changed_behind_an_approval_is_shown_old_and_new(desk: FlowDesk) -> None:
    desk.at_plan_gate()
    desk.ok("review", "--approve")
    desk.until("start_units")
    page = desk.root / f".haiku/intents/{SLUG}/stages/build/units/unit-01-left.md"
    page.write_text(page.read_text().replace("- [ ] left.txt is there", "- [ ] nothing at all"))
    assert desk("run_next")["action"] == "gate_review"
    text = desk.ok("review")
    assert "- left.txt is there" in text
    assert "+ nothing at all" in text
    told = desk.told("review")["changed"]
    assert [(each["name"], each["parts"][0]["part"]) for each in told] == [("unit-01-left", "criteria")]


def test_a_stale_plan_is_shown_as_one_after_the_agent_was_asked(desk: FlowDesk) -> None:
    desk.at_plan_gate()
    desk.ok("review", "--approve")
    desk.until("start_units")
    desk.ok("revisit", "shape", "--reason", "Another shape")
    desk.until("elaborate")
    closing = UNIT.replace("---\nWrite", "closes: [FB-01]\n---\nWrite").format(title="Again", output="again.txt")
    assert not desk("unit_write", unit="unit-02-again", content=closing).is_error
    desk.until("start_unit")
    desk.work("unit-02-again", "again.txt", hats=1)
    assert "shape was revisited" in desk.until("elaborate")["message"]
    assert desk.told("review")["decisions"] == []
    gate = desk("run_next")
    assert (gate["action"], "No unit was added since" in gate["message"]) == ("gate_review", True)
    shown = " ".join(desk.ok("review").split())
    assert "Stage build is stale: shape was revisited for shape/FB-01: Another shape. No unit was added since" in shown
    assert len(desk.told("review")["warnings"]) == 1
    assert desk.told("review")["decisions"] == ["approved", "changes_requested"]
