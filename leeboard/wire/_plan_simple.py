"""The YAML that plan files consist of nearly always, read line by line.

A full YAML reader costs two milliseconds for a page and eighty to be imported, and a look at a plan reads a hundred
pages. So this reads the lines everybody writes: `key: value`, lists, lists of flat records. Whatever it does not know
for certain it leaves to the full reader, and what it reads that one reads alike.
"""

from __future__ import annotations

import json
import re
from typing import Any

from leeboard.model.pattern import lazy
from leeboard.wire._plan_scalar import resolve

_STRANGE = r"\x00-\x1f\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff"
_PLAIN = rf"(?P<plain>[A-Za-z0-9_./+(](?:[^\s:{_STRANGE}]|[ ]{{1,200}}(?=[^#\s])|:(?=[^\s{_STRANGE}]))*)"
_ESCAPE = r'\\(?:["\\nrtbf]|u(?![dD][89a-fA-F])[0-9a-fA-F]{4})'
_DOUBLE = rf'"(?P<double>(?:[^"\\{_STRANGE}]|{_ESCAPE})*)"'
_SINGLE = rf"'(?P<single>[^'{_STRANGE}]*)'"
_BRACKETS = rf"\[(?P<items>[^\[\]{{}}#{_STRANGE}]*)\]"
_COMMENT = rf"(?:[ ]+#[^{_STRANGE}]*)?[ ]*"

_VALUE = lazy(rf"(?:{_PLAIN}|{_DOUBLE}|{_SINGLE}|{_BRACKETS})?{_COMMENT}")
_ENTRY = lazy(r"(?P<indent>[ ]*)(?P<dash>-[ ]+)?(?P<key>[A-Za-z_][A-Za-z0-9_-]*):(?:[ ]+|$)")
_DASH = lazy(r"(?P<indent>[ ]*)-[ ]+")
_NOTHING = lazy(rf"[ ]*(?:#[^{_STRANGE}]*)?")
_ITEM = lazy(rf"[ ]*(?:(?P<plain>[A-Za-z0-9_./+][A-Za-z0-9_./+*-]*)|{_DOUBLE}|{_SINGLE})[ ]*(?:,|$)")


class _UnknownError(Exception):
    """A line for the full reader."""


def read_simple(text: str) -> dict[str, Any] | None:
    """The mapping a text stands for; None where the full reader has to tell."""
    reader = _Reader()
    try:
        for line in text.split("\n"):
            reader.feed(line.removesuffix("\r"))
    except _UnknownError:
        return None
    return reader.fields


class _Reader:
    """Knows the list and the record that are open."""

    def __init__(self) -> None:
        self.fields: dict[str, Any] = {}
        self._empty = ""
        """Key without a value so far: a list may follow."""
        self._items: list[Any] | None = None
        self._dash = -1
        self._record: dict[str, Any] | None = None
        self._column = -1

    def feed(self, line: str) -> None:
        if _NOTHING.fullmatch(line):
            return
        entry = _ENTRY.match(line)
        if entry and entry["dash"]:
            self._record = {}
            self._column = entry.end("dash")
            self._item(len(entry["indent"]), self._record)
            self._put(self._record, entry["key"], line[entry.end() :])
        elif entry and not entry["indent"]:
            self._top(entry["key"], line[entry.end() :])
        elif entry and self._record is not None and len(entry["indent"]) == self._column:
            self._put(self._record, entry["key"], line[entry.end() :])
        elif dash := _DASH.match(line):
            self._record = None
            self._item(len(dash["indent"]), _value(line[dash.end() :]))
        else:
            raise _UnknownError

    def _top(self, key: str, rest: str) -> None:
        self._items = self._record = None
        self._put(self.fields, key, rest)
        self._empty = key if not rest or rest.startswith("#") else ""

    def _put(self, into: dict[str, Any], key: str, rest: str) -> None:
        if key in into:
            raise _UnknownError
        into[key] = None if rest.startswith("#") else _value(rest)

    def _item(self, indent: int, item: object) -> None:
        if self._items is None:
            if not self._empty:
                raise _UnknownError
            self._items = self.fields[self._empty] = []
            self._dash, self._empty = indent, ""
        elif indent != self._dash:
            raise _UnknownError
        self._items.append(item)


def _value(text: str) -> Any:
    found = _VALUE.fullmatch(text)
    if found is None:
        raise _UnknownError
    if found["plain"] is not None:
        return resolve(found["plain"])
    if found["items"] is not None:
        return _listed(found["items"])
    return _unquoted(found)


def _unquoted(found: re.Match[str]) -> str | None:
    inner = found["double"]
    if inner is None:
        return found["single"]
    return str(json.loads(f'"{inner}"')) if "\\" in inner else inner


def _listed(text: str) -> list[Any]:
    items: list[Any] = []
    at = 0
    if not text.strip(" "):
        return items
    while at < len(text):
        found = _ITEM.match(text, at)
        if found is None:
            raise _UnknownError
        items.append(resolve(found["plain"]) if found["plain"] is not None else _unquoted(found))
        at = found.end()
    return items
