"""Where the parts of a JSON text stand, so that a change can leave every other byte alone."""

from __future__ import annotations

import json
from collections.abc import Iterable

import msgspec

from leeboard.errors import ConfigError
from leeboard.model.text import lazy

_SPACE = lazy(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()
BYTE_ORDER_MARK = "\ufeff"


class JsonPart(msgspec.Struct, frozen=True, kw_only=True):
    """A member of an object or an element of an array."""

    name: str
    """Empty in an array."""
    start: int
    """Where its name stands, or in an array its value."""
    at: int
    """Where its value stands."""
    end: int
    value: object


class JsonContainer(msgspec.Struct, frozen=True, kw_only=True):
    """An object or array in a text, with its parts in order."""

    start: int
    close: int
    """Where its closing bracket stands."""
    parts: tuple[JsonPart, ...]
    lead: str
    """The space behind the opening bracket."""
    tail: str
    """The space before the closing bracket; empty where there are no parts."""

    def find(self, name: str) -> JsonPart | None:
        """The last member of this name: the one that counts."""
        return next((part for part in reversed(self.parts) if part.name == name), None)


def check_object(text: str) -> None:
    """Raise ConfigError, with the place and the way out, for anything but the text of one JSON object."""
    try:
        value = json.loads(text.removeprefix(BYTE_ORDER_MARK))
    except json.JSONDecodeError as error:
        raise ConfigError(
            f"line {error.lineno}, column {error.colno}: not valid JSON ({error.msg}). "
            "Correct the file and run the command again; it was left as it is."
        ) from error
    except (RecursionError, ValueError) as error:
        raise ConfigError(f"this JSON can not be read ({error}); the file was left as it is.") from error
    if not isinstance(value, dict):
        raise ConfigError(
            "line 1, column 1: the settings must be a JSON object, written in { }. "
            "Correct the file and run the command again; it was left as it is."
        )


def first_bracket(text: str) -> int:
    """Where the value of a JSON text begins, behind a byte order mark and space."""
    return _skip(text, len(BYTE_ORDER_MARK) if text.startswith(BYTE_ORDER_MARK) else 0)


def read_container(text: str, start: int) -> JsonContainer:
    """The container that opens at `start` of a valid JSON text."""
    is_object = text[start] == "{"
    position = first = _skip(text, start + 1)
    parts: list[JsonPart] = []
    while text[position] not in "}]":
        part = _read_part(text, position, named=is_object)
        parts.append(part)
        position = _skip(text, part.end)
        if text[position] == ",":
            position = _skip(text, position + 1)
    tail = text[parts[-1].end : position] if parts else ""
    return JsonContainer(start=start, close=position, parts=tuple(parts), lead=text[start + 1 : first], tail=tail)


def place(text: str, position: int) -> str:
    line = text.count("\n", 0, position) + 1
    return f"line {line}, column {position - text.rfind(chr(10), 0, position)}"


def cuts_without(container: JsonContainer, gone: Iterable[JsonPart]) -> list[tuple[int, int]]:
    """The spans to cut so that these parts are gone and the rest is valid."""
    spans: list[tuple[int, int]] = []
    kept_before = -1
    removed = {part.start for part in gone}
    parts = container.parts
    if removed >= {part.start for part in parts}:
        return [(container.start + 1, parts[-1].end)] if parts else []
    for index, part in enumerate(parts):
        if part.start not in removed:
            kept_before = index
        elif kept_before >= 0:
            spans.append((parts[index - 1].end, part.end))
        else:
            spans.append((part.start, parts[index + 1].start))
    return spans


def _read_part(text: str, start: int, *, named: bool) -> JsonPart:
    name, at = "", start
    if named:
        name, end = _DECODER.raw_decode(text, start)
        at = _skip(text, _skip(text, end) + 1)
    value, end = _DECODER.raw_decode(text, at)
    return JsonPart(name=name, start=start, at=at, end=end, value=value)


def _skip(text: str, position: int) -> int:
    found = _SPACE.match(text, position)
    return found.end() if found else position
