"""From the nodes of ast-grep to the IR: the part that all languages share.

A language is a `LoweringGrammar`: for each kind of node a rule that makes an expression or statements of it. Kinds
without a rule become `Unknown` with the expressions inside them, so a value is never lost on the way. Bodies of
functions are lowered when the engine asks for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from leeboard.model.text import has_longer_line, lazy
from leeboard.security.taint import ir
from leeboard.security.taint.lowering.idiom import known

if TYPE_CHECKING:
    from ast_grep_py import SgNode

    from leeboard.source.syntax import SyntaxTree


DEEP = 60
"""Nesting beyond which nothing is lowered: nobody writes it by hand, and the engine follows it by recursion."""
LONG_CHAIN = 400
"""Terms of one concatenation that are kept."""

LONG_LINE = 5_000
"""Characters after which a line full of code is a machine's. Where a node lies costs as much as its line is long."""
MANY_CALLS = 50

_ESCAPE = lazy(r"\\(.)")

ExprRule = Callable[["Lowering", "SgNode"], ir.Expr]
StmtRule = Callable[["Lowering", "SgNode"], ir.Block]


class LoweringGrammar(msgspec.Struct, frozen=True, kw_only=True):
    """What the nodes of one language become."""

    expressions: dict[str, ExprRule]
    statements: dict[str, StmtRule]
    skip: frozenset[str] = frozenset({"comment", "line_comment", "block_comment", "multiline_comment"})
    """Kinds that mean nothing."""
    idiom: Callable[[ir.Call], ir.Expr] = lambda call: call
    """Rewrites a call which says in its language what the IR has a plain form for."""
    imports: Callable[[SgNode], dict[str, str]] = lambda _root: {}
    """The names a file imports, and what they mean."""

    def lower(self, tree: SyntaxTree) -> ir.Module:
        """The file in the IR; nothing of it where no person wrote it."""
        if not is_written(tree.text):
            return ir.Module(language=tree.language)
        return ir.Module(
            language=tree.language, imports=self.imports(tree.root), body=lowering_of(self, tree).block(tree.root)
        )


class Room(msgspec.Struct):
    """How many columns may still be walked to, by all that lower one file with a very long line."""

    columns: int = 300_000_000
    bodies: Room | None = None
    """What the functions have of their own, which are lowered when all else has been."""

    def walk_to(self, node: SgNode) -> bool:
        """Whether there is room for it."""
        if self.columns > 0:
            self.columns -= node.range().start.column
        return self.columns > 0


class Lowering:
    """One walk over one tree. It holds nothing but how deep it is, and what room there is."""

    def __init__(self, grammar: LoweringGrammar, room: Room | None = None) -> None:
        self.grammar = grammar
        self.depth = 0
        self.room = room

    def expr(self, node: SgNode | None) -> ir.Expr:
        """The expression of a node; `Unknown` for none."""
        if node is None:
            return ir.Unknown(0)
        if self.depth > DEEP:
            return ir.Unknown(line_of(node))
        if self.room is not None and not self.room.walk_to(node):
            return ir.Unknown(0)
        self.depth += 1
        try:
            rule = self.grammar.expressions.get(node.kind())
            return rule(self, node) if rule else self.unknown(node)
        finally:
            self.depth -= 1

    def block(self, node: SgNode | None) -> ir.Block:
        """The statements of a node, be it a block or a single statement."""
        if node is None or self.depth > DEEP or node.kind() in self.grammar.skip:
            return ()
        if self.room is not None and not self.room.walk_to(node):
            return ()
        self.depth += 1
        try:
            rule = self.grammar.statements.get(node.kind())
            return rule(self, node) if rule else (ir.ExprStmt(line_of(node), self.expr(node)),)
        finally:
            self.depth -= 1

    def exprs(self, nodes: Iterable[SgNode]) -> tuple[ir.Expr, ...]:
        """The expressions of several nodes."""
        return tuple(self.expr(node) for node in nodes)

    def blocks(self, nodes: Iterable[SgNode]) -> ir.Block:
        """The statements of several nodes, in order."""
        return tuple(statement for node in nodes for statement in self.block(node))

    def inside(self, node: SgNode) -> list[SgNode]:
        """The named children of a node that mean something."""
        return [child for child in node.named_children() if child.kind() not in self.grammar.skip]

    def unknown(self, node: SgNode) -> ir.Expr:
        """A node without a rule."""
        children = self.inside(node)
        return ir.Unknown(line_of(node), self.exprs(children))

    def call(self, node: SgNode, callee: ir.Expr, args: Iterable[ir.Expr], keywords: Keywords = ()) -> ir.Expr:
        """A call, in its plain form where it is an idiom of the language."""
        value = self.grammar.idiom(ir.Call(line_of(node), callee, tuple(args), keywords))
        return named_cleaner(value) if isinstance(value, ir.Call) else value

    def later(self, body: SgNode | None, *, returns: bool = False) -> Callable[[], ir.Block]:
        """The body of a function, lowered on demand. `returns`: a body that is an expression."""

        def lower() -> ir.Block:
            fresh = Lowering(self.grammar, self.room and (self.room.bodies or self.room))
            if returns and body is not None:
                return (ir.Return(line_of(body), fresh.expr(body)),)
            return fresh.block(body)

        return lower


