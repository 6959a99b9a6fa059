"""Any YAML, read with the place of every entry, so that one value can be changed and all else left as it is.

The library's events tell where things stand; its own loaders do not, and its round trip keeps the meaning but not the
bytes. Aliases, nesting and size are bounded here: a plan file comes from anybody.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Literal

import msgspec

from leeboard.errors import WireError
from leeboard.model.text import lazy
from leeboard.plan.files.values import resolve

LONGEST = 1 << 18
DEEPEST, MOST_NODES = 40, 20_000
_COLON = lazy(r"[ \t]*:")
_SPACE = lazy(r"(?:[ \t\r\n]|(?<=[ \t\r\n])#[^\r\n]*)*")
_TEXT_TAGS = frozenset({"!", "!!str", "tag:yaml.org,2002:str"})


class YamlNode(msgspec.Struct, kw_only=True):
    """A value and where it stands; `start == end` where nothing is written."""

    value: Any
    start: int
    end: int
    kind: Literal["scalar", "flow", "list", "mapping", "alias"] = "scalar"
    quote: str = ""
    items: list[YamlNode] = msgspec.field(default_factory=list)
    size: int = 1


class YamlEntry(msgspec.Struct, kw_only=True):
    """A key of the top mapping."""

    key: str
    key_end: int
    colon: int
    """Behind it; -1 where there is none."""
    node: YamlNode


class Document(msgspec.Struct, kw_only=True):
    """A mapping as it is written."""

    entries: list[YamlEntry] = msgspec.field(default_factory=list)
    flow: bool = False
    start: int = 0
    column: int = 0
    anchors: list[tuple[str, int]] = msgspec.field(default_factory=list)
    aliases: list[tuple[str, int]] = msgspec.field(default_factory=list)

    def values(self) -> dict[str, Any]:
        return {entry.key: entry.node.value for entry in self.entries}


def compose(text: str, first_line: int = 1) -> Document:
    """The one mapping a text holds. Raises WireError that names the line for anything else."""
    from ruamel.yaml import YAML  # noqa: PLC0415 - costs eighty milliseconds, and few files need it
    from ruamel.yaml.error import YAMLError  # noqa: PLC0415 - as above

    if len(text) > LONGEST:
        raise WireError(f"longer than {LONGEST // 1024} KB")
    try:
        return _Composer(text, YAML(typ="safe", pure=True).parse(text), first_line).document()
    except YAMLError as error:
        raise WireError(_told(error, first_line)) from error
    except (ValueError, TypeError, LookupError, AttributeError, AssertionError, RecursionError) as error:
        raise WireError("not valid YAML") from error


def _told(error: Exception, first_line: int) -> str:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    what = getattr(error, "problem", None) or getattr(error, "context", None) or getattr(error, "reason", None)
    where = f"line {mark.line + first_line}: " if mark is not None else ""
    return f"{where}not valid YAML ({str(what or 'unreadable')[:120]})"


class _Composer:
    def __init__(self, text: str, events: Iterator[Any], first_line: int) -> None:
        self._text = text
        self._events = events
        self._first_line = first_line
        self._known: dict[str, YamlNode] = {}
        self._document = Document()
        self._nodes = 0

    def document(self) -> Document:
        event = self._next("StreamStartEvent")
        event = next(self._events)
        if _name(event) == "StreamEndEvent":
            return self._document
        event = next(self._events)
        if _name(event) == "ScalarEvent" and event.style is None and resolve(event.value) is None:
            self._end()
            return self._document
        if _name(event) != "MappingStartEvent":
            raise WireError("not a mapping of keys to values")
        self._document.flow = bool(event.flow_style)
        self._document.start, self._document.column = event.start_mark.index, event.start_mark.column
        self._mapping(event, 1, self._document.entries)
        self._end()
        return self._document

    def _end(self) -> None:
        self._next("DocumentEndEvent")
        if _name(next(self._events)) != "StreamEndEvent":
            raise WireError("more than one YAML document")

    def _next(self, name: str) -> Any:
        event = next(self._events)
        if _name(event) != name:
            raise WireError("not one YAML document")
        return event

    def _node(self, event: Any, depth: int, behind: int) -> YamlNode:
        """`behind` is where an empty value would stand."""
        self._count(1)
        if depth > DEEPEST:
            raise WireError(f"nested deeper than {DEEPEST}")
        name = _name(event)
        if name == "AliasEvent":
            return self._alias(event)
        if event.anchor is not None:
            self._document.anchors.append((event.anchor, event.start_mark.index))
        if name == "ScalarEvent":
            node = self._scalar(event, behind)
        elif name == "SequenceStartEvent":
            node = self._list(event, depth)
        else:
            node = self._mapping(event, depth, [])
        if event.anchor is not None:
            self._known[event.anchor] = node
        return node

    def _count(self, more: int) -> None:
        self._nodes += more
        if self._nodes > MOST_NODES:
            raise WireError(f"more than {MOST_NODES} values")

    def _alias(self, event: Any) -> YamlNode:
        known = self._known.get(event.anchor)
        if known is None:
            raise WireError(f"*{str(event.anchor)[:40]} names nothing that stands before it")
        self._count(known.size)
        start, end = event.start_mark.index, event.end_mark.index
        self._document.aliases.append((event.anchor, start))
        return YamlNode(value=known.value, start=start, end=end, kind="alias", size=known.size)

    def _scalar(self, event: Any, behind: int) -> YamlNode:
        start, end = event.start_mark.index, event.end_mark.index
        written = self._text[start:end].rstrip()
        if not written:
            return YamlNode(value=None, start=behind, end=behind)
        is_text = event.style is not None or str(event.tag or "") in _TEXT_TAGS
        value = event.value if is_text else resolve(event.value)
        quote = event.style if event.style in ("'", '"') else ""
        return YamlNode(value=value, start=start, end=start + len(written), quote=quote)

    def _list(self, event: Any, depth: int) -> YamlNode:
        start = at = event.start_mark.index
        items = []
        while _name(inner := next(self._events)) != "SequenceEndEvent":
            items.append(self._node(inner, depth + 1, self._behind("-", at)))
            at = max(at, items[-1].end)
        return YamlNode(
            value=[item.value for item in items],
            start=start,
            end=inner.end_mark.index if event.flow_style else at,
            kind="flow" if event.flow_style else "list",
            items=items,
            size=1 + sum(item.size for item in items),
        )

    def _mapping(self, event: Any, depth: int, entries: list[YamlEntry]) -> YamlNode:
        at, values, size = event.start_mark.index, dict[str, Any](), 1
        while _name(inner := next(self._events)) != "MappingEndEvent":
            entry = self._entry(inner, depth, at)
            if entry.key in values:
                raise WireError(f"line {inner.start_mark.line + self._first_line}: {entry.key[:40]!r} stands twice")
            values[entry.key] = entry.node.value
            entries.append(entry)
            size += entry.node.size
            at = max(at, entry.key_end, entry.colon, entry.node.end)
        end = inner.end_mark.index if event.flow_style else at
        kind: Literal["flow", "mapping"] = "flow" if event.flow_style else "mapping"
        return YamlNode(value=values, start=event.start_mark.index, end=end, kind=kind, size=size)

    def _entry(self, event: Any, depth: int, at: int) -> YamlEntry:
        key = self._node(event, depth + 1, at)
        if key.kind not in {"scalar", "alias"}:
            raise WireError(f"line {event.start_mark.line + self._first_line}: a key is no text")
        colon = _COLON.match(self._text, key.end)
        behind = colon.end() if colon else -1
        node = self._node(next(self._events), depth + 1, behind if colon else key.end)
        name = key.value if isinstance(key.value, str) else self._text[key.start : key.end]
        return YamlEntry(key=name, key_end=key.end, colon=behind, node=node)

    def _behind(self, indicator: str, at: int) -> int:
        """Behind the next indicator, past space and comments."""
        found = _SPACE.match(self._text, at)
        at = found.end() if found else at
        return at + 1 if self._text.startswith(indicator, at) else at


def _name(event: Any) -> str:
    return type(event).__name__


# The YAML that plan files consist of nearly always, read line by line.
#
# A full YAML reader costs two milliseconds for a page and eighty to be imported, and a look at a plan reads a hundred
# pages. So this reads the lines everybody writes: `key: value`, lists, lists of flat records. Whatever it does not know
# for certain it leaves to the full reader, and what it reads that one reads alike.


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
