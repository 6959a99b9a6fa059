"""A person decides in a real project: three decisions, three effects, each written down before anything follows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from leeboard.surfaces.cli.flow.review import _decision
from tests.flow_desk import SLUG, FlowDesk
from tests.git_repository import GitRepository
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
    assert "no web address" in desk.denied("review", "--external", "not an address", code=2)
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
    assert "No stage of thing is being worked on" in desk.denied("review")
    assert desk.told("review")["error"] == "no_active_stage"
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
    told = desk.told("review")
    assert (told["decisions"], "leeboard flow classify" in told["why_not"]) == ([], True), "as the text says it"
    for said in (status["next"]["message"], told["why_not"]):
        assert "haiku_" not in said
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
    assert "FB-01 is a person's" in desk.until("gate_review")["message"], "they asked for it, and end it"
    desk.ok("review", "--approve")
    assert "shape was revisited" in desk.until("elaborate")["message"]
    assert desk.told("review")["decisions"] == []
    gate = desk("run_next")
    assert (gate["action"], "No unit was added since" in gate["message"]) == ("gate_review", True)
    shown = " ".join(desk.ok("review").split())
    assert "Stage build is stale: shape was revisited for shape/FB-01: Another shape. No unit was added since" in shown
    assert len(desk.told("review")["warnings"]) == 1
    assert desk.told("review")["decisions"] == ["approved", "changes_requested"]


def test_an_approval_can_be_seen_and_taken_back_until_the_work_goes_on(desk: FlowDesk) -> None:
    desk.at_plan_gate()
    assert "could be taken back" in desk.denied("review", "--withdraw")
    desk.ok("review", "--approve")
    shown = " ".join(desk.ok("review").split())
    assert "decided approved by " in shown
    assert "takes effect with the next `leeboard flow next`" in shown
    assert "--withdraw" in shown
    assert "no decision is waited for" not in shown
    told = desk.told("review")
    assert (told["decided"]["decision"], told["decided"]["counts"]) == ("approved", True)
    assert told["decisions"] == ["approved", "changes_requested"]
    assert "another decision" in desk.denied("review", "--withdraw", "--approve", code=2)
    assert "withdrawn: written down" in desk.ok("review", "--withdraw")
    assert desk("run_next")["action"] == "gate_review"
    assert desk.told("review")["decided"] is None
    desk.ok("review", "--approve")
    desk.ok("review", "--request-changes", "Smaller.")
    assert desk.told("status")["decided"] == "changes requested"
    assert desk("run_next")["action"] == "revise_unit_specs"
    assert rulings(desk) == ["approved", "withdrawn", "approved", "changes_requested"]
    assert "could be taken back" in desk.denied("review", "--withdraw"), "it was acted on"


def test_an_agent_takes_nothing_back(desk: FlowDesk) -> None:
    desk.at_plan_gate()
    desk.ok("review", "--approve")
    desk.as_agent()
    assert "only a person may run" in desk.denied("review", "--withdraw", code=2)
    assert rulings(desk) == ["approved"]


def test_an_approval_that_no_longer_counts_is_said_to_be_none(desk: FlowDesk) -> None:
    desk.at_stage_gate()
    desk.ok("review", "--approve")
    desk.repository.write("left.txt", "another\n")
    desk.repository.commit("another")
    shown = " ".join(desk.ok("review").split())
    assert "has changed since, so it does not count" in shown
    assert desk.told("review")["decided"]["counts"] is False


def test_what_was_let_through_with_a_reason_alone_is_shown_and_bound(desk: FlowDesk) -> None:
    """A finding that an agent filed and closed is shown too, with the reason; it is part of what is approved."""
    desk.at_stage_gate()
    before = desk.told("review")["shown"]
    desk("feedback", stage="build", title="search returns nothing", body="Nothing.")
    desk.until("review_fix")
    assert not desk("feedback_advance_hat", feedback_id="FB-01", reason="UNIQUE fine as it is").is_error
    gate = desk.until("gate_review")
    assert [(each["feedback_id"], each["reason"]) for each in gate["nothing_changed"]] == [
        ("FB-01", "UNIQUE fine as it is")
    ]
    told = desk.told("review")
    assert told["nothing_changed"] == gate["nothing_changed"]
    assert "no change  FB-01 (search returns nothing): UNIQUE" in desk.ok("review")
    assert told["shown"] != before
    assert "It changed since" not in desk.ok("review", "--approve", "--shown", told["shown"])


def test_a_reason_is_void_once_something_changed(desk: FlowDesk) -> None:
    """A hat said that nothing had to change, and the next one changed something."""
    desk.at_plan_gate()
    desk.ok("review", "--approve")
    desk.until("start_units")
    tree = GitRepository(Path(desk("unit_start", unit="unit-01-left")["worktree"]))
    desk.ok("unit", "unit-01-left", "--advance", "--because", "nothing had to change")
    assert "no change, nothing had to change" in desk.ok("unit", "unit-01-left")
    tree.write("left.txt", "changed\n")
    tree.commit("change it")
    assert not desk("unit_set", unit="unit-01-left", field="criteria", value=["left.txt is there"]).is_error
    desk.ok("unit", "unit-01-left", "--advance")
    desk.work("unit-02-right", "right.txt", hats=2)
    desk.until("review")
    assert not desk("review_report", agent="critic", verdict="pass", report="Nothing.").is_error
    assert desk.until("gate_review")["nothing_changed"] == []
    assert "no change" not in desk.ok("review")
    assert "left.txt" in desk.ok("review")


@pytest.mark.parametrize(
    ("path", "text", "code"),
    [
        ("units/unit-01-left.md", "---\ntitle: [\n---\n", "page_unreadable"),
        ("state.json", "{", "plan_unreadable"),
    ],
)
def test_what_can_not_be_read_is_not_decided_on(desk: FlowDesk, path: str, text: str, code: str) -> None:
    desk.at_plan_gate()
    desk.ok("review")
    desk.repository.write(f".haiku/intents/{SLUG}/stages/build/{path}", text)
    told = desk.flow("review", "--json")
    assert (told.code, told.objects[0]["error"]) == (4, code)
    for words in ((), ("--approve",), ("--request-changes", "x"), ("--withdraw",)):
        said = desk.denied("review", *words, code=4)
        assert "can not be read: " in said
        assert path.rpartition("/")[2].removesuffix(".md") in said
    assert rulings(desk) == []
    assert desk.flow("next").code == 4


def test_open_pr_says_what_was_done_and_what_is_left(desk: FlowDesk, tmp_path: Path) -> None:
    desk.at_stage_gate()
    external(desk)
    assert "--by-hand goes with --external alone" in desk.denied("review", "--approve", "--by-hand", code=2)
    desk.repository.run("clone", "-q", "--bare", ".", str(tmp_path / "bare.git"))
    desk.repository.run("remote", "add", "origin", str(tmp_path / "bare.git"))
    said = " ".join(desk.ok("review", "--external", "--by-hand").split())
    assert f"run git push origin haiku/{SLUG}/main" in said
    assert "its merge releases the gate: while somebody waits there, Leeboard itself fetches" in said
    told = desk.told("review", "--external")
    assert told["review"]["pushed"] == "origin"
    assert f"refs/heads/haiku/{SLUG}/main" in desk.repository.run("ls-remote", str(tmp_path / "bare.git"))
