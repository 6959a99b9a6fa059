from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.flow_desk import SLUG, FlowDesk


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlowDesk:
    made = FlowDesk(tmp_path, monkeypatch)
    made.begin()
    made.until("elaborate")
    return made


def test_a_finding_is_filed_and_listed(desk: FlowDesk) -> None:
    assert desk.ok("feedback", "list") == "no findings\n"
    filed = desk.told("feedback", "add", "It is flat", "--body", "Very.")
    assert (filed["id"], filed["stage"], filed["status"], filed["of_a_person"]) == ("FB-01", "shape", "pending", True)
    assert "filed pending" in desk.ok("feedback", "add", "All of it", "--stage", "intent")
    lines = desk.ok("feedback", "list").splitlines()
    assert [line.split()[:3] for line in lines[1:]] == [["FB-01", "shape", "pending"], ["FB-01", "intent", "pending"]]
    assert "Very." in desk.ok("feedback", "show", "fb-01")
    assert desk.told("feedback", "show", "FB-01", "--stage", "intent")["title"] == "All of it"
    assert desk("run_next")["action"] == "feedback_triage"


@pytest.mark.parametrize(
    ("words", "said", "code"),
    [
        (("add", "x", "--stage", "ship"), "ship was not reached yet", 1),
        (("add", "x", "--stage", "nowhere"), "no stage nowhere", 2),
        (("add", ""), "does not name the finding", 1),
        (("list", "--stage", "nowhere"), "there is no stage 'nowhere'; there are shape, build, ship", 2),
        (("show", "FB-09"), "there is no finding 'FB-09'; there are none", 2),
        (("close", "FB-09"), "there is no finding 'FB-09'", 2),
        (("fix", "FB-09"), "give one of --done and --again", 2),
        (("fix", "FB-09", "--again", "x", "--because", "y"), "--because goes with --done", 2),
    ],
)
def test_what_is_refused(desk: FlowDesk, words: tuple[str, ...], said: str, code: int) -> None:
    assert said in desk.denied("feedback", *words, code=code)


def test_a_question_goes_back_and_forth_until_the_person_closes_it(desk: FlowDesk) -> None:
    desk.ok("feedback", "add", "Why flat?", "--as", "question")
    assert desk("run_next")["action"] == "feedback_dispatch"
    desk("feedback_update", feedback_id="FB-01", reply="So it was asked.")
    assert desk.told("feedback", "show", "FB-01")["status"] == "answered"
    assert desk.told("feedback", "reply", "FB-01", "By whom?")["status"] == "pending"
    assert "user said" in desk.ok("feedback", "show", "FB-01")
    assert "now closed" in desk.ok("feedback", "close", "FB-01")
    assert desk.ok("feedback", "list") == "no findings; 1 closed or rejected: see --all\n"
    assert desk.ok("feedback", "list", "--stage", "intent") == "no findings\n"
    assert [json.loads(line)["id"] for line in desk.ok("feedback", "list", "--all", "--json").splitlines()] == ["FB-01"]


def test_a_finding_is_triaged_or_rejected(desk: FlowDesk) -> None:
    desk.ok("feedback", "add", "It is flat")
    assert "no fix hats" in desk.denied("feedback", "triage", "FB-01", "--as", "inline_fix")
    assert desk.told("feedback", "triage", "FB-01", "--as", "stage_revisit")["resolution"] == "stage_revisit"
    assert "now pending, to be settled as question" in desk.ok("feedback", "triage", "FB-01", "--as", "question")
    assert desk.told("feedback", "reject", "FB-01", "--reason", "It shall be.")["status"] == "rejected"
    assert "It shall be." in desk.ok("feedback", "show", "FB-01")
    assert "now closed, and no longer rejected" in desk.ok("feedback", "close", "FB-01")


def test_findings_are_named_with_their_stages(desk: FlowDesk) -> None:
    desk.ok("feedback", "add", "It is flat")
    desk.ok("feedback", "add", "All of it", "--stage", "intent")
    assert "there are FB-01 of shape, FB-01 of the intent" in desk.denied("feedback", "close", "FB-77", code=2)


def test_an_agent_ends_nothing_of_a_persons(desk: FlowDesk) -> None:
    """SH-49: what an agent files is an agent's, whatever command it uses."""
    desk.ok("feedback", "add", "It is flat")
    desk.as_agent()
    assert "only a person" in desk.denied("feedback", "close", "FB-01", code=2)
    assert "only a person" in desk.denied("feedback", "reject", "FB-01", "--reason", "x", code=2)
    assert desk.told("feedback", "add", "Mine")["origin"] == "agent"
    assert desk.told("feedback", "reply", "FB-01", "Noted.")["status"] == "pending"
    assert desk.told("feedback", "show", "FB-01")["replies"][0]["author"] == "agent"


