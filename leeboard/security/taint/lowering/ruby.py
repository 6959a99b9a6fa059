"""Ruby to the IR."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from leeboard.model.text import lazy
from leeboard.security.taint import ir
from leeboard.security.taint.lowering import node_rules
from leeboard.security.taint.lowering.choice import Arm, chosen, values_of
from leeboard.security.taint.lowering.idiom import asked_of, known, rewriting
from leeboard.security.taint.lowering.lowering import Lowering, LoweringGrammar, end_of, first, line_of, named, text_of
from leeboard.security.taint.table_file import read_table

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_EACH = frozenset({"each", "each_with_index", "each_entry", "each_value"})
_LEAVES = {"raise": "raise", "fail": "raise", "exit": "exit", "abort": "exit", "halt": "exit"}
_BLOCKS = ("do_block", "block")


def _call(low: Lowering, node: SgNode) -> ir.Expr:
    line = line_of(node)
    owner, name = node.field("receiver"), text_of(node.field("method"))
    callee: ir.Expr = ir.Attr(line, low.expr(owner), name) if owner is not None else ir.Name(line, name)
    values, keywords = _args(low, node.field("arguments"))
    block = node.field("block") or first(node, *_BLOCKS)
    if block is not None:
        values.append(ir.Lambda(line_of(block), _function(low, block, "<lambda>")))
    if owner is not None and not values and not keywords and node.field("arguments") is None:
        return low.call(node, callee, ()) if name.endswith(("?", "!")) or name in _METHODS else ir.Call(line, callee)
    return low.call(node, callee, values, keywords)


_METHODS = frozenset({"to_i", "to_f", "to_s", "read", "first", "strip"})


def _args(low: Lowering, node: SgNode | None) -> tuple[list[ir.Expr], tuple[tuple[str, ir.Expr], ...]]:
    values: list[ir.Expr] = []
    keywords: list[tuple[str, ir.Expr]] = []
    for child in low.inside(node) if node is not None else []:
        if child.kind() == "pair":
            keywords.append((text_of(child.field("key")).strip(":'\""), low.expr(child.field("value"))))
        elif child.kind() != "block_argument":
            values.append(low.expr(child))
    return values, tuple(keywords)


def _call_statement(low: Lowering, node: SgNode) -> ir.Block:
    owner, name = node.field("receiver"), text_of(node.field("method"))
    block = node.field("block") or first(node, *_BLOCKS)
    if name in _EACH and owner is not None and block is not None:
        function = _function(low, block, "<lambda>")
        target = ir.Name(line_of(block), function.params[0].name if function.params else "_")
        body = low.blocks(_body_nodes(low, block))
        return (ir.Loop(line_of(node), body, target=target, iterable=low.expr(owner)),)
    value = low.expr(node)
    if owner is None and name in _LEAVES:
        return (ir.Exit(line_of(node), "raise" if _LEAVES[name] == "raise" else "exit", value),)
    return (ir.ExprStmt(line_of(node), value),)


def _body_nodes(low: Lowering, node: SgNode) -> list[SgNode]:
    body = first(node, "body_statement", "block_body")
    return low.inside(body) if body is not None else []


def _function(low: Lowering, node: SgNode, name: str, owner: str = "") -> ir.Function:
    listed = node.field("parameters") or first(node, "method_parameters", "block_parameters", "lambda_parameters")
    return ir.Function(
        name=name,
        line=line_of(node),
        end=end_of(node),
        params=_params(low, listed),
        lower=_returning(low, node),
        owner=owner,
        is_static=bool(owner),
    )


def _returning(low: Lowering, node: SgNode) -> Callable[[], ir.Block]:
    """The last expression of a body is its result."""

    def lower() -> ir.Block:
        body = Lowering(low.grammar, low.room).blocks(_body_nodes(low, node))
        if body and isinstance(body[-1], ir.ExprStmt):
            return (*body[:-1], ir.Return(body[-1].line, body[-1].value))
        return body

    return lower


def _params(low: Lowering, listed: SgNode | None) -> tuple[ir.Param, ...]:
    if listed is None:
        return ()
    found: list[ir.Param] = []
    for child in low.inside(listed):
        name = child if child.kind() == "identifier" else (child.field("name") or first(child, "identifier"))
        kind = {"splat_parameter": "*", "hash_splat_parameter": "**"}.get(child.kind(), "")
        if name is not None and child.kind() != "block_parameter":
            found.append(ir.Param(name.text(), "", None, "*" if kind == "*" else "**" if kind else ""))
    return tuple(found)


def _define(low: Lowering, node: SgNode) -> ir.Block:
    return (ir.Define(line_of(node), _function(low, node, text_of(node.field("name")))),)


def _class(low: Lowering, node: SgNode) -> ir.Block:
    body = node.field("body") or first(node, "body_statement")
    name = text_of(node.field("name"))
    inside = low.inside(body) if body is not None else []
    methods = [
        _function(low, child, text_of(child.field("name")), name)
        for child in inside
        if child.kind() in ("method", "singleton_method")
    ]
    others = low.blocks(
        child
        for child in inside
        if child.kind() in ("class", "module", "assignment", "singleton_class")
        or (child.kind() == "call" and child.field("block") is not None)  # a route with its handler
    )
    base = text_of(node.field("superclass")).lstrip("< ")
    hooks = [hook for child in inside if child.kind() == "call" and (hook := _HOOK.match(child.text()[:_LONGEST_HOOK]))]
    if hooks:
        methods = [_behind_hooks(method, hooks) for method in methods]
    item = ir.Class(name=name, line=line_of(node), bases=(base,) if base else (), methods=tuple(methods))
    return (*others, ir.DefineClass(line_of(node), item))


_LONGEST_HOOK = 300
_HOOK = lazy(
    r"(?:prepend_)?before_(?:action|filter)[ (]\s*(?P<names>:\w+(?:\s*,\s*:\w+)*)"
    r"(?:\s*,\s*(?P<how>only|except):\s*(?P<which>:\w+|%i\[[^\]]*\]|\[[^\]]*\]))?"
)
_NAME = lazy(r"\w+")


def _behind_hooks(method: ir.Function, hooks: list[re.Match[str]]) -> ir.Function:
    """`before_action :set_range`: what is called in front of each action sets the fields that it reads."""
    named = [name for hook in hooks for name in _NAME.findall(hook["names"])]
    if method.name in named:
        return method
    called = [name for hook in hooks if _runs_before(hook, method.name) for name in _NAME.findall(hook["names"])]
    line, lower = method.line, method.lower
    if not called or lower is None:
        return method
    calls = tuple(
        ir.ExprStmt(line, ir.Call(line, ir.Attr(line, ir.Name(line, "self"), name))) for name in dict.fromkeys(called)
    )
    return msgspec.structs.replace(method, lower=lambda: (*calls, *lower()))


def _runs_before(hook: re.Match[str], name: str) -> bool:
    if not hook["how"]:
        return True
    which = hook["which"].removeprefix("%i")
    return (name in _NAME.findall(which)) is (hook["how"] == "only")


def _string(low: Lowering, node: SgNode) -> ir.Expr:
    parts = [
        low.expr(child) if child.kind() == "interpolation" else ir.Const(line_of(child), child.text())
        for child in low.inside(node)
    ]
    if not parts:
        return ir.Const(line_of(node), "")
    return parts[0] if len(parts) == 1 and isinstance(parts[0], ir.Const) else ir.Join(line_of(node), tuple(parts))


def _heredoc(low: Lowering, node: SgNode) -> ir.Expr:
    """A heredoc's text stands after the statement: its body is the next one of its kind."""
    current: SgNode | None = node
    for _ in range(12):
        current = current.parent() if current is not None else None
        if current is None:
            break
        for following in current.next_all()[:2]:
            if following.kind() == "heredoc_body":
                return _string(low, following)
    return ir.Unknown(line_of(node))


