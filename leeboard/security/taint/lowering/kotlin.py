"""Kotlin to the IR. Its grammar has no field names: children go by their kinds and places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leeboard.security.taint import ir
from leeboard.security.taint.lowering import node_rules
from leeboard.security.taint.lowering.choice import Arm, chosen, values_of
from leeboard.security.taint.lowering.idiom import (
    RECEIVER,
    appended,
    asked_of,
    built,
    last_part_of,
    rewriting,
    unhardened,
)
from leeboard.security.taint.lowering.lowering import Lowering, LoweringGrammar, end_of, first, line_of, named, text_of
from leeboard.security.taint.table_file import read_table

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_EACH = frozenset({"forEach", "onEach"})
_NAMES = ("simple_identifier", "type_identifier")


def _call(low: Lowering, node: SgNode) -> ir.Expr:
    inner = low.inside(node)
    suffix = first(node, "call_suffix")
    values, keywords = _args(low, suffix)
    callee = low.expr(inner[0]) if inner else ir.Unknown(line_of(node))
    if ir.dotted(callee) == _BUILDS and values and isinstance(values[-1], ir.Lambda):
        return _built_text(values[-1])
    if ir.dotted(callee) in _LENGTHENS and _is_in_builder(node):
        callee = ir.Attr(line_of(node), ir.Name(line_of(node), _BUILDS), "append")
    if unhardened(node, ir.dotted(callee)):
        return ir.Call(line_of(node), ir.Name(line_of(node), "xml.unhardened"), tuple(values))
    return low.call(node, callee, values, keywords)


_BUILDS = "buildString"
_LENGTHENS = frozenset({"append", "appendLine"})


def _is_in_builder(node: SgNode) -> bool:
    return any(above.text().startswith(_BUILDS) for above in node.ancestors() if above.kind() == "call_expression")


def _built_text(block: ir.Lambda) -> ir.Expr:
    """`buildString { append(...) }`: a function that is called at once, and the text that it has built."""
    line, given = block.line, block.function
    text = ir.Name(line, _BUILDS)

    def lower() -> ir.Block:
        return (ir.Assign(line, (text,), ir.Const(line, "")), *given.lower(), ir.Return(given.end, text))

    whole = ir.Function(name=given.name, line=given.line, end=given.end, lower=lower)
    return ir.Call(line, ir.Lambda(line, whole))


def _args(low: Lowering, suffix: SgNode | None) -> tuple[list[ir.Expr], tuple[tuple[str, ir.Expr], ...]]:
    values: list[ir.Expr] = []
    keywords: list[tuple[str, ir.Expr]] = []
    listed = first(suffix, "value_arguments") if suffix is not None else None
    for child in named(listed, "value_argument") if listed is not None else ():
        inner = low.inside(child)
        if len(inner) > 1 and any(part.text() == "=" for part in child.children()):
            keywords.append((inner[0].text(), low.expr(inner[-1])))
        elif inner:
            values.append(low.expr(inner[-1]))
    block = first(suffix, "annotated_lambda") if suffix is not None else None
    if block is not None:
        values.extend(low.exprs(low.inside(block)))
    return values, tuple(keywords)


def _lambda(low: Lowering, node: SgNode) -> ir.Expr:
    listed = first(node, "lambda_parameters")
    names = (
        [text_of(first(child, "simple_identifier")) for child in named(listed, "variable_declaration")]
        if listed is not None
        else ["it"]
    )
    params = tuple(ir.Param(name) for name in names)
    function = ir.Function(
        name="<lambda>", line=line_of(node), end=end_of(node), params=params, lower=low.later(first(node, "statements"))
    )
    return ir.Lambda(line_of(node), function)


def _call_statement(low: Lowering, node: SgNode) -> ir.Block:
    value = low.expr(node)
    if (
        isinstance(value, ir.Call)
        and isinstance(value.callee, ir.Attr)
        and value.callee.name in _EACH
        and len(value.args) == 1
    ):
        block = value.args[0]
        if isinstance(block, ir.Lambda):
            target = ir.Name(value.line, block.function.params[0].name if block.function.params else "it")
            return (ir.Loop(value.line, block.function.lower(), target=target, iterable=value.callee.value),)
    if isinstance(value, ir.Call) and ir.dotted(value.callee) in ("error", "exitProcess"):
        return (ir.Exit(value.line, "exit", value),)
    if isinstance(value, ir.Call) and ir.dotted(value.callee) in ("require", "check") and value.args:
        return (ir.If(value.line, ir.Not(value.line, value.args[0]), (ir.Exit(value.line, "raise"),)),)
    return built(value)


def _attr(low: Lowering, node: SgNode) -> ir.Expr:
    inner = low.inside(node)
    suffix = first(node, "navigation_suffix")
    name = text_of(first(suffix, "simple_identifier")) if suffix is not None else ""
    value = low.expr(inner[0]) if inner else ir.Unknown(line_of(node))
    return (last_part_of(value, "File") if name == "name" else None) or ir.Attr(line_of(node), value, name)


def _index(low: Lowering, node: SgNode) -> ir.Expr:
    inner = low.inside(node)
    suffix = first(node, "indexing_suffix")
    keys = low.inside(suffix) if suffix is not None else []
    return ir.Index(line_of(node), low.expr(inner[0]), low.expr(keys[0]) if keys else None)


def _string(low: Lowering, node: SgNode) -> ir.Expr:
    parts: list[ir.Expr] = []
    for child in low.inside(node):
        if child.kind() == "interpolated_identifier":
            parts.append(ir.Name(line_of(child), child.text()))
        elif child.kind() == "interpolated_expression":
            parts.extend(low.exprs(low.inside(child)[:1]))
        elif child.kind() == "string_content":
            parts.append(ir.Const(line_of(child), child.text()))
    if not parts:
        return ir.Const(line_of(node), "")
    return parts[0] if len(parts) == 1 and isinstance(parts[0], ir.Const) else ir.Join(line_of(node), tuple(parts))


def _target(low: Lowering, node: SgNode) -> ir.Expr:
    """The left side of an assignment."""
    inner = low.inside(node)
    suffix = first(node, "navigation_suffix", "indexing_suffix")
    if suffix is None:
        return low.expr(inner[0]) if inner else ir.Unknown(line_of(node))
    return _attr(low, node) if suffix.kind() == "navigation_suffix" else _index(low, node)


def _assign(low: Lowering, node: SgNode) -> ir.Block:
    inner = low.inside(node)
    operator = next((child.text() for child in node.children() if not child.is_named()), "=")
    if len(inner) < 2:
        return ()
    return (ir.Assign(line_of(node), (_target(low, inner[0]),), low.expr(inner[-1]), operator.rstrip("=")),)


def _property(low: Lowering, node: SgNode) -> ir.Block:
    inner = low.inside(node)
    declared = first(node, "variable_declaration", "multi_variable_declaration")
    if declared is None or inner[-1].kind() in ("variable_declaration", "multi_variable_declaration", "getter"):
        return ()
    names = [text_of(first(child, "simple_identifier")) for child in named(declared, "variable_declaration")] or [
        text_of(first(declared, "simple_identifier"))
    ]
    line = line_of(node)
    targets = [ir.Name(line, name) for name in names]
    target: ir.Expr = (
        targets[0] if len(targets) == 1 else ir.Container(line, "list", tuple((None, each) for each in targets))
    )
    kind = declared.text().partition(":")[2].strip()
    return (ir.Assign(line, (target,), low.expr(inner[-1]), "", kind),)


def _if(low: Lowering, node: SgNode) -> ir.Block:
    inner = low.inside(node)
    bodies = [child for child in inner if child.kind() == "control_structure_body"]
    yes = low.block(bodies[0]) if bodies else ()
    no = low.block(bodies[1]) if len(bodies) > 1 else ()
    return (ir.If(line_of(node), node_rules.as_test(low.expr(inner[0])), yes, no),)


def _if_value(low: Lowering, node: SgNode) -> ir.Expr:
    inner = low.inside(node)
    if len(inner) < 3:
        return low.unknown(node)
    return ir.Ternary(line_of(node), node_rules.as_test(low.expr(inner[0])), _last(low, inner[1]), _last(low, inner[2]))


def _last(low: Lowering, node: SgNode) -> ir.Expr:
    """The value of a branch; leaving the function is no value."""
    if node.kind() in ("control_structure_body", "statements"):
        inner = low.inside(node)
        return _last(low, inner[-1]) if inner else ir.Const(line_of(node), None)
    return ir.Const(line_of(node), None) if node.kind() == "jump_expression" else low.expr(node)


def _when(low: Lowering, node: SgNode) -> ir.Block:
    subject = first(node, "when_subject")
    cases: list[ir.Case] = []
    for entry in named(node, "when_entry"):
        conditions = [low.inside(child)[0] for child in named(entry, "when_condition") if low.inside(child)]
        body = first(entry, "control_structure_body")
        cases.append(ir.Case(line_of(entry), low.exprs(conditions), low.block(body)))
    value = (
        low.expr(low.inside(subject)[-1]) if subject is not None and low.inside(subject) else ir.Unknown(line_of(node))
    )
    return (ir.Switch(line_of(node), value, tuple(cases)),)


def _when_value(low: Lowering, node: SgNode) -> ir.Expr:
    subject = first(node, "when_subject")
    arms: list[Arm] = []
    for entry in named(node, "when_entry"):
        conditions, body = list(named(entry, "when_condition")), first(entry, "control_structure_body")
        result = _last(low, body) if body is not None else ir.Const(line_of(entry), None)
        arms.append(Arm(result, values_of(low, conditions), is_default=not conditions))
    inner = low.inside(subject) if subject is not None else []
    return chosen(line_of(node), low.expr(inner[-1]) if inner else None, arms)


def _for(low: Lowering, node: SgNode) -> ir.Block:
    inner = low.inside(node)
    declared = first(node, "variable_declaration")
    body = first(node, "control_structure_body")
    target = ir.Name(line_of(node), text_of(first(declared, "simple_identifier")) if declared is not None else "_")
    values = next(
        (
            child
            for child in inner
            if child.kind() not in ("variable_declaration", "control_structure_body", "multi_variable_declaration")
        ),
        None,
    )
    return (ir.Loop(line_of(node), low.block(body), target=target, iterable=low.expr(values)),)


def _while(low: Lowering, node: SgNode) -> ir.Block:
    inner = low.inside(node)
    return (
        ir.Loop(
            line_of(node), low.block(first(node, "control_structure_body")), test=low.expr(inner[0]) if inner else None
        ),
    )


def _jump(low: Lowering, node: SgNode) -> ir.Block:
    inner = [child for child in low.inside(node) if child.kind() != "label"]
    value = low.expr(inner[-1]) if inner else None
    word = node.text()[:8]
    if word.startswith("return"):
        return (ir.Return(line_of(node), value),)
    kind = "raise" if word.startswith("throw") else "continue" if word.startswith("continue") else "break"
    return node_rules.leave(kind)(low, node)


def _try(low: Lowering, node: SgNode) -> ir.Block:
    work = low.block(first(node, "statements"))
    handlers = tuple(low.block(first(child, "statements")) for child in named(node, "catch_block"))
    ending = first(node, "finally_block")
    return (
        ir.Try(line_of(node), work, handlers, (), low.block(first(ending, "statements")) if ending is not None else ()),
    )


def _function_of(low: Lowering, node: SgNode, owner: str = "") -> ir.Function:
    body = first(node, "function_body")
    inside = low.inside(body) if body is not None else []
    returns = bool(inside) and text_of(body).startswith("=")
    marks = first(node, "modifiers")
    names = (
        [
            text_of(first(child, "user_type", "constructor_invocation")).split("(")[0]
            for child in named(marks, "annotation")
        ]
        if marks is not None
        else []
    )
    return ir.Function(
        name=text_of(first(node, "simple_identifier")),
        line=line_of(node),
        end=end_of(node),
        params=_params(low, first(node, "function_value_parameters")),
        lower=low.later(inside[0] if inside else None, returns=returns),
        decorators=tuple(ir.Name(line_of(node), name) for name in names),
        owner=owner,
        is_static=bool(owner),
    )


def _params(low: Lowering, listed: SgNode | None) -> tuple[ir.Param, ...]:
    found: list[ir.Param] = []
    marks = ""
    for child in low.inside(listed) if listed is not None else []:
        if child.kind() == "parameter_modifiers":
            marks = child.text()
        elif child.kind() == "parameter":
            found.append(
                ir.Param(
                    text_of(first(child, "simple_identifier")),
                    f"{marks} {child.text().partition(':')[2].strip()}".strip(),
                )
            )
            marks = ""
    return tuple(found)


def _define(low: Lowering, node: SgNode) -> ir.Block:
    return (ir.Define(line_of(node), _function_of(low, node)),)


def _define_class(low: Lowering, node: SgNode) -> ir.Block:
    name = text_of(first(node, *_NAMES))
    body = first(node, "class_body", "enum_class_body")
    inside = low.inside(body) if body is not None else []
    methods = tuple(_function_of(low, child, name) for child in inside if child.kind() == "function_declaration")
    fields = low.blocks(child for child in inside if child.kind() == "property_declaration")
    others = low.blocks(
        child for child in inside if child.kind() in ("class_declaration", "companion_object", "object_declaration")
    )
    bases = tuple(text_of(child).split("(")[0] for child in named(node, "delegation_specifier"))
    item = ir.Class(name=name, line=line_of(node), bases=bases, methods=methods, fields=fields)
    return (*fields, *others, ir.DefineClass(line_of(node), item))


def _companion(low: Lowering, node: SgNode) -> ir.Block:
    body = first(node, "class_body")
    return low.block(body) if body is not None else ()


def _last_child(low: Lowering, node: SgNode) -> ir.Expr:
    return low.expr(low.inside(node)[0]) if low.inside(node) else ir.Unknown(line_of(node))


def _matcher(call: ir.Call) -> ir.Expr:
    """`text.matches(pattern)` and `pattern.matches(text)`: the constant is the pattern."""
    by_argument = call.args and isinstance(call.args[0], ir.Const)
    pattern, text = (0, RECEIVER) if by_argument else (RECEIVER, 0)
    return asked_of(pattern, text, whole=True)(call)


_IDIOMS = rewriting(read_table("kotlin").idioms, {"appended": appended, "matcher": _matcher})

GRAMMAR = LoweringGrammar(
    idiom=_IDIOMS,
    expressions={
        "simple_identifier": node_rules.name,
        "this_expression": node_rules.self_name,
        "string_literal": _string,
        "integer_literal": node_rules.number,
        "long_literal": node_rules.number,
        "real_literal": node_rules.number,
        "boolean_literal": node_rules.empty,
        "null": node_rules.empty,
        "navigation_expression": _attr,
        "indexing_expression": _index,
        "call_expression": _call,
        "directly_assignable_expression": _target,
        "additive_expression": node_rules.binary,
        "multiplicative_expression": node_rules.binary,
        "equality_expression": node_rules.binary,
        "comparison_expression": node_rules.binary,
        "conjunction_expression": node_rules.binary,
        "disjunction_expression": node_rules.binary,
        "elvis_expression": node_rules.binary,
        "check_expression": node_rules.binary,
        "infix_expression": lambda low, node: ir.Unknown(line_of(node), low.exprs(low.inside(node))),
        "prefix_expression": node_rules.unary,
        "postfix_expression": _last_child,
        "as_expression": _last_child,
        "parenthesized_expression": node_rules.through(),
        "if_expression": _if_value,
        "when_expression": _when_value,
        "lambda_literal": _lambda,
        "collection_literal": node_rules.items("list"),
        "jump_expression": lambda _, node: ir.Const(line_of(node), None),
    },
    statements={
        "source_file": node_rules.sequence,
        "statements": node_rules.sequence,
        "class_body": node_rules.sequence,
        "control_structure_body": node_rules.sequence,
        "import_list": node_rules.nothing,
        "package_header": node_rules.nothing,
        "class_declaration": _define_class,
        "object_declaration": _define_class,
        "companion_object": _companion,
        "function_declaration": _define,
        "property_declaration": _property,
        "assignment": _assign,
        "call_expression": _call_statement,
        "if_expression": _if,
        "when_expression": _when,
        "for_statement": _for,
        "while_statement": _while,
        "do_while_statement": _while,
        "try_expression": _try,
        "jump_expression": _jump,
        "primary_constructor": node_rules.nothing,
    },
)
lower = GRAMMAR.lower
