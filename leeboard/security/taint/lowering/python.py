"""Python to the engine's own language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Literal

from leeboard.model.text import lazy
from leeboard.security.taint import ir
from leeboard.security.taint.lowering.python_expression import Expressions, line_of

if TYPE_CHECKING:
    from ast_grep_py import SgNode

    from leeboard.source.syntax import SyntaxTree

_DEEPEST = 40
_FROM = lazy(r"from\s+(\.{0,9}[\w.]*)\s+import\s+([\s\S]{1,4000})")
_NAME = lazy(r"([\w.]+)(?:\s+as\s+(\w+))?")
_COMMENT = lazy(r"#[^\n]*")
_IMPORTS = {"import_statement", "import_from_statement", "future_import_statement"}


def lower(tree: SyntaxTree) -> ir.Module:
    """The whole file; bodies of functions only when they are asked for."""
    body = _Lowering(max(map(len, tree.text.split("\n")))).block(tree.root)
    imports = {stmt.name: stmt.path for stmt in _binds(body)}
    return ir.Module(language="python", imports=imports, body=body)


def _binds(block: ir.Block) -> Iterator[ir.Bind]:
    """Imports of the file, those in `try` and `if` as well."""
    for stmt in block:
        if isinstance(stmt, ir.Bind):
            yield stmt
        elif isinstance(stmt, ir.If):
            yield from _binds(stmt.body + stmt.orelse)
        elif isinstance(stmt, ir.Try):
            yield from _binds(stmt.body)


def bindings(node: SgNode) -> Iterator[tuple[str, str]]:
    """Local name and dotted path: `import a.b` binds `a`, `from a import b as c` binds `c` to `a.b`."""
    text = _COMMENT.sub("", node.text())
    if found := _FROM.match(text):
        module = found[1].lstrip(".")
        for name, alias in _NAME.findall(found[2]):
            yield alias or name, f"{module}.{name}" if module else name
        return
    for name, alias in _NAME.findall(text.removeprefix("import")):
        yield (alias, name) if alias else (name.partition(".")[0], name.partition(".")[0])


class _Lowering:
    def __init__(self, longest_line: int) -> None:
        self.expressions = Expressions(self.function, longest_line)
        self._depth = 0

    def block(self, node: SgNode | None, owner: str = "") -> ir.Block:
        if node is None or self._depth >= _DEEPEST:
            return ()
        self._depth += 1
        try:
            return tuple(self._statements(self.expressions.named(node), owner))
        finally:
            self._depth -= 1

    def _statements(self, nodes: Iterable[SgNode], owner: str) -> Iterator[ir.Stmt]:
        for node in nodes:
            kind = node.kind()
            if kind in _IMPORTS:
                yield from (ir.Bind(line_of(node), name, path) for name, path in bindings(node))
            elif kind in {"function_definition", "decorated_definition", "class_definition"}:
                yield self._definition(node, owner)
            elif kind == "ERROR":
                yield from self._statements(self.expressions.named(node), owner)
            elif kind in _SIMPLE:
                yield from self._simple(node, _STATEMENTS[kind])
            elif handler := _STATEMENTS.get(kind):
                yield from handler(self, node, line_of(node))
            elif not kind.endswith("_statement"):
                yield ir.ExprStmt(line_of(node), self.expressions.lower(node))

    def _simple(self, node: SgNode, handler: _Handler) -> Iterable[ir.Stmt]:
        """A statement without a block: most stand on one line, and then none of their parts has to be asked for its."""
        place = node.range()
        line = place.start.line + 1
        if place.end.line >= line:
            return handler(self, node, line)
        self.expressions.only_line = line
        try:
            return list(handler(self, node, line))
        finally:
            self.expressions.only_line = 0

    def _definition(self, node: SgNode, owner: str) -> ir.Stmt:
        decorators: tuple[ir.Expr, ...] = ()
        inner = node
        if node.kind() == "decorated_definition":
            marks = [child for child in self.expressions.named(node) if child.kind() == "decorator"]
            decorators = tuple(expr for mark in marks for expr in self.expressions.all_of(mark))
            inner = node.field("definition") or node
        if inner.kind() == "class_definition":
            return ir.DefineClass(line_of(node), self._class(inner, decorators))
        return ir.Define(line_of(node), self.function(inner, decorators, owner, line_of(node)))

    def function(
        self, node: SgNode, decorators: tuple[ir.Expr, ...] = (), owner: str = "", first: int = 0
    ) -> ir.Function:
        """A definition or a lambda as a function of the IR."""
        span = node.range()
        name, returns = node.field("name"), node.field("return_type")
        is_lambda = node.kind() == "lambda"
        return ir.Function(
            name=name.text() if name is not None else "<lambda>",
            line=first or span.start.line + 1,
            end=span.end.line + 1,
            params=tuple(self._params(node.field("parameters"))),
            lower=(lambda: self._lambda_body(node)) if is_lambda else lambda: self.block(node.field("body")),
            decorators=decorators,
            owner=owner,
            is_static=any(ir.dotted(mark) == "staticmethod" for mark in decorators),
            returns=returns.text() if returns is not None else "",
        )

    def _lambda_body(self, node: SgNode) -> ir.Block:
        return (ir.Return(line_of(node), self.expressions.field(node, "body")),)

    def _params(self, node: SgNode | None) -> Iterator[ir.Param]:
        for child in self.expressions.named(node) if node is not None else ():
            kind, text = child.kind(), child.text()
            if kind == "identifier":
                yield ir.Param(text)
                continue
            stars: Literal["", "*", "**"] = "**" if text.startswith("**") else "*" if text.startswith("*") else ""
            if kind in {"keyword_separator", "positional_separator"} or text in {"*", "/"}:
                continue
            annotation, default = child.field("type"), child.field("value")
            name = text.lstrip("*").split(":")[0].split("=")[0].strip()
            yield ir.Param(
                name,
                annotation.text() if annotation is not None else "",
                self.expressions.lower(default) if default is not None else None,
                stars,
            )

    def _class(self, node: SgNode, decorators: tuple[ir.Expr, ...]) -> ir.Class:
        name, bases = node.field("name"), node.field("superclasses")
        title = name.text() if name is not None else ""
        body = self.block(node.field("body"), title)
        parents = (
            [child for child in self.expressions.named(bases) if child.kind() != "keyword_argument"] if bases else []
        )
        return ir.Class(
            name=title,
            line=line_of(node),
            bases=tuple(parent.text() for parent in parents),
            methods=tuple(stmt.function for stmt in body if isinstance(stmt, ir.Define)),
            fields=tuple(stmt for stmt in body if isinstance(stmt, ir.Assign)),
            decorators=decorators,
            types=tuple(self._types(node.field("body"))),
        )

    def _types(self, body: SgNode | None) -> Iterator[tuple[str, str]]:
        for statement in self.expressions.named(body) if body is not None else ():
            for child in self.expressions.named(statement) if statement.kind() == "expression_statement" else ():
                name, declared, value = child.field("left"), child.field("type"), child.field("right")
                if child.kind() == "assignment" and name is not None and declared is not None:
                    made = f" = {value.text()[:200]}" if value is not None else ""
                    yield name.text(), f"{declared.text()}{made}"

    def expression(self, node: SgNode, line: int) -> Iterator[ir.Stmt]:
        for child in self.expressions.named(node):
            if child.kind() == "assignment":
                yield self._assignment(child, line)
            elif child.kind() == "augmented_assignment":
                operator = child.field("operator")
                op = operator.text().rstrip("=") if operator is not None else "+"
                target, value = self.expressions.field(child, "left"), self.expressions.field(child, "right")
                yield ir.Assign(line, (target,), value, op)
            else:
                yield ir.ExprStmt(line, self.expressions.lower(child))

    def _assignment(self, node: SgNode, line: int) -> ir.Stmt:
        targets: list[ir.Expr] = []
        annotation = ""
        while node.kind() == "assignment":
            targets.append(self.expressions.field(node, "left"))
            declared, value = node.field("type"), node.field("right")
            annotation = declared.text() if declared is not None else annotation
            if value is None:
                return ir.Assign(line, (), ir.Unknown(line), "", annotation)
            node = value
        return ir.Assign(line, tuple(targets), self.expressions.lower(node), "", annotation)

    def branch(self, node: SgNode, line: int) -> Iterator[ir.Stmt]:
        orelse: ir.Block = ()
        for clause in reversed(node.field_children("alternative")):
            if clause.kind() == "else_clause":
                orelse = self.block(clause.field("body"))
            else:
                test = self.expressions.field(clause, "condition")
                orelse = (ir.If(line_of(clause), test, self.block(clause.field("consequence")), orelse),)
        yield ir.If(line, self.expressions.field(node, "condition"), self.block(node.field("consequence")), orelse)

    def for_loop(self, node: SgNode, line: int) -> Iterator[ir.Stmt]:
        target, iterable = self.expressions.field(node, "left"), self.expressions.field(node, "right")
        yield ir.Loop(line, self.block(node.field("body")), target, iterable, None, self._else(node))

    def while_loop(self, node: SgNode, line: int) -> Iterator[ir.Stmt]:
        test = self.expressions.field(node, "condition")
        yield ir.Loop(line, self.block(node.field("body")), None, None, test, self._else(node))

    def _else(self, node: SgNode) -> ir.Block:
        clause = node.field("alternative")
        return self.block(clause.field("body")) if clause is not None else ()

    def with_block(self, node: SgNode, _line: int) -> Iterator[ir.Stmt]:
        clause = next((child for child in self.expressions.named(node) if child.kind() == "with_clause"), None)
        for item in self.expressions.named(clause) if clause is not None else ():
            value = item.field("value")
            if value is not None and value.kind() == "as_pattern":
                opened, target = value.children()[0], value.field("alias")
                targets = (self.expressions.lower(target),) if target is not None else ()
                yield ir.Assign(line_of(item), targets, self.expressions.lower(opened))
            elif value is not None:
                yield ir.ExprStmt(line_of(item), self.expressions.lower(value))
        yield from self.block(node.field("body"))

    def try_block(self, node: SgNode, line: int) -> Iterator[ir.Stmt]:
        handlers: list[ir.Block] = []
        orelse: ir.Block = ()
        final: ir.Block = ()
        for clause in self.expressions.named(node):
            last = next((child for child in reversed(clause.children()) if child.kind() == "block"), None)
            if clause.kind() in {"except_clause", "except_group_clause"}:
                handlers.append(self.block(last))
            elif clause.kind() == "else_clause":
                orelse = self.block(last)
            elif clause.kind() == "finally_clause":
                final = self.block(last)
        yield ir.Try(line, self.block(node.field("body")), tuple(handlers), orelse, final)

    def match_block(self, node: SgNode, line: int) -> Iterator[ir.Stmt]:
        body = node.field("body") or node
        cases = [self._case(child) for child in self.expressions.named(body) if child.kind() == "case_clause"]
        yield ir.Switch(line, self.expressions.field(node, "subject"), tuple(cases))

    def _case(self, node: SgNode) -> ir.Case:
        line = line_of(node)
        values: list[ir.Expr] = []
        for pattern in (child for child in self.expressions.named(node) if child.kind() == "case_pattern"):
            inner = next(iter(self.expressions.named(pattern)), None)
            if inner is None:
                return ir.Case(line, (), self.block(node.field("consequence")), self._guard(node))
            if inner.kind() == "union_pattern":
                values += self.expressions.all_of(inner)
            else:
                values.append(self.expressions.lower(inner))
        return ir.Case(line, tuple(values), self.block(node.field("consequence")), self._guard(node))

    def _guard(self, node: SgNode) -> ir.Expr | None:
        guard = node.field("guard")
        return self.expressions.all_of(guard)[0] if guard is not None and self.expressions.named(guard) else None

    def returning(self, node: SgNode, line: int) -> Iterator[ir.Stmt]:
        values = self.expressions.all_of(node)
        yield ir.Return(line, values[0] if values else None)

    def raising(self, node: SgNode, line: int) -> Iterator[ir.Stmt]:
        values = self.expressions.all_of(node)
        yield ir.Exit(line, "raise", values[0] if values else None)

    def breaking(self, _node: SgNode, line: int) -> Iterator[ir.Stmt]:
        yield ir.Exit(line, "break")

    def continuing(self, _node: SgNode, line: int) -> Iterator[ir.Stmt]:
        yield ir.Exit(line, "continue")

    def assertion(self, node: SgNode, line: int) -> Iterator[ir.Stmt]:
        parts = self.expressions.all_of(node)
        if parts:
            yield ir.If(line, ir.Not(line, parts[0]), (ir.Exit(line, "raise"),))

    def delete(self, node: SgNode, line: int) -> Iterator[ir.Stmt]:
        yield ir.ExprStmt(line, ir.Unknown(line, self.expressions.all_of(node)))

    def statement_call(self, node: SgNode, line: int) -> Iterator[ir.Stmt]:
        """`exec code` and `print x`, as they were written once."""
        yield ir.ExprStmt(
            line, ir.Call(line, ir.Name(line, node.kind().partition("_")[0]), self.expressions.all_of(node))
        )


_Handler = Callable[[_Lowering, "SgNode", int], Iterator[ir.Stmt]]
_STATEMENTS: dict[str, _Handler] = {
    "expression_statement": _Lowering.expression,
    "if_statement": _Lowering.branch,
    "for_statement": _Lowering.for_loop,
    "while_statement": _Lowering.while_loop,
    "with_statement": _Lowering.with_block,
    "try_statement": _Lowering.try_block,
    "match_statement": _Lowering.match_block,
    "return_statement": _Lowering.returning,
    "raise_statement": _Lowering.raising,
    "break_statement": _Lowering.breaking,
    "continue_statement": _Lowering.continuing,
    "assert_statement": _Lowering.assertion,
    "delete_statement": _Lowering.delete,
    "print_statement": _Lowering.statement_call,
    "exec_statement": _Lowering.statement_call,
}
_SIMPLE = frozenset({"expression_statement", "return_statement", "raise_statement", "assert_statement"})
