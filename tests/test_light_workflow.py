"""A small change through the studio of every day: how many commands it takes, and how many decisions.

Everything is real: the protocol's own client and a server, `leeboard flow` for the person, a repository, its tests.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest
from mcp import ClientSession

from leeboard.plan.disk.read import look
from leeboard.surfaces.cli.main import COMMANDS
from tests.git_repository import GitRepository
from tests.scripted_run import SERVER, Person, called, connected, environment

MOST_COMMANDS, MOST_DECISIONS = 12, 2
ISSUE = """# Count words in stdin too

`words.py` reads files only. People pipe into it and get nothing.

## Acceptance criteria
- count('a  b') is 2
"""
SLUG = "count-words-in-stdin-too"
UNIT = """---
title: Count words of any text
type: bugfix
inputs: [intent.md, words.py]
outputs: [words.py, test_words.py]
touch: [words.py, test_words.py]
quality_gates:
  - name: tests
    command: python3 test_words.py
---
Split at white space.

- [ ] count('a  b') is 2
"""


class SmallChange:
    """An agent with tools, a person with a terminal, and everything either of them called."""

    def __init__(self, folder: Path) -> None:
        self.repository = GitRepository(folder / "project")
        self.repository.write("words.py", "def count(text):\n    return len(text.split(' '))\n")
        self.repository.write("issue.md", ISSUE)
        self.repository.commit("begin")
        self.env = environment(folder / "state", gate_seconds="30")
        self.desk = Person(self.repository.path, self.env)
        self.commands: list[str] = []
        self.decisions: list[str] = []

    def person(self, *words: str) -> str:
        self.commands.append(f"flow {' '.join(words)}")
        code, said = self.desk.flow(*words)
        assert code == 0, said
        return said

    async def agent(self, session: ClientSession, tool: str, **arguments: Any) -> dict[str, Any]:
        """A call that comes to a gate is still open when the person looks and decides."""
        self.commands.append(f"haiku_{tool}")
        decided: list[str] = []

        async def waiting(_done: float, _total: float | None, _words: str | None) -> None:
            if not decided:
                decided.append(tool)
                await anyio.to_thread.run_sync(self._decide)

        answer = await called(session, tool, arguments, progress_callback=waiting)
        assert not answer.is_error, answer.json
        return answer.json

    def _decide(self) -> None:
        self.person("review")
        self.decisions.append(self.person("review", "--approve"))

    async def play(self) -> list[dict[str, Any]]:
        made = self.person("new", "--from", "issue.md")
        assert "everyday" in made
        self.repository.run("rm", "-q", "issue.md")
        self.repository.run("commit", "-qm", "the issue is taken over")
        async with connected(SERVER, self.repository.path, self.env) as session:
            begun = await self.agent(session, "run_next")
            await self.agent(session, "unit_write", unit="unit-01-count", content=UNIT)
            planned = await self.agent(session, "run_next")
            ready = await self.agent(session, "run_next")
            worn = await self.agent(session, "unit_start", unit=ready["unit"])
            tree = GitRepository(worn["worktree"])
            tree.write("words.py", "def count(text):\n    return len(text.split())\n")
            tree.write("test_words.py", "from words import count\nassert count('a  b') == 2\n")
            tree.commit("Split at any white space")
            proven = await self.agent(session, "unit_advance_hat", unit=ready["unit"], criteria=worn["criteria_unmet"])
            ended = await self.agent(session, "run_next")
        return [begun, planned, ready, worn, proven, ended]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[SmallChange, list[dict[str, Any]]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(COMMANDS, "flow", "A workflow that lives on disk.")
        change = SmallChange(tmp_path_factory.mktemp("small"))
        return change, anyio.run(change.play)


def test_a_small_change_takes_a_dozen_commands_and_two_decisions(
    played: tuple[SmallChange, list[dict[str, Any]]],
) -> None:
    change, _ = played
    assert len(change.decisions) == MOST_DECISIONS
    assert len(change.commands) <= MOST_COMMANDS, change.commands


def test_each_answer_says_what_to_do_and_the_last_that_it_is_done(
    played: tuple[SmallChange, list[dict[str, Any]]],
) -> None:
    change, answers = played
    actions = [each["action"] for each in answers]
    assert actions == [
        "start_stage",
        "intent_approved",
        "start_unit",
        "continue_unit",
        "gate_review",
        "intent_complete",
    ]
    assert answers[0]["unit_types"]
    with change.desk.at_desk():
        plan = look(change.repository.root, SLUG)
    assert (plan.intent.status, plan.intent.studio, plan.sealed) == ("completed", "everyday", True)
    assert "count('a  b') is 2" in plan.intent.body
    assert change.repository.run("show", f"haiku/{SLUG}/main:words.py").endswith("len(text.split())")
    kept = change.repository.path / f".haiku/intents/{SLUG}/stages/change/gate-runs.json"
    assert {run["code"] for run in json.loads(kept.read_text())["runs"]} == {0}, "they were really run"
