"""Set values of a YAML mapping and leave every other byte as it is: comments, order, quotes, unknown keys.

A change is a few replacements in the text. Whether they mean what they should is not trusted but read back; where one
way to write a change would alter something else, another is tried, and where none is left the change is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from leeboard.errors import WireError
from leeboard.model.text import lazy
from leeboard.plan.files.values import entry_lines, inline, item_lines, lines_of, wants_lines
from leeboard.plan.files.yaml import LONGEST, Document, YamlEntry, YamlNode, compose, read_simple

Edit = tuple[int, int, str]
_LINE_END = lazy(r"[\r\n]|\Z")
_SAME_RESULT = {"advanced": "advance", "rejected": "reject"}


def set_values(text: str, fields: Mapping[str, Any]) -> str:
    """The text with these values. Raises WireError where it is no mapping, or can not be changed in part."""
    document = compose(text)
    known = {entry.key: entry for entry in document.entries}
    wanted = {key: _plain(value) for key, value in fields.items()}
    changed = {key: _merged(known[key].node.value, wanted[key]) for key in wanted if key in known}
    changed = {key: value for key, value in changed.items() if not same(known[key].node.value, value)}
    added = {key: value for key, value in wanted.items() if key not in known}
    if not changed and not added:
        return text
    target = {**document.values(), **changed, **added}
    for key in changed:
        _check_anchors(document, known[key])
    for way in _ways(text, document, changed, added):
        result = _applied(text, way)
        if _means(result, target):
            return result
    names = ", ".join([*changed, *added])
    raise WireError(f"{names} can not be set without changing the rest: write it as a plain `key: value` line first")


def same(one: Any, other: Any) -> bool:
    """Equal and of one kind: True is not 1."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and bool(one == other)


def _plain(value: Any) -> Any:
    """As YAML could give it back; what it can not hold is refused."""
    if isinstance(value, msgspec.Struct):
        value = msgspec.to_builtins(value)
    match value:
        case dict():
            return {str(key): _plain(item) for key, item in value.items()}
        case list() | tuple():
            return [_plain(item) for item in value]
        case str():
            return value.encode("utf-8", "replace").decode() if not value.isprintable() else value
        case None | bool() | int() | float():
            return value
    raise WireError(f"{type(value).__name__} is nothing a plan file can hold")


def _merged(old: Any, new: Any) -> Any:
    """A hat's record that says what the old one said keeps what else that one held."""
    if not isinstance(old, list) or not isinstance(new, list):
        return new
    return [was if _covers(was, item) else item for was, item in zip(old, new, strict=False)] + new[len(old) :]


def _covers(old: Any, new: Any) -> bool:
    if not isinstance(old, dict) or not isinstance(new, dict) or "hat" not in new:
        return False
    return all(same(_said(old.get(key)), _said(value)) for key, value in new.items())


def _said(value: Any) -> Any:
    return _SAME_RESULT.get(value, value or None) if isinstance(value, str) else value


def _check_anchors(document: Document, entry: YamlEntry) -> None:
    inside = {name for name, at in document.anchors if entry.node.start <= at < entry.node.end}
    if any(name in inside and not entry.node.start <= at < entry.node.end for name, at in document.aliases):
        raise WireError(f"{entry.key} holds an anchor that other values use: write those out first")


def _means(text: str, target: dict[str, Any]) -> bool:
    simple = read_simple(text)
    try:
        return same(compose(text).values() if simple is None else simple, target)
    except WireError:
        return False


def _applied(text: str, edits: list[Edit]) -> str:
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _ways(text: str, document: Document, changed: dict[str, Any], added: dict[str, Any]) -> Iterator[list[Edit]]:
    writer = _Writer(text, document)
    for keep in (True, False):
        entries = [entry for entry in document.entries if entry.key in changed]
        edits = [edit for entry in entries for edit in writer.change(entry, changed[entry.key], keep)]
        for addition in writer.additions(added):
            yield edits + addition


