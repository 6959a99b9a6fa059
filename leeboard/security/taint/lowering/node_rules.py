"""Rules for nodes that look alike in most languages: operators, calls, branches, loops, literals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from leeboard.security.taint import ir
from leeboard.security.taint.lowering.idiom import based
from leeboard.security.taint.lowering.lowering import LONG_CHAIN, ExprRule, Lowering, StmtRule, first, line_of, text_of

if TYPE_CHECKING:
    from ast_grep_py import SgNode


COMPARISONS = {"==": "==", "===": "==", "!=": "!=", "!==": "!=", "<>": "!=", "<": "<", ">": ">", "<=": "<=", ">=": ">="}
COMPARISONS |= {"in": "in", "!in": "not in", "instanceof": "is", "is": "is", "as": "is"}
_QUANTIFIERS = frozenset({"some", "every", "any?", "all?", "any", "all", "anyMatch", "allMatch", "Any", "All"})
BOTH = frozenset({"&&", "and"})
EITHER = frozenset({"||", "or", "??", "?:"})


def operation(line: int, operator: str, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """Two operands and what stands between them."""
    operator = operator.lower()  # PHP writes `AND` as well
    if operator in COMPARISONS:
        return ir.Compare(line, COMPARISONS[operator], left, right)
    if operator in BOTH:
        return ir.Bool(line, "and", (left, right))
    if operator in EITHER:
        return ir.Bool(line, "or", (left, right))
    return ir.Binary(line, "+" if operator == "." else operator, left, right)


def binary(low: Lowering, node: SgNode) -> ir.Expr:
    """`left operator right`; a long concatenation is one `Join`, for it nests as deep as it is long."""
    terms: list[SgNode] = []
    kind, operator, current = node.kind(), _operator(node), node
    while len(terms) < LONG_CHAIN and current.kind() == kind and _operator(current) == operator:
        left, right = _sides(low, current)
        if left is None or right is None:
            return low.unknown(node)
        terms.append(right)
        current = left
    if len(terms) > 1 and operator in ("+", "."):
        return ir.Join(line_of(node), based(low.exprs([current, *reversed(terms)])))
    left, right = _sides(low, node)
    return operation(line_of(node), operator, low.expr(left), low.expr(right))


def _operator(node: SgNode) -> str:
    field = node.field("operator")
    if field is not None:
        return field.text()
    # Kotlin has no such field, and `!in` is two tokens there.
    return "".join(child.text() for child in node.children() if not child.is_named())[:4]


def _sides(low: Lowering, node: SgNode) -> tuple[SgNode | None, SgNode | None]:
    left, right = node.field("left"), node.field("right")
    if left is not None and right is not None:
        return left, right
    inner = low.inside(node)
    return (inner[0], inner[-1]) if len(inner) > 1 else (None, None)


def name(_: Lowering, node: SgNode) -> ir.Expr:
    """A name; `this` and sigils as the IR has them."""
    text = node.text().lstrip("$@")
    return ir.Name(line_of(node), "self" if text == "this" else text)


def self_name(_: Lowering, node: SgNode) -> ir.Expr:
    """The receiver."""
    return ir.Name(line_of(node), "self")


def empty(_: Lowering, node: SgNode) -> ir.Expr:
    """A constant without a text: `null`, `true`."""
    return ir.Const(line_of(node), {"true": True, "false": False}.get(node.text()))


def number(_: Lowering, node: SgNode) -> ir.Expr:
    """A number; what Python cannot read is still a number."""
    text = node.text().replace("_", "").rstrip("uUlLfFnN")
    if len(text) > 1 and text[0] == "0" and text.isdigit():
        text = f"0o{text[1:]}"
    try:
        return ir.Const(line_of(node), int(text[:30], 0))
    except ValueError:
        return ir.Const(line_of(node), 0)


def through(field: str = "") -> ExprRule:
    """What stands in a field (or in the node's first child) and nothing more: parentheses, `await`, casts."""

    def rule(low: Lowering, node: SgNode) -> ir.Expr:
        if field and node.field(field) is not None:
            return low.expr(node.field(field))
        inner = low.inside(node)
        return low.expr(inner[-1]) if inner else ir.Unknown(line_of(node))

    return rule


def attr(value: str, member: str) -> ExprRule:
    """`value.member`."""

    def rule(low: Lowering, node: SgNode) -> ir.Expr:
        return ir.Attr(line_of(node), low.expr(node.field(value)), text_of(node.field(member)).lstrip("$"))

    return rule


def conditional(low: Lowering, node: SgNode) -> ir.Expr:
    """`test ? yes : no`."""
    parts = low.inside(node)
    if len(parts) == 3:
        test, yes, no = low.exprs(parts)
        return ir.Ternary(line_of(node), as_test(test), yes, no)
    return ir.Bool(line_of(node), "or", low.exprs(parts))


def unary(low: Lowering, node: SgNode) -> ir.Expr:
    """`!x`, `-x`; `typeof x`, `delete x` and the like carry nothing."""
    inner = low.inside(node)
    operator = _operator(node)
    value = low.expr(inner[-1]) if inner else ir.Unknown(line_of(node))
    if operator in ("!", "not"):
        return ir.Not(line_of(node), value)
    if operator in ("&", "*", "&mut", "@", "..."):
        return value
    return ir.Unary(line_of(node), operator, value) if operator in ("-", "+", "~") else ir.Const(line_of(node), None)


def assignment(low: Lowering, node: SgNode) -> ir.Expr:
    """`target = value` and `target += value` as an expression."""
    target, value = low.expr(node.field("left")), low.expr(node.field("right"))
    operator = _operator(node)[:-1]
    return ir.Walrus(line_of(node), target, operation(line_of(node), operator, target, value) if operator else value)


def assign_statement(low: Lowering, node: SgNode) -> ir.Block:
    """`target = value;`."""
    operator = _operator(node)[:-1]
    operator = "+" if operator == "." else operator
    if operator in ("||", "??", "&&"):
        return (ir.ExprStmt(line_of(node), assignment(low, node)),)
    return (ir.Assign(line_of(node), (low.expr(node.field("left")),), low.expr(node.field("right")), operator),)


def sequence(low: Lowering, node: SgNode) -> ir.Block:
    """A block: its statements."""
    return with_tests(low.blocks(low.inside(node)))


def as_test(test: ir.Expr) -> ir.Expr:
    """What is asked: `allowed[key]` as a condition is `key in allowed`."""
    if isinstance(test, ir.Not):
        return ir.Not(test.line, as_test(test.value))
    if isinstance(test, ir.Bool):
        return ir.Bool(test.line, test.op, tuple(as_test(part) for part in test.parts))
    if isinstance(test, ir.Call) and isinstance(test.callee, ir.Attr) and test.callee.name in _QUANTIFIERS:
        return _quantified(test)
    if isinstance(test, ir.Index) and test.key is not None and not isinstance(test.key, ir.Const):
        return ir.Compare(test.line, "in", test.key, test.value)
    return test


def _quantified(test: ir.Call) -> ir.Expr:
    """`hosts.some(host => address.startsWith(host))` asks what its function asks."""
    asked = test.args[0] if test.args else None
    if not isinstance(asked, ir.Lambda):
        return test
    body = asked.function.lower()
    last = body[-1] if len(body) == 1 else None
    return as_test(last.value) if isinstance(last, ir.Return) and last.value is not None else test


def if_statement(test: str, body: str, other: str) -> StmtRule:
    """`if (test) body else other`, by the names of its fields."""

    def rule(low: Lowering, node: SgNode) -> ir.Block:
        yes, no = low.block(node.field(body)), low.blocks(node.field_children(other))
        return (ir.If(line_of(node), as_test(low.expr(node.field(test))), yes, no),)

    return rule


def while_statement(test: str = "condition", body: str = "body") -> StmtRule:
    """`while (test) body`."""

    def rule(low: Lowering, node: SgNode) -> ir.Block:
        field = node.field(test)
        return (ir.Loop(line_of(node), low.block(node.field(body)), test=low.expr(field) if field else None),)

    return rule


def for_statement(start: str, test: str, update: str, body: str = "body") -> StmtRule:
    """A C-style `for`."""

    def rule(low: Lowering, node: SgNode) -> ir.Block:
        field = node.field(test)
        work = (*low.block(node.field(body)), *low.blocks(node.field_children(update)))
        loop = ir.Loop(line_of(node), work, test=low.expr(field) if field else None)
        return (*low.blocks(node.field_children(start)), loop)

    return rule


def each_statement(target: str, iterable: str, body: str = "body") -> StmtRule:
    """`for (target in iterable) body`."""

    def rule(low: Lowering, node: SgNode) -> ir.Block:
        names, values = low.expr(node.field(target)), low.expr(node.field(iterable))
        return (ir.Loop(line_of(node), low.block(node.field(body)), target=names, iterable=values),)

    return rule


def return_statement(low: Lowering, node: SgNode) -> ir.Block:
    """`return value`."""
    inner = low.inside(node)
    return (ir.Return(line_of(node), low.expr(inner[0]) if inner else None),)


def leave(kind: str) -> StmtRule:
    """`throw x`, `break`, `continue`."""

    def rule(low: Lowering, node: SgNode) -> ir.Block:
        inner = low.inside(node) if kind in ("raise", "exit") else []
        return (ir.Exit(line_of(node), kind, low.expr(inner[0]) if inner else None),)  # type: ignore[arg-type]  # one of four

    return rule


def try_statement(catch: str = "catch_clause", final: str = "finally_clause", body: str = "body") -> StmtRule:
    """`try { } catch { } finally { }`; resources of Java's `try (...)` first."""

    def rule(low: Lowering, node: SgNode) -> ir.Block:
        inner = low.inside(node)
        handlers = tuple(_caught(low, child) for child in inner if child.kind() == catch)
        ending = first(node, final)
        resources = low.blocks(child for child in inner if child.kind() == "resource_specification")
        work = node.field(body) or inner[0]
        end = low.block(_last_block(low, ending)) if ending else ()
        return (ir.Try(line_of(node), (*resources, *low.block(work)), handlers, (), end),)

    return rule


def _caught(low: Lowering, node: SgNode) -> ir.Block:
    """What is done with an error; its name hides one of the same name outside."""
    name, block = node.field("parameter"), low.block(_last_block(low, node))
    if name is None or name.kind() != "identifier":
        return block
    line = line_of(node)
    return (ir.Assign(line, (ir.Name(line, name.text()),), ir.Name(line, "caught.error")), *block)


def _last_block(low: Lowering, node: SgNode) -> SgNode | None:
    inner = low.inside(node)
    return node.field("body") or (inner[-1] if inner else None)


def items(kind: str) -> ExprRule:
    """A literal list: its items."""

    def rule(low: Lowering, node: SgNode) -> ir.Expr:
        return ir.Container(line_of(node), kind, tuple((None, low.expr(child)) for child in low.inside(node)))  # type: ignore[arg-type]  # one of four

    return rule


def nothing(_: Lowering, __: SgNode) -> ir.Block:
    """A statement without an effect on values."""
    return ()


# Tests whose answer is kept in a variable and asked for later: `ok = pattern.test(x); if (!ok) return;`.


_TEST_CALLS = ("regex.", "char.", "type.", "text.starts_with", "path.")
_PARSERS = frozenset({"strconv.Atoi", "strconv.ParseInt", "strconv.ParseUint", "strconv.ParseFloat", "uuid.Parse"})
_MOST = 200


def with_tests(block: ir.Block) -> ir.Block:
    """The statements, with the test itself in the place of the name that keeps its answer."""
    if len(block) > _MOST:
        return block
    kept: dict[str, ir.Expr] = {}
    found: list[ir.Stmt] = []
    for statement in block:
        if isinstance(statement, ir.If) and kept:
            asked = _asked(statement.test, kept)
            found.append(ir.If(statement.line, asked, statement.body, statement.orelse))
        else:
            found.append(statement)
        if isinstance(statement, ir.Assign):
            _keep(statement, kept)
        elif isinstance(statement, ir.Loop):
            kept.update(_raised(statement.body, None))
    return tuple(found)


def _keep(statement: ir.Assign, kept: dict[str, ir.Expr]) -> None:
    for target in statement.targets:
        if isinstance(target, ir.Container):
            _keep_failure(target, statement.value, kept)
        if isinstance(target, ir.Name):
            kept.pop(target.id, None)
            if not statement.op and _is_test(statement.value):
                kept[target.id] = statement.value


def _keep_failure(targets: ir.Container, value: ir.Expr, kept: dict[str, ir.Expr]) -> None:
    """`number, err := parse(text)`: where there is no error the text is what was asked for."""
    last = targets.items[-1][1] if targets.items else None
    if not isinstance(last, ir.Name):
        return
    kept.pop(last.id, None)
    if isinstance(value, ir.Call) and ir.dotted(value.callee) in _PARSERS and value.args:
        kept[last.id] = ir.Not(value.line, ir.Call(value.line, ir.Name(value.line, "type.is_number"), value.args[:1]))


def _is_test(value: ir.Expr) -> bool:
    if isinstance(value, ir.Compare):
        return True
    if isinstance(value, ir.Not):
        return _is_test(value.value)
    if isinstance(value, ir.Bool):
        return any(_is_test(part) for part in value.parts)
    return isinstance(value, ir.Call) and (
        ir.dotted(value.callee).startswith(_TEST_CALLS) or ir.dotted(value.callee).endswith(".startswith")
    )


def _raised(block: ir.Block, test: ir.Expr | None) -> Iterator[tuple[str, ir.Expr]]:
    """A flag that a loop raises where something was found: it stands for that test."""
    for statement in block:
        if isinstance(statement, ir.If):
            yield from _raised(statement.body, statement.test)
        elif (
            isinstance(statement, ir.Assign)
            and test is not None
            and isinstance(statement.value, ir.Const)
            and statement.value.value
        ):
            for target in statement.targets:
                if isinstance(target, ir.Name) and _is_test(test):
                    yield target.id, test


def _asked(test: ir.Expr, kept: dict[str, ir.Expr]) -> ir.Expr:
    if isinstance(test, ir.Name):
        return kept.get(test.id, test)
    if (
        isinstance(test, ir.Compare)
        and isinstance(test.left, ir.Name)
        and test.right == ir.Const(test.right.line, None)
    ):
        failed = kept.get(test.left.id)
        if failed is None or test.op not in ("==", "!="):
            return test
        return failed if test.op == "!=" else ir.Not(test.line, failed)
    if isinstance(test, ir.Not):
        return ir.Not(test.line, _asked(test.value, kept))
    if isinstance(test, ir.Bool):
        return ir.Bool(test.line, test.op, tuple(_asked(part, kept) for part in test.parts))
    return test
