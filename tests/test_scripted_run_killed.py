"""The same work with its server killed again and again, the agent's context thrown away each time: the same end.

SH-04, SH-05, SH-06, SH-07, SH-08: killed after every answer to the question for the next action, and at moments inside
calls that a seed chooses. Whoever comes next is a new client with a new server, and knows nothing.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import time
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import ClientSession, MCPError

from leeboard.surfaces.cli.main import COMMANDS
from tests.mcp_agent import Answer
from tests.scripted_run import (
    CREATE,
    MOST_ASKED,
    Person,
    ScriptedAgent,
    assert_ended,
    called,
    connected,
    environment,
    make_project,
)

LEAST_KILLS = 40
INSIDE, FORGETS = 0.3, 0.2
"""How likely a call is to be killed before it ends, and an agent to lose an answer before it did anything about it."""


class Killed(Exception):  # noqa: N818 - it is what happened, not what went wrong
    """The server did not live to answer."""


class Killing:
    """The run, and whoever kills in it."""

    def __init__(self, folder: Path, seed: int, inside: float) -> None:
        self.repository = make_project(folder / "project")
        self._env = environment(folder / "state", gate_seconds="0")
        self.person = Person(self.repository.path, self._env)
        self.actions: list[str] = []
        self.after_answer = self.inside = 0
        self._pid_file = folder / "pid"
        self._random = random.Random(seed)
        self._likely = inside
        self._spared = False
        self._forgot = False
        self._usual = 0.2
        self._session: ClientSession | None = None
        self._stack = contextlib.AsyncExitStack()

    async def play(self) -> None:
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
                self._spared = True
                continue
            self._spared = False
            if action.get("waits"):
                self.person.answer(action)
        raise AssertionError(self.actions[-20:])

    def _forgets(self) -> bool:
        """Never twice in a row: somebody who only ever asks is told so, and rightly."""
        self._forgot = not self._forgot and self._random.random() < FORGETS
        return self._forgot

    async def _until_made(self) -> None:
        """A second one of the same name is refused: then the first was made before the server was killed."""
        while True:
            try:
                answer = await self._answered("intent_create", CREATE)
            except Killed:
                continue
            assert not answer.is_error or answer["code"] == "intent_exists", answer.json
            return

    async def _call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        answer = await self._answered(tool, arguments)
        assert not answer.is_error, (tool, arguments, answer.json)
        return answer.json

    async def _answered(self, tool: str, arguments: dict[str, Any]) -> Answer:
        if self._session is None:
            self._session = await self._stack.enter_async_context(
                connected(self.repository.path, self._env, self._pid_file)
            )
        doomed = not self._spared and self._random.random() < self._likely
        began = time.monotonic()
        try:
            async with anyio.create_task_group() as tasks:
                if doomed:
                    tasks.start_soon(self._kill_in, self._random.uniform(0, 1.2) * self._usual)
                answer = await called(self._session, tool, arguments)
                tasks.cancel_scope.cancel()
        except* (MCPError, anyio.BrokenResourceError, anyio.ClosedResourceError):
            answer = None
        if answer is None:
            self.inside += 1
            await self._leave()
            raise Killed
        self._usual = 0.7 * self._usual + 0.3 * (time.monotonic() - began)
        return answer

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


def play(folder: Path, seed: int, inside: float) -> Killing:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(COMMANDS, "flow", "A workflow that lives on disk.")
        run = Killing(folder, seed, inside)
        anyio.run(run.play)
        return run


@pytest.mark.parametrize("seed", [1])
def test_whoever_is_killed_the_work_comes_to_the_same_end(tmp_path: Path, seed: int) -> None:
    run = play(tmp_path, seed, INSIDE)
    assert_ended(run.repository, run.person)
    assert run.after_answer + run.inside >= LEAST_KILLS
    assert run.inside > 0