def lowering_of(grammar: LoweringGrammar, tree: SyntaxTree) -> Lowering:
    """The walk over a file."""
    return Lowering(grammar, Room(bodies=Room()) if has_longer_line(tree.text, LONG_LINE) else None)


Keywords = tuple[tuple[str, ir.Expr], ...]


def is_written(text: str) -> bool:
    """Whether people wrote it; what a minifier or a generator put on one line is not worth following."""
    if not has_longer_line(text, LONG_LINE):
        return True
    return not any(len(line) > LONG_LINE and line.count("(") > MANY_CALLS for line in text.split("\n"))


def line_of(node: SgNode) -> int:
    """The line a node starts on, from one."""
    return node.range().start.line + 1


def end_of(node: SgNode) -> int:
    """The line a node ends on, from one."""
    return node.range().end.line + 1


def text_of(node: SgNode | None) -> str:
    """What is written there; nothing for no node."""
    return node.text() if node is not None else ""


def unescaped(text: str) -> str:
    """The text of a literal with its usual escapes read."""
    return _ESCAPE.sub(lambda match: _ESCAPES.get(match.group(1), match.group(1)), text) if "\\" in text else text


_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "0": "\0", "d": "\\d", "w": "\\w", "s": "\\s"}


def named(node: SgNode, *kinds: str) -> Iterator[SgNode]:
    """The children of these kinds."""
    return (child for child in node.children() if child.kind() in kinds)


def first(node: SgNode, *kinds: str) -> SgNode | None:
    """The first child of these kinds."""
    return next(named(node, *kinds), None)


def attribute(line: int, path: str) -> ir.Expr:
    """`a.b.c` as an expression."""
    head, *rest = path.split(".")
    expr: ir.Expr = ir.Name(line, head)
    for part in rest:
        expr = ir.Attr(line, expr, part)
    return expr


# Functions that say in their name what they make harmless, wherever they are defined.
#
# What they do inside (a loop over characters, a table of replacements) is more than the engine can follow.


_CLEANERS = (
    (
        lazy(
            (
                r"(?:escape|encode|sanitize|clean|purify)_?(?:html|xml|markup)|(?:html"
                r"|xml)_?(?:special_?chars|escape|encode|entities|sanitize)"
            )
        ),
        "text.without_markup",
    ),
    (lazy(r"(?:escape|quote|sanitize)_?(?:shell|arg|cmd|command)|shell_?(?:escape|quote)"), "text.as_shell_word"),
    (
        lazy(r"(?:sanitize|secure|safe|clean)_?file_?name|sanitize_?path|safe_?(?:join|path)$|secure_?join"),
        "text.as_file_name",
    ),
    (lazy(r"(?:escape|quote|sanitize)_?(?:sql|identifier|ident|literal)$"), "text.as_sql_word"),
    (
        lazy(r"(?:escape|encode|sanitize)_?(?:ldap|xpath|filter|dn)|(?:ldap|xpath)_?(?:escape|encode)"),
        "text.as_filter_value",
    ),
    (
        lazy(r"(?:sanitize|strip|clean|escape)_?(?:log|header|crlf|new_?lines?)|log_?(?:sanitize|escape)"),
        "text.without_newlines",
    ),
)
_LONGEST = 60


def named_cleaner(call: ir.Call) -> ir.Expr:
    """The call as one of a cleaner the tables know; as it is where its name promises nothing."""
    path = ir.dotted(call.callee)
    name = path.rpartition(".")[2].lower()[:_LONGEST]
    if not call.args or name.startswith(("is", "has", "un", "de", "no")):
        return call
    known_as = _cleaner_called(name)
    return known(call.line, known_as, *call.args[:1]) if known_as else call


@lru_cache(maxsize=2048)
def _cleaner_called(name: str) -> str:
    """What the tables call one of this name; empty for most. A file calls the same few names over and over."""
    return next((known_as for pattern, known_as in _CLEANERS if pattern.search(name)), "")
