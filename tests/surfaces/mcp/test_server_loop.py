"""The loop against the real client of the protocol's own library, and against raw bytes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.client import Client
from mcp.client.stdio import stdio_client
from mcp.shared.exceptions import MCPError

from leeboard.surfaces.mcp.protocol import LONGEST

STAND_IN = str(Path(__file__).resolve().parents[2] / "mcp_stand_in.py")


def talk(folder: Path, play: Callable[[ClientSession], Awaitable[None]]) -> None:
    """Play with a session of the library's client, after the handshake."""

    async def run() -> None:
        server = StdioServerParameters(command=sys.executable, args=[STAND_IN], cwd=str(folder))
        with (folder / "stderr").open("w", encoding="utf-8") as errors:
            async with (
                stdio_client(server, errlog=errors) as (read, write),
                ClientSession(read, write, read_timeout_seconds=30) as session,
            ):
                await session.initialize()
                await play(session)

    anyio.run(run)


async def until(happened: Callable[[], bool]) -> None:
    while not happened():  # noqa: ASYNC110 - another process does it
        await anyio.sleep(0.01)


def said(result: Any) -> Any:
    return json.loads(result.content[0].text)


def exchange(folder: Path, *lines: bytes) -> list[Any]:
    """What is answered to these bytes, line by line."""
    done = subprocess.run(
        (sys.executable, STAND_IN), input=b"".join(lines), cwd=folder, capture_output=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr.decode()
    return [json.loads(line) for line in done.stdout.splitlines()]


def line(method: str, key: object = 1, **params: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": key, "method": method, "params": params}).encode() + b"\n"


def call(name: str, key: object = 1, **arguments: object) -> bytes:
    return line("tools/call", key, name=name, arguments=arguments)


def test_the_client_lists_and_calls(tmp_path: Path) -> None:
    """SH-18."""

    async def play(session: ClientSession) -> None:
        listed = await session.list_tools()
        assert [tool.name for tool in listed.tools] == ["echo", "wait", "fail", "break", "noise"]
        assert listed.tools[0].input_schema["additionalProperties"] is False
        answer = await session.call_tool("echo", {"text": "grüße \u2028 \n"})
        assert said(answer) == {"said": "grüße \u2028 \n"}
        assert not answer.is_error
        await session.send_ping()

    talk(tmp_path, play)


def test_the_client_is_told_of_failures(tmp_path: Path) -> None:
    async def play(session: ClientSession) -> None:
        refused = await session.call_tool("fail", {})
        assert refused.is_error
        assert said(refused) == {
            "code": "not_now",
            "message": "it is not the time",
            "next": "echo",
            "missing": ["patience"],
        }
        broken = await session.call_tool("break", {})
        assert broken.is_error
        assert said(broken)["code"] == "internal_error"
        with pytest.raises(MCPError, match="there is no tool 'nonsense'"):
            await session.call_tool("nonsense", {})
        assert not (await session.call_tool("echo", {})).is_error

    talk(tmp_path, play)


def test_one_call_waits_while_others_are_answered(tmp_path: Path) -> None:
    """SH-46."""
    heard: list[str] = []

    async def listen(progress: float, total: float | None, message: str | None) -> None:
        heard.append(f"{progress:g} {total} {message}")

    async def play(session: ClientSession) -> None:
        answers: list[Any] = []

        async def wait() -> None:
            answers.append(await session.call_tool("wait", {"until": "now"}, progress_callback=listen))

        async with anyio.create_task_group() as group:
            group.start_soon(wait)
            await until(lambda: bool(heard))
            assert said(await session.call_tool("echo", {"text": "meanwhile"})) == {"said": "meanwhile"}
            assert not answers
            (tmp_path / "now").write_text("", encoding="utf-8")
        assert said(answers[0]) == {"found": "now"}

    talk(tmp_path, play)
    assert heard == ["1 None waiting"]


def test_a_call_that_was_called_off_ends_without_an_answer(tmp_path: Path) -> None:
    async def play(session: ClientSession) -> None:
        with anyio.move_on_after(0.5):
            await session.call_tool("wait", {})
        await until((tmp_path / "ended").exists)
        assert said(await session.call_tool("echo", {"text": "still here"})) == {"said": "still here"}

    talk(tmp_path, play)
    assert (tmp_path / "ended").read_text(encoding="utf-8") == "called off: True"


def test_a_client_that_asks_for_a_newer_protocol_first_finds_its_way(tmp_path: Path) -> None:
    async def run() -> None:
        server = StdioServerParameters(command=sys.executable, args=[STAND_IN], cwd=str(tmp_path))
        async with Client(stdio_client(server)) as client:
            assert said(await client.call_tool("echo", {"text": "hello"})) == {"said": "hello"}

    anyio.run(run)


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-11-25", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("zzz", "2025-11-25"),
    ],
)
def test_versions_are_negotiated(tmp_path: Path, asked: str, given: str) -> None:
    (answer,) = exchange(tmp_path, line("initialize", protocolVersion=asked, capabilities={}, clientInfo={}))
    assert answer["result"]["protocolVersion"] == given


