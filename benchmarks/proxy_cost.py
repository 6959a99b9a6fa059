"""What the proxy costs: side by side with nothing in between, nginx, mitmproxy and LiteLLM, in one run.

Everything is on 127.0.0.1. The upstream plays streams of Anthropic's API at the pace of a model, each with a call at
its end; the cost of a carrier is the CPU time of its processes, whatever else the machine does. nginx is the floor.
mitmproxy and LiteLLM are what a user would take instead; they are installed into environments of the benchmark's own.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path

import msgspec
import uvloop

from benchmarks.measure import Ratio, installed, milliseconds
from benchmarks.proxy_upstream import STREAM_KEY
from leeboard.surfaces.proxy.address import base_url

ROOT = Path(__file__).resolve().parent.parent
TOKEN_FILE = "proxy.token"
TOKEN = "the-token-of-the-benchmark"
KEY = f"sk-{secrets.token_hex(32)}"
"""LiteLLM starts with no weaker one; nobody else looks at it."""
EVENTS, PACE_MS, AT_ONCE = 400, 10, 40
FAST_EVENTS = 20_000
ROUNDS = 3
FIRST_BYTES = 80
START_SECONDS, STREAM_SECONDS = 120.0, 120.0
_NGINX = """daemon off; master_process off; pid {folder}/nginx.pid; error_log {folder}/error.log;
events {{ worker_connections 2048; }}
http {{ access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  upstream model {{ server 127.0.0.1:{upstream}; keepalive 64; }}
  server {{ listen 127.0.0.1:{port}; client_max_body_size 64m; location / {{ proxy_pass http://model;
    proxy_http_version 1.1; proxy_set_header Connection ""; proxy_buffering off; }} }} }}
"""
_LITELLM = """model_list:
  - model_name: claude-test
    litellm_params: {{model: anthropic/claude-test, api_base: "http://127.0.0.1:{upstream}", api_key: fake}}
