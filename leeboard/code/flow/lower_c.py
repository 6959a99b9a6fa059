"""C and C++ to the IR."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leeboard.code.flow import _c_library as library
from leeboard.code.flow import _node_rules as rules
from leeboard.code.flow import ir
from leeboard.code.flow._c_declarations import class_of, declared, function_of, lambda_of
from leeboard.code.flow._cpp_library import compared, plain_method, streamed
from leeboard.code.flow._lowering import Grammar, Lowering, attribute, is_written, line_of, text_of, unescaped
from leeboard.code.flow._page_building import page

if TYPE_CHECKING:
    from ast_grep_py import SgNode

    from leeboard.code.syntax import Tree

_EXITS = frozenset(
    {"exit", "abort", "_exit", "_Exit", "quick_exit", "err", "errx", "terminate", "perror_exit", "die", "longjmp"}
)


def lower(tree: Tree) -> ir.Module:
    """The file in the IR."""
    if not is_written(tree.text):
        return ir.Module(language=tree.language)
    return ir.Module(language=tree.language, body=Lowering(GRAMMAR).block(tree.root))


def _call(low: Lowering, node: SgNode) -> ir.Expr:
    arguments = node.field("arguments")
    callee = low.expr(node.field("function") or node.field("type"))
    values = low.exprs(low.inside(arguments)) if arguments is not None else ()
    written = text_of(arguments)
    if "XML_PARSE_NOENT" in written or "XML_PARSE_DTDLOAD" in written:
        callee = ir.Attr(line_of(node), callee, "noent")
    return low.call(node, callee, values)


def _idiom(call: ir.Call) -> ir.Expr:
    for form in (library.plain, library.option, plain_method):
        value = form(call)
        if value is not call:
            return value
    return call


def _binary(low: Lowering, node: SgNode) -> ir.Expr:
    operator = text_of(node.field("operator"))
    if operator in ("<<", ">>"):
        stream = streamed(low, node, operator)
        if stream is not None:
            return stream
    value = page(rules.binary(low, node))
    if isinstance(value, ir.Bool):
        return library.truth(value)
    if not isinstance(value, ir.Compare):
        return value
    if isinstance(value.left, ir.Index) and isinstance(value.left.key, ir.Name) and isinstance(value.right, ir.Const):
        # One character of a text, asked in a loop over all of them.
        return ir.Compare(value.line, value.op, value.left.value, value.right)
    return compared(library.compared(value))


def _unary(low: Lowering, node: SgNode) -> ir.Expr:
    value = rules.unary(low, node)
    return library.truth(value) if isinstance(value, ir.Not) else value


def _name(_: Lowering, node: SgNode) -> ir.Expr:
    """Names of the standard namespace go without it."""
    path = node.text().split("<")[0].replace("::", ".").replace(" ", "").removeprefix(".").removeprefix("std.")
    return attribute(line_of(node), "self" if path == "this" else path or "_")


def _string(_: Lowering, node: SgNode) -> ir.Expr:
    text = node.text()
    start, end = text.find('"'), text.rfind('"')
    return ir.Const(line_of(node), unescaped(text[start + 1 : end]) if end > start >= 0 else text)


def _character(_: Lowering, node: SgNode) -> ir.Expr:
    return ir.Const(line_of(node), unescaped(node.text().lstrip("LuU")[1:-1]))


def _adjacent(low: Lowering, node: SgNode) -> ir.Expr:
    parts = low.exprs(low.inside(node))
    if all(isinstance(part, ir.Const) for part in parts):
        return ir.Const(line_of(node), "".join(str(part.value) for part in parts if isinstance(part, ir.Const)))
    return ir.Join(line_of(node), parts)


def _index(low: Lowering, node: SgNode) -> ir.Expr:
    inner = low.inside(node)
    key = low.expr(inner[1]) if len(inner) > 1 else None
    if isinstance(key, ir.Unknown) and len(key.children) == 1:
        key = key.children[0]
    return ir.Index(line_of(node), low.expr(inner[0]) if inner else ir.Unknown(line_of(node)), key)


def _items(low: Lowering, node: SgNode) -> ir.Expr:
    found = [
        low.expr(child.field("value")) if child.kind() == "initializer_pair" else low.expr(child)
        for child in low.inside(node)
    ]
    return ir.Container(line_of(node), "list", tuple((None, each) for each in found))


def _zero(_: Lowering, node: SgNode) -> ir.Expr:
    return ir.Const(line_of(node), 0)


def _if(low: Lowering, node: SgNode) -> ir.Block:
    test = library.truth(rules.as_test(low.expr(node.field("condition"))))
    return (ir.If(line_of(node), test, low.block(node.field("consequence")), low.block(node.field("alternative"))),)


def _condition(low: Lowering, node: SgNode) -> ir.Expr:
    inner = low.inside(node)
    return low.expr(inner[-1]) if inner else ir.Unknown(line_of(node))


def _expression(low: Lowering, node: SgNode) -> ir.Block:
    inner = low.inside(node)
    if not inner:
        return ()
    if inner[0].kind() in GRAMMAR.statements:
        return low.block(inner[0])
    value = low.expr(inner[0])
    if isinstance(value, ir.Walrus):
        return (ir.Assign(value.line, (value.target,), value.value),)
    if isinstance(value, ir.Call) and ir.dotted(value.callee) in _EXITS:
        return (ir.Exit(value.line, "exit", value),)
    return (ir.ExprStmt(line_of(node), value),)


def _while(low: Lowering, node: SgNode) -> ir.Block:
    test = library.truth(low.expr(node.field("condition")))
    loop = ir.Loop(line_of(node), low.block(node.field("body")), test=test)
    return (loop, *_shown(loop.body))


def _for(low: Lowering, node: SgNode) -> ir.Block:
    *before, loop = rules.for_statement("initializer", "condition", "update")(low, node)
    return (*before, loop, *(_shown(loop.body) if isinstance(loop, ir.Loop) else ()))


def _for_range(low: Lowering, node: SgNode) -> ir.Block:
    declarator = node.field("declarator")
    name = text_of(declarator).lstrip("&* ")
    iterable = low.expr(node.field("right"))
    body = low.block(node.field("body"))
    loop = ir.Loop(line_of(node), body, target=ir.Name(line_of(node), name), iterable=iterable)
    return (ir.Assign(line_of(node), (ir.Name(line_of(node), name),), iterable), loop, *_shown(body))


def _shown(body: ir.Block) -> ir.Block:
    """A loop over characters that leaves at a bad one: after it none is bad, so the test is asked once more."""
    return tuple(
        each
        for each in body
        if isinstance(each, ir.If)
        and each.body
        and isinstance(each.body[-1], (ir.Return, ir.Exit))
        and _leaves(each.body[-1])
    )


def _leaves(last: ir.Stmt) -> bool:
    return isinstance(last, ir.Return) or (isinstance(last, ir.Exit) and last.kind in ("raise", "exit"))


def _switch(low: Lowering, node: SgNode) -> ir.Block:
    body = node.field("body")
    cases = [_case(low, child) for child in low.inside(body)] if body is not None else []
    return (ir.Switch(line_of(node), low.expr(node.field("condition")), tuple(cases)),)


def _case(low: Lowering, node: SgNode) -> ir.Case:
    value = node.field("value")
    inner = low.inside(node)
    statements = low.blocks(inner[1:] if value is not None else inner)
    falls = not statements or not isinstance(statements[-1], (ir.Exit, ir.Return))
    kept = tuple(each for each in statements if not (isinstance(each, ir.Exit) and each.kind == "break"))
    return ir.Case(line_of(node), (low.expr(value),) if value is not None else (), kept, None, falls)


def _define(low: Lowering, node: SgNode) -> ir.Block:
    function = function_of(low, node)
    return (ir.Define(line_of(node), function),) if function is not None else ()


def _class(low: Lowering, node: SgNode) -> ir.Block:
    return (ir.DefineClass(line_of(node), class_of(low, node)),) if node.field("body") is not None else ()


def _field(low: Lowering, node: SgNode) -> ir.Expr:
    return ir.Attr(line_of(node), low.expr(node.field("argument")), text_of(node.field("field")))


def _conditional(low: Lowering, node: SgNode) -> ir.Expr:
    value = rules.conditional(low, node)
    return (
        ir.Ternary(value.line, library.truth(value.test), value.yes, value.no)
        if isinstance(value, ir.Ternary)
        else value
    )


_UPDATE = frozenset(
    {"update_expression", "preproc_include", "preproc_def", "preproc_function_def", "using_declaration"}
)

GRAMMAR = Grammar(
    language="c",
    idiom=_idiom,
    expressions={
        "identifier": rules.name,
        "field_identifier": rules.name,
        "type_identifier": _name,
        "qualified_identifier": _name,
        "template_function": lambda low, node: low.expr(node.field("name")),
        "this": rules.self_name,
        "string_literal": _string,
        "raw_string_literal": _string,
        "concatenated_string": _adjacent,
        "char_literal": _character,
        "number_literal": rules.number,
        "true": rules.empty,
        "false": rules.empty,
        "null": rules.empty,
        "sizeof_expression": _zero,
        "update_expression": rules.through("argument"),
        "field_expression": _field,
        "subscript_expression": _index,
        "call_expression": _call,
        "new_expression": _call,
        "binary_expression": _binary,
        "unary_expression": _unary,
        "pointer_expression": rules.through("argument"),
        "cast_expression": rules.through("value"),
        "parenthesized_expression": rules.through(),
        "condition_clause": _condition,
        "conditional_expression": _conditional,
        "comma_expression": rules.through("right"),
        "assignment_expression": rules.assignment,
        "initializer_list": _items,
        "compound_literal_expression": rules.through("value"),
        "lambda_expression": lambda_of,
    },
    statements={
        "translation_unit": rules.sequence,
        "compound_statement": rules.sequence,
        "linkage_specification": lambda low, node: low.block(node.field("body")),
        "declaration_list": rules.sequence,
        "namespace_definition": lambda low, node: low.block(node.field("body")),
        "template_declaration": rules.sequence,
        "preproc_if": rules.sequence,
        "preproc_ifdef": rules.sequence,
        "preproc_else": rules.sequence,
        "preproc_elif": rules.sequence,
        "function_definition": _define,
        "class_specifier": _class,
        "struct_specifier": _class,
        "declaration": declared,
        "expression_statement": _expression,
        "assignment_expression": rules.assign_statement,
        "if_statement": _if,
        "else_clause": rules.sequence,
        "for_statement": _for,
        "for_range_loop": _for_range,
        "while_statement": _while,
        "do_statement": _while,
        "switch_statement": _switch,
        "try_statement": rules.try_statement(),
        "return_statement": rules.return_statement,
        "throw_statement": rules.leave("raise"),
        "break_statement": rules.leave("break"),
        "continue_statement": rules.leave("continue"),
        "goto_statement": lambda _, node: (ir.Exit(line_of(node), "raise"),),
        "labeled_statement": lambda low, node: low.blocks(low.inside(node)[1:]),
        "type_definition": rules.nothing,
        "enum_specifier": rules.nothing,
        "parameter_list": rules.nothing,
        "type_identifier": rules.nothing,
        "template_parameter_list": rules.nothing,
        **dict.fromkeys(_UPDATE, rules.nothing),
    },
)
