from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from leeboard.surfaces import edge
from tests.hooked_agent import HookedAgent, run


@pytest.fixture
def agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> HookedAgent:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    repo = tmp_path / "repo"
    repo.mkdir()
    (repo / "a.sql").write_text("one\n", encoding="utf-8")
    (repo / "x.sh").write_text("echo two > a.sql\n", encoding="utf-8")
    return HookedAgent(repo)


def test_agent_and_person_hear_of_it_in_one_answer(agent: HookedAgent) -> None:
    agent.prompt("fix the login. Don't modify a.sql.")
    _, call = agent.propose("Bash", {"command": "sh x.sh"})
    run(agent.repo, "sh x.sh")
    payload = {"session_id": "s", "cwd": str(agent.repo), "hook_event_name": "PostToolUse", **call, "tool_response": {}}
    answer = msgspec.json.decode(edge.answer(msgspec.json.encode(payload), agent.env))
    assert "`sh x.sh`" in answer["systemMessage"]
    assert "`sh x.sh`" in answer["hookSpecificOutput"]["additionalContext"]


def test_a_quiet_session_costs_no_word(agent: HookedAgent) -> None:
    agent.prompt("fix the login. Don't modify a.sql.")
    _, call = agent.propose("Bash", {"command": "sh -c true"})
    assert agent.land_bash(call, run(agent.repo, "true")).words == ""
