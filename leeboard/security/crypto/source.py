"""One file as the signatures read it: its sites by name, who encloses them, what the file defines itself."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec

from leeboard.model.text import lazy
from leeboard.security.crypto.gate import Clue, gate_of
from leeboard.security.crypto.words import grammar
from leeboard.security.taint.table_file import offsets
from leeboard.source.syntax import Definition, SyntaxTree

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_IMPORTED_AS = lazy(r"\b(\w{2,40})(?:\s+as\s+|\s*:\s*)(\w{1,40})")
_IMPORT_LINE = lazy(r"[ \t]{0,12}(?:from|import|const|use|using|require)\b[^\n]{0,300}")
_IMPORTING = ("from", "import", "const", "use", "require")

_PATH_BEFORE = lazy(r"[A-Za-z_][\w:.]*\Z")
_LONGEST_NAME = 80
"""No library spells a name so long."""
_NEXT_SIGN = lazy(r"\s*\S?")
_NOT_USED_AFTER = lazy(r"\s{0,8}(?:\]\s?=(?!=)|:(?![:=])|={1,3}(?!>)|!=|in\b|is\b|,?\s{0,4}#\s*type)")
_NOT_USED_BEFORE = lazy(
    r"(?:[=!]==?|\bis|\bis not|\bextends|\bimplements|\bclass|\bcase|\bdef|\bin \(|\bfun|\btype|#define)\s{0,8}\Z"
)
_IMPORTS = lazy(r"\s*(?:(?:from|import|use|using|export)\s|#include)")


class CryptoSource:
    """`text` is what was parsed; offsets of nodes count in it."""

    def __init__(self, tree: SyntaxTree, path: str) -> None:
        self.tree = tree
        self.path = path
        self.language = tree.language
        self.text = "<?php " + tree.text if tree.offset else tree.text
        self._gate = gate_of(self.text)
        self.lower = self._gate.lower
        self.lines = self.text.splitlines()
        self.values: dict[tuple[int, int, str], ConstantValues] = {}
        """What expressions were found to be."""
        self._definitions: dict[int, Definition | None] = {}
        self.vocabulary: dict[tuple[int, int, str], frozenset[str]] = {}
        """Words of stretches of the file, without those of a callee."""

    @cached_property
    def calls(self) -> dict[str, list[CallSite]]:
        """By the last part of the name, lower case."""
        found: dict[str, list[CallSite]] = defaultdict(list)
        for name, calls in self.calls_by_name.items():
            found[name.rpartition(".")[2].lower()] += calls
        return found

    @cached_property
    def calls_by_name(self) -> dict[str, list[CallSite]]:
        """By the whole name; an imported name stands for what it was imported from."""
        found: dict[str, list[CallSite]] = defaultdict(list)
        for site in self.all_calls:
            found[self.aliases.get(site.name, site.name)].append(site)
        return found

    def matching(self, pattern: re.Pattern[str]) -> Iterator[tuple[str, CallSite]]:
        """Calls whose whole name the pattern finds, but for what the file defines itself."""
        for name, calls in self.calls_by_name.items():
            if len(name) <= _LONGEST_NAME and pattern.search(name):
                yield from ((name, call) for call in calls if not self.is_own(call))

    @cached_property
    def settings(self) -> dict[str, list[SettingSite]]:
        """By name as written."""
        found: dict[str, list[SettingSite]] = defaultdict(list)
        for site in self.all_settings:
            found[site.name].append(site)
        return found

    @cached_property
    def _by_start(self) -> dict[int, list[SettingSite]]:
        found: dict[int, list[SettingSite]] = defaultdict(list)
        for site in self.all_settings:
            found[site.start].append(site)
        return found

    def starting(self, offset: int) -> list[SettingSite]:
        """Settings whose text starts here."""
        return self._by_start.get(offset, [])

    @cached_property
    def compares(self) -> list[ComparisonSite]:
        return compares_of(self.tree.root, self.text, self.language)

    @cached_property
    def all_calls(self) -> list[CallSite]:
        return calls_of(self.tree.root, self.text, self.language)

    @cached_property
    def all_settings(self) -> list[SettingSite]:
        return settings_of(self.tree.root, self.text, self.language)

    def named(self, *names: str) -> Iterator[CallSite]:
        """Calls whose last name is one of these (lower case), but for what the file defines itself."""
        for name in names:
            if self._gate.names(name):  # asked first: to find all calls of a file costs as much as to parse it
                yield from (call for call in self.calls.get(name, ()) if not self.is_own(call))

    def is_own(self, call: CallSite) -> bool:
        """Whether the file defines what is called by a bare name or on itself."""
        owner, _, last = call.name.rpartition(".")
        return owner in {"", "self", "this", "cls"} and last in self.own

    @cached_property
    def own(self) -> frozenset[str]:
        return frozenset(definition.name for definition in self.tree.definitions)

    @cached_property
    def aliases(self) -> dict[str, str]:
        """`from hashlib import md5 as quick`: quick to md5."""
        if " as " not in self.text and "require(" not in self.text:
            return {}
        written = (line for line in self.text.split("\n") if line.lstrip(" \t").startswith(_IMPORTING))
        lines = (found[0] for line in written if (found := _IMPORT_LINE.match(line)))
        pairs = (found.groups() for line in lines for found in _IMPORTED_AS.finditer(line))
        return {alias: name for name, alias in pairs if alias != name}

    def definition_of(self, site: Site) -> Definition | None:
        """The innermost function, or class, around a site."""
        return self.definition_at(site.line)

    def definition_at(self, line: int) -> Definition | None:
        if line not in self._definitions:
            self._definitions[line] = self.tree.definition_at(line)
        return self._definitions[line]

    def function_lines(self, site: Site) -> tuple[int, int]:
        """First and last line of what encloses it: the function; a stretch of the module where there is none."""
        return self.lines_around(site.line)

    def lines_around(self, line: int) -> tuple[int, int]:
        found = self.definition_at(line)
        if found is not None and found.kind != "class":
            return found.start, found.end
        inside = [it for it in self.tree.definitions if it.kind != "class"]
        first = max((it.end + 1 for it in inside if it.end < line), default=1)
        last = min((it.start - 1 for it in inside if it.start > line), default=len(self.lines))
        return max(first, line - 25), min(last, line + 25)

    def function_text(self, site: Site) -> str:
        first, last = self.function_lines(site)
        return "\n".join(self.lines[first - 1 : last])

    def spelling(self, pattern: re.Pattern[str], words: tuple[str, ...], *, broken: bool = False) -> Iterator[Word]:
        """Where the code spells something, not a comment or a string; one of the words stands in all of it. `broken`:
        it may go over the end of a line.
        """
        held = tuple(word for word in words if self.has((word,)))
        if not held:
            return
        around: _Around | None = None
        for found in pattern.finditer(self.text) if broken else self._on_lines_with(held, pattern):
            if not self._is_text(found.start()) and self._is_used(found):
                around = around or _Around([*self.all_calls, *self.all_settings])
                holder = around.innermost(found.start(), found.end())
                node = holder.node if holder is not None else self.tree.root
                yield Word(node, found.start(), found.end(), self.text.count("\n", 0, found.start()) + 1)

    def _on_lines_with(self, words: tuple[str, ...], pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """What the pattern finds in lines that hold one of the words. What it asks of behind them is one sign."""
        if len(self.lower) != len(self.text):
            yield from pattern.finditer(self.text)
            return
        places = (at for word in words for at in offsets(word, self.lower))
        for first in sorted({self.text.rfind("\n", 0, at) + 1 for at in places}):
            last = self.text.find("\n", first)
            end = _NEXT_SIGN.match(self.text, last) if last >= 0 else None
            found = pattern.finditer(self.text, first, end.end() if end is not None else len(self.text))
            yield from (one for one in found if last < 0 or one.start() < last)

    def _is_used(self, found: re.Match[str]) -> bool:
        """Neither compared with, nor imported, nor defined, nor a key of a table."""
        if _NOT_USED_AFTER.match(self.text, found.end()):
            return False
        first = self.text.rfind("\n", 0, found.start()) + 1
        before = self.text[max(first, found.start() - 200) : found.start()]
        owner = before.rstrip(".:").rstrip("\\abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
        return not (_NOT_USED_BEFORE.search(before) or _NOT_USED_BEFORE.search(owner) or _IMPORTS.match(before))

    def _is_text(self, offset: int) -> bool:
        at = bisect_right(self._not_code, (offset, len(self.text))) - 1
        return at >= 0 and offset < self._not_code[at][1]

    @cached_property
    def _not_code(self) -> list[tuple[int, int]]:
        kinds = grammar().not_code.get(self.language, ())
        found = self.tree.root.find_all(any=[{"kind": kind} for kind in kinds]) if kinds else []
        spans = [node.range() for node in found]
        return sorted((span.start.index, span.end.index) for span in spans)

    def has(self, words: tuple[Clue, ...]) -> bool:
        """Whether the file speaks of one of these (lower case)."""
        return self._gate.has(words)


# The places that cryptography happens at, in one shape for every language: calls, settings, comparisons.
#
# A setting is anything with a name and a value: an assignment, a keyword argument, a pair of an object.


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

    def __init__(self, node: SgNode, text: str, start: int = -1) -> None:
        """`start`: where its name begins, where the node is its arguments alone."""
        self.node = node
        self._text = text
        self._arguments = _arguments_of(node) if start < 0 else node
        span = node.range()
        self.start, self.end, self.line = span.start.index, span.end.index, span.start.line + 1
        self.start = start if start >= 0 else self.start
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
        return [] if node is None else [c for c in node.named_children() if not c.kind().endswith("comment")]

    @property
    def _initializer(self) -> list[SgNode]:
        held = self.node.field("initializer") if self.node.kind() == "object_creation_expression" else None
        return [] if held is None else held.named_children()

    @property
    def receiver(self) -> SgNode | None:
        """What the method is called on."""
        for field in ("object", "receiver", "scope"):
            if (found := self.node.field(field)) is not None:
                return found
        called = self.node.field("function") or next(iter(self.node.children()), None)
        if called is None or called.kind() in {"identifier", "simple_identifier", "name"}:
            return None
        return next(iter(called.named_children()), None)


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


class _Around:
    """What stands around a place, asked in the order of the text: a file may hold as many places as sites."""

    def __init__(self, sites: list[CallSite | SettingSite]) -> None:
        self._coming = sorted(enumerate(sites), key=lambda it: it[1].start, reverse=True)
        self._open: list[tuple[int, CallSite | SettingSite]] = []

    def innermost(self, start: int, end: int) -> CallSite | SettingSite | None:
        """The shortest of them, and of equals the first."""
        while self._coming and self._coming[-1][1].start <= start:
            self._open.append(self._coming.pop())
        self._open = [it for it in self._open if it[1].end >= end]
        return min(self._open, key=lambda it: (it[1].end - it[1].start, it[0]), default=(0, None))[1]


def calls_of(root: SgNode, text: str, language: str) -> list[CallSite]:
    """All there are, in the order of the file, as are the others below."""
    found = [CallSite(node, text) for node in _nodes(root, grammar().calls.get(language, ()))]
    if language == "rust" and "!" in text:
        found += [site for node in _nodes(root, ("token_tree",)) if (site := _called_in_macro(node, text)) is not None]
    return found


def _called_in_macro(node: SgNode, text: str) -> CallSite | None:
    """`format!("{:x}", md5::compute(x))`: what stands between a macro's brackets is not parsed into calls."""
    outer = node.parent()
    if outer is None or outer.kind() != "token_tree":
        return None
    first = node.range().start.index
    callee = _PATH_BEFORE.search(text, max(0, first - _CALLEE_ROOM), first)
    return CallSite(node, text, callee.start()) if callee is not None else None


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
    if raw.replace(".", "_").isidentifier() and raw[0] != "." != raw[-1]:
        return raw  # as most are
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
    children = node.named_children()
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
    children = node.named_children()
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
        children = node.named_children()
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
    children = node.named_children()
    if len(children) < 2:
        return False
    between = text[children[0].range().end.index : children[1].range().start.index]
    return children[0].kind() in {"name_colon", "name"} or bool(re.fullmatch(r"\s*[:=]\s*", between))


def _compare(node: SgNode, text: str) -> ComparisonSite | None:
    children = node.named_children()
    if len(children) != 2:
        return None
    first, second = children
    between = text[first.range().end.index : second.range().start.index].strip()
    return ComparisonSite(node, first, second) if between in {"==", "===", "!=", "!==", "<>", "is", "is not"} else None


# The values an expression may have.


Constant = str | int | bool | None
"""None is the language's own null."""


class ConstantValues(msgspec.Struct, frozen=True):
    known: tuple[Constant, ...] = ()
    complete: bool = False

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(value for value in self.known if isinstance(value, str))

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(value for value in self.known if isinstance(value, int) and not isinstance(value, bool))

    def is_only(self, wanted: Constant) -> bool:
        """Whether it is this and nothing else. `0` is no `False`."""
        return (
            self.complete
            and bool(self.known)
            and all(value is wanted or (value == wanted and type(value) is type(wanted)) for value in self.known)
        )
