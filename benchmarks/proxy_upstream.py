"""The upstream of the proxy's benchmark: plays as many events as the request asks for, at the pace that it asks for.

`python -m benchmarks.proxy_upstream` prints its port. It reads its order from the words of the request, wherever those
stand, since not everybody in between passes on a header of ours.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from itertools import count

import msgspec
import uvloop

STREAM_KEY = "bench-stream:"
_ORDER = re.compile(STREAM_KEY.encode() + rb"(\d+):(\d+)")
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_CALL = b"toolu_00000000"
"""As long as every other, since it stands in a chunk whose length is told."""
_numbers = count(1)
_HEAD = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nrequest-id: req_bench\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n"
)


def _chunk(event: Mapping[str, object]) -> bytes:
    data = b"event: %b\ndata: %b\n\n" % (str(event["type"]).encode(), msgspec.json.encode(event))
    return b"%x\r\n%b\r\n" % (len(data), data)


@cache
def _parts() -> tuple[bytes, bytes, bytes]:
    """What comes before the deltas, one delta, and what comes after them: a call, and the end."""
    message = {"id": "msg_bench", "type": "message", "role": "assistant", "model": "claude-test", "content": []}
    usage = {"input_tokens": 9, "output_tokens": 1}
    begin = {
        "type": "message_start",
        "message": {**message, "stop_reason": None, "stop_sequence": None, "usage": usage},
    }
    text = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
    words = {"type": "text_delta", "text": " and so it goes on"}
    delta = {"type": "content_block_delta", "index": 0, "delta": words}
    call = {"type": "tool_use", "id": _CALL.decode(), "name": "Bash", "input": {}}
    told = {"type": "input_json_delta", "partial_json": '{"command": "make test"}'}
    ended = {"type": "message_delta", "delta": {"stop_reason": "tool_use", "stop_sequence": None}}
    last: list[dict[str, object]] = [
        {"type": "content_block_stop", "index": 0},
        {"type": "content_block_start", "index": 1, "content_block": call},
        {"type": "content_block_delta", "index": 1, "delta": told},
        {"type": "content_block_stop", "index": 1},
        {**ended, "usage": {"output_tokens": 20}},
        {"type": "message_stop"},
    ]
    return _chunk(begin) + _chunk(text), _chunk(delta), b"".join(map(_chunk, last)) + b"0\r\n\r\n"


async def _serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError, asyncio.IncompleteReadError, RuntimeError):
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            found = _LENGTH.search(head)
            order = _ORDER.search(await reader.readexactly(int(found[1]) if found else 0))
            await _play(writer, *map(int, order.groups() if order else (5, 0)))
            if b"\r\nConnection: close" in head:
                break
    with suppress(ConnectionError):
        writer.close()


async def _play(writer: asyncio.StreamWriter, events: int, pace_ms: int) -> None:
    before, delta, after = _parts()
    writer.write(_HEAD + before)
    for _ in range(events):
        if pace_ms:
            await asyncio.sleep(pace_ms / 1000)
        writer.write(delta)
        await writer.drain()
    writer.write(after.replace(_CALL, b"toolu_%08d" % next(_numbers)))
    await writer.drain()


async def _main() -> None:
    server = await asyncio.start_server(_serve, "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(_main())
