from __future__ import annotations

from typing import Any

import pytest

from tests.git_repository import GitRepository
from tests.mcp_agent import Agent


def test_studios_are_shown(agent: Agent) -> None:
    assert "small" in [studio["slug"] for studio in agent("studio_list")["studios"]]
    assert [stage["name"] for stage in agent("studio_get", studio="little")["stages"]] == ["shape", "build", "ship"]
    stage = agent("studio_stage_get", studio="small", stage="build")
    assert (stage["name"], stage["review"], stage["body"].strip()) == ("build", ["ask"], "Build it.")
    assert agent.refused("studio_get", studio="none") == "studio_not_found"
    assert agent.refused("studio_stage_get", studio="small", stage="none") == "stage_not_found"


def test_knowledge_is_of_the_intent_and_of_the_project(agent: Agent) -> None:
    agent.begin()
    for path, text in (
        ("knowledge/ARCHITECTURE.md", "project\n"),
        ("knowledge/two words.md", "x\n"),
        ("knowledge/.hidden", "x\n"),
        ("intents/thing/knowledge/ARCHITECTURE.md", "intent\n"),
    ):
        file = agent.root / ".haiku" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    known = [(one["name"], one["of"]) for one in agent("knowledge_list")["knowledge"]]
    assert known == [("ARCHITECTURE.md", "thing"), ("ARCHITECTURE.md", "project"), ("two words.md", "project")]
    assert agent("knowledge_read", name="ARCHITECTURE.md")["content"] == "intent\n"
    assert agent("knowledge_read", name="two words.md")["of"] == "project"


@pytest.mark.parametrize("name", ["../settings.yml", "nothing.md", "/etc/passwd", "..", ".hidden"])
def test_nothing_else_is_read(agent: Agent, name: str) -> None:
    assert agent.refused("knowledge_read", name=name) == "knowledge_not_found"


def test_a_link_is_not_followed(agent: Agent) -> None:
    folder = agent.root / ".haiku/knowledge"
    folder.mkdir()
    (folder / "link.md").symlink_to("/etc/passwd")
    assert agent.refused("knowledge_read", name="link.md") == "illegal_state"


def test_settings_keep_what_is_not_named(agent: Agent) -> None:
    file = agent.root / ".haiku/settings.yml"
    file.write_text("# ours\ngranularity: fine  # small steps\nmodel_profiles:\n  builder: opus\n", encoding="utf-8")
    assert agent("settings_get", path="granularity")["value"] == "fine"
    assert agent("settings_get")["value"]["model_profiles"] == {"builder": "opus"}
    assert not agent("settings_set", path="granularity", value="coarse").is_error
    assert not agent("settings_set", path="model_profiles.planner", value="sonnet").is_error
    assert not agent("settings_set", path="stack.language", value="python").is_error
    text = file.read_text(encoding="utf-8")
    assert "# ours\ngranularity: coarse  # small steps\n" in text
    assert agent("settings_get", path="model_profiles")["value"] == {"builder": "opus", "planner": "sonnet"}
    assert agent.refused("settings_get", path="nothing.here") == "setting_not_found"


@pytest.mark.parametrize(
    ("path", "value", "code"),
    [
        ("drift_detection", False, "persons_setting"),
        ("quality_gates", [], "persons_setting"),
        ("review_agents.security", False, "persons_setting"),
        ("nonsense", 1, "unknown_setting"),
        ("stack..x", 1, "unknown_setting"),
        ("", 1, "unknown_setting"),
        ("granularity", "tiny", "invalid_value"),
    ],
)
def test_what_an_agent_may_not_set(agent: Agent, path: str, value: Any, code: str) -> None:
    """SH-49: what the work is held to is loosened by people only."""
    assert agent.refused("settings_set", path=path, value=value) == code
    assert not (agent.root / ".haiku/settings.yml").exists()


def test_settings_that_can_not_be_read_are_left_alone(agent: Agent) -> None:
    file = agent.root / ".haiku/settings.yml"
    file.write_text("a: [\n", encoding="utf-8")
    assert agent.refused("settings_get") == "settings_unreadable"
    assert agent.refused("settings_set", path="granularity", value="fine") == "settings_unreadable"
    assert file.read_text(encoding="utf-8") == "a: [\n"


def test_repair_says_what_is_wrong_and_leaves_the_engines_fields_to_people(builder: Agent) -> None:
    assert builder("repair")["left"] == []
    state = builder.root / ".haiku/intents/thing/stages/build/state.json"
    state.write_text(state.read_text(encoding="utf-8").replace('"elaborate"', '"gate"'), encoding="utf-8")
    found = builder("repair", intent="thing")
    assert found["left"] == ["stages/build/state.json: changed by somebody else than the engine"]
    assert "leeboard flow repair" in found["message"]
    assert "next_action" not in builder("repair", intent="thing", apply=False).json


def test_repair_names_git_that_is_on_no_branch_or_busy(builder: Agent) -> None:
    repository = GitRepository(builder.root)
    repository.run("switch", "--quiet", "--detach")
    (said,) = builder("repair", apply=False)["found"]
    assert "git switch haiku/thing/main" in said
    repository.run("switch", "--quiet", "haiku/thing/main")
    repository.write(".git/MERGE_HEAD", f"{repository.head}\n")
    (said,) = builder("repair", apply=False)["found"]
    assert "git merge --abort" in said


def test_repair_names_files_that_somebody_changed_and_a_lost_baseline(builder: Agent) -> None:
    top = builder.root / ".haiku/intents/thing"
    builder("run_next")
    (top / "knowledge").mkdir(exist_ok=True)
    (top / "knowledge/doc.md").write_text("theirs\n", encoding="utf-8")
    (said,) = builder("repair", apply=False)["found"]
    assert "knowledge/doc.md" in said
    assert builder("repair")["next_action"] == "manual_change_assessment"
    (top / "baseline.json").unlink()
    (said,) = builder("repair", apply=False)["left"]
    assert "leeboard flow baseline-reset thing" in said
