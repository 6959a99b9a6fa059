"""Which session files a person means: files, folders, globs and stdin."""

from __future__ import annotations

import glob
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

STDIN = "-"


class Source(msgspec.Struct, frozen=True):
    """One session file to read. A path that was given by name has to be there."""

    path: str
    named: bool = False


def find_sources(given: Iterable[str]) -> tuple[Source, ...]:
    """In the order they were given, each once; inside a folder or glob by name."""
    found = (source for word in given for source in _meant(word))
    unique: dict[str, Source] = {}
    for source in found:
        unique.setdefault(source.path, source)
    return tuple(unique.values())


def read_source(source: Source) -> bytes:
    return sys.stdin.buffer.read() if source.path == STDIN else Path(source.path).read_bytes()


def _meant(word: str) -> Iterator[Source]:
    if word == STDIN:
        yield Source(STDIN, named=True)
    elif Path(word).is_dir():
        yield from (Source(path) for path in _session_files(word))
    elif glob.has_magic(word) and not Path(word).exists():
        matched = sorted(glob.glob(word, recursive=True))  # noqa: PTH207 - an absolute pattern is welcome
        yield from (source for path in matched for source in _meant(path))
        if not matched:
            yield Source(word, named=True)
    else:
        yield Source(word, named=True)


def _session_files(folder: str) -> list[str]:
    return sorted(
        os.path.join(base, name)  # noqa: PTH118 - names that are no valid text pass through
        for base, _folders, names in os.walk(folder)
        for name in names
        if name.endswith(".jsonl")
    )
