from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest

from leeboard.surfaces import edge
from tests.git_repository import ENVIRONMENT
from tests.hook_process import hook_payload
from tests.mcp_agent import Agent, make_project

SLUG = "thing"


class Stand(Agent):
    def put(self, path: str, text: str) -> None:
        place = self.top / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)

    @property
    def top(self) -> Path:
        return self.root / ".haiku" / "intents" / SLUG


@pytest.fixture
def agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stand:
    for name, value in (ENVIRONMENT | {"LEEBOARD_STATE_DIR": str(tmp_path / "state")}).items():
        monkeypatch.setenv(name, value)
    stand = Stand(make_project(tmp_path / "project").path)
    stand.begin(SLUG)
    stand.until("elaborate")
    return stand


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("intent.md", "not_in_tracked_surface"),
        ("stages/shape/state.json", "not_in_tracked_surface"),
        ("knowledge/none.md", "file_missing"),
        ("knowledge", "read_failed"),
    ],
)
def test_only_a_tracked_file_that_is_there_can_be_claimed(agent: Stand, path: str, reason: str) -> None:
    agent.put("knowledge/some.md", "x\n")
    assert agent("record_agent_write", intent_slug=SLUG, path=path).json == {
        "ok": True,
        "stamped": False,
        "reason": reason,
    }


def test_where_hooks_put_down_what_is_written_nobody_claims_anything(agent: Stand) -> None:
    """Also what no tick has shown yet; it is asked about."""
    edge.answer(hook_payload("UserPromptSubmit", cwd=str(agent.root), prompt="go on"), {})
    agent.put("knowledge/po.md", "the person's\n")
    assert agent.refused("record_agent_write", path="knowledge/po.md") == "hooks_stamp_writes"
    asked = agent("run_next")
    assert [each["path"] for each in asked["findings"]] == ["knowledge/po.md"]


@pytest.mark.parametrize(
    ("path", "code"),
    [("", "missing_path"), ("../thing/../other/a", "path_outside_intent"), ("/etc/passwd", "path_outside_intent")],
)
def test_no_claim_leads_out_of_the_intent(agent: Stand, path: str, code: str) -> None:
    assert agent.refused("record_agent_write", path=path) == code


@pytest.mark.parametrize("given", ["knowledge/a.md", ".haiku/intents/thing/knowledge/a.md", "absolute"])
def test_a_path_may_be_given_from_anywhere(agent: Stand, given: str) -> None:
    agent.put("knowledge/a.md", "x\n")
    path = str(agent.top / "knowledge/a.md") if given == "absolute" else given
    answer = agent("record_agent_write", intent=SLUG, path=path)
    assert (answer["stamped"], answer["path"], answer["tick_scope"]) == (True, "knowledge/a.md", "intent")
    assert agent("run_next")["action"] == "elaborate"


def test_a_claim_waits_where_the_record_of_findings_was_taken_away(agent: Stand) -> None:
    agent.put("knowledge/a.md", "theirs\n")
    assert agent("run_next")["action"] == "manual_change_assessment"
    (agent.top / "drift-dispatch.json").unlink()
    assert agent.refused("record_agent_write", path="knowledge/a.md") == "finding_open"
    assert agent("run_next")["action"] == "manual_change_assessment"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"content_encoding": "latin-1", "content": "x"}, "invalid_content_encoding"),
        ({"content_encoding": "base64", "content": "%%%"}, "invalid_content_encoding"),
        ({"content": ""}, "empty_content"),
        ({"content": "x", "overwrite": False}, "path_already_exists"),
        ({"content": "x", "path": "knowledge/deep/er/a.md", "create_dirs": False}, "parent_dir_missing"),
        ({"content": "x", "path": "knowledge/" + "a" * 300}, "path_outside_tracked_surface"),
        ({"content": "x", "intent_slug": "nothing"}, "not_possible"),
        ({"content": "x", "rationale": 7}, "invalid_arguments"),
    ],
)
def test_what_can_not_be_written_says_why(agent: Stand, arguments: dict[str, Any], code: str) -> None:
    agent.put("knowledge/a.md", "there\n")
    assert agent.refused("human_write", **{"path": "knowledge/a.md", **arguments}) == code
    assert (agent.top / "knowledge/a.md").read_text() == "there\n"


def test_bytes_come_as_base64(agent: Stand) -> None:
    picture = bytes(range(256))
    given = base64.b64encode(picture).decode()
    agent("human_write", path="stages/shape/outputs/a.png", content=given, content_encoding="base64")
    assert (agent.top / "stages/shape/artifacts/a.png").read_bytes() == picture
    (found,) = agent("run_next")["findings"]
    assert (found["path"], found["is_binary"]) == ("stages/shape/artifacts/a.png", True)


def test_baselines_begin_once(agent: Stand) -> None:
    again = agent("baseline_init", intent_slug=SLUG)
    assert (again["baselines_created"], again["baselines_skipped_existing"]) == (0, 4)
    assert agent.refused("baseline_init", mode="establish-paths") == "invalid_arguments"
    assert agent.refused("baseline_init", mode="establish-paths", paths=["intent.md"]) == "path_outside_tracked_surface"
    (agent.root / ".haiku/settings.yml").write_text("drift_detection: false\n")
    assert "off" in agent("baseline_init")["drift_disabled_warning"]


def test_an_assessment_that_is_open_outlives_a_reset(agent: Stand) -> None:
    agent.put("knowledge/a.md", "theirs\n")
    assert agent("run_next")["action"] == "manual_change_assessment"
    assert agent.refused("intent_reset", intent=SLUG, confirm=SLUG) == "assessment_open"


def test_a_file_is_told_where_it_lies(agent: Agent) -> None:
    """FD-15: `outputs/` is another name of `artifacts/`, and there is no file at the other one."""
    place = agent.root / ".haiku/intents/thing/stages/shape/outputs/plan.md"
    place.parent.mkdir(parents=True)
    place.write_text("The plan.\n", encoding="utf-8")
    asked = agent("run_next")
    assert asked["action"] == "manual_change_assessment"
    (found,) = asked["findings"]
    assert (found["path"], found["canonical_path"]) == (
        "stages/shape/outputs/plan.md",
        "stages/shape/artifacts/plan.md",
    )
    assert "stages/shape/outputs/plan.md" in asked["message"]
    assert [*asked["legal_outcomes"]] == ["stages/shape/outputs/plan.md"]
    said = [{"path": found["path"], "outcome": "ignore"}]
    answer = agent(
        "classify_drift", intent="thing", tick_id=asked["tick_id"], classifications=said, agent_rationale="Seen."
    )
    assert not answer.is_error, answer.json
    assert agent("run_next")["action"] != "manual_change_assessment"