@pytest.mark.parametrize(
    ("sent", "key", "code"),
    [
        (b"garbage\n", None, -32700),
        (b"\xff\xfe{}\n", None, -32700),
        (b'{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":"\xff"}}\n', 7, -32700),
        (b"[" * 200_000 + b"\n", None, -32700),
        (b"[]\n", None, -32600),
        (b"3\n", None, -32600),
        (b'{"jsonrpc":"2.0","id":3}\n', 3, -32600),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}\n', None, -32600),
        (b'{"jsonrpc":"2.0","id":3,"method":"ping","params":[1]}\n', 3, -32602),
        (b'{"jsonrpc":"2.0","id":3,"method":"server/discover"}\n', 3, -32601),
        (b'{"jsonrpc":"2.0","id":3,"method":"initialize"}\n', 3, -32602),
        (b'{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":3}}\n', 3, -32602),
        (b'{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"echo","arguments":[]}}\n', 3, -32602),
        (
            line("tools/list", 4, _meta={"io.modelcontextprotocol/protocolVersion": "2026-07-28"}),
            4,
            -32022,
        ),
    ],
)
def test_nonsense_is_answered_and_the_server_lives(tmp_path: Path, sent: bytes, key: object, code: int) -> None:
    refused, alive = exchange(tmp_path, sent, line("ping", "after"))
    assert (refused["id"], refused["error"]["code"]) == (key, code)
    assert alive == {"jsonrpc": "2.0", "id": "after", "result": {}}


def test_a_line_of_fifty_megabytes_is_refused(tmp_path: Path) -> None:
    huge = b'{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"x":"' + b"x" * 50_000_000 + b'"}}\n'
    refused, alive = exchange(tmp_path, huge, line("ping", 6))
    assert refused["id"] == 5
    assert refused["error"]["message"] == f"a message of {len(huge) - 1} bytes was refused: at most {LONGEST} are read"
    assert alive["id"] == 6


def test_a_batch_is_answered_in_one_line(tmp_path: Path) -> None:
    parts = [json.loads(line("ping", 1)), {"jsonrpc": "2.0", "method": "notifications/initialized"}, 3]
    (answer,) = exchange(tmp_path, json.dumps([*parts, json.loads(call("echo", 2, text="x"))]).encode() + b"\n")
    assert sorted((str(one["id"]), "error" in one) for one in answer) == [("1", False), ("2", False), ("None", True)]


def test_notices_and_answers_are_taken_in_silence(tmp_path: Path) -> None:
    quiet = [
        b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n',
        b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}\n',
        b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[]}}\n',
        b'{"jsonrpc":"2.0","method":"notifications/unheard-of"}\n',
        b'{"jsonrpc":"2.0","id":1,"result":{}}\n',
        b'[{"jsonrpc":"2.0","id":1,"result":{}}]\n',
        b"\r\n",
        b" \n",
    ]
    assert [
        one["id"] for one in exchange(tmp_path, *quiet, call("echo", 8), *quiet, b"\xef\xbb\xbf", line("ping", 9))
    ] in (
        [8, 9],
        [9, 8],
    )


def test_an_id_can_not_be_used_twice_at_once(tmp_path: Path) -> None:
    answers = exchange(tmp_path, call("wait", 1, until="never"), call("wait", 1, until="never"))
    assert ["error" in one for one in answers] == [True, False]
    assert answers[0]["error"]["message"] == "a request with this id is under way"


def test_when_the_client_leaves_whoever_waits_is_answered(tmp_path: Path) -> None:
    (answer,) = exchange(tmp_path, call("wait", until="never"))
    assert json.loads(answer["result"]["content"][0]["text"]) == {"ended": True}
    assert (tmp_path / "ended").read_text(encoding="utf-8") == "called off: False"


def test_stdout_carries_the_protocol_alone(tmp_path: Path) -> None:
    """What a tool or a process it starts prints goes to stderr; what such a process reads is nothing."""
    answers = exchange(tmp_path, call("noise", 1), line("ping", 2))
    assert sorted(one["id"] for one in answers) == [1, 2]


def test_a_client_that_reads_nothing_ends_the_server_quietly(tmp_path: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        (sys.executable, STAND_IN), input=line("ping"), cwd=tmp_path, stdout=write, stderr=subprocess.PIPE, check=False
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")
