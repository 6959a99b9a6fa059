"""Two agents at once, each with an intent of its own in one project, over the protocol's own client.

One begins in the primary work tree, the other beside it. Servers are killed in between. Nobody's checkout moves, what a
person has not committed stays, and both pieces of work end on their own branches.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest
from mcp import ClientSession

from leeboard.plan.disk.read import look
from leeboard.surfaces.cli.main import COMMANDS
from tests.git_repository import GitRepository
from tests.mcp_line import McpLine
from tests.scripted_run import SERVER, Person, called, connected, environment

UNIT = """---
title: Write {name}
type: feature
inputs: [intent.md]
outputs: [{name}.txt]
quality_gates:
  - name: it is there
    command: grep -q {name} {name}.txt
---
- [ ] it says {name}
"""
MOST_STEPS = 20


class Project:
    """Two intents, their agents, and one person who decides for both."""

    def __init__(self, folder: Path) -> None:
        self.repository = GitRepository(folder / "project")
        self.repository.write("notes.txt", "begun\n")
        self.repository.commit("begin")
        self.env = environment(folder / "state", gate_seconds="30")
        self.desk = Person(self.repository.path, self.env)
        self._one_at_a_time = threading.Lock()

    def person(self, *words: str) -> str:
        with self._one_at_a_time:
            code, said = self.desk.flow(*words)
        assert code == 0, said
        return said

    def kill_a_server(self, slug: str) -> None:
        """One that was asked for the next step of an intent, wherever it has come to."""
        server = McpLine(self.repository.path, env=self.env)
        server.call("run_next", intent=slug)
        server.kill()

    async def work(self, slug: str) -> None:
        """As an agent: it does what it is told, whatever happens beside it."""
        async with connected(SERVER, self.repository.path, self.env) as session:
            for step in range(MOST_STEPS):
                if step % 2:
                    await anyio.to_thread.run_sync(self.kill_a_server, slug)
                told = await self._next(session, slug)
                if told["action"] == "intent_complete":
                    return
                await self._do(session, slug, told)
        pytest.fail(f"{slug} did not end")

    async def _next(self, session: ClientSession, slug: str) -> dict[str, Any]:
        decided: list[str] = []

        async def waiting(_done: float, _total: float | None, _words: str | None) -> None:
            if not decided:
                decided.append(slug)
                await anyio.to_thread.run_sync(self._approve, slug)

        answer = await called(session, "run_next", {"intent": slug}, progress_callback=waiting)
        assert not answer.is_error, answer.json
        return answer.json

    def _approve(self, slug: str) -> None:
        self.person("review", "--intent", slug)
        self.person("review", "--approve", "--intent", slug)

    async def _do(self, session: ClientSession, slug: str, told: dict[str, Any]) -> None:
        given: dict[str, Any] = {"intent": slug, "unit": "unit-01-text"}
        match told["action"]:
            case "elaborate":
                await called(session, "unit_write", {**given, "content": UNIT.format(name=slug)})
            case "start_unit":
                await called(session, "unit_start", given)
            case "continue_unit":
                tree = GitRepository(told["worktree"])
                tree.write(f"{slug}.txt", f"{slug}\n")
                if tree.run("status", "--porcelain"):
                    tree.commit("written")
                held = {"hat": told["hat"], "bolt": told["bolt"], "criteria": told["criteria_unmet"]}
                await called(session, "unit_advance_hat", {**given, **held})


async def _both(project: Project) -> None:
    async with anyio.create_task_group() as agents:
        agents.start_soon(project.work, "first")
        agents.start_soon(project.work, "second")


def test_two_agents_at_once_with_servers_killed_in_between(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(COMMANDS, "flow", "A workflow that lives on disk.")
    project = Project(tmp_path)
    project.person("new", "First", "--slug", "first")
    project.person("next", "--intent", "first")
    project.person("new", "Second", "--slug", "second")
    project.repository.write("mine.txt", "what a person has not committed\n")
    anyio.run(_both, project)
    assert project.repository.run("branch", "--show-current") == "haiku/first/main"
    assert (project.repository.path / "mine.txt").read_text() == "what a person has not committed\n"
    with project.desk.at_desk():
        for slug, other in (("first", "second"), ("second", "first")):
            home = project.repository.path
            plan = look(str(home if slug == "first" else home / ".haiku/worktrees/second/main"), slug)
            assert (plan.intent.status, plan.sealed) == ("completed", True)
            files = project.repository.run("ls-tree", "--name-only", f"haiku/{slug}/main").split()
            assert f"{slug}.txt" in files
            assert f"{other}.txt" not in files
    assert "first is put away" in project.person("archive", "first")
    assert "second is put away" in project.person("archive", "second")
