"""How decisions are kept in a file: JSON with one entry to a line, so that a review shows what came and what went."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import msgspec

from leeboard.errors import ConfigError

VERSION = 1


class CommittedFile(msgspec.Struct, frozen=True):
    """What every such file begins with."""

    version: int


class UnreadableFileError(ConfigError):
    """It is cut off, or no such file at all: nothing in it could be kept."""


F = TypeVar("F", bound=CommittedFile)


def read(text: str, kind: type[F], name: str, made_by: str) -> F:
    """ConfigError for what is no such file: taken for an empty one it would turn a build red, and nobody knew why."""
    try:
        found = msgspec.json.decode(text.encode("utf-8", "replace"), type=kind)
    except (msgspec.DecodeError, RecursionError) as error:
        raise UnreadableFileError(f"{name}: can not be read: {error}; `{made_by}` writes it") from error
    if found.version != VERSION:
        raise ConfigError(f"{name}: version {found.version} is not known here, only {VERSION}")
    return found


def written(key: str, entries: Iterable[object]) -> str:
    lines = [f"    {msgspec.json.encode(entry).decode()}" for entry in entries]
    body = ",\n".join(lines)
    listed = f"[\n{body}\n  ]" if lines else "[]"
    return f'{{\n  "version": {VERSION},\n  "{key}": {listed}\n}}\n'