def _subshell(low: Lowering, node: SgNode) -> ir.Expr:
    return known(line_of(node), "`", _string(low, node))


def _regex(_: Lowering, node: SgNode) -> ir.Expr:
    text = node.text()
    return ir.Const(line_of(node), text[1 : text.rfind("/")] if text.startswith("/") else text)


def _symbol(_: Lowering, node: SgNode) -> ir.Expr:
    return ir.Const(line_of(node), node.text().strip(":'\""))


def _index(low: Lowering, node: SgNode) -> ir.Expr:
    inner = low.inside(node)
    return ir.Index(line_of(node), low.expr(inner[0]), low.expr(inner[1]) if len(inner) > 1 else None)


def _field(_: Lowering, node: SgNode) -> ir.Expr:
    return ir.Attr(line_of(node), ir.Name(line_of(node), "self"), node.text().lstrip("@"))


def _hash(low: Lowering, node: SgNode) -> ir.Expr:
    entries = []
    for child in low.inside(node):
        key = child.field("key")
        name = _symbol(low, key) if key is not None and "symbol" in key.kind() else low.expr(key)
        entries.append((name, low.expr(child.field("value"))))
    return ir.Container(line_of(node), "dict", tuple(entries))


def _binary(low: Lowering, node: SgNode) -> ir.Expr:
    operator = text_of(node.field("operator"))
    if operator in ("=~", "!~"):
        left, right = low.expr(node.field("left")), low.expr(node.field("right"))
        pattern, text = (left, right) if isinstance(left, ir.Const) else (right, left)
        test = asked_of(0, 1)(ir.Call(line_of(node), ir.Name(line_of(node), "match"), (pattern, text)))
        return test if operator == "=~" else ir.Not(line_of(node), test)
    return node_rules.binary(low, node)


