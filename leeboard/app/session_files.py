"""Which recorded sessions a person means: files, folders, globs, stdin, or where the clients keep theirs."""

from __future__ import annotations

import errno
import glob
import os
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import BinaryIO

import msgspec

from leeboard.clients import client_named, client_names
from leeboard.io.file import read_regular

STDIN = "-"
_ANY_DEPTH = "/**/"
LARGEST = 512 << 20
"""Bytes of a file that is read: it lies in memory whole, and what is made of it some ten times over."""


class SessionSource(msgspec.Struct, frozen=True):
    """One session to read. A path that was given by name has to be there."""

    path: str
    named: bool = False
    parts: tuple[str, ...] = ()
    """The files of its sub-agents, where the client keeps them apart and they were joined."""

    @property
    def stem(self) -> str:
        return os.path.basename(self.path).removesuffix(".jsonl")  # noqa: PTH119 - names that are no valid text pass


def find_sources(given: Iterable[str]) -> tuple[SessionSource, ...]:
    """In the order they were given, each once; inside a folder or glob by name."""
    found = (source for word in given for source in _meant(word))
    unique: dict[str, SessionSource] = {}
    for source in found:
        unique.setdefault(source.path, source)
    return tuple(unique.values())


def joined(sources: Iterable[SessionSource]) -> tuple[SessionSource, ...]:
    """Each session once, with the files of its sub-agents. One whose session is not there stays by itself."""
    listed = {source.path: source for source in sources}
    mains = {path: main for path in listed if (main := _main_of(path)) in listed}
    parts: dict[str, list[str]] = {}
    for path, main in mains.items():
        parts.setdefault(main, []).append(path)
    own = (source for path, source in listed.items() if path not in mains)
    return tuple(msgspec.structs.replace(source, parts=tuple(parts.get(source.path, ()))) for source in own)


def client_folders(env: Mapping[str, str]) -> tuple[str, ...]:
    """Where the clients keep their transcripts, as far as that is there."""
    home = os.path.expanduser("~")  # noqa: PTH111 - as above
    clients = map(client_named, client_names())
    found = (folder for client in clients for folder in client.transcript_folders(env, home))
    return tuple(folder for folder in dict.fromkeys(found) if os.path.isdir(folder))  # noqa: PTH112 - as above


def read_source(source: SessionSource) -> bytes:
    """OSError where it can not be had. What was found in a folder is a regular file or nothing; what a person named may
    be a pipe, and is waited for.
    """
    if source.path == STDIN:
        return _read_pipe(sys.stdin.buffer)
    if source.named and stat.S_ISFIFO(os.stat(source.path).st_mode):  # noqa: PTH116 - as above
        with open(source.path, "rb") as pipe:  # noqa: PTH123 - as above
            return _read_pipe(pipe)
    return read_regular(source.path, LARGEST, follow=True)


def _read_pipe(pipe: BinaryIO) -> bytes:
    """All that comes through it. OSError past the size that a file may have: half a session would be judged as one."""
    data = pipe.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise OSError(errno.EFBIG, f"larger than {LARGEST} bytes")
    return data


def _main_of(path: str) -> str:
    return next(filter(None, (client_named(name).main_transcript(path) for name in client_names())), "")


def _meant(word: str) -> Iterator[SessionSource]:
    if word == STDIN:
        yield SessionSource(STDIN, named=True)
    elif os.path.isdir(word):  # noqa: PTH112 - as above
        yield from (SessionSource(path) for path in _session_files(word))
    elif glob.has_magic(word) and not os.path.lexists(word):
        matched = sorted(_matched(word))
        yield from (SessionSource(source.path) for path in matched for source in _meant(path))
        if not matched:
            yield SessionSource(word, named=True)
    else:
        yield SessionSource(word, named=True)


def _matched(pattern: str) -> Iterator[str]:
    """What a glob means. Links to folders are not followed by `**`: two in a circle would lead around without end."""
    above, deep, below = f"/{pattern}/".partition(_ANY_DEPTH)
    if not deep:
        yield from glob.iglob(pattern)  # noqa: PTH207 - an absolute pattern is welcome
        return
    below = below.strip("/")
    while below.startswith("**/"):  # twice any depth is any depth, and would be walked in each folder anew
        below = below[3:].lstrip("/")
    for top in glob.iglob(above[1:] or ("/" if pattern.startswith("/") else ".")):  # noqa: PTH207 - as above
        if below in {"", "**"}:
            yield top
            continue
        for folder, _folders, _names in os.walk(top):
            yield from _matched(f"{glob.escape(folder)}/{below}")


def _session_files(folder: str) -> list[str]:
    """A folder that can not be listed stands among them: whoever reads it is told why. Links to folders are not
    followed, so that none leads around in a circle.
    """
    closed: list[str] = []
    found = [
        os.path.join(base, name)  # noqa: PTH118 - as above
        for base, _folders, names in os.walk(folder, onerror=lambda error: closed.append(error.filename))
        for name in names
        if name.endswith(".jsonl")
    ]
    return sorted((*found, *closed))
