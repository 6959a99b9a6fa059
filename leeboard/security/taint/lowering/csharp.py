"""C# to the IR."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leeboard.security.taint import ir
from leeboard.security.taint.lowering import node_rules
from leeboard.security.taint.lowering.choice import Arm, chosen, values_of
from leeboard.security.taint.lowering.idiom import appended, built, known, rewriting
from leeboard.security.taint.lowering.lowering import Lowering, LoweringGrammar, end_of, first, line_of, named, text_of
from leeboard.security.taint.table_file import read_table

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_METHODS = ("method_declaration", "constructor_declaration", "local_function_statement")
_TYPES = ("class_declaration", "struct_declaration", "record_declaration", "interface_declaration")


def _class(low: Lowering, node: SgNode) -> ir.Block:
    body, name = node.field("body"), text_of(node.field("name"))
    methods: list[ir.Function] = []
    fields: list[ir.Stmt] = []
    others: list[ir.Stmt] = []
    types: list[tuple[str, str]] = []
    for child in low.inside(body) if body is not None else []:
        if child.kind() == "property_declaration":
            marks = " ".join(text_of(listed) for listed in named(child, "attribute_list"))
            types.append((text_of(child.field("name")), f"{marks} {text_of(child.field('type'))}".strip()))
        if child.kind() in _METHODS:
            methods.append(_method(low, child, name))
        elif child.kind() == "field_declaration":
            fields.extend(low.blocks(named(child, "variable_declaration")))
        elif child.kind() in _TYPES:
            others.extend(low.block(child))
    bases = tuple(text_of(first(node, "base_list")).lstrip(": ").split(", ")) if first(node, "base_list") else ()
    item = ir.Class(
        name=name, line=line_of(node), bases=bases, methods=tuple(methods), fields=tuple(fields), types=tuple(types)
    )
    return (*fields, ir.DefineClass(line_of(node), item), *others)


def _method(low: Lowering, node: SgNode, owner: str = "") -> ir.Function:
    body = node.field("body")
    returns = body is not None and body.kind() == "arrow_expression_clause"
    is_public = not owner or any(child.text() == "public" for child in named(node, "modifier"))
    marks = [mark for listed in named(node, "attribute_list") for mark in named(listed, "attribute")]
    return ir.Function(
        name=text_of(node.field("name")),
        line=line_of(node),
        end=end_of(node),
        params=_params(node.field("parameters")),
        lower=low.later(low.inside(body)[0] if returns and body is not None else body, returns=returns),
        decorators=(
            *(ir.Name(line_of(mark), text_of(mark.field("name"))) for mark in marks),
            *(() if is_public else (ir.Name(line_of(node), "private"),)),
        ),
        owner=owner,
        is_static=bool(owner),
        returns=text_of(node.field("returns") or node.field("type")),
    )


def _params(listed: SgNode | None) -> tuple[ir.Param, ...]:
    if listed is None:
        return ()
    if listed.kind() in ("implicit_parameter", "identifier"):
        return (ir.Param(listed.text()),)
    return tuple(
        ir.Param(
            text_of(child.field("name")) or child.text(), child.text()[:200] if child.field("type") is not None else ""
        )
        for child in named(listed, "parameter", "implicit_parameter")
    )


def _lambda(low: Lowering, node: SgNode) -> ir.Expr:
    body = node.field("body")
    listed = node.field("parameters") or first(node, "parameter_list", "implicit_parameter")
    later = low.later(body, returns=body is not None and body.kind() != "block")
    function = ir.Function(name="<lambda>", line=line_of(node), end=end_of(node), params=_params(listed), lower=later)
    return ir.Lambda(line_of(node), function)


def _args(low: Lowering, node: SgNode | None) -> tuple[list[ir.Expr], tuple[tuple[str, ir.Expr], ...]]:
    values: list[ir.Expr] = []
    keywords: list[tuple[str, ir.Expr]] = []
    for child in named(node, "argument") if node is not None else ():
        inner = low.inside(child)
        if child.field("name") is not None and len(inner) > 1:
            keywords.append((text_of(child.field("name")), low.expr(inner[-1])))
        elif inner:
            values.append(low.expr(inner[-1]))
    return values, tuple(keywords)


def _call(low: Lowering, node: SgNode) -> ir.Expr:
    values, keywords = _args(low, node.field("arguments"))
    return low.call(node, low.expr(node.field("function")), values, keywords)


def _new(low: Lowering, node: SgNode) -> ir.Expr:
    values, keywords = _args(low, node.field("arguments") or first(node, "argument_list"))
    initial = node.field("initializer") or first(node, "initializer_expression")
    set_to: list[tuple[str, ir.Expr]] = []
    for child in low.inside(initial) if initial is not None else []:
        if child.kind() == "assignment_expression":
            set_to.append((text_of(child.field("left")), low.expr(child.field("right"))))
        else:
            values.append(low.expr(child))
    name = (text_of(node.field("type")) or _declared(node)).split("<")[0].rpartition(".")[2]
    return low.call(node, ir.Name(line_of(node), name), values, (*keywords, *set_to))


def _declared(node: SgNode) -> str:
    """The type of the variable that `new()` is set to."""
    around: SgNode | None = node
    for _step in range(3):
        around = around.parent() if around is not None else None
        if around is not None and around.kind() == "variable_declaration":
            return text_of(around.field("type")).rstrip("?")
    return ""


def _interpolated(low: Lowering, node: SgNode) -> ir.Expr:
    parts: list[ir.Expr] = []
    for child in low.inside(node):
        if child.kind() == "interpolation":
            inner = [
                each
                for each in low.inside(child)
                if each.kind() not in ("interpolation_brace", "interpolation_format_clause")
            ]
            parts.extend(low.exprs(inner[:1]))
        elif child.kind() != "interpolation_start":
            parts.append(ir.Const(line_of(child), child.text()))
    return ir.Join(line_of(node), tuple(parts)) if parts else ir.Const(line_of(node), "")


def _string(_: Lowering, node: SgNode) -> ir.Expr:
    return ir.Const(line_of(node), node.text().lstrip("@$").strip('"'))


def _member(low: Lowering, node: SgNode) -> ir.Expr:
    owner = node.field("expression")
    value = low.expr(owner) if owner is not None else ir.Name(line_of(node), "self")
    return ir.Attr(line_of(node), value, text_of(node.field("name")).split("<")[0])


def _optional(low: Lowering, node: SgNode) -> ir.Expr:
    """`a?.b(c)`: the chain after the question mark hangs on what stands before it."""
    inner = low.inside(node)
    if len(inner) < 2:
        return low.unknown(node)
    return _hung(low, low.expr(inner[0]), inner[1])


def _hung(low: Lowering, value: ir.Expr, chain: SgNode) -> ir.Expr:
    line = line_of(chain)
    if chain.kind() == "member_binding_expression":
        return ir.Attr(line, value, text_of(chain.field("name")))
    if chain.kind() == "invocation_expression" and chain.field("function") is not None:
        values, keywords = _args(low, chain.field("arguments"))
        return low.call(chain, _hung(low, value, chain.field("function") or chain), values, keywords)
    return ir.Unknown(line, (value, *low.exprs(low.inside(chain))))


def _index(low: Lowering, node: SgNode) -> ir.Expr:
    values, _ = _args(low, node.field("subscript") or first(node, "bracketed_argument_list"))
    return ir.Index(line_of(node), low.expr(node.field("expression")), values[0] if values else None)


def _declaration(low: Lowering, node: SgNode) -> ir.Block:
    kind = text_of(node.field("type"))
    found: list[ir.Stmt] = []
    for child in named(node, "variable_declarator"):
        inner = low.inside(child)
        if len(inner) > 1:
            name = text_of(child.field("name")) or inner[0].text()
            found.append(
                ir.Assign(line_of(child), (ir.Name(line_of(child), name),), low.expr(inner[-1]), "", f"{kind} {name}")
            )
    return tuple(found)


def _if(low: Lowering, node: SgNode) -> ir.Block:
    test = node_rules.as_test(low.expr(node.field("condition")))
    return (ir.If(line_of(node), test, low.block(node.field("consequence")), low.block(node.field("alternative"))),)


def _switch(low: Lowering, node: SgNode) -> ir.Block:
    body = node.field("body")
    cases = [_case(low, child) for child in low.inside(body)] if body is not None else []
    return (ir.Switch(line_of(node), low.expr(node.field("value")), tuple(cases)),)


def _case(low: Lowering, node: SgNode) -> ir.Case:
    inner = low.inside(node)
    patterns = [child for child in inner if child.kind().endswith("_pattern") or child.kind().endswith("_label")]
    values = tuple(low.expr(low.inside(child)[0]) for child in patterns if low.inside(child))
    statements = low.blocks(child for child in inner if child not in patterns)
    kept = tuple(each for each in statements if not (isinstance(each, ir.Exit) and each.kind == "break"))
    return ir.Case(line_of(node), values, kept, None, not statements)


def _switch_value(low: Lowering, node: SgNode) -> ir.Expr:
    subject = low.expr(low.inside(node)[0]) if low.inside(node) else ir.Unknown(line_of(node))
    arms = [_choice(low, low.inside(arm)) for arm in named(node, "switch_expression_arm") if low.inside(arm)]
    return chosen(line_of(node), subject, arms)


def _choice(low: Lowering, parts: list[SgNode]) -> Arm:
    """`"a" or "b" => x`, `string t => t`, `var t when ... => t`, `_ => y`."""
    pattern, result = parts[0], low.expr(parts[-1])
    if pattern.kind() == "discard" and len(parts) == 2:
        return Arm(result, is_default=True)
    if pattern.kind() in ("declaration_pattern", "var_pattern"):
        return Arm(result, bound=low.expr(low.inside(pattern)[-1]))
    return Arm(result, values_of(low, (pattern,)) if len(parts) == 2 else ())


def _statement(low: Lowering, node: SgNode) -> ir.Block:
    inner = low.inside(node)
    if not inner:
        return ()
    if inner[0].kind() == "assignment_expression":
        return low.block(inner[0])
    return built(low.expr(inner[0]))


def _out(low: Lowering, node: SgNode) -> ir.Expr:
    inner = low.inside(node)
    return ir.Name(line_of(node), inner[-1].text()) if inner else ir.Unknown(line_of(node))


def _parsed(call: ir.Call) -> ir.Expr:
    """`int.TryParse(text, out var number)`: the number is a number."""
    target = call.args[-1] if len(call.args) > 1 else None
    if isinstance(target, ir.Name):
        return ir.Walrus(call.line, target, known(call.line, "int.Parse", call.args[0]))
    return known(call.line, "type.is_number", call.args[0]) if call.args else call


_IDIOMS = rewriting(read_table("csharp").idioms, {"appended": appended, "parsed": _parsed})

GRAMMAR = LoweringGrammar(
    idiom=_IDIOMS,
    expressions={
        "identifier": node_rules.name,
        "predefined_type": node_rules.name,
        "this_expression": node_rules.self_name,
        "this": node_rules.self_name,
        "string_literal": _string,
        "verbatim_string_literal": _string,
        "raw_string_literal": _string,
        "character_literal": _string,
        "interpolated_string_expression": _interpolated,
        "integer_literal": node_rules.number,
        "real_literal": node_rules.number,
        "boolean_literal": node_rules.empty,
        "null_literal": node_rules.empty,
        "qualified_name": node_rules.attr("qualifier", "name"),
        "generic_name": lambda _, node: ir.Name(line_of(node), node.text().split("<")[0]),
        "member_access_expression": _member,
        "conditional_access_expression": _optional,
        "element_access_expression": _index,
        "invocation_expression": _call,
        "object_creation_expression": _new,
        "implicit_object_creation_expression": _new,
        "implicit_array_creation_expression": node_rules.through(),
        "array_creation_expression": node_rules.through(),
        "initializer_expression": node_rules.items("list"),
        "collection_expression": node_rules.items("list"),
        "binary_expression": node_rules.binary,
        "prefix_unary_expression": node_rules.unary,
        "postfix_unary_expression": lambda low, node: low.expr(low.inside(node)[0]),
        "conditional_expression": node_rules.conditional,
        "parenthesized_expression": node_rules.through(),
        "await_expression": node_rules.through(),
        "cast_expression": node_rules.through("value"),
        "as_expression": lambda low, node: low.expr(low.inside(node)[0]),
        "is_expression": lambda _, node: ir.Const(line_of(node), None),
        "is_pattern_expression": lambda _, node: ir.Unknown(line_of(node)),
        "assignment_expression": node_rules.assignment,
        "declaration_expression": _out,
        "lambda_expression": _lambda,
        "anonymous_method_expression": _lambda,
        "switch_expression": _switch_value,
    },
    statements={
        "compilation_unit": node_rules.sequence,
        "namespace_declaration": lambda low, node: low.block(node.field("body")),
        "file_scoped_namespace_declaration": node_rules.sequence,
        "declaration_list": node_rules.sequence,
        "global_statement": node_rules.sequence,
        "using_directive": node_rules.nothing,
        **dict.fromkeys(_TYPES, _class),
        "block": node_rules.sequence,
        "local_function_statement": lambda low, node: (ir.Define(line_of(node), _method(low, node)),),
        "method_declaration": lambda low, node: (ir.Define(line_of(node), _method(low, node)),),
        "local_declaration_statement": node_rules.sequence,
        "variable_declaration": _declaration,
        "modifier": node_rules.nothing,
        "expression_statement": _statement,
        "assignment_expression": node_rules.assign_statement,
        "if_statement": _if,
        "for_statement": node_rules.for_statement("initializer", "condition", "update"),
        "foreach_statement": node_rules.each_statement("left", "right"),
        "while_statement": node_rules.while_statement(),
        "do_statement": node_rules.while_statement(),
        "using_statement": node_rules.sequence,
        "lock_statement": node_rules.sequence,
        "checked_statement": node_rules.sequence,
        "switch_statement": _switch,
        "try_statement": node_rules.try_statement(),
        "return_statement": node_rules.return_statement,
        "yield_statement": node_rules.sequence,
        "throw_statement": node_rules.leave("raise"),
        "break_statement": node_rules.leave("break"),
        "continue_statement": node_rules.leave("continue"),
    },
)
lower = GRAMMAR.lower
