"""The places of a file that cryptography happens at, in one shape for every language: calls, settings, comparisons.

A setting is anything with a name and a value: an assignment, a keyword argument, a pair of an object, a keyed element.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from leeboard.model.text import lazy
from leeboard.security.crypto.words import grammar

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_GENERICS = lazy(r"<[^<>()]{0,200}>")
_LAST_WORD = lazy(r"(\w+)\W*\Z")
_DIMENSIONS = lazy(r"\[\s*\w{0,40}\s*\]\s*\Z")
_NEW = lazy(r"\A(?:await\s+|new\s+|throw\s+|\(\s*){1,3}")
_ARGUMENT_KINDS = frozenset(("argument_list", "arguments", "call_suffix", "value_arguments", "literal_value"))
_WRAPPERS = frozenset(("argument", "value_argument", "literal_element", "expression_list", "parenthesized_expression"))
_NAMED_KINDS = frozenset(
    ("keyword_argument", "pair", "keyed_element", "array_element_initializer", "assignment_expression")
)
_OBJECTS = frozenset(("object", "dictionary", "hash", "array_creation_expression", "initializer_expression"))
_CALLEE_ROOM = 300


class CallSite:
    """One call or construction. `name` is dotted whatever the language writes; `()` stands for the call before it."""

    def __init__(self, node: SgNode, text: str) -> None:
        self.node = node
        self._text = text
        self._arguments = _arguments_of(node)
        span = node.range()
        self.start, self.end, self.line = span.start.index, span.end.index, span.start.line + 1
        stop = self._arguments.range().start.index if self._arguments is not None else self.end
        self.callee = text[max(self.start, stop - _CALLEE_ROOM) : stop]
        """As written."""
        self.name = plain_name(self.callee)
        self.last = self.name.rpartition(".")[2].lower()

    @cached_property
    def args(self) -> tuple[SgNode, ...]:
        """The positional arguments."""
        return tuple(unwrapped(child) for child in self._children if not _is_named(child, self._text))

    @cached_property
    def named(self) -> dict[str, SgNode]:
        """Keyword arguments and the pairs of objects that are passed as options, by lower-case name."""
        found: dict[str, SgNode] = {}
        for child in (*self._children, *self._initializer):
            if _is_named(child, self._text):
                found.update(pair_of(child, self._text))
            elif (inner := unwrapped(child)).kind() in _OBJECTS:
                found.update(pairs_of(inner, self._text))
        return found

    @property
    def _children(self) -> list[SgNode]:
        node = self._arguments
        if node is not None and node.kind() == "call_suffix":
            node = next((child for child in node.children() if child.kind() == "value_arguments"), None)
        return [] if node is None else [c for c in node.children() if c.is_named() and not c.kind().endswith("comment")]

    @property
    def _initializer(self) -> list[SgNode]:
        held = self.node.field("initializer") if self.node.kind() == "object_creation_expression" else None
        return [] if held is None else [child for child in held.children() if child.is_named()]

    @property
    def receiver(self) -> SgNode | None:
        """What the method is called on."""
        for field in ("object", "receiver", "scope"):
            if (found := self.node.field(field)) is not None:
                return found
        called = self.node.field("function") or next(iter(self.node.children()), None)
        if called is None or called.kind() in {"identifier", "simple_identifier", "name"}:
            return None
        return next((child for child in called.children() if child.is_named()), None)


class SettingSite:
    """A name that is given a value."""

    def __init__(self, node: SgNode, target: str, value: SgNode) -> None:
        self.node = node
        self.target = target
        self.value = value
        span = node.range()
        self.start, self.end, self.line = span.start.index, span.end.index, span.start.line + 1
        found = _LAST_WORD.search(target)
        self.name = found[1] if found else target

    @property
    def last(self) -> str:
        return self.name.lower()


class ComparisonSite:
    """`left == right`, or `!=`."""

    def __init__(self, node: SgNode, left: SgNode, right: SgNode) -> None:
        self.node, self.left, self.right = node, left, right
        span = node.range()
        self.start, self.end, self.line = span.start.index, span.end.index, span.start.line + 1


class Word:
    """A constant that says it all by its name, and the node it lies in."""

    def __init__(self, node: SgNode, start: int, end: int, line: int) -> None:
        self.node, self.start, self.end, self.line = node, start, end, line


Site = CallSite | SettingSite | ComparisonSite | Word


def calls_of(root: SgNode, text: str, language: str) -> list[CallSite]:
    """All there are, in the order of the file, as are the others below."""
    return [CallSite(node, text) for node in _nodes(root, grammar().calls.get(language, ()))]


def settings_of(root: SgNode, text: str, language: str) -> list[SettingSite]:
    found = (setting_of(node, text) for node in _nodes(root, grammar().settings.get(language, ())))
    return [setting for setting in found if setting is not None]


def compares_of(root: SgNode, text: str, language: str) -> list[ComparisonSite]:
    found = (_compare(node, text) for node in _nodes(root, grammar().compares.get(language, ())))
    return [compare for compare in found if compare is not None]


def _nodes(root: SgNode, kinds: tuple[str, ...]) -> list[SgNode]:
    return root.find_all(any=[{"kind": kind} for kind in kinds]) if kinds else []


def plain_name(raw: str) -> str:
    """`Digest::MD5.hexdigest`, `$this->hash`, `new Foo<Bar>` as dotted names."""
    raw = _NEW.sub("", raw.strip()).partition("{")[0]
    closed = raw.rfind(")")
    prefix, raw = ("()", raw[closed + 1 :]) if closed >= 0 else ("", raw)
    if "<" in raw:
        raw = _GENERICS.sub("", _GENERICS.sub("", raw))
    for written in ("::", "->", "?.", "!!.", "\\"):
        raw = raw.replace(written, ".")
    joined = "".join(raw.split()).rstrip("!?.&*")
    return prefix + joined if prefix else joined.lstrip(".&*$@")


def setting_of(node: SgNode, text: str) -> SettingSite | None:
    fields = grammar().fields.get(node.kind())
    if fields is not None:
        left, right = node.field(fields[0]), node.field(fields[1])
        if left is not None and right is not None:
            return _setting(node, left, right, text)
    children = [child for child in node.children() if child.is_named()]
    held = [child for child in children if child.kind() not in {"binding_pattern_kind", "modifiers", "name_colon"}]
    return _setting(node, held[0], held[-1], text) if len(held) > 1 else None


def _setting(node: SgNode, left: SgNode, right: SgNode, text: str) -> SettingSite:
    span = left.range()
    target = text[span.start.index : min(span.end.index, span.start.index + _CALLEE_ROOM)]
    if node.kind() in {"short_var_declaration", "assignment_statement", "assignment"} and "[" not in target:
        target = target.partition(",")[0]
    target = _DIMENSIONS.sub("", target)
    return SettingSite(node, target, unwrapped(right))


def pair_of(node: SgNode, text: str) -> dict[str, SgNode]:
    """A named argument or pair as name and value."""
    name = node.field("name") or node.field("key")
    value = node.field("value") or node.field("right")
    children = [child for child in node.children() if child.is_named()]
    if len(children) < 2 and (name is None or value is None):
        return {}
    span = (name or children[0]).range()
    found = _LAST_WORD.search(text[span.start.index : min(span.end.index, span.start.index + _CALLEE_ROOM)])
    return {found[1].lower(): unwrapped(value or children[-1])} if found else {}


def pairs_of(node: SgNode, text: str) -> dict[str, SgNode]:
    """The pairs of an object literal."""
    found: dict[str, SgNode] = {}
    for child in node.children():
        if child.kind() in _NAMED_KINDS:
            found.update(pair_of(child, text))
    return found


def unwrapped(node: SgNode) -> SgNode:
    """Without parentheses and the wrappers grammars put around an argument."""
    for _ in range(4):
        if node.kind() not in _WRAPPERS:
            break
        children = [child for child in node.children() if child.is_named()]
        if not children or (len(children) > 1 and node.kind() == "expression_list"):
            break
        node = children[0] if node.kind() == "expression_list" else children[-1]
    return node


def _arguments_of(node: SgNode) -> SgNode | None:
    found = node.field("arguments") or node.field("body")
    if found is not None and found.kind() in _ARGUMENT_KINDS:
        return found
    return next((child for child in reversed(node.children()) if child.kind() in _ARGUMENT_KINDS), None)


def _is_named(node: SgNode, text: str) -> bool:
    kind = node.kind()
    if kind in _NAMED_KINDS:
        return True
    if kind not in {"argument", "value_argument"}:
        return False
    children = [child for child in node.children() if child.is_named()]
    if len(children) < 2:
        return False
    between = text[children[0].range().end.index : children[1].range().start.index]
    return children[0].kind() in {"name_colon", "name"} or bool(re.fullmatch(r"\s*[:=]\s*", between))


def _compare(node: SgNode, text: str) -> ComparisonSite | None:
    children = [child for child in node.children() if child.is_named()]
    if len(children) != 2:
        return None
    first, second = children
    between = text[first.range().end.index : second.range().start.index].strip()
    return ComparisonSite(node, first, second) if between in {"==", "===", "!=", "!==", "<>", "is", "is not"} else None
