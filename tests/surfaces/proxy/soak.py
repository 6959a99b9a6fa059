"""The proxy under load: many streams at once, with everything in the mix that an upstream or a client can do wrong.

`python -m tests.surfaces.proxy.soak [streams] [waves] [megabytes]`, run by `make soak`. Upstream, proxy and clients are
three processes on 127.0.0.1. Every stream is drawn from a seed, so that both ends know each byte of it.
"""

from __future__ import annotations

import asyncio
import gzip
import os
import random
import signal
import socket
import subprocess
import sys
import time
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec
import uvloop

from leeboard.surfaces.proxy import judging
from leeboard.surfaces.proxy.address import base_url
from leeboard.surfaces.proxy.server import Server, serve
from leeboard.wire.http1 import BodyReader, answer_framing, chunk, head_end, parse_head
from leeboard.wire.seam import RELEASE, CallRuling, Reasoning, RequestFacts, WireCall
from leeboard.wire.sse import COMMENT
from tests.surfaces.proxy.anthropic_stream import call_block, events_head, message, request, text_block, texts_and_calls
from tests.surfaces.proxy.scripted_desk import WITHHELD, ScriptedDesk
from tests.surfaces.proxy.scripted_upstream import whole

ROOT = Path(__file__).resolve().parents[3]
TOKEN = "the-token-of-the-soak-test"
CASES = {
    "text": 24,
    "calls": 24,
    "withheld": 10,
    "slow": 12,
    "packed": 8,
    "large": 2,
    "trailers": 2,
    "cut": 6,
    "malformed": 4,
    "no_http": 2,
    "limited": 4,
    "overloaded": 4,
    "leaving": 6,
    "failing": 4,
}
"""What a stream is, and how often in a hundred."""
WAVE_SECONDS = 300.0


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a run."""

    streams: int
    cases: dict[str, int]
    wrong: list[str]
    """Streams that did not arrive as they should have."""
    seconds: float
    megabytes: float
    """Carried, as far as it was compared."""
    memory: list[float]
    """Megabytes that the proxy's process held after each wave."""
    left_open: int


def tell(what: object) -> None:
    sys.stdout.write(f"{what}\n")
    sys.stdout.flush()


# What upstream plays.


