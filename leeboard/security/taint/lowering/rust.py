"""Rust to the IR."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from leeboard.model.text import lazy
from leeboard.security.taint import ir
from leeboard.security.taint.lowering import node_rules
from leeboard.security.taint.lowering.choice import Arm, chosen, values_of
from leeboard.security.taint.lowering.idiom import RECEIVER, appended, at, built, known, rewriting
from leeboard.security.taint.lowering.lowering import (
    Lowering,
    LoweringGrammar,
    attribute,
    end_of,
    first,
    line_of,
    named,
    text_of,
)
from leeboard.security.taint.table_file import read_table

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_HOLE = lazy(r"\{(\w*)[^{}]{0,20}\}")
_LEAVING = frozenset({"panic", "unreachable", "todo", "bail", "unimplemented"})
_SHELLS = lazy(r"(?:^|/)(?:sh|bash|zsh|dash|cmd|cmd\.exe|powershell)$")
_MOST_LINKS = 20
_SEGMENTS = lazy(r"<(\w+)\.\.>")
"""Parts of a route that are a path: Rocket refuses those that lead upwards."""
_TUPLE_TYPE = lazy(r"([\w:]+)\s*<\s*\(([^()<>]*)\)\s*>$")


_HOLDS_VALUE = lazy(r"(?:Some|Ok)\(")
_BINDS = lazy(r"[a-z_]\w*$")
_SENT_AS_PAGE = lazy(r"(?is)\(\s*(?:Status[\w:]*\s*,\s*)?\[.{0,200}content[_-]type.{0,60}text/html")


def _tuple(low: Lowering, node: SgNode) -> ir.Expr:
    """`([(CONTENT_TYPE, "text/html")], body)` is an answer with its headers in front."""
    value = node_rules.items("tuple")(low, node)
    if isinstance(value, ir.Container) and value.items and _SENT_AS_PAGE.match(text_of(node)[:400]):
        return known(value.line, "Html", value.items[-1][1])
    return value


def _define(low: Lowering, node: SgNode) -> ir.Block:
    return (ir.Define(line_of(node), _function(low, node, text_of(node.field("name")))),)


def _function(low: Lowering, node: SgNode, name: str, owner: str = "") -> ir.Function:
    body = node.field("body")
    if body is not None and body.kind() == "async_block":
        body = first(body, "block")
    above = node.prev()
    marks = above.text() if above is not None and above.kind() == "attribute_item" else ""
    below = set(_SEGMENTS.findall(marks))
    return ir.Function(
        name=name,
        line=line_of(node),
        end=end_of(node),
        params=tuple([param for param in _params(low, node.field("parameters")) if param.name not in below]),
        lower=_giving(low.later(body, returns=body is not None and body.kind() != "block")),
        decorators=(ir.Name(line_of(node), marks[2:].split("(")[0].strip("]")),) if marks else (),
        owner=owner,
        is_static=bool(owner),
        returns=text_of(node.field("return_type")),
    )


def _giving(lower: Callable[[], ir.Block]) -> Callable[[], ir.Block]:
    """The last expression of a body is its result, in whichever branch it stands."""
    return lambda: _given(lower())


def _given(block: ir.Block) -> ir.Block:
    last = block[-1] if block else None
    if isinstance(last, ir.ExprStmt):
        return (*block[:-1], ir.Return(last.line, last.value))
    if isinstance(last, ir.If):
        return (*block[:-1], replace(last, body=_given(last.body), orelse=_given(last.orelse)))
    if isinstance(last, ir.Switch):
        cases = tuple([replace(case, body=_given(case.body)) for case in last.cases])
        return (*block[:-1], replace(last, cases=cases))
    return block


def _params(low: Lowering, listed: SgNode | None) -> tuple[ir.Param, ...]:
    found: list[ir.Param] = []
    for child in low.inside(listed) if listed is not None else []:
        pattern = child.field("pattern") or child
        if child.kind() == "self_parameter":
            continue
        declared = text_of(child.field("type"))
        inner = list(named(pattern, "identifier"))
        taken_apart = first(pattern, "tuple_pattern")
        if taken_apart is not None:
            found += _taken_apart(taken_apart, declared)
        else:
            found.append(ir.Param(inner[-1].text() if inner else pattern.text(), declared))
    return tuple(found)


def _taken_apart(pattern: SgNode, declared: str) -> list[ir.Param]:
    """`Path((org, id)): Path<(String, u32)>`: each name with its part of the type, where they are as many."""
    names = [child.text() for child in named(pattern, "identifier")]
    whole = _TUPLE_TYPE.match(declared)
    types = whole[2].split(",") if whole is not None else []
    types = [f"{whole[1]}<{each.strip()}>" for each in types if each.strip()] if whole is not None else []
    return [ir.Param(name, types[at] if len(types) == len(names) else declared) for at, name in enumerate(names)]


def _impl(low: Lowering, node: SgNode) -> ir.Block:
    body, owner = node.field("body"), text_of(node.field("type"))
    methods = (
        [_function(low, child, text_of(child.field("name")), owner) for child in named(body, "function_item")]
        if body is not None
        else []
    )
    # One type may have several such blocks: each keeps its methods under a name of its own.
    item = ir.Class(name=f"{owner}@{line_of(node)}", line=line_of(node), methods=tuple(methods))
    return (ir.DefineClass(line_of(node), item),)


def _lambda(low: Lowering, node: SgNode) -> ir.Expr:
    return ir.Lambda(line_of(node), _function(low, node, "<lambda>"))


def _call(low: Lowering, node: SgNode) -> ir.Expr:
    arguments = node.field("arguments")
    return low.call(
        node, low.expr(node.field("function")), low.exprs(low.inside(arguments)) if arguments is not None else ()
    )


def _macro(low: Lowering, node: SgNode) -> ir.Expr:
    """`format!("… {} {name}", value)`: its tokens, of which names, texts and calls count."""
    name = text_of(node.field("macro")).rpartition("::")[2]
    tokens = first(node, "token_tree")
    values: list[ir.Expr] = []
    for value in _tokens(low, tokens) if tokens is not None else []:
        if isinstance(value, ir.Const) and isinstance(value.value, str) and not values:
            values.append(ir.Const(value.line, _HOLE.sub("{}", value.value)))
            values.extend(
                ir.Name(value.line, hole) for hole in _HOLE.findall(value.value) if hole and not hole.isdigit()
            )
        else:
            values.append(value)
    return low.call(node, ir.Name(line_of(node), f"{name}!"), values)


def _tokens(low: Lowering, tree: SgNode) -> list[ir.Expr]:
    """What stands between the brackets of a macro, which the grammar leaves unread: names, members, calls, texts."""
    found: list[ir.Expr] = []
    link = last = ""
    for child in tree.children():
        text, kind = child.text(), child.kind()
        if text in {".", "::"}:
            link = text
            continue
        if kind in {"identifier", "self"}:
            found[len(found) - bool(link and found) :] = [_linked(low, child, link, last, found)]
        elif kind == "token_tree" and last and text.startswith("("):
            found[-1] = low.call(child, found[-1], _tokens(low, child))
        elif kind == "token_tree":
            found += _tokens(low, child)
        elif kind == "string_literal":
            found.append(low.expr(child))
        last = text if kind in {"identifier", "self"} else ""
        link = ""
    return found


def _linked(low: Lowering, node: SgNode, link: str, last: str, found: list[ir.Expr]) -> ir.Expr:
    """A name by itself, as a member of what stands before it, or as the end of a path, of which two parts count."""
    if link == "::":
        return attribute(line_of(node), f"{last}.{node.text()}" if last else node.text())
    return ir.Attr(line_of(node), found[-1], node.text()) if link and found else low.expr(node)


def _path(_: Lowering, node: SgNode) -> ir.Expr:
    parts = [part.split("<")[0] for part in node.text().split("::")]
    return attribute(line_of(node), ".".join(part for part in parts[-2:] if part) or "_")


def _string(_: Lowering, node: SgNode) -> ir.Expr:
    text = node.text()
    start, end = text.find('"'), text.rfind('"')
    return ir.Const(line_of(node), text[start + 1 : end] if end > start >= 0 else text.strip("'"))


def _field(low: Lowering, node: SgNode) -> ir.Expr:
    return ir.Attr(line_of(node), low.expr(node.field("value")), text_of(node.field("field")))


def _index(low: Lowering, node: SgNode) -> ir.Expr:
    inner = low.inside(node)
    key = inner[1] if len(inner) > 1 and inner[1].kind() != "range_expression" else None
    return ir.Index(line_of(node), low.expr(inner[0]), low.expr(key) if key is not None else None)


def _let(low: Lowering, node: SgNode) -> ir.Block:
    pattern, value = node.field("pattern"), node.field("value")
    if pattern is None or value is None:
        return ()
    made, kind = low.expr(value), text_of(node.field("type"))
    if isinstance(made, ir.Call) and isinstance(made.callee, ir.Attr) and made.callee.name == "parse":
        made = made.callee.value if kind.rpartition("::")[2] in {"String", "PathBuf"} else made  # a text stays one
    assigned = ir.Assign(line_of(node), (_target(low, pattern),), made, "", kind)
    return (assigned, *low.block(value)) if value.kind() in ("if_expression", "match_expression") else (assigned,)


def _target(low: Lowering, pattern: SgNode) -> ir.Expr:
    """What a pattern binds; of `Some(x)`, `x`."""
    if pattern.kind() == "tuple_pattern":
        return ir.Container(
            line_of(pattern), "tuple", tuple((None, _target(low, child)) for child in low.inside(pattern))
        )
    if pattern.kind() in ("tuple_struct_pattern", "ref_pattern", "mut_pattern", "reference_pattern"):
        inner = low.inside(pattern)
        return _target(low, inner[-1]) if inner else ir.Unknown(line_of(pattern))
    return ir.Name(line_of(pattern), pattern.text())


def _if(low: Lowering, node: SgNode) -> ir.Block:
    test = node.field("condition")
    before: ir.Block = ()
    if test is not None and test.kind() == "let_condition":
        before = _let(low, test)
    asked = node_rules.as_test(low.expr(test)) if not before else ir.Unknown(line_of(node))
    branch = ir.If(line_of(node), asked, low.block(node.field("consequence")), low.block(node.field("alternative")))
    return (*before, branch)


def _if_value(low: Lowering, node: SgNode) -> ir.Expr:
    condition = node.field("condition")
    pattern = condition.field("pattern") if condition is not None and condition.kind() == "let_condition" else None
    target = _target(low, pattern) if pattern is not None else None
    if condition is not None and isinstance(target, ir.Name):
        test: ir.Expr = ir.Walrus(line_of(node), target, low.expr(condition.field("value")))
    else:
        test = node_rules.as_test(low.expr(condition))
    return ir.Ternary(line_of(node), test, _last(low, node.field("consequence")), _last(low, node.field("alternative")))


def _last(low: Lowering, node: SgNode | None) -> ir.Expr:
    """The value of a block: its last expression; leaving the function is no value."""
    if node is None or node.kind() in ("return_expression", "expression_statement"):
        return ir.Const(0, None)
    if node.kind() in ("block", "else_clause"):
        inner = low.inside(node)
        return _last(low, inner[-1]) if inner else ir.Const(line_of(node), None)
    return low.expr(node)


def _match(low: Lowering, node: SgNode) -> ir.Block:
    body = node.field("body")
    subject = low.expr(node.field("value"))
    cases = [_arm(low, arm, subject) for arm in named(body, "match_arm")] if body is not None else []
    return (ir.Switch(line_of(node), subject, tuple(cases)),)


def _arm(low: Lowering, node: SgNode, subject: ir.Expr) -> ir.Case:
    pattern, value = node.field("pattern"), node.field("value")
    values, bound = _literals(low, pattern), _bound(low, pattern)
    default = text_of(pattern).strip() == "_"
    taken = (ir.Assign(line_of(node), (bound,), subject),) if bound is not None else ()
    found = values or (() if default else (ir.Unknown(line_of(node)),))
    return ir.Case(line_of(node), found, (*taken, *low.block(value)))


def _literals(low: Lowering, pattern: SgNode | None) -> tuple[ir.Expr, ...]:
    """The values that an arm names, and nothing where it names more than values."""
    values = values_of(low, low.inside(pattern)) if pattern is not None else ()
    return values if all(isinstance(value, ir.Const) for value in values) else ()


def _bound(low: Lowering, pattern: SgNode | None) -> ir.Expr | None:
    """What an arm calls the value, or what is inside of it: `Some(x)`, `Ok(x)`, `other`."""
    inner = low.inside(pattern) if pattern is not None else []
    if not inner or (inner[0].kind() != "identifier" and not _HOLDS_VALUE.match(inner[0].text())):
        return None
    target = _target(low, inner[0])
    return target if isinstance(target, ir.Name) and _BINDS.match(target.id) else None


def _match_value(low: Lowering, node: SgNode) -> ir.Expr:
    body = node.field("body")
    arms = [
        Arm(
            _last(low, arm.field("value")),
            _literals(low, arm.field("pattern")),
            _bound(low, arm.field("pattern")),
            text_of(arm.field("pattern")).strip() == "_",
        )
        for arm in (named(body, "match_arm") if body is not None else ())
    ]
    return chosen(line_of(node), low.expr(node.field("value")), arms)


def _statement(low: Lowering, node: SgNode) -> ir.Block:
    inner = low.inside(node)
    if not inner:
        return ()
    if inner[0].kind() in GRAMMAR.statements:
        return low.block(inner[0])
    value = low.expr(inner[0])
    if isinstance(value, ir.Call) and ir.dotted(value.callee).rstrip("!") in _LEAVING | {"process.exit"}:
        return (ir.Exit(value.line, "raise", value),)
    return built(value)


def _for(low: Lowering, node: SgNode) -> ir.Block:
    pattern = node.field("pattern")
    target = _target(low, pattern) if pattern is not None else None
    body = low.block(node.field("body"))
    return (ir.Loop(line_of(node), body, target=target, iterable=low.expr(node.field("value"))),)


def _struct(low: Lowering, node: SgNode) -> ir.Expr:
    body = node.field("body")
    entries: list[tuple[ir.Expr | None, ir.Expr]] = []
    for child in low.inside(body) if body is not None else []:
        name = child.field("field") or child.field("name") or child
        value = child.field("value")
        entries.append(
            (
                ir.Const(line_of(child), name.text()),
                low.expr(value) if value is not None else ir.Name(line_of(child), name.text()),
            )
        )
    return ir.Container(line_of(node), "dict", tuple(entries))


def _shell_argument(call: ir.Call) -> ir.Expr:
    """`Command::new("sh").arg("-c").arg(x)`: the line a shell gets."""
    current: ir.Expr | None = at(call, RECEIVER)
    for _ in range(_MOST_LINKS):
        if isinstance(current, ir.Unknown) and current.children:
            current = current.children[-1]
        if not isinstance(current, ir.Call):
            return call
        program = current.args[0] if current.args else None
        if ir.dotted(current.callee) == "Command.new" and isinstance(program, ir.Const):
            if not _SHELLS.search(str(program.value)):
                return call
            return ir.Unknown(
                call.line, (known(call.line, "Command.shell_arg", *_flat(call.args)), at(call, RECEIVER) or call)
            )
        current = current.callee.value if isinstance(current.callee, ir.Attr) else None
    return call


def _flat(values: tuple[ir.Expr, ...]) -> tuple[ir.Expr, ...]:
    return tuple(
        item
        for value in values
        for item in ([each for _, each in value.items] if isinstance(value, ir.Container) else [value])
    )


def _all_characters(call: ir.Call) -> ir.Expr:
    """`x.chars().all(|c| c.is_alphanumeric())`."""
    chars = at(call, RECEIVER)
    if isinstance(chars, ir.Call) and isinstance(chars.callee, ir.Attr) and chars.callee.name in ("chars", "bytes"):
        return known(call.line, "char.is_plain", chars.callee.value)
    return call


_IDIOMS = rewriting(
    read_table("rust").idioms,
    {
        "all_characters": _all_characters,
        "appended": appended,
        "empty_text": lambda call: ir.Const(call.line, ""),
        "shell_argument": _shell_argument,
    },
)

GRAMMAR = LoweringGrammar(
    idiom=_IDIOMS,
    expressions={
        "identifier": node_rules.name,
        "self": node_rules.self_name,
        "scoped_identifier": _path,
        "generic_function": lambda low, node: low.expr(node.field("function")),
        "string_literal": _string,
        "raw_string_literal": _string,
        "char_literal": _string,
        "integer_literal": node_rules.number,
        "float_literal": node_rules.number,
        "boolean_literal": node_rules.empty,
        "field_expression": _field,
        "index_expression": _index,
        "call_expression": _call,
        "macro_invocation": _macro,
        "binary_expression": node_rules.binary,
        "unary_expression": node_rules.unary,
        "reference_expression": node_rules.through("value"),
        "try_expression": node_rules.through(),
        "await_expression": node_rules.through(),
        "parenthesized_expression": node_rules.through(),
        "type_cast_expression": node_rules.through("value"),
        "assignment_expression": node_rules.assignment,
        "compound_assignment_expr": node_rules.assignment,
        "array_expression": node_rules.items("list"),
        "tuple_expression": _tuple,
        "struct_expression": _struct,
        "closure_expression": _lambda,
        "block": _last,
        "unsafe_block": lambda low, node: _last(low, low.inside(node)[-1] if low.inside(node) else None),
        "if_expression": _if_value,
        "match_expression": _match_value,
        "return_expression": lambda _, node: ir.Const(line_of(node), None),
    },
    statements={
        "source_file": node_rules.sequence,
        "block": node_rules.sequence,
        "unsafe_block": node_rules.sequence,
        "async_block": node_rules.sequence,
        "else_clause": node_rules.sequence,
        "mod_item": lambda low, node: low.block(node.field("body")),
        "declaration_list": node_rules.sequence,
        "use_declaration": node_rules.nothing,
        "attribute_item": node_rules.nothing,
        "struct_item": node_rules.nothing,
        "enum_item": node_rules.nothing,
        "trait_item": node_rules.nothing,
        "type_item": node_rules.nothing,
        "macro_definition": node_rules.nothing,
        "function_item": _define,
        "impl_item": _impl,
        "let_declaration": _let,
        "const_item": lambda low, node: (
            ir.Assign(
                line_of(node), (ir.Name(line_of(node), text_of(node.field("name"))),), low.expr(node.field("value"))
            ),
        ),
        "static_item": lambda low, node: (
            ir.Assign(
                line_of(node), (ir.Name(line_of(node), text_of(node.field("name"))),), low.expr(node.field("value"))
            ),
        ),
        "expression_statement": _statement,
        "assignment_expression": node_rules.assign_statement,
        "compound_assignment_expr": node_rules.assign_statement,
        "if_expression": _if,
        "match_expression": _match,
        "for_expression": _for,
        "while_expression": node_rules.while_statement(),
        "loop_expression": node_rules.while_statement(),
        "return_expression": node_rules.return_statement,
        "break_expression": node_rules.leave("break"),
        "continue_expression": node_rules.leave("continue"),
        "empty_statement": node_rules.nothing,
        "identifier": lambda low, node: (ir.Return(line_of(node), low.expr(node)),),
    },
)
lower = GRAMMAR.lower
