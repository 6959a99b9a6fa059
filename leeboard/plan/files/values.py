"""Fields of a plan file, read one by one as what they should be.

A slip in one field must not hide the others: it gets its default and is named. What earlier versions wrote is read as
what it means today.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

from leeboard.model.studio import GateCommand
from leeboard.model.text import lazy, nearest
from leeboard.model.unit import Pass, PassResult

Choice = TypeVar("Choice", bound=str)
LONGEST_TEXT, MOST_ITEMS = 20_000, 2_000
_ALIKE = 0.7
_RESULTS: dict[str, PassResult] = {
    "advance": "advance",
    "advanced": "advance",
    "reject": "reject",
    "rejected": "reject",
}


def strange_keys(fields: Iterable[Any], known: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Keys that nobody reads, each with the one that may be meant; empty: none is near."""
    strange = (str(key) for key in fields if key not in known)
    yield from ((key, nearest(key, known, _ALIKE)) for key in strange)


class Fields:
    """A mapping being read, and what was wrong with it so far."""

    def __init__(self, fields: Mapping[str, Any], problem: str = "") -> None:
        self._fields = fields
        self._problems = [problem] if problem else []

    @property
    def problem(self) -> str:
        return "; ".join(self._problems)[:2_000]

    @property
    def problems(self) -> tuple[str, ...]:
        return tuple(self._problems)

    def complain(self, text: str) -> None:
        self._problems.append(text)

    def raw(self, key: str) -> Any:
        return self._fields.get(key)

    def text(self, key: str, default: str = "") -> str:
        found = self._fields.get(key)
        if found is None:
            return default
        if isinstance(found, str):
            return found[:LONGEST_TEXT]
        if isinstance(found, int | float):
            return str(found).lower() if isinstance(found, bool) else str(found)
        self.complain(f"{key} must be a text")
        return default

    def texts(self, key: str, *also: str) -> tuple[str, ...]:
        """A single text counts as a list of one."""
        name = next((name for name in (key, *also) if self._fields.get(name) is not None), key)
        found = self._fields.get(name)
        if found is None:
            return ()
        items = found if isinstance(found, list) else [found]
        if any(isinstance(item, dict | list) or item is None for item in items):
            self.complain(f"{name} must be a list of texts")
        texts = (str(item).strip() for item in items[:MOST_ITEMS] if isinstance(item, str | int | float))
        return tuple(text for text in texts if text)

    def count(self, key: str) -> int:
        found = self._fields.get(key)
        if isinstance(found, str) and found.isascii() and found.isdigit() and len(found) < 10:
            return int(found)
        if found is None or found == "":
            return 0
        if isinstance(found, int) and not isinstance(found, bool) and found >= 0:
            return found
        self.complain(f"{key} must be a whole number from 0 on")
        return 0

    def yes(self, key: str, *, default: bool = False) -> bool:
        found = self._fields.get(key)
        if found is None or found == "":
            return default
        if isinstance(found, bool):
            return found
        self.complain(f"{key} must be true or false")
        return default

    def choice(self, key: str, valid: tuple[Choice, ...], default: Choice, earlier: Mapping[str, Choice]) -> Choice:
        """One of `valid`; `earlier` names what other versions wrote."""
        found = self._fields.get(key)
        if found is None or found == "":
            return default
        text = found.strip() if isinstance(found, str) else str(found).lower()
        for choice in valid:
            if choice == text:
                return choice
        if text in earlier:
            return earlier[text]
        self.complain(f"{key} is {text[:40]!r}; valid are {', '.join(filter(None, valid))}")
        return default

    def records(self, key: str) -> tuple[dict[str, Any], ...]:
        found = self._fields.get(key)
        if found is None:
            return ()
        items = found if isinstance(found, list) else [found]
        if not all(isinstance(item, dict) for item in items):
            self.complain(f"{key} must be a list of mappings")
        return tuple(item for item in items[:MOST_ITEMS] if isinstance(item, dict))

    def passes(self, key: str = "iterations") -> tuple[Pass, ...]:
        """Hats worn so far. One that is still worn has no result, and is none yet."""
        ended = (Fields(record) for record in self.records(key) if record.get("result"))
        return tuple(self._pass(record) for record in ended)

    def _pass(self, record: Fields) -> Pass:
        result = _RESULTS.get(record.text("result").strip().lower())
        if result is None:
            self.complain(f"a result of {record.text('result')[:40]!r} is read as reject")
        return Pass(
            hat=record.text("hat"),
            started_at=record.text("started_at"),
            completed_at=record.text("completed_at"),
            result=result or "reject",
            reason=record.text("reason"),
            changed=record.yes("changed"),
            work=record.text("work"),
        )

    def gates(self, key: str = "quality_gates") -> tuple[GateCommand, ...]:
        found = self._fields.get(key)
        items = found if isinstance(found, list) else [] if found is None else [found]
        gates = (self._gate(item, number) for number, item in enumerate(items[:MOST_ITEMS], start=1))
        return tuple(gate for gate in gates if gate is not None)

    def _gate(self, item: Any, number: int) -> GateCommand | None:
        record = Fields(item if isinstance(item, dict) else {"command": item})
        command = record.text("command").strip()
        if not command:
            self.complain(f"quality gate {number} has no command")
            return None
        return GateCommand(name=record.text("name").strip() or command, command=command, dir=record.text("dir").strip())


# Single values of a plan file: what a plain scalar means, and how a value is written so that every reader agrees.
#
# Read is YAML's core schema without its times: a time stays the text it is. Written is plain only what no version of
# YAML reads as anything else, so that `no`, `1e3` and times come back as texts from other tools too.


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
