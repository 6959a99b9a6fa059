"""The process as a whole: what it loads before it answers, and how the protocol's own client gets on with it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from leeboard.app.plan.engine import Engine
from leeboard.plan.machine.moves import decide
from leeboard.surfaces.mcp.tools import tools
from tests.mcp_agent import Agent, Answer

ROOT = Path(__file__).resolve().parents[3]
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
HEAVY = (
    "msgspec",
    "click",
    "typing",
    "threading",
    "subprocess",
    "inspect",
    "asyncio",
    "mcp",
    "leeboard.io",
    "leeboard.model",
)


def loaded(*lines: dict[str, object]) -> tuple[list[dict[str, object]], list[str]]:
    """What was answered, and which modules were loaded by then."""
    program = "import sys; from leeboard.surfaces.mcp.server import serve; serve(); print(*sys.modules, sep=',')"
    done = subprocess.run(
        (sys.executable, "-c", program),
        input="".join(json.dumps({"jsonrpc": "2.0", **line}) + "\n" for line in lines),
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr.strip().split(",")


def test_the_handshake_loads_next_to_nothing() -> None:
    """Whatever is printed, as here the modules, goes to stderr."""
    (answer,), modules = loaded({"id": 1, "method": "initialize", "params": HELLO})
    result = answer["result"]
    assert isinstance(result, dict)
    assert result["serverInfo"]["name"] == "leeboard"
    assert "haiku_run_next" in result["instructions"]
    assert [name for name in modules if name in HEAVY or name.startswith("leeboard.io")] == []


def test_the_tools_are_listed_without_the_engine() -> None:
    answers, modules = loaded(
        {"id": 1, "method": "initialize", "params": HELLO},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
    )
    result = answers[1]["result"]
    assert isinstance(result, dict)
    assert len(result["tools"]) > 40
    assert "leeboard.app.plan.engine" not in modules


Play = Callable[[ClientSession], Awaitable[None]]


def talk(agent: Agent, play: Play, **environment: str) -> None:
    """Play with the protocol's own client, against the server as it is installed."""

    async def run() -> None:
        server = StdioServerParameters(
            command=sys.executable,
            args=["-m", "leeboard.surfaces.mcp"],
            cwd=str(agent.root),
            env=os.environ | {"PYTHONPATH": str(ROOT)} | environment,
        )
        async with (
            stdio_client(server) as (read, write),
            ClientSession(read, write, read_timeout_seconds=60) as session,
        ):
            await session.initialize()
            await play(session)

    anyio.run(run)


async def called(session: ClientSession, tool: str, **arguments: Any) -> Answer:
    result = await session.call_tool(f"haiku_{tool}", arguments)
    return Answer(result.model_dump(by_alias=True))


def approve(root: Path) -> None:
    Engine(str(root)).move("thing", lambda plan, now: decide(plan, "approved", "kim", now))


def test_the_client_finds_the_tools_and_drives_a_stage(agent: Agent) -> None:
    """SH-05, SH-18: a server that has just been started goes on where another one was."""

    async def begin(session: ClientSession) -> None:
        listed = await session.list_tools()
        assert len(listed.tools) == len(tools())
        made = await called(session, "intent_create", title="Make it", description="Why.", slug="thing", studio="small")
        assert made["action"] == "intent_created"
        assert (await called(session, "run_next"))["action"] == "start_stage"

    async def go_on(session: ClientSession) -> None:
        assert (await called(session, "run_next"))["action"] == "elaborate"
        wrong = await called(session, "unit_write", unit="../x", content="x")
        assert (wrong.is_error, wrong["code"]) == (True, "invalid_arguments")

    talk(agent, begin)
    talk(agent, go_on)


def test_a_gate_waits_while_others_work_and_opens_for_the_person_alone(builder: Agent) -> None:
    """SH-38, SH-46: with progress for the one who waits, and no lock on anybody else."""
    builder.until("elaborate")
    builder.plan("a.txt")
    heard: list[str] = []

    async def listen(progress: float, total: float | None, message: str | None) -> None:
        heard.append(f"{progress:g} {total} {message}")

    async def play(session: ClientSession) -> None:
        async with anyio.create_task_group() as group:
            answers: list[Answer] = []

            async def wait() -> None:
                result = await session.call_tool("haiku_run_next", {}, progress_callback=listen)
                answers.append(Answer(result.model_dump(by_alias=True)))

            group.start_soon(wait)
            while not heard:  # noqa: ASYNC110 - another process tells it
                await anyio.sleep(0.01)
            assert (await called(session, "unit_list"))["stage"] == "build"
            assert not (await called(session, "unit_set", unit="unit-01-a", field="title", value="New")).is_error
            assert not answers
            await anyio.to_thread.run_sync(approve, builder.root)
        assert answers[0]["action"] in {"advance_phase", "start_unit"}

    talk(builder, play, LEEBOARD_GATE_SECONDS="60")
    assert heard[0] == "1 None waiting for a person's decision (0 s)"


def test_who_calls_off_the_waiting_can_ask_again(builder: Agent) -> None:
    builder.until("elaborate")
    builder.plan("a.txt")

    async def play(session: ClientSession) -> None:
        with anyio.move_on_after(0.5):
            await session.call_tool("haiku_run_next", {})
        await anyio.to_thread.run_sync(approve, builder.root)
        assert (await called(session, "run_next"))["action"] in {"advance_phase", "start_unit"}

    talk(builder, play, LEEBOARD_GATE_SECONDS="60")
