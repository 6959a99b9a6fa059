"""JSON as people and package managers write it: with comments and commas too many where it has to be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from leeboard.code.manifest.package import Unreadable
from leeboard.model.pattern import lazy

# Each alternative matches to the end of the text where it is not closed: no place is read twice.
_STRING = r'"[^"\\]*(?:\\[\s\S][^"\\]*)*"?'
_COMMENT = lazy(rf"({_STRING})|//[^\n]*|/\*[^*]*(?:\*(?!/)[^*]*)*(?:\*/)?")
_LAST_COMMA = lazy(rf"({_STRING})|,(?=[ \t\r\n]*[}}\]])")


def parse_json(text: str) -> dict[str, Any]:
    """The object in the text."""
    try:
        return _object(text.removeprefix("\ufeff"))
    except Unreadable:
        plain = _COMMENT.sub(_kept, text.removeprefix("\ufeff"))
        return _object(_LAST_COMMA.sub(_kept, plain))


def _object(text: str) -> dict[str, Any]:
    try:
        found = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        raise Unreadable("it is no valid JSON") from error
    if not isinstance(found, dict):
        raise Unreadable("it is no JSON object")
    return found


def _kept(match: Any) -> str:
    return match[1] or ""


def table(value: object, *keys: str) -> dict[str, Any]:
    """The table below these keys; empty where there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def rows(value: object) -> Iterator[dict[str, Any]]:
    """The tables in a list."""
    yield from (item for item in value if isinstance(item, dict)) if isinstance(value, list) else ()


def words(value: object) -> Iterator[str]:
    """The strings in a list."""
    yield from (item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def word(value: object) -> str:
    return value if isinstance(value, str) else ""
