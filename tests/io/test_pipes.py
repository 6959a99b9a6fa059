"""Chunks of several pipes, whether the system waits for them or threads read them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from typing import IO

import pytest

from leeboard.io.pipes import PipeName, Pipes, open_pipes

OUT, ERR = ("a", "out"), ("a", "err")
LONG = 20.0


@pytest.fixture(params=[False, True], ids=["selected", "threaded"])
def pipes(request: pytest.FixtureRequest) -> Iterator[Pipes]:
    with closing(open_pipes(by_threads=request.param)) as found:
        yield found


def pipe() -> tuple[IO[bytes], IO[bytes]]:
    read, write = os.pipe()
    return os.fdopen(read, "rb"), os.fdopen(write, "wb", buffering=0)


def all_of(pipes: Pipes) -> dict[PipeName, bytes]:
    found: dict[PipeName, bytes] = {}
    while pipes.names():
        for name, part in pipes.read(LONG):
            found[name] = found.get(name, b"") + part
    return found


def test_each_to_its_end(pipes: Pipes) -> None:
    ends = {name: pipe() for name in (OUT, ERR)}
    for name, (read, write) in ends.items():
        pipes.add(name, read)
        write.write(name[1].encode() * 3)
        write.close()
    assert all_of(pipes) == {OUT: b"outoutout", ERR: b"errerrerr"}
    for read, _ in ends.values():
        read.close()


def test_nothing_in_time(pipes: Pipes) -> None:
    read, write = pipe()
    with read, write:
        pipes.add(OUT, read)
        assert pipes.read(0.01) == []
        assert pipes.read(-1) == []
        assert pipes.names() == {OUT}
        write.close()
        assert all_of(pipes) == {OUT: b""}


def test_what_comes_of_one_that_was_dropped_is_not_told(pipes: Pipes) -> None:
    (first, told), (second, other) = pipe(), pipe()
    with first, told, second, other:
        pipes.add(OUT, first)
        pipes.add(ERR, second)
        told.write(b"x")
        pipes.drop(OUT)
        pipes.drop(OUT)
        other.write(b"y")
        assert pipes.read(LONG) == [(ERR, b"y")]
        assert pipes.names() == {ERR}
        told.close()
        other.close()
        assert all_of(pipes) == {ERR: b""}