def _append(low: Lowering, node: SgNode) -> ir.Block:
    if text_of(node.field("operator")) != "<<":
        return (ir.ExprStmt(line_of(node), low.expr(node)),)
    target = low.expr(node.field("left"))
    return (ir.Assign(line_of(node), (target,), low.expr(node.field("right")), "+"),)


def _targets(low: Lowering, node: SgNode) -> ir.Expr:
    return ir.Container(line_of(node), "list", tuple((None, low.expr(child)) for child in low.inside(node)))


def _if(*, holds: bool) -> Callable[[Lowering, SgNode], ir.Block]:
    def rule(low: Lowering, node: SgNode) -> ir.Block:
        test = node_rules.as_test(low.expr(node.field("condition")))
        body = low.block(node.field("consequence") or node.field("body"))
        otherwise = low.block(node.field("alternative"))
        return (ir.If(line_of(node), test if holds else ir.Not(line_of(node), test), body, otherwise),)

    return rule


def _case(low: Lowering, node: SgNode) -> ir.Block:
    cases: list[ir.Case] = []
    for child in low.inside(node):
        if child.kind() == "when":
            values = tuple(
                low.expr(low.inside(pattern)[0]) for pattern in named(child, "pattern") if low.inside(pattern)
            )
            cases.append(ir.Case(line_of(child), values, low.block(child.field("body"))))
        elif child.kind() == "else":
            cases.append(ir.Case(line_of(child), (), low.block(child)))
    return (ir.Switch(line_of(node), low.expr(node.field("value")), tuple(cases)),)


def _case_value(low: Lowering, node: SgNode) -> ir.Expr:
    """`sort = case key when "a" then "b" else key end`."""
    if _does_more(low, node):
        return low.unknown(node)
    asked, arms = node.field("value"), []
    for child in low.inside(node):
        if child.kind() == "when":
            values = values_of(low, named(child, "pattern"))
            arms.append(Arm(_last(low, child.field("body")), values))
        elif child.kind() == "else":
            arms.append(Arm(_last(low, child), is_default=True))
    return chosen(line_of(node), low.expr(asked) if asked is not None else None, arms)


def _if_value(low: Lowering, node: SgNode) -> ir.Expr:
    """`title = if name then name else "none" end`."""
    if _does_more(low, node):
        return low.unknown(node)
    test = node_rules.as_test(low.expr(node.field("condition")))
    yes, no = _last(low, node.field("consequence")), _last(low, node.field("alternative"))
    return ir.Ternary(line_of(node), test, yes, no)


def _does_more(low: Lowering, node: SgNode) -> bool:
    """Whether a branch holds statements in front of its value, which have to be looked at as well."""
    parts = [part for child in low.inside(node) for part in (child, *low.inside(child))]
    return any(part.kind() in ("then", "else") and len(low.inside(part)) > 1 for part in parts)


