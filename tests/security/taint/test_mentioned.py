"""What a block says, in one walk."""

from __future__ import annotations

from leeboard.security.taint import ir
from leeboard.security.taint.mentioned import Mentioned


def name(written: str) -> ir.Name:
    return ir.Name(1, written)


def test_what_is_called_is_told_from_what_is_read() -> None:
    said = Mentioned(ir.Call(1, ir.Attr(1, name("db"), "execute"), (name("query"), ir.Attr(1, name("os"), "system"))))
    assert said.names == {"db", "execute", "query", "os", "system"}
    assert said.read == {"db", "query", "os"}
    assert said.fields == {"system"}
    assert [ir.dotted(call.callee) for call in said.calls] == ["db.execute"]


def test_of_a_dotted_name_the_last_part_counts_too() -> None:
    assert Mentioned(name("caught.error")).names == {"caught.error", "error"}


def test_names_that_are_set_in_any_way() -> None:
    pair = ir.Container(1, "tuple", ((None, name("a")), (None, ir.Spread(1, name("rest")))))
    said = Mentioned(
        (
            ir.Assign(1, (pair, ir.Attr(1, name("el"), "innerHTML")), name("value")),
            ir.Loop(2, (), target=name("each"), iterable=name("many")),
            ir.ExprStmt(3, ir.Walrus(3, name("found"), name("given"))),
            ir.ExprStmt(4, ir.Comprehension(4, ((name("one"), name("many")),), (), name("one"))),
        )
    )
    assert said.stored == {"a", "rest", "each", "found", "one"}
    assert [(target.name, value) for target, value in said.assigned] == [("innerHTML", name("value"))]
    assert {"value", "many", "given"} <= said.names


def test_keys_and_imports_inside_of_a_block() -> None:
    said = Mentioned((ir.Return(1, ir.Index(1, name("user"), ir.Const(1, "password"))), ir.Bind(2, "run", "os.system")))
    assert said.keys == {"password"}
    assert "system" in said.fields


def test_functions_inside_are_left_to_themselves() -> None:
    inner, method = (ir.Function(name=each, line=2, end=3, lower=tuple) for each in ("inner", "method"))
    kind = ir.Class(name="K", line=4, methods=(method,), fields=(ir.Assign(5, (name("size"),), name("limit")),))
    said = Mentioned((ir.Define(2, inner), ir.DefineClass(4, kind)))
    assert {function.name for function in said.functions} == {"inner", "method"}
    assert said.names == {"size", "limit"}


def test_statements_with_blocks_are_walked_through() -> None:
    asked = ir.If(1, name("a"), (ir.Return(2, name("b")),), (ir.Exit(3, "raise", name("c")),))
    tried = ir.Try(4, (asked,), ((ir.ExprStmt(5, name("d")),),), (), (ir.ExprStmt(6, name("e")),))
    case = ir.Case(8, (name("f"),), (ir.ExprStmt(8, name("g")),), guard=name("h"))
    said = Mentioned((tried, ir.Switch(7, name("i"), (case,))))
    assert said.names == set("abcdefghi")
