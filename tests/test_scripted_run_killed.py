"""The same work with its server killed again and again, the agent's context thrown away each time: the same end.

SH-04, SH-05, SH-06, SH-07, SH-08: killed after every answer to the question for the next action, and inside calls: at a
moment, or after a number of changes to the disk, that a seed chooses. Whoever comes next is a new client with a new
server, and knows nothing. `LEEBOARD_RUN_KILLS` says how often calls are killed before they end; `make kills` has
it often.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import ClientSession, MCPError

from leeboard.surfaces.cli.main import COMMANDS
from tests.mcp_agent import Answer
from tests.scripted_run import (
    ANSWERED,
    CREATE,
    NOWHERE,
    ROOT,
    Person,
    ScriptedAgent,
    assert_ended,
    called,
    connected,
    environment,
    make_project,
)
from tests.warm_server import DIE_AFTER

KILLS = 100
"""Inside calls, in one run; those after an answer come on top."""
RUNS = max(1, int(os.environ.get("LEEBOARD_RUN_KILLS", "100")) // KILLS)
MOST_ASKED = 400
INSIDE, FORGETS = 0.78, 0.2
"""How likely a server is to be killed inside a call, and an agent to lose an answer before it did anything about it."""
CHANGES = 8
"""How many changes a server lives for that dies of one, on average."""


class Killed(Exception):  # noqa: N818 - it is what happened, not what went wrong
    """The server did not live to answer."""


class Killing:
    """The run, and whoever kills in it."""

    def __init__(self, folder: Path, warm: str, seed: int) -> None:
        self.repository = make_project(folder / "project")
        self._env = environment(folder / "state", gate_seconds="0")
        self.person = Person(self.repository.path, self._env)
        self.actions: list[str] = []
        self.after_answer = self.inside = 0
        self._pid_file = folder / "pid"
        self._server = (sys.executable, "-I", "-S", f"{ROOT}/tests/warm_server.py", "take", warm, str(self._pid_file))
        self._random = random.Random(seed)
        self._doomed = False
        self._forgot = False
        self._usual: dict[str, float] = {}
        self._session: ClientSession | None = None
        self._stack = contextlib.AsyncExitStack()

    async def play(self) -> None:
        try:
            await self._play()
        finally:
            await self._leave()

    async def _play(self) -> None:
        await self._until_made()
        for _ in range(MOST_ASKED):
            try:
                action = await self._call("run_next")
                self.actions.append(action["action"])
                await self._kill_after_answer()
                if action["action"] == "complete":
                    return
                if self._forgets():
                    continue
                action = _once_more(action)
                await ScriptedAgent(self.repository.path, self._call).act(action)
            except Killed:
                continue
            if action.get("waits") and action["action"] in ANSWERED:
                self.person.answer(action)
        raise AssertionError(self.actions[-20:])

    def _forgets(self) -> bool:
        """Never twice in a row: somebody who only ever asks is told so, and rightly."""
        self._forgot = not self._forgot and self._random.random() < FORGETS
        return self._forgot

    async def _until_made(self) -> None:
        """A second one of the same name is refused: then the first was made before the server was killed."""
        for _ in range(MOST_ASKED):
            try:
                answer = await self._answered("intent_create", CREATE)
            except Killed:
                continue
            assert not answer.is_error or answer["code"] == "intent_exists", answer.json
            return
        raise AssertionError("no server lives long enough")

    async def _call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        answer = await self._answered(tool, arguments)
        assert not answer.is_error, (tool, arguments, answer.json)
        return answer.json

    async def _answered(self, tool: str, arguments: dict[str, Any]) -> Answer:
        session = self._session or await self._started()
        doomed, self._doomed = self._doomed, False
        began = time.monotonic()
        try:
            async with anyio.create_task_group() as tasks:
                if doomed:
                    tasks.start_soon(self._kill_in, self._random.uniform(0, 1.2) * self._usual.get(tool, 0.02))
                answer = await called(session, tool, arguments)
                tasks.cancel_scope.cancel()
        except* (MCPError, anyio.BrokenResourceError, anyio.ClosedResourceError):
            answer = None
        if answer is None:
            self.inside += 1
            await self._leave()
            raise Killed
        self._usual[tool] = 0.7 * self._usual.get(tool, 0.02) + 0.3 * (time.monotonic() - began)
        return answer

    async def _started(self) -> ClientSession:
        """A server, and what it shall die of."""
        env = dict(self._env)
        if self._random.random() < INSIDE:
            self._doomed = self._random.random() < 0.5
            if not self._doomed:
                env[DIE_AFTER] = str(1 + int(self._random.expovariate(1 / CHANGES)))
        coming = connected(self._server, self.repository.path, env)
        self._session = await self._stack.enter_async_context(coming)
        return self._session

    async def _kill_in(self, seconds: float) -> None:
        await anyio.sleep(seconds)
        self._kill()

    async def _kill_after_answer(self) -> None:
        self._kill()
        self.after_answer += 1
        await self._leave()

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(self._pid_file.read_text()), signal.SIGKILL)

    async def _leave(self) -> None:
        self._session = None
        stack, self._stack = self._stack, contextlib.AsyncExitStack()
        with contextlib.suppress(ExceptionGroup, MCPError):
            await stack.aclose()


def _once_more(action: dict[str, Any]) -> dict[str, Any]:
    """Nothing moved because somebody was killed each time: the person says that it is to be tried again."""
    if action["action"] != "loop_halted":
        return action
    return {**action["halted_payload"], "action": action["halted_action"]}


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The socket of a process that servers are forked from."""
    path = tmp_path_factory.mktemp("warm") / "s"
    command = (sys.executable, "-m", "tests.warm_server", "wait", str(path))
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=NOWHERE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        yield str(path)


@pytest.mark.parametrize("seed", range(1, RUNS + 1))
def test_whoever_is_killed_the_work_comes_to_the_same_end(
    tmp_path: Path, warm: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One run has mostly enough of it; on a machine that is busy elsewhere, moments are missed."""
    monkeypatch.setitem(COMMANDS, "flow", "A workflow that lives on disk.")
    inside = number = 0
    while inside < KILLS:
        number += 1
        run = Killing(tmp_path / str(number), warm, number * 1000 + seed)
        anyio.run(run.play)
        assert_ended(run.repository, run.person)
        assert run.after_answer == len(run.actions)
        inside += run.inside