"""


class Carrier(msgspec.Struct, frozen=True):
    """Something to send requests through."""

    name: str
    port: int
    path: str
    process: int
    """0 where there is none."""


class Figures(msgspec.Struct, frozen=True):
    cpu: float
    """Seconds for one paced stream."""
    first_byte: float
    """The lower quartile, in seconds: whatever else the machine does can only add to it."""
    throughput: float
    """Megabytes a second of one stream as fast as it comes."""


def measure() -> Iterator[Ratio]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="lb")))
        upstream = _started(stack, folder, "upstream", (sys.executable, "-m", "benchmarks.proxy_upstream"))
        carriers = [Carrier("direct", upstream, "", 0), *_carriers(stack, folder, upstream)]
        figures = uvloop.run(_measure_all(carriers))
    direct, floor = figures["direct"], figures.get("nginx")
    for name, found in figures.items():
        if name == "direct":
            continue
        added = (found.first_byte - direct.first_byte) * 1000
        detail = f"{milliseconds(found.first_byte)} / {milliseconds(direct.first_byte)}"
        yield Ratio(name=f"proxy: first byte added, {name}, ms", ratio=added, aim=_aim(name, 2.5), detail=detail)
        if floor is not None:
            detail = f"{milliseconds(found.cpu)} / {milliseconds(floor.cpu)}"
            ratio = found.cpu / floor.cpu
            yield Ratio(
                name=f"proxy: CPU of a paced stream, {name} / nginx", ratio=ratio, aim=_aim(name, 3.5), detail=detail
            )
        detail = f"{direct.throughput:.0f} / {found.throughput:.0f} MB/s"
        ratio = direct.throughput / found.throughput
        yield Ratio(name=f"proxy: throughput, direct / {name}", ratio=ratio, aim=_aim(name, 10.0), detail=detail)


def _aim(name: str, ours: float) -> float:
    """Others have no aim to meet: their figures stand beside ours."""
    return ours if name.startswith("leeboard") else float("inf")


# Who stands in between.


def _carriers(stack: ExitStack, folder: Path, upstream: int) -> Iterator[Carrier]:
    for plain in (True, False):
        yield _leeboard(stack, folder, upstream, plain=plain)
    nginx = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if nginx:
        port = _free_port()
        settings = folder / "nginx.conf"
        settings.write_text(_NGINX.format(folder=folder, upstream=upstream, port=port), encoding="utf-8")
        process = _process(stack, folder, (nginx, "-c", str(settings), "-e", str(folder / "error.log")))
        yield _listening("nginx", port, process)
    else:
        print("proxy: nginx is not installed (Debian: apt install nginx): no ratio of CPU time without it", flush=True)
    yield from _others(stack, folder, upstream)


def _leeboard(stack: ExitStack, folder: Path, upstream: int, *, plain: bool) -> Carrier:
    name = "leeboard, plain" if plain else "leeboard, judging"
    state, port = folder / name.replace(" ", ""), _free_port()
    state.mkdir()
    (state / TOKEN_FILE).write_text(TOKEN, encoding="ascii")
    line = (sys.executable, "-m", "leeboard", "proxy", "--port", str(port), *(("--plain",) if plain else ()))
    process = _process(stack, folder, line, LEEBOARD_STATE_DIR=str(state), PYTHONPATH=str(ROOT))
    path = base_url(port, TOKEN, f"http://127.0.0.1:{upstream}").partition(f":{port}")[2]
    return msgspec.structs.replace(_listening(name, port, process), path=path)


def _others(stack: ExitStack, folder: Path, upstream: int) -> Iterator[Carrier]:
    """What could be installed of them."""
    program = installed("mitmproxy", "mitmdump")
    if program:
        port = _free_port()
        mode = ("--mode", f"reverse:http://127.0.0.1:{upstream}", "--listen-host", "127.0.0.1", "-p", str(port))
        more = ("-q", "--set", "stream_large_bodies=1", "--set", f"confdir={folder / 'mitm'}")
        yield from _perhaps("mitmproxy", port, _process(stack, folder, (program, *mode, *more)))
    program = installed("litellm[proxy]", "litellm")
    if program:
        port, settings = _free_port(), folder / "litellm.yaml"
        settings.write_text(_LITELLM.format(upstream=upstream), encoding="utf-8")
        line = (program, "--config", str(settings), "--host", "127.0.0.1", "--port", str(port), "--telemetry", "False")
        process = _process(
            stack, folder, line, LITELLM_LOCAL_MODEL_COST_MAP="True", NO_DOCS="True", LITELLM_MASTER_KEY=KEY
        )
        yield from _perhaps("litellm", port, process)


def _process(stack: ExitStack, folder: Path, line: tuple[str, ...], **env: str) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        line, cwd=folder, env={**os.environ, **env}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    stack.callback(_ended, process)
    return process


def _ended(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _started(stack: ExitStack, folder: Path, name: str, line: tuple[str, ...]) -> int:
    process = subprocess.Popen(line, cwd=ROOT, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(ROOT)})
    stack.callback(_ended, process)
    assert process.stdout is not None, (name, folder)
    return int(process.stdout.readline())


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as sock:
        return int(sock.getsockname()[1])


def _listening(name: str, port: int, process: subprocess.Popen[bytes]) -> Carrier:
    """Wait until somebody answers there."""
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1):
                return Carrier(name, port, "", process.pid)
        except OSError:
            time.sleep(0.1)
    raise SystemExit(f"proxy: {name} does not listen on port {port} (exit code {process.poll()})")


def _perhaps(name: str, port: int, process: subprocess.Popen[bytes]) -> Iterator[Carrier]:
    """One that does not start is left out: it is not what is measured."""
    try:
        yield _listening(name, port, process)
    except SystemExit as told:
        print(f"{told}: it is left out", flush=True)


# What is measured.


async def _measure_all(carriers: list[Carrier]) -> dict[str, Figures]:
    first: dict[str, list[float]] = {carrier.name: [] for carrier in carriers}
    cpu: dict[str, list[float]] = {carrier.name: [] for carrier in carriers}
    speed: dict[str, list[float]] = {carrier.name: [] for carrier in carriers}
    for carrier in carriers:
        for _ in range(3):
            await _stream(carrier, 5, 0)
    for _ in range(FIRST_BYTES):
        for carrier in carriers:
            first[carrier.name].append((await _stream(carrier, 5, 0))[0])
    for _ in range(ROUNDS):
        for carrier in carriers:
            cpu[carrier.name].append(await _paced(carrier))
            began = time.perf_counter()
            _, size = await _stream(carrier, FAST_EVENTS, 0)
            speed[carrier.name].append(size / (1 << 20) / (time.perf_counter() - began))
    return {
        name: Figures(
            statistics.median(cpu[name]), statistics.quantiles(first[name], n=4)[0], statistics.median(speed[name])
        )
        for name in first
    }


async def _paced(carrier: Carrier) -> float:
    """CPU seconds of the carrier for one of many streams at the pace of a model."""
    before = _cpu_seconds(carrier.process)
    await asyncio.gather(*(_stream(carrier, EVENTS, PACE_MS, session) for session in range(AT_ONCE)))
    return (_cpu_seconds(carrier.process) - before) / AT_ONCE


async def _stream(carrier: Carrier, events: int, pace_ms: int, session: int = 0) -> tuple[float, int]:
    """Seconds to the first byte of the body, and the size of the answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", carrier.port, limit=1 << 20)
    body = _request(events, pace_ms, session)
    fields = "content-type: application/json\r\nanthropic-version: 2023-06-01\r\nauthorization: Bearer " + KEY
    head = f"POST {carrier.path}/v1/messages HTTP/1.1\r\nHost: localhost\r\n{fields}\r\nContent-Length: {len(body)}"
    began = time.perf_counter()
    writer.write(f"{head}\r\nConnection: close\r\n\r\n".encode() + body)
    async with asyncio.timeout(STREAM_SECONDS):
        came = await reader.readuntil(b"\r\n\r\n")
        assert b" 200 " in came.partition(b"\r\n")[0], (carrier.name, came, await reader.read(4096))
        size = len(await reader.read(1))
        first = time.perf_counter() - began
        last = b""
        while part := await reader.read(1 << 18):
            size += len(part)
            last = last[-200:] + part
    writer.close()
    assert b"message_stop" in last, (carrier.name, last)
    return first, size