class _Writer:
    def __init__(self, text: str, document: Document) -> None:
        self._text = text
        self._document = document
        self._break = "\r\n" if "\r\n" in text else "\n"

    def additions(self, added: dict[str, Any]) -> Iterator[list[Edit]]:
        """Behind everything, else behind the last entry; in brackets before the first."""
        text, document = self._text, self._document
        if not added:
            yield []
        elif document.flow:
            at = text.index("{", document.start) + 1
            new = ", ".join(f"{inline(key)}: {inline(value)}" for key, value in added.items())
            yield [(at, at, new + (", " if document.entries else ""))]
        else:
            lines = [line for key, value in added.items() for line in entry_lines(key, value, document.column)]
            new = self._break.join(lines)
            lead = "" if not text or text.endswith(("\n", "\r")) else self._break
            yield [(len(text), len(text), lead + new + self._break)]
            if document.entries:
                last = document.entries[-1]
                at = self._line_end(max(last.key_end, last.colon, last.node.end))
                yield [(at, at, self._break + new)]

    def change(self, entry: YamlEntry, value: Any, keep: bool) -> list[Edit]:  # noqa: FBT001 - one of two ways
        node = entry.node
        if keep and node.kind == "list" and isinstance(value, list) and (edits := self._tail(node, value)):
            return edits
        stays_a_list = node.kind == "list" and isinstance(value, list) and bool(value)
        if not self._document.flow and entry.colon >= 0 and (stays_a_list or wants_lines(value)):
            return self._as_block(entry, value)
        return self._on_one_line(entry, inline(value, node.quote if isinstance(value, str) else ""))

    def _tail(self, node: YamlNode, value: list[Any]) -> list[Edit]:
        """Only what differs from some item on; nothing where the list begins otherwise or gets shorter."""
        kept = 0
        while kept < min(len(value), len(node.items)) and same(node.items[kept].value, value[kept]):
            kept += 1
        if not kept or len(value) < len(node.items) or not self._text.startswith("-", node.start):
            return []
        column = self._column(node.start)
        if kept == len(node.items):
            at = self._line_end(node.end)
            lines = [line for item in value[kept:] for line in item_lines(item, column)]
            return [(at, at, self._break + self._break.join(lines))]
        first = node.items[kept]
        if first.start == first.end:
            return []
        lines = item_lines(value[kept], self._column(first.start) - 2)
        lines += [line for item in value[kept + 1 :] for line in item_lines(item, column)]
        return [(first.start, node.end, self._break.join(lines)[self._column(first.start) :])]

    def _as_block(self, entry: YamlEntry, value: Any) -> list[Edit]:
        node, gap = entry.node, self._gap(entry)
        column = self._column(node.start)
        least = self._document.column + (0 if isinstance(value, list) else 1)
        if "\n" in gap and not self._text[node.start - column : node.start].strip(" ") and column >= least:
            return [(node.start, node.end, self._break.join(lines_of(value, column))[column:])]
        at = self._line_end(max(node.end, entry.colon))
        lines = lines_of(value, self._document.column + 2)
        return [
            (entry.colon + len(gap.rstrip()), max(node.end, entry.colon), ""),
            (at, at, self._break + self._break.join(lines)),
        ]

    def _on_one_line(self, entry: YamlEntry, new: str) -> list[Edit]:
        node, gap = entry.node, self._gap(entry)
        if entry.colon < 0 and node.start == node.end:
            lead = ": " if self._document.flow else self._break + " " * self._document.column + ": "
            return [(entry.key_end, entry.key_end, lead + new)]
        if node.start == node.end:
            return [(entry.colon, entry.colon, " " + new)]
        if entry.colon < 0 or ("\n" not in gap and "\r" not in gap):
            return [(node.start, node.end, new if gap or entry.colon < 0 else " " + new)]
        return [(entry.colon, entry.colon, " " + new), (entry.colon + len(gap.rstrip()), node.end, "")]

    def _gap(self, entry: YamlEntry) -> str:
        return self._text[entry.colon : entry.node.start] if entry.colon >= 0 else ""

    def _line_end(self, at: int) -> int:
        found = _LINE_END.search(self._text, at)
        return found.start() if found else len(self._text)

    def _column(self, at: int) -> int:
        return at - 1 - max(self._text.rfind("\n", 0, at), self._text.rfind("\r", 0, at))


# Markdown with YAML between two lines of `---` at its top: taken apart, read, and put together again.


_OPEN = lazy(r"\ufeff?---[ \t]*\r?\n")
_CLOSE = lazy(r"(?m:^)---[ \t]*(?:\r?\n|\Z)")


class PlanPage(msgspec.Struct, frozen=True, kw_only=True):
    """A file as far as it could be read."""

    fields: dict[str, Any] = msgspec.field(default_factory=dict)
    body: str = ""
    problem: str = ""
    has_frontmatter: bool = True


def read_page(text: str) -> PlanPage:
    """Never raises: what is wrong stands in `problem`."""
    try:
        parts = _split(text)
    except WireError as error:
        return PlanPage(problem=f"frontmatter: {error}", body=text)
    if parts is None:
        return PlanPage(body=text, has_frontmatter=False)
    head, inner, _, body = parts
    try:
        return PlanPage(fields=read_mapping(inner, head.count("\n") + 1), body=body)
    except WireError as error:
        return PlanPage(problem=f"frontmatter: {error}", body=body)


def read_mapping(text: str, first_line: int = 1) -> dict[str, Any]:
    """Raises WireError where it is none."""
    simple = read_simple(text) if len(text) <= LONGEST else None
    return compose(text, first_line).values() if simple is None else simple


def set_fields(text: str, fields: Mapping[str, Any]) -> str:
    """The text with these fields. Raises WireError where its frontmatter can not be read or changed in part."""
    parts = _split(text)
    if parts is None:
        return new_page(fields, text)
    head, inner, close, body = parts
    return head + set_values(inner, fields) + close + body


def new_page(fields: Mapping[str, Any], body: str) -> str:
    """Empty fields are written too: who reads the file sees what may stand there."""
    lines = [line for key, value in fields.items() for line in entry_lines(key, value, 0)]
    lead = "\n" if body and not body.startswith(("\n", "\r")) else ""
    tail = "" if not body or body.endswith("\n") else "\n"
    return "\n".join(["---", *lines, "---", ""]) + lead + body + tail


def _split(text: str) -> tuple[str, str, str, str] | None:
    """The opening line, what is between, the closing line, the body; None without an opening line."""
    opened = _OPEN.match(text)
    if opened is None:
        return None
    closed = _CLOSE.search(text, opened.end())
    if closed is None:
        raise WireError("never closed: end it with a line of ---")
    return text[: opened.end()], text[opened.end() : closed.start()], closed[0], text[closed.end() :]
