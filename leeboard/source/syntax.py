"""The syntax tree of a text: what it defines and imports, and where the parser could not follow.

The only door to the grammars: an unknown language would end the thread that asks for it, some texts would cost more
memory than there is. All lines count from one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from typing import Any, Literal

import msgspec
from ast_grep_py import SgNode, SgRoot

from leeboard.data import load
from leeboard.model.text import has_longer_line
from leeboard.model.touch import Span
from leeboard.source.comment_run import without_long_runs
from leeboard.source.definition_name import Import, declarators, name_of, owner_of, read_imports
from leeboard.source.php_markup import statements_of

__all__ = ["Definition", "Import", "SyntaxTree", "parse"]

MAX_TEXT = 2_000_000
_MAX_SHELL = 256_000
_MAX_BRANCHES = 500
"""Pipes or redirections in one line: the grammar of the shell needs their square in time and memory."""
_LONG_LINE = 20_000
_MAX_BRACKETS = 2_000
_GENERICS = frozenset({"java", "csharp", "kotlin", "cpp", "typescript", "tsx", "rust"})
"""Where `a<b<c` may be types or comparisons, the grammar tries both for each."""
_PHP_OPEN = "<?php "
_LARGE = 64_000
_PIECE = 16_000
_MOST_ERRORS = 5_000
"""In the pieces of a large text. Tables of data that are cut in two have up to four thousand."""


class SyntaxTree:
    """One text. `offset` characters stand before it in the parsed source: only positions in the first line move."""

    def __init__(self, text: str, language: str, root: SgNode, offset: int = 0) -> None:
        self.text = text
        self.language = language
        self.root = root
        self.offset = offset

    @cached_property
    def _found(self) -> list[tuple[str, SgNode]]:
        """Errors, definitions and imports in the order of the text, from one search."""
        if self.language not in DEFINES:
            return []
        rule = rule_of(self.language, self.text)
        return [(node.kind(), node) for node in self.root.find_all(**rule)]

    @cached_property
    def definitions(self) -> tuple[Definition, ...]:
        return read_definitions(self._found, self.language)

    @cached_property
    def imports(self) -> tuple[Import, ...]:
        return read_imports(self._found, self.language)

    @cached_property
    def errors(self) -> tuple[Span, ...]:
        """Lines the parser could not follow; empty where all is well. What lies there is not analysed."""
        broken = [node.range() for kind, node in self._found if kind == "ERROR"]
        return tuple((place.start.line + 1, place.end.line + 1) for place in broken)

    def definition_at(self, line: int) -> Definition | None:
        """The innermost definition that holds a line."""
        holding = [it for it in self.definitions if it.start <= line <= it.end]
        return min(holding, key=lambda it: it.end - it.start) if holding else None


@lru_cache(maxsize=8)
def parse(text: str, language: str) -> SyntaxTree | None:
    """The tree of a text; None where the language is not supported or the text can not be parsed."""
    if language not in LANGUAGES or not _is_bearable(text, language):
        return None
    before = _PHP_OPEN if language == "php" and "<?" not in text else ""
    source = statements_of(text) if language == "php" and "?>" in text else before + text
    source = without_long_runs(source, language)
    root = _root(source, language) if _is_code(source, language) else None
    return SyntaxTree(text, language, root, len(before)) if root is not None else None


def _root(source: str, language: str) -> SgNode | None:
    try:
        return SgRoot(source, language).root()
    except (ValueError, RuntimeError):
        # Lone surrogates.
        return None
    except BaseException as error:
        # A panic of the native side is no Exception.
        if type(error).__name__ == "PanicException":
            return None
        raise


def _is_bearable(text: str, language: str) -> bool:
    if len(text) > MAX_TEXT:
        return False
    if has_longer_line(text, _LONG_LINE) and any(map(_is_crowded, text.split("\n"))):
        return False
    if language in _GENERICS and text.count("<") > _MAX_BRANCHES:
        return max(line.count("<") for line in text.split("\n")) <= _MAX_BRANCHES
    return language != "bash" or _is_bearable_shell(text)


def _is_code(source: str, language: str) -> bool:
    """Whether a large text may be parsed as a whole. The grammars need the square of what they can not follow, so that
    padding of broken lines would outlast a hook; in pieces it is counted in no time.
    """
    if len(source) <= _LARGE or language not in DEFINES:
        return True
    left, at = _MOST_ERRORS, 0
    while at < len(source) and left >= 0:
        end = source.find("\n", at + _PIECE) + 1 or len(source)
        piece = _root(source[at:end], language)
        left -= len(piece.find_all(kind="ERROR")) if piece is not None else 0
        at = end
    return left >= 0


def _is_crowded(line: str) -> bool:
    """To tell the column of a node costs the length of its line: a minified file would take minutes."""
    return len(line) > _LONG_LINE and sum(line.count(opener) for opener in "({[") > _MAX_BRACKETS


def _is_bearable_shell(text: str) -> bool:
    if len(text) > _MAX_SHELL:
        return False
    if text.count("|") <= _MAX_BRANCHES and text.count("<") <= _MAX_BRANCHES:
        return True
    lines = text.replace("\\\n", " ").replace("|\n", "| ").split("\n")
    return max(max(line.count("|"), line.count("<")) for line in lines) <= _MAX_BRANCHES


# What a text defines: the names, ranges and owners of its functions and classes.


class Definition(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    kind: DefinitionKind
    start: int
    """First line, decorators included."""
    end: int
    owner: str = ""
    """The class it belongs to; the object, for a method of an object literal."""
    params: tuple[str, ...] = ()
    node: SgNode


class _Open(msgspec.Struct):
    """A definition that has not ended yet."""

    name: str
    is_class: bool
    last: int


def read_definitions(found: Iterable[tuple[str, SgNode]], language: str) -> tuple[Definition, ...]:
    return tuple(_Reader(language).read(found))


class _Reader:
    def __init__(self, language: str) -> None:
        self.language = language
        self.kinds = DEFINES.get(language, {})
        self.open: list[_Open] = []

    def read(self, found: Iterable[tuple[str, SgNode]]) -> Iterable[Definition]:
        for node_kind, node in found:
            if node_kind in self.kinds and (read := self.definition(node_kind, node)) is not None:
                yield read

    def definition(self, node_kind: str, node: SgNode) -> Definition | None:
        place = node.range()
        first, last = place.start, place.end
        while self.open and self.open[-1].last <= first.index:
            self.open.pop()
        if len(self.open) >= _DEEPEST:
            return None
        name = name_of(self.language, node_kind, node)
        if not name or (node_kind in _MAY_LACK_BODY and not _has_body(self.language, node)):
            return None
        within = self.open[-1] if self.open else None
        is_class = self.kinds[node_kind] == "class"
        self.open.append(_Open(name, is_class, last.index))
        if node_kind == "impl_item":
            return None
        owner = owner_of(self.language, node_kind, node) or (within.name if within and within.is_class else "")
        name, owner = _apart(name, owner)
        return Definition(
            name=name,
            kind="class" if is_class else "method" if owner or self.kinds[node_kind] == "method" else "function",
            start=self.first_line(node, first.line) + 1,
            end=last.line + 1,
            owner=owner,
            params=() if is_class else params_of(self.language, node),
            node=node,
        )

    def first_line(self, node: SgNode, line: int) -> int:
        if self.language != "python":
            return line
        parent = node.parent()
        return parent.range().start.line if parent is not None and parent.kind() == "decorated_definition" else line


_DEEPEST = 40
"""Definitions inside each other: to look around from a node costs its depth, and nobody writes such a text by hand."""
_MAY_LACK_BODY = frozenset({"method_declaration", "constructor_declaration", "function_declaration"})


def _has_body(language: str, node: SgNode) -> bool:
    if language == "kotlin":
        return any(child.kind() == "function_body" for child in node.children()[-2:])
    return node.field("body") is not None


def _apart(name: str, owner: str) -> tuple[str, str]:
    """`Stack<T>::push` to push, Stack."""
    head, joined, tail = name.rpartition("::")
    if not joined or "operator" in tail:
        return name, owner
    return tail.strip(), head.rpartition("::")[2].partition("<")[0].strip() or owner


# The names of a function's parameters.


_LISTS = frozenset({"function_value_parameters", "parameter_list", "formal_parameters", "parameters"})
_NAMES = frozenset(
    {
        "identifier",
        "simple_identifier",
        "variable_name",
        "shorthand_property_identifier_pattern",
        "field_identifier",
        "self",
        "self_parameter",
    }
)
_FIELDS = ("pattern", "name", "declarator", "left")
_DEEPEST_PARAMETER = 8
_MOST = 64


def params_of(language: str, node: SgNode) -> tuple[str, ...]:
    """In order; an unpacked parameter gives each of its names. The receiver of a method (`self`) is one of them."""
    listed = node.field("parameters")
    if listed is None and language in {"c", "cpp"}:
        listed = _declared(node)
    elif listed is None:
        single = node.field("parameter")
        if single is not None:
            return tuple(_names(single, 0))
        listed = next((child for child in node.children() if child.kind() in _LISTS), None)
    if listed is None:
        return ()
    return tuple(name for child in listed.children()[: 2 * _MOST] if child.is_named() for name in _names(child, 0))


def _declared(node: SgNode) -> SgNode | None:
    """The innermost list: that of a function that returns a function stands outside of its own."""
    functions = [it for it in declarators(node) if it.kind() == "function_declarator"]
    return functions[-1].field("parameters") if functions else None


def _names(node: SgNode, depth: int) -> Iterator[str]:
    kind = node.kind()
    if kind in _NAMES:
        yield node.text().lstrip("$").removeprefix("&mut ").removeprefix("&").removeprefix("mut ")
        return
    if depth > _DEEPEST_PARAMETER or kind in {"comment", "attribute_list", "modifiers", "decorator"}:
        return
    if kind == "parameter_declaration" and (several := node.field_children("name")):
        # Go: `a, b int`
        for name in several:
            yield name.text()
        return
    inner = next((found for field in _FIELDS if (found := node.field(field)) is not None), None)
    if inner is not None:
        yield from _names(inner, depth + 1)
    elif kind not in {"parameter_declaration", "abstract_pointer_declarator"}:
        yield from _inside(node, kind, depth)


def _inside(node: SgNode, kind: str, depth: int) -> Iterator[str]:
    children = node.named_children()
    if not kind.endswith(("_pattern", "tuple")):
        # All but the first word of a parameter is its type or its default.
        children = [child for child in children if child.kind() in _NAMES or "pattern" in child.kind()][:1] or children[
            -1:
        ]
    for child in children[:_MOST]:
        if child.kind() not in {"object_assignment_pattern", "assignment_pattern"}:
            yield from _names(child, depth + 1)
        elif (left := child.field("left")) is not None:
            yield from _names(left, depth + 1)


# Which nodes of each grammar define something and which import something.


DefinitionKind = Literal["function", "method", "class"]
Rule = dict[str, Any]
"""A rule of ast-grep: what one node must be."""

_SCRIPT_FUNCTIONS = ("arrow_function", "function_expression", "generator_function")
_SCRIPT_BINDERS = ("variable_declarator", "pair", "assignment_expression", "export_statement")


class _Nodes(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"class_": "class"}):
    imports: tuple[str, ...]
    function: tuple[str, ...] = ()
    method: tuple[str, ...] = ()
    class_: tuple[str, ...] = ()
    bound: tuple[str, ...] = ()
    """Functions without a name of their own: they count where they are given one."""

    @property
    def defines(self) -> dict[str, str]:
        named = (("function", self.function), ("method", self.method), ("class", self.class_))
        return {node: kind for kind, nodes in named for node in nodes}


class _Definitions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    bodies: dict[str, str]
    languages: dict[str, _Nodes]


_TABLE = load("source/definitions", _Definitions)

DEFINES = {language: nodes.defines for language, nodes in _TABLE.languages.items()}
"""Kind of node to kind of definition. A function right inside a class is a method of it."""

IMPORTS = {language: nodes.imports for language, nodes in _TABLE.languages.items()}

LANGUAGES = frozenset(DEFINES) | {"html", "yaml", "json"}
"""Those the parser may be asked for: it ends the thread that asks for another."""

_WRAPPERS = r"(?:^|\.)(?:memo|forwardRef|useCallback|observer|debounce|throttle)$|[Hh]andler$|^wrap|^with[A-Z]"


def rule_of(language: str, text: str) -> Rule:
    """One rule for everything that is looked for in a text of that language."""
    bound = _TABLE.languages[language].bound
    plain: list[Rule] = [{"kind": kind} for kind in IMPORTS[language]]
    plain += [_defining(kind) for kind in DEFINES[language] if kind not in bound]
    return {"any": [{"kind": "ERROR"}, *plain, *_bound_functions(language), *_calls(language, text)]}


def _defining(kind: str) -> Rule:
    body = _TABLE.bodies.get(kind)
    return {"kind": kind, "has": {"kind": body}} if body else {"kind": kind}


def _any_kind(*kinds: str) -> Rule:
    return {"any": [{"kind": kind} for kind in kinds]}


def _bound_functions(language: str) -> list[Rule]:
    if language == "go":
        spec = _any_kind("short_var_declaration", "var_spec", "assignment_statement")
        return [{"kind": "func_literal", "inside": {"kind": "expression_list", "inside": spec}}]
    if language == "php":
        return [{**_any_kind("anonymous_function", "arrow_function"), "inside": {"kind": "assignment_expression"}}]
    if not _TABLE.languages[language].bound:
        return []
    field = "field_definition" if language == "javascript" else "public_field_definition"
    callee = {"field": "function", "regex": _WRAPPERS}
    call = {"kind": "call_expression", "has": callee, "inside": {"kind": "variable_declarator"}}
    return [
        {**_any_kind(*_SCRIPT_FUNCTIONS, "class"), "inside": _any_kind(*_SCRIPT_BINDERS, field)},
        {**_any_kind(*_SCRIPT_FUNCTIONS), "nthChild": 1, "inside": {"kind": "arguments", "inside": call}},
    ]


def _calls(language: str, text: str) -> list[Rule]:
    """Imports that are ordinary calls: looked for only where the text has their word."""
    if language in {"javascript", "typescript", "tsx"}:
        found: list[Rule] = []
        if "require" in text or "import(" in text or "import (" in text:
            found.append({"kind": "call_expression", "has": {"field": "function", "regex": r"^(?:require|import)$"}})
        if "export" in text and "from" in text:
            found.append({"kind": "export_statement", "has": {"field": "source", "kind": "string"}})
        return found
    if language == "ruby" and ("require" in text or "load" in text):
        named = {"field": "method", "regex": r"^(?:require|require_relative|load|autoload)$"}
        return [{"kind": "call", "has": named}]
    if language == "bash" and ("source" in text or ". " in text):
        return [{"kind": "command", "has": {"field": "name", "regex": r"^(?:source|\.)$"}}]
    return []
