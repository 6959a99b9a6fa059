"""Tests whose answer is kept in a variable and asked for later: `ok = pattern.test(x); if (!ok) return;`."""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.code.flow import ir

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