def _last(low: Lowering, node: SgNode | None) -> ir.Expr:
    """The value of a branch: its last expression."""
    while node is not None and node.kind() in ("then", "else", "body_statement") and low.inside(node):
        node = low.inside(node)[-1]
    return low.expr(node) if node is not None else ir.Const(0, None)


def _begin(low: Lowering, node: SgNode) -> ir.Block:
    inner = low.inside(node)
    work = low.blocks(child for child in inner if child.kind() not in ("rescue", "ensure", "else"))
    handlers = tuple(low.block(child.field("body")) for child in inner if child.kind() == "rescue")
    final = low.blocks(child for ensure in inner if ensure.kind() == "ensure" for child in low.inside(ensure))
    return (ir.Try(line_of(node), work, handlers, (), final),) if handlers or final else work


def _return(low: Lowering, node: SgNode) -> ir.Block:
    listed = first(node, "argument_list")
    values = low.exprs(low.inside(listed)) if listed is not None else ()
    return (ir.Return(line_of(node), values[0] if values else None),)


def _unknown_truth(_: Lowering, node: SgNode) -> ir.Expr:
    return ir.Unknown(line_of(node))


_IDIOMS = rewriting(read_table("ruby").idioms)

GRAMMAR = LoweringGrammar(
    idiom=_IDIOMS,
    skip=frozenset({"comment", "empty_statement", "heredoc_body"}),
    expressions={
        "identifier": node_rules.name,
        "constant": node_rules.name,
        "self": node_rules.self_name,
        "scope_resolution": lambda _, node: ir.Name(line_of(node), node.text().replace("::", ".").rpartition(".")[2]),
        "instance_variable": _field,
        "class_variable": _field,
        "global_variable": node_rules.name,
        "string": _string,
        "bare_string": _string,
        "chained_string": lambda low, node: ir.Join(line_of(node), low.exprs(low.inside(node))),
        "heredoc_beginning": _heredoc,
        "subshell": _subshell,
        "interpolation": node_rules.through(),
        "regex": _regex,
        "simple_symbol": _symbol,
        "integer": node_rules.number,
        "float": node_rules.number,
        "true": node_rules.empty,
        "false": node_rules.empty,
        "nil": node_rules.empty,
        "call": _call,
        "element_reference": _index,
        "hash": _hash,
        "array": node_rules.items("list"),
        "string_array": node_rules.items("list"),
        "symbol_array": node_rules.items("list"),
        "splat_argument": lambda low, node: ir.Spread(
            line_of(node), low.expr(low.inside(node)[0]) if low.inside(node) else ir.Unknown(line_of(node))
        ),
        "binary": _binary,
        "unary": node_rules.unary,
        "conditional": node_rules.conditional,
        "if": _if_value,
        "case": _case_value,
        "parenthesized_statements": node_rules.through(),
        "assignment": node_rules.assignment,
        "operator_assignment": node_rules.assignment,
        "left_assignment_list": _targets,
        "rescue_modifier": lambda low, node: low.expr(node.field("body")),
        "lambda": lambda low, node: ir.Lambda(line_of(node), _function(low, node.field("body") or node, "<lambda>")),
        "defined?": _unknown_truth,
    },
    statements={
        "program": node_rules.sequence,
        "body_statement": _begin,
        "block_body": node_rules.sequence,
        "then": node_rules.sequence,
        "else": node_rules.sequence,
        "do": node_rules.sequence,
        "begin": _begin,
        "method": _define,
        "singleton_method": _define,
        "class": _class,
        "module": _class,
        "assignment": node_rules.assign_statement,
        "operator_assignment": node_rules.assign_statement,
        "binary": _append,
        "call": _call_statement,
        "if": _if(holds=True),
        "elsif": _if(holds=True),
        "if_modifier": _if(holds=True),
        "unless": _if(holds=False),
        "unless_modifier": _if(holds=False),
        "while": node_rules.while_statement(),
        "until": node_rules.while_statement(),
        "for": node_rules.each_statement("pattern", "value"),
        "case": _case,
        "return": _return,
        "break": node_rules.leave("break"),
        "next": node_rules.leave("continue"),
    },
)
lower = GRAMMAR.lower