def test_a_fix_is_moved_by_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = FlowDesk(tmp_path / "own", monkeypatch)
    made.at_stage_gate()
    made.ok("feedback", "add", "Too short", "--as", "inline_fix")
    assert made("run_next")["action"] == "review_fix"
    assert "fixing" in made.ok("feedback", "fix", "FB-01", "--again", "Still short.")
    done = ("feedback", "fix", "FB-01", "--done")
    assert made.told(*done, "--because", "It is as long as it shall be.")["status"] == "addressed"
    assert "no hat works on it" in made.denied("feedback", "fix", "FB-01", "--done")
    shown = made.ok("feedback", "show", "FB-01")
    assert "settled by" in shown
    assert "closed by" not in shown, "only a person closes what a person filed"


def test_what_is_being_fixed_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where nobody chose a way for it."""
    made = FlowDesk(tmp_path / "own", monkeypatch)
    made.at_stage_gate()
    made("feedback", title="Too short", body="Far too short.")
    assert made("run_next")["action"] == "review_fix"
    assert "FB-01  build  fixing  inline_fix  Too short" in made.ok("feedback", "list")
    assert "as      inline_fix" in made.ok("feedback", "show", "FB-01")


def test_what_the_clue_says_of_a_plan_to_be_revised_can_be_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = FlowDesk(tmp_path / "own", monkeypatch)
    made.at_plan_gate()
    made.ok("review", "--request-changes", "Three units.")
    assert "--status addressed" in made.ok("next")
    assert ", who asked for changes (user-visual)" in made.ok("feedback", "show", "FB-01")
    assert "give one of" in made.denied("feedback", "triage", "FB-01", code=2)
    assert made.told("feedback", "triage", "FB-01", "--status", "addressed")["status"] == "addressed"
    assert made("run_next")["action"] == "gate_review"


def test_a_person_who_goes_back_lifts_what_agents_may_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = FlowDesk(tmp_path / "own", monkeypatch)
    made.at_stage_gate()
    for number in range(3):
        filed = {"title": f"Anew {number}", "body": "All of it.", "resolution": "stage_revisit"}
        assert not made("feedback", **filed).is_error
        action = made("run_next")["action"]
    assert action == "escalate"
    made.ok("revisit", "build", "--reason", "Then once more.")
    assert made("run_next")["action"] == "revisited"
    assert made("run_next")["action"] == "elaborate"


def test_a_question_is_settled_as_the_clue_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = FlowDesk(tmp_path / "own", monkeypatch)
    made.at_stage_gate()
    made.ok("feedback", "add", "Why?", "--as", "question")
    shown = " ".join(made.ok("next").split())
    assert "with `leeboard flow feedback reply FB-01 TEXT`" in shown
    assert "triage" not in shown
    assert made.told("feedback", "reply", "FB-01", "Because.")["status"] == "answered"
    assert made.told("next")["action"] == "gate_review"
    assert made.told("feedback", "close", "FB-01")["status"] == "closed"


def test_a_finding_takes_a_completed_intent_up_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = FlowDesk(tmp_path / "own", monkeypatch)
    made.at_stage_gate()
    made.ok("review", "--approve")
    made.until("elaborate")
    (unit,) = made.plan("ship.txt")
    for answer in ("Tonight.", "There.", "Quietly."):
        made.ok("say", answer)
    made.until("gate_review")
    made.ok("review", "--approve")
    made.until("start_unit")
    made.work(unit, "ship.txt", hats=1)
    made.until("gate_review")
    made.ok("review", "--approve")
    said = made.until("complete")["message"]
    assert "call haiku_run_next again" not in said
    assert "haiku/thing/main" in said
    assert made.refused("feedback", intent=SLUG, title="Late", body="x") == "intent_completed"
    refused = " ".join(made.denied("say", "Hello?").split())
    assert "thing is completed" in refused
    assert "`leeboard flow feedback add TITLE`" in refused
    assert made.repository.run("status", "--porcelain") == "", "nothing stands in the way of the merge"
    assert "thing was completed, and is active again" in made.ok("feedback", "add", "Late", "--as", "question")
    assert made("run_next")["action"] == "feedback_dispatch"
    assert made("feedback_update", feedback_id="FB-01", reply="It was.")["action"] == "intent_complete"
    told = made.told("feedback", "reply", "FB-01", "Why so?")
    assert (told["status"], told["reopened"]) == ("pending", SLUG)


def test_why_a_fix_was_sent_back_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = FlowDesk(tmp_path, monkeypatch)
    desk.at_stage_gate()
    desk.ok("feedback", "add", "Slow", "--as", "inline_fix")
    desk.until("review_fix")
    desk.ok("feedback", "fix", "FB-01", "--again", "callers are missing")
    assert "sent back by its" in " ".join(desk.ok("next").split("\n")[1].split())
    assert "callers are missing" in desk.ok("next")
    shown = desk.ok("feedback", "show", "FB-01")
    assert "sent back  by" in shown
    assert "bolt 2" in shown
    assert desk.told("feedback", "show", "FB-01")["rejected_for"] == "callers are missing"
