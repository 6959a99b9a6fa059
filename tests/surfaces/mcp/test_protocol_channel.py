from __future__ import annotations

import json
import os
import threading

import pytest

from leeboard.surfaces.mcp.protocol import Channel, ClientGoneError


def test_lines_of_several_threads_stay_whole() -> None:
    read, write = os.pipe()
    channel = Channel(-1, write)
    text = "x" * 30_000
    threads = [threading.Thread(target=channel.send, args=({"n": number, "text": text},)) for number in range(8)]
    for thread in threads:
        thread.start()
    with open(read, "rb") as stream:  # noqa: PTH123 - a descriptor, not a path
        lines = [json.loads(stream.readline()) for _ in threads]
    for thread in threads:
        thread.join()
    os.close(write)
    assert sorted(line["n"] for line in lines) == list(range(8))


def test_what_comes_is_read_until_the_end() -> None:
    read, write = os.pipe()
    os.write(write, b"abc")
    os.close(write)
    channel = Channel(read, -1)
    assert [channel.read(), channel.read()] == [b"abc", b""]
    os.close(read)


def test_a_client_that_has_gone_is_noticed() -> None:
    read, write = os.pipe()
    os.close(read)
    with pytest.raises(ClientGoneError):
        Channel(-1, write).send({})
    os.close(write)