_numbers = count()


def _request(events: int, pace_ms: int, session: int = 0) -> bytes:
    """The next turn of an agent at work: the answer to a call that nobody has seen before."""
    tool = {"name": "Bash", "description": "Run a command.", "input_schema": {"type": "object", "properties": {}}}
    call = {"type": "tool_use", "id": f"toolu_{next(_numbers)}", "name": "Bash", "input": {"command": "make test"}}
    came = {"type": "tool_result", "tool_use_id": call["id"], "content": "12 passed in 0.31s"}
    order = {"type": "text", "text": f"<system-reminder>{STREAM_KEY}{events}:{pace_ms}.</system-reminder>"}
    messages = [
        {"role": "user", "content": f"Fix the parser of report {session}."},
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [came, order]},
    ]
    body = {"model": "claude-test", "max_tokens": 4096, "stream": True, "tools": [tool], "messages": messages}
    return msgspec.json.encode(body)


def _cpu_seconds(process: int) -> float:
    """What a process and those that it started have used."""
    if not process:
        return 0.0
    ticks = os.sysconf("SC_CLK_TCK")
    return sum(_ticks(each) for each in _family(process)) / ticks


def _ticks(process: int) -> int:
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def _family(process: int) -> Iterator[int]:
    yield process
    for task in Path(f"/proc/{process}/task").iterdir():
        for child in (task / "children").read_text(encoding="ascii").split():
            yield from _family(int(child))
