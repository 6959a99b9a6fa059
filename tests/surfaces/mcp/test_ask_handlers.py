"""An agent asks before it errs, over the protocol's own client: nothing it asks about is done or remembered."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from leeboard.app import indexing
from leeboard.io.places import database
from leeboard.store.sqlite import open_store
from leeboard.surfaces import edge
from leeboard.surfaces.mcp.ask_handlers import ASK_HANDLERS
from leeboard.surfaces.mcp.tools import tools

ROOT = Path(__file__).resolve().parents[3]
DIFF = """--- a/db/schema.sql
+++ b/db/schema.sql
@@ -1 +1 @@
-users
+people
--- a/src/token.ts
+++ b/src/token.ts
@@ -1 +1 @@
-export const lifetime = 60;
+export const lifetime = 3600;
"""


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "repo"
    subprocess.run(("git", "init", "-q", str(folder)), check=True)
    for name, text in {
        "db/schema.sql": "users\n",
        "src/token.ts": "export const lifetime = 60;\n",
        "src/retry.py": "def retry_delay(attempt):\n    return min(2 ** attempt, 60)\n",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("LEEBOARD_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("LEEBOARD_INDEX", "0")
    return folder


def hook(repo: Path, event: str, **told: Any) -> None:
    fields = {"session_id": "s", "cwd": str(repo), "hook_event_name": event, **told}
    edge.answer(json.dumps(fields).encode(), {"LEEBOARD_PROFILE": "enforce"})


def work(repo: Path) -> None:
    """A user who ruled something out, and an agent that was refused it."""
    hook(repo, "UserPromptSubmit", prompt="Fix the auth bug in src/token.ts. Don't modify the schema.")
    given = {"file_path": str(repo / "db/schema.sql"), "old_string": "users", "new_string": "people"}
    hook(repo, "PreToolUse", tool_name="Edit", tool_input=given, tool_use_id="t1")


def ask(repo: Path, *calls: tuple[str, dict[str, str]]) -> list[Any]:
    """What the server answers, asked by the protocol's own client."""
    answers: list[Any] = []

    async def run() -> None:
        env = os.environ | {"PYTHONPATH": str(ROOT), "LEEBOARD_PROFILE": "enforce"}
        server = StdioServerParameters(
            command=sys.executable, args=["-m", "leeboard.surfaces.mcp"], cwd=str(repo), env=env
        )
        async with (
            stdio_client(server) as (read, write),
            ClientSession(read, write, read_timeout_seconds=60) as session,
        ):
            await session.initialize()
            for name, arguments in calls:
                answer = await session.call_tool(name, arguments)
                answers.append(json.loads(answer.content[0].text))  # type: ignore[union-attr]  # our server sends texts

    anyio.run(run)
    return answers


def test_an_agent_is_told_its_goal_what_was_said_and_what_would_be(repo: Path) -> None:
    work(repo)
    goal, said, checked = ask(
        repo, ("leeboard_goal", {}), ("leeboard_said", {}), ("leeboard_check_diff", {"diff": DIFF})
    )
    assert goal["objective"].startswith("Fix the auth bug")
    assert goal["limits"] == ["DO NOT modify the schema"]
    ((told),) = said["said"]
    assert (told["how"], told["rules"], told["paths"]) == ("refused", ["broken_constraint"], ["db/schema.sql"])
    assert checked["answer"] == "refuse"
    assert [(file["path"], file["answer"]) for file in checked["files"]] == [
        ("db/schema.sql", "refuse"),
        ("src/token.ts", "allow"),
    ]
    assert checked["files"][0]["rules"] == ["broken_constraint"]


def test_asking_leaves_the_session_as_it_was(repo: Path) -> None:
    work(repo)
    store = open_store(database())
    before = store.session("s")
    store.close()
    ask(repo, ("leeboard_check_diff", {"diff": DIFF}), ("leeboard_goal", {}))
    store = open_store(database())
    assert store.session("s") == before
    store.close()
    assert (repo / "db/schema.sql").read_text() == "users\n"


def test_what_the_repository_has_is_found_by_words(repo: Path) -> None:
    work(repo)
    indexing.run(str(repo))
    (found,) = ask(repo, ("leeboard_find", {"words": "the delay before a retry"}))
    assert found["found"][0] == {"name": "retry_delay", "kind": "function", "path": "src/retry.py", "line": 1}
    assert found["index_complete"] is True


def test_what_can_not_be_answered_says_what_to_do(repo: Path) -> None:
    nothing, unread, unknown = ask(
        repo,
        ("leeboard_goal", {}),
        ("leeboard_check_diff", {"diff": "not a diff"}),
        ("leeboard_find", {"words": "retry"}),
    )
    assert "leeboard" in nothing["message"]
    assert "unified diff" in unread["message"]
    assert "leeboard index" in unknown["message"]


def test_they_are_listed_as_reading_only() -> None:
    assert {tool.name for tool in tools() if tool.reads} >= set(ASK_HANDLERS)
