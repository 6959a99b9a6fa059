"""A person who begins in one client and goes on in another: goal, limits and allowances come along."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from leeboard.app.person.allowance import allowances_for
from leeboard.clients import client_named
from leeboard.io.places import database
from leeboard.store.sqlite import open_store
from leeboard.surfaces import edge
from tests.recorded_clients import payload

ASKED = "Fix the auth bug in src/token.ts. Don't modify the schema."
RULED_OUT = "db/schema.sql"


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "repo"
    subprocess.run(("git", "init", "-q", str(folder)), check=True)
    for name in (RULED_OUT, "src/token.ts"):
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text("x\n")
    for name in ("STATE", "RUNTIME"):
        monkeypatch.setenv(f"LEEBOARD_{name}_DIR", str(tmp_path / name))
    monkeypatch.setenv("LEEBOARD_INDEX", "0")
    monkeypatch.setenv("HOME", str(tmp_path))
    return folder


CALLS = {
    "codex": ("UserPromptSubmit", "PreToolUse"),
    "gemini_cli": ("BeforeAgent", "BeforeTool"),
    "cursor": ("beforeSubmitPrompt", "preToolUse"),
    "copilot": ("UserPromptSubmit", "PreToolUse"),
    "opencode": ("chat.message", "tool.execute.before"),
}
TOOLS: dict[str, tuple[str, dict[str, str]]] = {
    "codex": ("Bash", {"command": "sed -i s/x/y/ db/schema.sql"}),
    "gemini_cli": ("replace", {"file_path": RULED_OUT, "old_string": "x", "new_string": "y"}),
    "cursor": ("Write", {"file_path": RULED_OUT, "content": "y"}),
    "copilot": ("edit", {"path": RULED_OUT, "old_str": "x", "new_str": "y"}),
    "opencode": ("edit", {"filePath": RULED_OUT, "oldString": "x", "newString": "y"}),
}


def tell(client: str, event: str, repo: Path, **told: Any) -> str:
    """What the client's hook answers, by the very bytes it reads."""
    fields = json.loads(payload(client, event)) | {"cwd": str(repo), "workspace_roots": [str(repo)]}
    tool = told.pop("tool", None)
    if tool is not None:
        name, given = TOOLS[client]
        fields |= {"tool_name": name, "tool_input": given} if "tool_name" in fields else {"tool": name, "args": given}
    env = {"LEEBOARD_CLIENT": client, "LEEBOARD_PROFILE": "enforce"}
    return edge.answer(json.dumps(fields | told).encode(), env).decode()


def begin(repo: Path) -> None:
    told = {"session_id": "first", "cwd": str(repo), "hook_event_name": "UserPromptSubmit", "prompt": ASKED}
    edge.answer(json.dumps(told).encode(), {"LEEBOARD_PROFILE": "enforce"})


@pytest.mark.parametrize("client", CALLS)
def test_who_goes_on_in_another_client_keeps_goal_and_limits(repo: Path, client: str) -> None:
    prompt, call = CALLS[client]
    begin(repo)
    told = tell(client, prompt, repo, prompt="Continue with the tests for it.")
    assert ("DO NOT modify the schema" in told) == (client != "cursor"), "as far as it reads"
    answer = tell(client, call, repo, tool="edit")
    assert "broken_constraint" in answer
    session = client_named(client).parse(payload(client, prompt), 1.0).session
    store = open_store(database())
    kept = store.session(session)
    store.close()
    assert kept is not None
    assert kept.goals[0].text == ASKED


def test_what_a_person_let_stand_stands_in_the_other_client_too(repo: Path) -> None:
    begin(repo)
    store = open_store(database())
    terms = {"reason": "agreed", "glob": str(repo / RULED_OUT)}
    for allowance in allowances_for(store, str(repo), "broken_constraint", terms):
        store.allow(allowance, str(repo))
    store.close()
    tell("gemini_cli", "BeforeAgent", repo, prompt="go on")
    assert tell("gemini_cli", "BeforeTool", repo, tool="edit") == ""


@pytest.mark.parametrize("words", ["Write a script that continues numbering.", "Fix the colours in theme.css."])
def test_who_begins_something_else_is_free_of_it(repo: Path, words: str) -> None:
    begin(repo)
    tell("gemini_cli", "BeforeAgent", repo, prompt=words)
    assert "broken_constraint" not in tell("gemini_cli", "BeforeTool", repo, tool="edit")
