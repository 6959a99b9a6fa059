"""How decisions are kept in a file: JSON with one entry to a line, so that a review shows what came and what went."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import msgspec

from leeboard.errors import ConfigError
from leeboard.model.text import lazy

VERSION = 1
_BYTE = lazy(r"\(byte (\d+)\)")
_ENTRY = lazy(r"`\$\.(\w+)\[(\d+)\]")


class CommittedFile(msgspec.Struct, frozen=True):
    """What every such file begins with."""

    version: int


class UnreadableFileError(ConfigError):
    """It is cut off, or no such file at all: nothing in it could be kept."""


F = TypeVar("F", bound=CommittedFile)


def read(text: str, kind: type[F], name: str, made_by: str) -> F:
    """ConfigError for what is no such file: taken for an empty one it would turn a build red, and nobody knew why."""
    given = text.removeprefix("\ufeff").encode("utf-8", "replace")
    try:
        found = msgspec.json.decode(given, type=kind)
    except (msgspec.DecodeError, RecursionError) as error:
        place = _line_of(str(error), given)
        raise UnreadableFileError(f"{name}{place}: can not be read: {error}; `{made_by}` writes it") from error
    if found.version != VERSION:
        told = f"{name}: version {found.version} is not known here, only {VERSION}"
        raise ConfigError(f"{told}: use the Leeboard that wrote it, or take the file back from git")
    return found


def _line_of(told: str, given: bytes) -> str:
    """`:7`, where the fault lies in that line; empty where nobody can tell."""
    if (byte := _BYTE.search(told)) is not None:
        return _place(given, int(byte[1]))
    if "truncated" in told:
        return _place(given, len(given.rstrip()))
    entry = _ENTRY.search(told)
    return _place(given, _start_of(given, entry[1], int(entry[2]))) if entry is not None else ""


def _place(given: bytes, at: int) -> str:
    return f":{1 + given.count(10, 0, at)}"


def _start_of(given: bytes, key: str, number: int) -> int:
    """Where an entry of a list begins; what stands there is JSON, and only of a wrong type."""
    entries = msgspec.json.decode(given, type=dict[str, msgspec.Raw])[key]
    start = end = given.find(b"[", given.find(key.encode()))
    for entry in msgspec.json.decode(entries, type=list[msgspec.Raw])[: number + 1]:
        start = given.find(bytes(entry), end)
        end = start + len(bytes(entry))
    return start


def written(key: str, entries: Iterable[object]) -> str:
    lines = [f"    {msgspec.json.encode(entry).decode()}" for entry in entries]
    body = ",\n".join(lines)
    listed = f"[\n{body}\n  ]" if lines else "[]"
    return f'{{\n  "version": {VERSION},\n  "{key}": {listed}\n}}\n'