def frames_of(case: str, seed: int, megabytes: float) -> list[bytes]:
    """The frames of the stream with that seed."""
    draw = random.Random(seed)
    words = [
        text_block(0, "".join(draw.choices("abc \u00e9\u4e16\U0001f600\n", k=draw.randint(1, 400)))) for _ in range(1)
    ]
    if case == "large":
        size = int(megabytes * 1024 * 1024)
        return message(*words, call_block(1, f"toolu_{seed}", "x" * size, max(size // 4096, 1)))
    if case in {"calls", "withheld", "packed", "failing", "leaving", "cut"}:
        mark = {"withheld": "no", "failing": "fail"}.get(case, "yes")
        count = draw.randint(1, 3)
        calls = [
            call_block(at + 1, f"toolu_{seed}_{at}_{mark}", f"make {at}", draw.randint(1, 5)) for at in range(count)
        ]
        return message(*words, *calls)
    if case == "malformed":
        broken = [b"data: {no json\n\n", b"event: odd\n\n", b": comment\r\n\r\n", b"\xff\xfe\n\n", b"data: []\n\n"]
        return [*message(*words)[:2], *draw.sample(broken, 3), *message(*words, stop="end_turn")[2:]]
    return message(*words, stop="end_turn")


def pieces_of(case: str, seed: int, megabytes: float) -> list[bytes]:
    """The payload as upstream cuts it."""
    frames = frames_of(case, seed, megabytes)
    if case == "packed":
        packer = zlib.compressobj(1, zlib.DEFLATED, 31)
        return [*(packer.compress(each) + packer.flush(zlib.Z_SYNC_FLUSH) for each in frames), packer.flush()]
    if case == "large":
        return frames
    data, draw = b"".join(frames), random.Random(seed + 1)
    cuts = sorted(draw.sample(range(len(data)), min(draw.randint(1, 30), len(data))))
    return [data[start:end] for start, end in zip([0, *cuts], [*cuts, len(data)], strict=True) if start < end]


REFUSALS = {
    "limited": whole(
        b'{"type":"error"}', b"retry-after: 3", b"content-type: application/json", status=b"429 Slow down"
    ),
    "overloaded": whole(b'{"type":"error"}', b"content-type: application/json", status=b"529"),
}


async def _play(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, megabytes: float) -> None:
    with suppress(ConnectionError, asyncio.IncompleteReadError, RuntimeError):  # uvloop's word for a closed transport
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            parsed = parse_head(head)
            await reader.readexactly(int(parsed.values(b"content-length")[0]))
            case, _, seed = parsed.values(b"x-case")[0].decode().partition(":")
            if not await _answer(writer, case, int(seed), megabytes):
                break
    with suppress(ConnectionError):
        writer.close()


async def _answer(writer: asyncio.StreamWriter, case: str, seed: int, megabytes: float) -> bool:
    """Whether the connection is still good."""
    if case in REFUSALS:
        writer.write(REFUSALS[case])
    elif case == "no_http":
        writer.write(b"\x15\x03\x01 this is no HTTP\r\n\r\n")
        return False
    else:
        writer.write(events_head(*([b"Content-Encoding: gzip"] if case == "packed" else [])))
        pieces = pieces_of(case, seed, megabytes)
        for at, piece in enumerate(pieces):
            if case == "cut" and at == len(pieces) // 2:
                await writer.drain()
                return False
            writer.write(chunk(piece))
            await writer.drain()
            if case in {"slow", "leaving"}:
                await asyncio.sleep(0.05)  # the pace of a slow model
        writer.write(b"0\r\n" + (b"X-Sum: 1\r\n" if case == "trailers" else b"") + b"\r\n")
    await writer.drain()
    return True


async def _play_all(megabytes: float) -> None:
    server = await asyncio.start_server(lambda r, w: _play(r, w, megabytes), "127.0.0.1", 0, backlog=2048)
    tell(server.sockets[0].getsockname()[1])
    await server.serve_forever()


# The proxy, with a desk that holds back what says so, and fails where it says so.


class _ForgetfulDesk(ScriptedDesk):
    """Keeps nothing, so that what is kept is the proxy's."""

    def judge(
        self,
        facts: RequestFacts,  # noqa: ARG002 - as every desk
        calls: Sequence[WireCall],
        reasoning: Sequence[Reasoning],  # noqa: ARG002 - as every desk
    ) -> dict[str, CallRuling]:
        assert not any(call.id.endswith("fail") for call in calls), "as the script wants it"
        return {call.id: WITHHELD if call.id.endswith("no") else RELEASE for call in calls}

    def finished(self, *_: object, **__: object) -> None:
        """Nobody asks."""


async def _stand_between() -> None:
    judging.FAILURES = sys.maxsize  # failures are part of the script: nobody is to be left alone because of them
    judging.ASK_SECONDS = WAVE_SECONDS  # what a call is ruled must not depend on how busy the machine is
    sock = socket.create_server(("127.0.0.1", 0), backlog=2048)
    await serve(Server(TOKEN, _ForgetfulDesk()), sock, asyncio.Event().wait, lambda: tell(sock.getsockname()[1]))


# The clients.


class Stream(msgspec.Struct, frozen=True):
    case: str
    seed: int


async def _ask(stream: Stream, proxy: int, upstream: int, megabytes: float) -> tuple[str, int]:
    """What is wrong with what came, and how much was compared."""
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy, limit=1 << 20)
    path = base_url(proxy, TOKEN, f"http://127.0.0.1:{upstream}").partition(f":{proxy}")[2]
    body = request(f"Stream {stream.seed}.")
    lines = [f"POST {path}/v1/messages HTTP/1.1", "Host: localhost", f"x-case: {stream.case}:{stream.seed}"]
    lines += [f"Content-Length: {len(body)}", "Connection: close"]
    writer.write(("\r\n".join(lines) + "\r\n\r\n").encode() + body)
    try:
        if stream.case == "leaving":
            await reader.read(100)
            return "", 0
        came = bytearray()
        while part := await reader.read(1 << 18):
            came += part
        return _fault(stream, bytes(came), megabytes), len(came)
    except ConnectionError as error:
        return ("" if stream.case == "cut" else f"{stream}: {error}"), 0
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


def _fault(stream: Stream, came: bytes, megabytes: float) -> str:
    end = head_end(came)
    if not end:
        return f"{stream}: no head in {came[:100]!r}"
    if stream.case in REFUSALS:
        whole_answer = came.replace(b"Connection: close\r\n", b"")
        return "" if whole_answer == REFUSALS[stream.case] else f"{stream}: {came[:300]!r}"
    if stream.case == "no_http":
        return "" if came.startswith(b"HTTP/1.1 502 ") else f"{stream}: {came[:300]!r}"
    reader = BodyReader(answer_framing(parse_head(came[:end]), b"POST"))
    payload, _ = reader.feed(came[end:])
    what = _body_fault(stream, payload, reader, b"".join(pieces_of(stream.case, stream.seed, megabytes)))
    return f"{stream}: {what}" if what else ""


def _body_fault(stream: Stream, payload: bytes, reader: BodyReader, sent: bytes) -> str:
    # On a busy machine a call waits for longer than a client is left without a sign of life.
    came = payload.replace(COMMENT, b"")
    if not all(piece.endswith(b"\n\n") for piece in payload.split(COMMENT)[:-1] if piece):
        return "a sign of life within a frame"
    if stream.case == "cut":
        return "" if not reader.done and sent.startswith(came) else "more than came"
    if not reader.done:
        return "it did not end"
    if stream.case == "withheld":
        is_well = texts_and_calls(came)[1] == [] and b"event: message_stop" in came
        return "" if is_well else "not withheld"
    if stream.case == "trailers" and reader.trailers != [b"X-Sum: 1"]:
        return f"trailers {reader.trailers}"
    if stream.case == "packed" and came != sent and COMMENT in gzip.decompress(came):
        came, sent = gzip.decompress(came).replace(COMMENT, b""), gzip.decompress(sent)
    return "" if came == sent else f"{len(came)} bytes that are not the {len(sent)} which were sent"


async def _waves(streams: int, waves: int, megabytes: float, ports: tuple[int, int], process: int) -> Figures:
    wrong: list[str] = []
    memory: list[float] = []
    cases: Counter[str] = Counter()
    carried, began = 0, time.perf_counter()
    for wave in range(waves):
        draw = random.Random(wave)
        chosen = [*CASES, *draw.choices(list(CASES), list(CASES.values()), k=streams - len(CASES))]
        cases.update(chosen)
        asked = [_ask(Stream(case, wave * 100_000 + at), *ports, megabytes) for at, case in enumerate(chosen)]
        async with asyncio.timeout(WAVE_SECONDS):
            for fault, size in await asyncio.gather(*asked):
                carried += size
                if fault:
                    wrong.append(fault)
        memory.append(_resident(process))
    return Figures(
        streams=streams * waves,
        cases=dict(cases),
        wrong=wrong,
        seconds=time.perf_counter() - began,
        megabytes=carried / (1 << 20),
        memory=memory,
        left_open=await _still_open(ports[0]),
    )


async def _still_open(proxy: int) -> int:
    """Exchanges that the proxy still has, once those whose clients left have had the time to end."""
    told: dict[str, int] = {}
    for _ in range(100):
        reader, writer = await asyncio.open_connection("127.0.0.1", proxy)
        writer.write(f"GET /{TOKEN}/leeboard/health HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        told = msgspec.json.decode((await reader.read()).partition(b"\r\n\r\n")[2])
        writer.close()
        if not told["open"]:
            return 0
        await asyncio.sleep(0.05)
    return told["open"]


def _resident(process: int) -> float:
    lines = Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


def soak(streams: int, waves: int, megabytes: float, state: str) -> Figures:
    """Play so many streams at once, so many times."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "LEEBOARD_STATE_DIR": state}
    started: list[subprocess.Popen[bytes]] = []
    try:
        ports = []
        for words in (("upstream", str(megabytes)), ("proxy",)):
            line = (sys.executable, "-m", "tests.surfaces.proxy.soak", *words)
            process = subprocess.Popen(line, cwd=ROOT, env=env, stdout=subprocess.PIPE)
            started.append(process)
            assert process.stdout is not None
            ports.append(int(process.stdout.readline()))
        return uvloop.run(_waves(streams, waves, megabytes, (ports[1], ports[0]), started[1].pid))
    finally:
        for process in started:
            process.send_signal(signal.SIGTERM)
            process.communicate()


def main(words: Sequence[str]) -> None:
    parts: dict[str, Callable[[], None]] = {
        "upstream": lambda: uvloop.run(_play_all(float(words[1]))),
        "proxy": lambda: uvloop.run(_stand_between()),
    }
    if words and words[0] in parts:
        parts[words[0]]()
        return
    import tempfile  # noqa: PLC0415 - only for who runs it by hand

    streams, waves, megabytes = (*map(float, words), *(500.0, 4.0, 10.0)[len(words) :])
    with tempfile.TemporaryDirectory() as state:
        figures = soak(int(streams), int(waves), megabytes, state)
    tell(f"{figures.streams} streams, {int(streams)} at once, {figures.megabytes:.0f} MB in {figures.seconds:.0f} s")
    tell(", ".join(f"{case} {count}" for case, count in sorted(figures.cases.items())))
    tell(f"memory of the proxy after each wave: {', '.join(f'{each:.0f} MB' for each in figures.memory)}")
    tell(f"left open: {figures.left_open}; wrong: {len(figures.wrong)}")
    for fault in figures.wrong[:20]:
        tell(f"  {fault}")
    sys.exit(
        1 if figures.wrong or figures.left_open or figures.memory[-1] > 1.25 * max(figures.memory[:-1] or [1e9]) else 0
    )


if __name__ == "__main__":
    main(sys.argv[1:])
