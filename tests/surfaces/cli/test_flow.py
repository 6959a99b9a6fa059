"""`leeboard flow`: an intent is begun, looked at, spoken about, revisited and put away."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from leeboard.surfaces.cli.flow import command
from tests.flow_desk import SLUG, FlowDesk


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlowDesk:
    return FlowDesk(tmp_path, monkeypatch)


def test_an_intent_is_begun(desk: FlowDesk) -> None:
    assert "no intent here" in desk.ok("status")
    made = desk.told("new", "Make the thing", "--description", "It is wanted.", "--studio", "little", "--slug", SLUG)
    assert made == {"intent": SLUG, "path": str(desk.root / ".haiku/intents/thing/intent.md")}
    assert desk.plan_now.intent.studio == "small"
    assert "It is wanted." in Path(made["path"]).read_text()
    assert "exists already" in desk.denied("new", "Make the thing", "--slug", SLUG, code=2)
    assert "there is no studio 'x'" in desk.denied("new", "More", "--studio", "x", code=2)
    assert "A title is one line" in desk.denied("new", "", code=2)
    assert "made more" in desk.ok("new", "More")


def test_studios_are_listed_and_one_is_chosen(desk: FlowDesk) -> None:
    listed = [json.loads(line) for line in desk.ok("studio", "--json").splitlines()]
    assert {"small", "software", "library"} <= {each["studio"] for each in listed}
    assert "shape, build, ship" in desk.ok("studio")
    desk.ok("new", "Make the thing", "--slug", SLUG)
    assert "select_studio" in desk.ok("next")
    assert "There is no studio x" in desk.denied("studio", "x")
    assert "start_stage" in desk.ok("studio", "small")
    assert desk.plan_now.intent.studio == "small"


def test_the_status_of_one_or_all(desk: FlowDesk) -> None:
    desk.begin()
    assert desk.told("status")["next"] is None
    desk.ok("next")
    told = desk.told("status")
    assert (told["stage"], told["phase"], told["next"]["action"]) == ("shape", "elaborate", "elaborate")
    assert "[>] shape  ELABORATE > execute > review > gate" in desk.ok("status")
    desk.ok("new", "Another", "--slug", "other")
    desk.ok("archive", "other")
    assert [json.loads(line)["intent"] for line in desk.ok("status", "--all", "--json").splitlines()] == ["other", SLUG]
    assert "archived" in desk.ok("status", "--all")
    assert "no intent 'x'" in desk.denied("status", "--intent", "x", code=2)


def test_a_look_changes_nothing(desk: FlowDesk) -> None:
    desk.at_plan_gate()
    before = {path: path.read_bytes() for path in desk.root.rglob(".haiku/intents/**/*") if path.is_file()}
    for words in (("status",), ("units",), ("review",), ("unit", "unit-01-left"), ("feedback", "list"), ("repair",)):
        desk.ok(*words)
    assert before == {path: path.read_bytes() for path in desk.root.rglob(".haiku/intents/**/*") if path.is_file()}


def test_what_a_person_says_counts_and_is_kept(desk: FlowDesk) -> None:
    """SH-22, SH-44: a turn for each time, and none for an agent."""
    desk.begin()
    desk.until("elaborate")
    assert [desk.told("say", f"Answer {number}.")["turns"] for number in (1, 2)] == [1, 2]
    assert "heard; 3 in this visit of shape" in desk.ok("say", "The\nlast one.")
    kept = (desk.root / ".haiku/intents/thing/knowledge/ANSWERS.md").read_text().splitlines()
    assert [line.split(" ", 3)[2:] for line in kept] == [
        ["shape:", "Answer 1."],
        ["shape:", "Answer 2."],
        ["shape:", "The last one."],
    ]
    assert desk("knowledge_read", name="ANSWERS.md")["content"].count("\n") == 3
    assert "nothing said" in desk.denied("say", "  ", code=2)
    desk.as_agent()
    assert "only a person" in desk.denied("say", "I am the user.", code=2)
    assert desk.plan_now.user_turns == 3


def test_a_person_goes_back_to_a_stage(desk: FlowDesk) -> None:
    """The clue of it belongs to the agent."""
    desk.at_plan_gate()
    assert "was not reached yet" in desk.denied("revisit", "ship")
    assert desk.flow("revisit", "nowhere", "--json").objects[0]["error"] == "stage_unknown"
    assert desk.told("revisit", "shape", "--reason", "It is too flat.") == {"intent": SLUG, "revisit": "shape"}
    assert desk("run_next")["action"] == "revisited"
    assert desk.plan_now.stages[0].feedback[0].origin == "user-revisit"


def test_an_intent_is_put_away_and_taken_out(desk: FlowDesk) -> None:
    desk.begin()
    assert desk.told("archive", SLUG) == {"intent": SLUG, "archived": True}
    assert "is put away" in desk.ok("archive", SLUG), "the second time changes nothing"
    assert desk.flow("next", "--intent", SLUG).code == 1
    assert "is worked on again" in desk.ok("archive", SLUG, "--undo")
    assert "start_stage" in desk.ok("next")


def test_every_command_has_an_example_and_speaks_json() -> None:
    pending = [("flow", command)]
    seen = []
    while pending:
        path, found = pending.pop()
        inner = getattr(found, "commands", None)
        assert (found.epilog or "").startswith(f"Example:  leeboard {path}"), path
        assert found.help, path
        if inner:
            pending += [(f"{path} {name}", each) for name, each in inner.items()]
        else:
            seen.append(path)
            assert any("--json" in option.opts for option in found.params), path
    wanted = "new next status units unit review revisit repair say archive".split()
    assert {f"flow {name}" for name in wanted} <= {*seen}
    assert {f"flow feedback {name}" for name in ("add", "list", "close", "reject", "reply")} <= {*seen}
