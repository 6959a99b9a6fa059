"""Python's expressions, lowered."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from leeboard.model.text import lazy
from leeboard.security.taint import ir

if TYPE_CHECKING:
    from ast_grep_py import SgNode


_DEEPEST = 60
_MOST, _LEAST, _MOST_CHARACTERS = 200_000, 1_000, 1_500_000_000
_MOST_CHILDREN = 400
_LONGEST_CHAIN = 8
_CHAIN = lazy(r"(?!(?:None|True|False)\.)[^\W\d]\w*(?:\.[^\W\d]\w*){1,8}")
_COMPREHENSIONS = {"list_comprehension", "set_comprehension", "generator_expression", "dictionary_comprehension"}


def line_of(node: SgNode) -> int:
    return int(node.range().start.line) + 1


class Expressions:
    """Lowers expressions of one file. Nesting beyond any reason is cut off as unknown."""

    def __init__(self, function_of: Callable[[SgNode], ir.Function], longest_line: int = 0) -> None:
        self._function_of = function_of
        self._depth = 0
        self.only_line = 0
        """That of a statement or an expression which stands on one line, while its parts are lowered: none of them has
        to be asked.
        """
        # Asking a node for its line costs as much as the line is long.
        self._left = max(_LEAST, min(_MOST, _MOST_CHARACTERS // max(1, longest_line)))

    def lower(self, node: SgNode, kind: str = "") -> ir.Expr:
        """`kind` is that of the node, where it is known already."""
        self._left -= 1
        if self._left < 0:
            return ir.Unknown(0)
        kind = kind or node.kind()
        if kind == "identifier":
            return ir.Name(self.only_line or line_of(node), node.text())
        if self._depth >= _DEEPEST:
            return ir.Unknown(self.only_line or line_of(node))
        self._depth += 1
        try:
            return self._handled(node, _HANDLERS.get(kind, Expressions._unknown))
        finally:
            self._depth -= 1

    def _handled(self, node: SgNode, handler: _Handler) -> ir.Expr:
        if self.only_line:
            return handler(self, node, self.only_line)
        place = node.range()
        line = place.start.line + 1
        if place.end.line >= line:
            return handler(self, node, line)
        self.only_line = line
        try:
            return handler(self, node, line)
        finally:
            self.only_line = 0

    def named(self, node: SgNode) -> list[SgNode]:
        children = node.named_children()
        if self.only_line:
            return children  # a comment would end the line
        return [child for child in children if child.kind() != "comment"]

    def all_of(self, node: SgNode) -> tuple[ir.Expr, ...]:
        return tuple(self.lower(child) for child in self.named(node)[:_MOST_CHILDREN])

    def field(self, node: SgNode, name: str) -> ir.Expr:
        found = node.field(name)
        return self.lower(found) if found is not None else ir.Unknown(self.only_line or line_of(node))

    def _unknown(self, node: SgNode, line: int) -> ir.Expr:
        return ir.Unknown(line, self.all_of(node))

    def inner(self, node: SgNode, line: int) -> ir.Expr:
        inner = self.named(node)
        return self.lower(inner[0]) if len(inner) == 1 else ir.Unknown(line, self.all_of(node))

    def string(self, node: SgNode, line: int) -> ir.Expr:
        return lower_string(node, line, self.lower)

    def concatenation(self, node: SgNode, line: int) -> ir.Expr:
        return lower_concatenation(node, line, self.lower)

    def integer(self, node: SgNode, line: int) -> ir.Expr:
        try:
            return ir.Const(line, int(node.text()[:40], 0))
        except ValueError:
            return ir.Const(line, 0)

    def float_number(self, node: SgNode, line: int) -> ir.Expr:
        try:
            return ir.Const(line, float(node.text()[:40]))
        except ValueError:
            return ir.Const(line, 0.5)

    def true(self, _node: SgNode, line: int) -> ir.Expr:
        return ir.Const(line, value=True)

    def false(self, _node: SgNode, line: int) -> ir.Expr:
        return ir.Const(line, value=False)

    def none(self, _node: SgNode, line: int) -> ir.Expr:
        return ir.Const(line, None)

    def attribute(self, node: SgNode, line: int) -> ir.Expr:
        chain = _CHAIN.fullmatch(node.text()) if self.only_line else None
        if chain is not None and self._depth < _DEEPEST - _LONGEST_CHAIN:
            return self._chained(chain[0].split("."), line)
        name = node.field("attribute")
        return ir.Attr(line, self.field(node, "object"), name.text() if name is not None else "")

    def _chained(self, names: list[str], line: int) -> ir.Expr:
        """`self.server.name`: names alone, read off the text instead of one node after the other."""
        self._left -= len(names) - 1
        found: ir.Expr = ir.Name(line, names[0])
        for name in names[1:]:
            found = ir.Attr(line, found, name)
        return found

    def subscript(self, node: SgNode, line: int) -> ir.Expr:
        value, *keys = self.named(node)
        if len(keys) != 1 or keys[0].kind() == "slice":
            return ir.Index(line, self.lower(value), None)
        return ir.Index(line, self.lower(value), self.lower(keys[0]))

    def call(self, node: SgNode, line: int) -> ir.Expr:
        args: list[ir.Expr] = []
        keywords: list[tuple[str, ir.Expr]] = []
        given = node.field("arguments")
        if given is not None and given.kind() == "generator_expression":
            args.append(self.lower(given))
        for child in self.named(given) if given is not None and not args else ():
            kind = child.kind()
            if kind == "keyword_argument":
                keywords.append((child.field("name").text(), self.field(child, "value")))  # type: ignore[union-attr]  # the grammar has it
            elif kind == "dictionary_splat":
                keywords.append(("", self.inner(child, line)))
            else:
                args.append(self.lower(child, kind))
        return ir.Call(line, self.field(node, "function"), tuple(args), tuple(keywords))

    def binary(self, node: SgNode, line: int) -> ir.Expr:
        operator = node.field("operator")
        text = operator.text() if operator is not None else ""
        return ir.Binary(line, text, self.field(node, "left"), self.field(node, "right"))

    def comparison(self, node: SgNode, line: int) -> ir.Expr:
        operands = [self.lower(child) for child in self.named(node)]
        operators = [" ".join(child.text().split()) for child in node.children() if not child.is_named()]
        pairs = zip(operators, operands, operands[1:], strict=False)
        parts = tuple(ir.Compare(line, operator, left, right) for operator, left, right in pairs)
        return parts[0] if len(parts) == 1 else ir.Bool(line, "and", parts)

    def boolean(self, node: SgNode, line: int) -> ir.Expr:
        operator = node.field("operator")
        word: Literal["and", "or"] = "or" if operator is not None and operator.text() == "or" else "and"
        parts: list[ir.Expr] = []
        for side in (self.field(node, "left"), self.field(node, "right")):
            parts += side.parts if isinstance(side, ir.Bool) and side.op == word else (side,)
        return ir.Bool(line, word, tuple(parts))

    def negation(self, node: SgNode, line: int) -> ir.Expr:
        return ir.Not(line, self.field(node, "argument"))

    def unary(self, node: SgNode, line: int) -> ir.Expr:
        return ir.Unary(line, node.text()[:1], self.field(node, "argument"))

    def conditional(self, node: SgNode, line: int) -> ir.Expr:
        parts = self.all_of(node)
        return ir.Ternary(line, parts[1], parts[0], parts[2]) if len(parts) == 3 else ir.Unknown(line, parts)

    def named_expression(self, node: SgNode, line: int) -> ir.Expr:
        return ir.Walrus(line, self.field(node, "name"), self.field(node, "value"))

    def sequence(self, node: SgNode, line: int) -> ir.Expr:
        kind = node.kind()
        shape: Literal["list", "tuple", "set"] = (
            "list" if kind.startswith("list") else "set" if kind == "set" else "tuple"
        )
        return ir.Container(line, shape, tuple((None, item) for item in self.all_of(node)))

    def dictionary(self, node: SgNode, line: int) -> ir.Expr:
        items: list[tuple[ir.Expr | None, ir.Expr]] = []
        for child in self.named(node)[:_MOST_CHILDREN]:
            if child.kind() == "pair":
                items.append((self.field(child, "key"), self.field(child, "value")))
            else:
                items.append((None, self.lower(child)))
        return ir.Container(line, "dict", tuple(items))

    def spread(self, node: SgNode, line: int) -> ir.Expr:
        return ir.Spread(line, self.inner(node, line))

    def function_value(self, node: SgNode, line: int) -> ir.Expr:
        return ir.Lambda(line, self._function_of(node))

    def comprehension(self, node: SgNode, line: int) -> ir.Expr:
        clauses, tests, key = [], [], None
        value: ir.Expr = ir.Unknown(line)
        for child in self.named(node):
            if child.kind() == "for_in_clause":
                clauses.append((self.field(child, "left"), self.field(child, "right")))
            elif child.kind() == "if_clause":
                tests.append(self.inner(child, line))
            elif child.kind() == "pair":
                key, value = self.field(child, "key"), self.field(child, "value")
            else:
                value = self.lower(child)
        return ir.Comprehension(line, tuple(clauses), tuple(tests), value, key)


_Handler = Callable[[Expressions, "SgNode", int], ir.Expr]
_HANDLERS: dict[str, _Handler] = {
    "string": Expressions.string,
    "concatenated_string": Expressions.concatenation,
    "integer": Expressions.integer,
    "float": Expressions.float_number,
    "true": Expressions.true,
    "false": Expressions.false,
    "none": Expressions.none,
    "attribute": Expressions.attribute,
    "subscript": Expressions.subscript,
    "call": Expressions.call,
    "binary_operator": Expressions.binary,
    "comparison_operator": Expressions.comparison,
    "boolean_operator": Expressions.boolean,
    "not_operator": Expressions.negation,
    "unary_operator": Expressions.unary,
    "conditional_expression": Expressions.conditional,
    "named_expression": Expressions.named_expression,
    "list": Expressions.sequence,
    "tuple": Expressions.sequence,
    "set": Expressions.sequence,
    "expression_list": Expressions.sequence,
    "pattern_list": Expressions.sequence,
    "tuple_pattern": Expressions.sequence,
    "list_pattern": Expressions.sequence,
    "dictionary": Expressions.dictionary,
    "list_splat": Expressions.spread,
    "list_splat_pattern": Expressions.spread,
    "dictionary_splat": Expressions.spread,
    "lambda": Expressions.function_value,
    **dict.fromkeys(_COMPREHENSIONS, Expressions.comprehension),
    **dict.fromkeys(
        ("parenthesized_expression", "await", "yield", "type", "as_pattern_target", "case_pattern"), Expressions.inner
    ),
}


# Python's string literals: their parts and what their escapes stand for.


_PLAIN_TEXT = lazy(r"""(["'])(?:(?!\1)[^\\\n])*\1""")
_ESCAPE = lazy(r"\\(?:\n|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[0-7]{1,3}|[\s\S])")
_PLAIN = {
    "n": "\n", "t": "\t", "r": "\r", "0": "\0", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "\\": "\\", "'": "'",
    '"': '"', "\n": "",
}  # fmt: skip

_NUMBER = lazy(r"^:[^{}]*[bcdoxXneEfFgG%]$")
"""How a number is written, which refuses any text."""

Lower = Callable[["SgNode"], ir.Expr]


def lower_string(node: SgNode, line: int, lower: Lower) -> ir.Expr:
    """A constant, or a `Join` where something is interpolated."""
    text = node.text()
    if _PLAIN_TEXT.fullmatch(text):
        return ir.Const(line, text[1:-1])  # most are
    parts: list[ir.Expr] = []
    prefix = ""
    for child in node.children():
        kind = child.kind()
        if kind == "string_start":
            prefix = child.text().rstrip("\"'").lower()
        elif kind == "string_content":
            parts.append(ir.Const(line, _content(child.text(), prefix)))
        elif kind == "interpolation":
            inner = child.field("expression") or next(iter(child.children()[1:2]), None)
            is_number = any(
                each.kind() == "format_specifier" and _NUMBER.search(each.text()) for each in child.children()
            )
            value = lower(inner) if inner is not None else ir.Unknown(line)
            parts.append(ir.Call(line, ir.Name(line, "int"), (value,)) if is_number else value)
    return _one(parts, line, prefix)


def lower_concatenation(node: SgNode, line: int, lower: Lower) -> ir.Expr:
    """Literals side by side."""
    parts = [lower_string(child, line, lower) for child in node.children() if child.kind() == "string"]
    return _one(parts, line, "")


def _one(parts: list[ir.Expr], line: int, prefix: str) -> ir.Expr:
    flat = [inner for part in parts for inner in (part.parts if isinstance(part, ir.Join) else (part,))]
    values = [part.value for part in flat if isinstance(part, ir.Const)]
    if len(values) < len(flat):
        return ir.Join(line, tuple(flat))
    text = "".join(value.decode("latin-1") if isinstance(value, bytes) else str(value) for value in values)
    if "b" in prefix or any(isinstance(value, bytes) for value in values):
        return ir.Const(line, text.encode("utf-8", "replace"))
    return ir.Const(line, text)


def _content(text: str, prefix: str) -> str:
    if "f" in prefix:
        text = text.replace("{{", "{").replace("}}", "}")
    if "\\" not in text or "r" in prefix:
        return text
    return _ESCAPE.sub(_unescaped, text)


def _unescaped(match: re.Match[str]) -> str:
    body = match[0][1:]
    if body in _PLAIN:
        return _PLAIN[body]
    if body[0] in "xu" and len(body) > 1:
        return chr(int(body[1:], 16))
    if body.isdigit() and not set(body) & {"8", "9"}:
        return chr(int(body, 8))
    return match[0]
