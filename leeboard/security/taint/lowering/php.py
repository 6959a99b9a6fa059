"""PHP to the IR."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leeboard.security.taint import ir
from leeboard.security.taint.lowering import node_rules
from leeboard.security.taint.lowering.choice import Arm, chosen, values_of
from leeboard.security.taint.lowering.idiom import known, replaced, rewriting, without
from leeboard.security.taint.lowering.lowering import (
    ExprRule,
    Lowering,
    LoweringGrammar,
    end_of,
    first,
    line_of,
    named,
    text_of,
)
from leeboard.security.taint.table_file import read_table

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_DEFAULTS = ("match_default_expression",)
_INCLUDES = ("include_expression", "include_once_expression", "require_expression", "require_once_expression")
_FUNCTIONS = frozenset({"anonymous_function", "anonymous_function_creation_expression", "arrow_function"})
_NUMBERS = frozenset({"int", "integer", "float", "double", "bool", "boolean"})
_DISPATCHES = frozenset({"dispatch", "dispatchSync", "dispatchNow", "dispatchAfterResponse"})
"""What makes a job of a class of what it is given, and has it handled, now or later."""
_SEARCHES = frozenset({"strpos", "stripos", "strstr", "mb_strpos", "strrpos"})


def _program(low: Lowering, node: SgNode) -> ir.Block:
    """`<?= x ?>` prints."""
    found: list[ir.Stmt] = []
    prints = False
    for child in low.inside(node):
        if child.kind() == "php_tag":
            prints = child.text().startswith("<?=")
            continue
        statements = low.block(child)
        if prints and len(statements) == 1 and isinstance(statements[0], ir.ExprStmt):
            statements = (ir.ExprStmt(statements[0].line, known(statements[0].line, "echo", statements[0].value)),)
        prints = False
        found.extend(statements)
    return tuple(found)


def _args(low: Lowering, node: SgNode | None) -> tuple[list[ir.Expr], tuple[tuple[str, ir.Expr], ...]]:
    values: list[ir.Expr] = []
    keywords: list[tuple[str, ir.Expr]] = []
    for child in low.inside(node) if node is not None else []:
        inner = low.inside(child)
        if child.kind() == "argument" and child.field("name") is not None and len(inner) > 1:
            keywords.append((text_of(child.field("name")), low.expr(inner[-1])))
        elif inner:
            values.append(low.expr(inner[0] if child.kind() == "argument" else child))
        else:
            values.append(low.expr(child))
    return values, tuple(keywords)


def _call(low: Lowering, node: SgNode) -> ir.Expr:
    values, keywords = _args(low, node.field("arguments") or first(node, "arguments"))
    line = line_of(node)
    owner = node.field("object") or node.field("scope")
    name = text_of(node.field("name"))
    if owner is not None and name in _DISPATCHES and text_of(owner) in ("self", "static"):
        job = low.call(node, ir.Name(line, _around(node)), values, keywords)
        return ir.Call(line, ir.Attr(line, job, "handle"), ())
    if owner is not None:
        callee: ir.Expr = ir.Attr(line, low.expr(owner), name.lstrip("$"))
    elif node.kind() == "object_creation_expression":
        made = first(node, "name", "qualified_name", "variable_name", "relative_scope")
        own = _around(node) if text_of(made) in ("self", "static") else ""
        callee = ir.Name(line, own) if own else low.expr(made)
    else:
        called = node.field("function")
        callee = low.expr(called)
        if called is not None and called.kind() in ("variable_name", "subscript_expression"):
            callee = ir.Attr(line, callee, "__invoke")  # by a name that a variable holds
    return low.call(node, callee, values, keywords)


def _around(node: SgNode) -> str:
    """The class that it stands in."""
    above = next((one for one in node.ancestors() if one.kind() == "class_declaration"), None)
    return text_of(above.field("name")) if above is not None else ""


def _name(_: Lowering, node: SgNode) -> ir.Expr:
    return ir.Name(line_of(node), node.text().rpartition("\\")[2].lstrip("$"))


def _variable(_: Lowering, node: SgNode) -> ir.Expr:
    name = node.text().lstrip("$")
    return ir.Name(line_of(node), "self" if name == "this" else name)


def _string(_: Lowering, node: SgNode) -> ir.Expr:
    return ir.Const(line_of(node), node.text()[1:-1])


def _interpolated(low: Lowering, node: SgNode) -> ir.Expr:
    body = first(node, "heredoc_body", "nowdoc_body") or node
    parts = [
        ir.Const(line_of(child), child.text())
        if child.kind() in ("string_content", "escape_sequence", "nowdoc_string")
        else low.expr(child)
        for child in low.inside(body)
    ]
    if len(parts) == 1 and isinstance(parts[0], ir.Const):
        return parts[0]
    return ir.Join(line_of(node), tuple(parts)) if parts else ir.Const(line_of(node), "")


def _index(low: Lowering, node: SgNode) -> ir.Expr:
    inner = low.inside(node)
    if not inner:
        return ir.Unknown(line_of(node))
    key = low.expr(inner[1]) if len(inner) > 1 else None
    return ir.Index(line_of(node), low.expr(inner[0]), key)


def _array(low: Lowering, node: SgNode) -> ir.Expr:
    entries: list[tuple[ir.Expr | None, ir.Expr]] = []
    for child in low.inside(node):
        inner = low.inside(child)
        if len(inner) > 1:
            entries.append((low.expr(inner[0]), low.expr(inner[1])))
        elif inner:
            entries.append((None, low.expr(inner[0])))
    keyed = any(key is not None for key, _ in entries)
    return ir.Container(line_of(node), "dict" if keyed else "list", tuple(entries))


def _cast(low: Lowering, node: SgNode) -> ir.Expr:
    value = low.expr(node.field("value"))
    if text_of(node.field("type")).lower() in _NUMBERS:
        return known(line_of(node), "intval", value)
    return value


def _printed(name: str) -> ExprRule:
    def rule(low: Lowering, node: SgNode) -> ir.Expr:
        inner = low.inside(node)
        if len(inner) == 1 and inner[0].kind() == "sequence_expression":
            inner = low.inside(inner[0])
        return known(line_of(node), name, *low.exprs(inner))

    return rule


def _shell(low: Lowering, node: SgNode) -> ir.Expr:
    return known(line_of(node), "shell_exec", _interpolated(low, node))


def _is_array(value: ir.Expr) -> bool:
    """What a server fills, or what is written as one."""
    return isinstance(value, ir.Container) or (isinstance(value, ir.Name) and value.id.startswith("_"))


def _binary(low: Lowering, node: SgNode) -> ir.Expr:
    """`strpos(a, b) !== false` and `strpos(a, b) === 0`; `a + b` is a number, or an array of both."""
    value = node_rules.binary(low, node)
    if isinstance(value, ir.Binary) and text_of(node.field("operator")) == "+" and not _is_array(value.left):
        return ir.Binary(value.line, "-", value.left, value.right)
    if not isinstance(value, ir.Compare) or value.op not in ("==", "!=") or not isinstance(value.right, ir.Const):
        return value
    asked = value.left
    if not isinstance(asked, ir.Call) or ir.dotted(asked.callee) not in _SEARCHES or len(asked.args) < 2:
        return value
    if value.right.value is False:
        found: ir.Expr = ir.Compare(value.line, "in", asked.args[1], asked.args[0])
        return found if value.op == "!=" else ir.Not(value.line, found)
    found = ir.Call(value.line, ir.Attr(value.line, asked.args[0], "startswith"), (asked.args[1],))
    return found if value.op == "==" else ir.Not(value.line, found)


def _lambda(low: Lowering, node: SgNode) -> ir.Expr:
    return ir.Lambda(line_of(node), _function(low, node, "<lambda>"))


def _function(low: Lowering, node: SgNode, name: str, owner: str = "") -> ir.Function:
    body, listed = node.field("body"), node.field("parameters")
    lower = low.later(body, returns=body is not None and body.kind() != "compound_statement")
    promoted = _promoted(listed)
    return ir.Function(
        name=name,
        line=line_of(node),
        end=end_of(node),
        params=_params(listed),
        lower=(lambda: (*promoted, *lower())) if promoted else lower,
        owner=owner,
        is_static=bool(owner),
        returns=text_of(node.field("return_type")),
        decorators=_marks(node),
    )


def _marks(node: SgNode) -> tuple[ir.Expr, ...]:
    """`#[Route("/users/{name}")]`, with its texts."""
    groups = [group for listed in named(node, "attribute_list") for group in named(listed, "attribute_group")]
    return tuple(
        ir.Call(
            line_of(mark),
            ir.Name(line_of(mark), mark.text().partition("(")[0].rpartition("\\")[2].strip()),
            (ir.Const(line_of(mark), mark.text()[:_LONGEST_MARK]),),
        )
        for group in groups
        for mark in named(group, "attribute")
    )


_LONGEST_MARK = 400


def _params(listed: SgNode | None) -> tuple[ir.Param, ...]:
    if listed is None:
        return ()
    return tuple(
        ir.Param(
            text_of(child.field("name")).lstrip("$"),
            text_of(child.field("type")),
            None,
            "*" if child.kind() == "variadic_parameter" else "",
        )
        for child in named(listed, "simple_parameter", "variadic_parameter", "property_promotion_parameter")
    )


def _promoted(listed: SgNode | None) -> ir.Block:
    """`__construct(private string $url)` keeps what it is given under the same name."""
    given = named(listed, "property_promotion_parameter") if listed is not None else []
    names = [(line_of(child), text_of(child.field("name")).lstrip("$")) for child in given]
    return tuple(
        ir.Assign(line, (ir.Attr(line, ir.Name(line, "self"), name),), ir.Name(line, name)) for line, name in names
    )


def _define(low: Lowering, node: SgNode) -> ir.Block:
    return (ir.Define(line_of(node), _function(low, node, text_of(node.field("name")))),)


def _class(low: Lowering, node: SgNode) -> ir.Block:
    body, name = node.field("body"), text_of(node.field("name"))
    methods = (
        tuple(_function(low, child, text_of(child.field("name")), name) for child in named(body, "method_declaration"))
        if body is not None
        else ()
    )
    base = text_of(first(node, "base_clause")).removeprefix("extends ")
    return (
        ir.DefineClass(
            line_of(node), ir.Class(name=name, line=line_of(node), bases=(base,) if base else (), methods=methods)
        ),
    )


def _if(low: Lowering, node: SgNode) -> ir.Block:
    otherwise: ir.Block = ()
    for clause in reversed(list(node.field_children("alternative"))):
        if clause.kind() == "else_clause":
            otherwise = low.blocks(low.inside(clause))
        else:
            otherwise = (_branch(low, clause, otherwise),)
    return (_branch(low, node, otherwise),)


def _branch(low: Lowering, node: SgNode, otherwise: ir.Block) -> ir.Stmt:
    test = node_rules.as_test(low.expr(node.field("condition")))
    return ir.If(line_of(node), test, low.block(node.field("body")), otherwise)


def _foreach(low: Lowering, node: SgNode) -> ir.Block:
    inner = low.inside(node)
    if len(inner) < 2:
        return ()
    target = low.inside(inner[1])[-1] if inner[1].kind() == "pair" else inner[1]
    body = low.block(node.field("body"))
    return (ir.Loop(line_of(node), body, target=low.expr(target), iterable=low.expr(inner[0])),)


def _switch(low: Lowering, node: SgNode) -> ir.Block:
    body = node.field("body")
    cases = [_case(low, child) for child in low.inside(body)] if body is not None else []
    return (ir.Switch(line_of(node), low.expr(node.field("condition")), tuple(cases)),)


def _case(low: Lowering, node: SgNode) -> ir.Case:
    value = node.field("value")
    inner = low.inside(node)
    statements = low.blocks(inner[1:] if value is not None else inner)
    ends = bool(statements) and isinstance(statements[-1], (ir.Exit, ir.Return))
    kept = tuple(each for each in statements if not (isinstance(each, ir.Exit) and each.kind == "break"))
    return ir.Case(line_of(node), (low.expr(value),) if value is not None else (), kept, None, not ends)


def _match(low: Lowering, node: SgNode) -> ir.Expr:
    body = node.field("body")
    asked = node.field("condition")
    subject = low.expr(asked) if text_of(asked).strip("() ").lower() != "true" else None
    arms = [
        Arm(low.expr(low.inside(arm)[-1]), values_of(low, low.inside(arm)[:-1]), None, arm.kind() in _DEFAULTS)
        for arm in (low.inside(body) if body is not None else [])
        if low.inside(arm)
    ]
    return chosen(line_of(node), subject, arms)


def _statement(low: Lowering, node: SgNode) -> ir.Block:
    inner = low.inside(node)
    if not inner:
        return ()
    if inner[0].kind() in GRAMMAR.statements:
        return low.block(inner[0])
    value = low.expr(inner[0])
    if isinstance(value, ir.Call) and ir.dotted(value.callee) in ("die", "exit", "abort", "wp_die"):
        return (ir.Exit(value.line, "exit", value),)
    return (ir.ExprStmt(line_of(node), value),)


def _isset(call: ir.Call) -> ir.Expr:
    """`isset($allowed[$x])`."""
    asked = call.args[0] if call.args else None
    if isinstance(asked, ir.Index) and asked.key is not None and not isinstance(asked.key, ir.Const):
        return ir.Compare(call.line, "in", asked.key, asked.value)
    return ir.Const(call.line, None) if asked is None else ir.Unknown(call.line)


def _filter(call: ir.Call) -> ir.Expr:
    """A filter by its name."""
    if len(call.args) < 2:
        return call
    return known(call.line, f"{ir.dotted(call.callee)}.{ir.dotted(call.args[1])}", call.args[0])


def _filter_input(call: ir.Call) -> ir.Expr:
    """The same field that is read of `$_GET`, through a filter where one is named."""
    if len(call.args) < 2:
        return call
    sent = _SENT_BY.get(ir.dotted(call.args[0]))
    brought = ir.Call(call.line, call.callee, call.args[:2])
    field = ir.Index(call.line, ir.Name(call.line, sent), call.args[1]) if sent is not None else brought
    return known(call.line, f"filter_var.{ir.dotted(call.args[2])}", field) if len(call.args) > 2 else field


_SENT_BY = {"INPUT_GET": "_GET", "INPUT_POST": "_POST", "INPUT_COOKIE": "_COOKIE", "INPUT_SERVER": "_SERVER"}


def _replace(call: ir.Call) -> ir.Expr:
    removed = call.args[0] if call.args else None
    if isinstance(removed, ir.Container) and len(call.args) > 2:
        text = "".join(str(item.value) for _, item in removed.items if isinstance(item, ir.Const))
        return without(call, text, call.args[2])
    return replaced(0, 2)(call)


def _exit(low: Lowering, node: SgNode) -> ir.Block:
    """`exit("text")` writes the text first."""
    inner = low.inside(node)
    said = known(line_of(node), "exit", low.expr(inner[0])) if inner else None
    return (ir.Exit(line_of(node), "exit", said),)


def _parts(value: ir.Expr) -> tuple[ir.Expr, ...]:
    """What a text is put together of, from the left."""
    if isinstance(value, ir.Join):
        return value.parts
    if isinstance(value, ir.Binary) and value.op == "+":
        return (*_parts(value.left), value.right)
    return (value,)


def _header(call: ir.Call) -> ir.Expr:
    """`header("Location: " . $x)` sends elsewhere."""
    parts = _parts(call.args[0]) if call.args else ()
    start = parts[0] if parts else None
    if not isinstance(start, ir.Const) or not str(start.value).lower().startswith("location:"):
        return call
    rest = str(start.value)[len("location:") :].lstrip()
    place = (*((ir.Const(start.line, rest),) if rest else ()), *parts[1:])
    return known(call.line, "header.location", place[0] if len(place) == 1 else ir.Join(call.line, place))


def _curl(call: ir.Call) -> ir.Expr:
    if len(call.args) < 3:
        return call
    return known(call.line, f"curl_setopt.{ir.dotted(call.args[1])}", call.args[2])


_IDIOMS = rewriting(
    read_table("php").idioms,
    {
        "curl": _curl,
        "filter": _filter,
        "filter_input": _filter_input,
        "header": _header,
        "isset": _isset,
        "replaced_list": _replace,
    },
)

GRAMMAR = LoweringGrammar(
    idiom=_IDIOMS,
    skip=frozenset({"comment", "php_end_tag", "text", "text_interpolation", "attribute_list"}),
    expressions={
        "variable_name": _variable,
        "name": _name,
        "qualified_name": _name,
        "relative_scope": _name,
        "string": _string,
        "encapsed_string": _interpolated,
        "heredoc": _interpolated,
        "nowdoc": _interpolated,
        "string_content": lambda _, node: ir.Const(line_of(node), node.text()),
        "integer": node_rules.number,
        "float": node_rules.number,
        "boolean": lambda _, node: ir.Const(line_of(node), node.text().lower() == "true"),
        "null": lambda _, node: ir.Const(line_of(node), None),
        "member_access_expression": node_rules.attr("object", "name"),
        "nullsafe_member_access_expression": node_rules.attr("object", "name"),
        "scoped_property_access_expression": node_rules.attr("scope", "name"),
        "class_constant_access_expression": lambda _, node: ir.Name(line_of(node), node.text().replace("::", ".")),
        "subscript_expression": _index,
        "function_call_expression": _call,
        "member_call_expression": _call,
        "nullsafe_member_call_expression": _call,
        "scoped_call_expression": _call,
        "object_creation_expression": _call,
        "binary_expression": _binary,
        "unary_op_expression": node_rules.unary,
        "error_suppression_expression": node_rules.through(),
        "conditional_expression": node_rules.conditional,
        "parenthesized_expression": node_rules.through(),
        "cast_expression": _cast,
        "assignment_expression": node_rules.assignment,
        "augmented_assignment_expression": node_rules.assignment,
        "reference_assignment_expression": node_rules.assignment,
        "list_literal": node_rules.items("list"),
        "array_creation_expression": _array,
        "match_expression": _match,
        "variadic_unpacking": lambda low, node: ir.Spread(line_of(node), low.expr(low.inside(node)[0])),
        "print_intrinsic": _printed("echo"),
        "echo_statement": _printed("echo"),
        "shell_command_expression": _shell,
        **dict.fromkeys(_INCLUDES, _printed("include")),
        **dict.fromkeys(_FUNCTIONS, _lambda),
    },
    statements={
        "program": _program,
        "compound_statement": node_rules.sequence,
        "colon_block": node_rules.sequence,
        "namespace_definition": lambda low, node: low.block(node.field("body")),
        "namespace_use_declaration": node_rules.nothing,
        "function_definition": _define,
        "class_declaration": _class,
        "trait_declaration": _class,
        "expression_statement": _statement,
        "assignment_expression": node_rules.assign_statement,
        "augmented_assignment_expression": node_rules.assign_statement,
        "exit_statement": _exit,
        "if_statement": _if,
        "foreach_statement": _foreach,
        "for_statement": node_rules.for_statement("initialize", "condition", "update"),
        "while_statement": node_rules.while_statement(),
        "do_statement": node_rules.while_statement(),
        "switch_statement": _switch,
        "try_statement": node_rules.try_statement(),
        "return_statement": node_rules.return_statement,
        "throw_expression": node_rules.leave("raise"),
        "throw_statement": node_rules.leave("raise"),
        "break_statement": node_rules.leave("break"),
        "continue_statement": node_rules.leave("continue"),
        "global_declaration": node_rules.nothing,
        "const_declaration": node_rules.nothing,
        "ERROR": node_rules.nothing,
    },
)
lower = GRAMMAR.lower
