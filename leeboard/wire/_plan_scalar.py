"""Single values of a plan file: what a plain scalar means, and how a value is written so that every reader agrees.

Read is YAML's core schema without its times: a time stays the text it is. Written is plain only what no version of YAML
reads as anything else, so that `no`, `1e3` and times come back as texts from other tools too.
"""

from __future__ import annotations

import json
import math
from typing import Any

from leeboard.model.pattern import lazy

Plain = bool | int | float | str | None

_NAMED: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INT = lazy(r"[-+]?[0-9]{1,18}")
_FLOAT = lazy(r"[-+]?(?:\.[0-9]{1,40}|[0-9]{1,40}(?:\.[0-9]{0,40})?)(?:[eE][-+]?[0-9]{1,3})?")
_WORDS = lazy(r"[A-Za-z_/][A-Za-z0-9_./@+()-]*(?: [A-Za-z0-9_/(][A-Za-z0-9_./@+()-]*)*")
_READ_ELSEWHERE = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
_UNPRINTABLE = lazy(r"[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")
_FLAT_WIDTH = 100
"""A list that fits in this many characters is written on one line."""


def resolve(text: str) -> Plain:
    """What an unquoted scalar stands for."""
    if text in _NAMED:
        return _NAMED[text]
    if _INT.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text) and math.isfinite(number := float(text)):
        return number
    return text


def inline(value: Any, quote: str = "") -> str:
    """A value on one line, valid inside brackets and outside. `quote` is the one its predecessor had."""
    match value:
        case str():
            return _text(value, quote)
        case list() | tuple():
            return "[" + ", ".join(_closed(item) for item in value) + "]"
        case dict():
            return "{" + ", ".join(f"{_closed(str(key))}: {_closed(item)}" for key, item in value.items()) + "}"
        case float() if not math.isfinite(value):
            return _quoted(str(value))
    return json.dumps(value)


def wants_lines(value: Any) -> bool:
    """Whether it reads better as a block than on one line."""
    if isinstance(value, dict):
        return bool(value)
    if not isinstance(value, list | tuple) or not value:
        return False
    return any(isinstance(item, dict | list | tuple) for item in value) or len(inline(value)) > _FLAT_WIDTH


def lines_of(value: Any, indent: int) -> list[str]:
    """A filled list or mapping as a block whose lines begin at this column."""
    if isinstance(value, dict):
        return [line for key, item in value.items() for line in entry_lines(str(key), item, indent)]
    return [line for item in value for line in item_lines(item, indent)]


def item_lines(item: Any, indent: int) -> list[str]:
    if isinstance(item, dict) and item:
        inner = lines_of(item, indent + 2)
        return [" " * indent + "- " + inner[0][indent + 2 :], *inner[1:]]
    return [" " * indent + "- " + inline(item)]


def entry_lines(key: str, value: Any, indent: int) -> list[str]:
    name = " " * indent + inline(key) + ":"
    if wants_lines(value):
        return [name, *lines_of(value, indent + 2)]
    return [f"{name} {inline(value)}"]


def _closed(value: Any) -> str:
    """Inside brackets a text of several words gets quotes, for the reader's sake."""
    return _quoted(value) if isinstance(value, str) and " " in value else inline(value)


def _text(text: str, quote: str) -> str:
    if quote == "'" and text.isprintable() and "\ufeff" not in text:
        return "'" + text.replace("'", "''") + "'"
    return text if not quote and _is_plain(text) else _quoted(text)


def _is_plain(text: str) -> bool:
    return bool(_WORDS.fullmatch(text)) and text.lower() not in _READ_ELSEWHERE


def _quoted(text: str) -> str:
    """As JSON, which YAML reads; half a surrogate pair is no text and can not be stored."""
    return _UNPRINTABLE.sub(lambda found: _escaped(found[0]), json.dumps(text, ensure_ascii=False))


def _escaped(character: str) -> str:
    return "\ufffd" if "\ud800" <= character <= "\udfff" else f"\\u{ord(character):04x}"
