"""JavaScript, TypeScript and TSX to the IR."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from leeboard.model.text import lazy
from leeboard.security.taint import ir
from leeboard.security.taint.lowering import node_rules
from leeboard.security.taint.lowering.idiom import based, known, page
from leeboard.security.taint.lowering.javascript_functions import (
    FUNCTIONS,
    assigned_key,
    bindings,
    call,
    call_statement,
    class_of,
    function_of,
    imported,
    plain_call,
    required,
    unpacked,
)
from leeboard.security.taint.lowering.lowering import (
    Lowering,
    LoweringGrammar,
    attribute,
    first,
    is_written,
    line_of,
    lowering_of,
    named,
    text_of,
    unescaped,
)

if TYPE_CHECKING:
    from ast_grep_py import SgNode

    from leeboard.source.syntax import SyntaxTree


_PAGES = lazy(r"^default$|Page$|Layout$|^generateMetadata$")
"""What the functions are called that a framework fills with the address they are asked under."""


def lower(tree: SyntaxTree) -> ir.Module:
    """The file in the IR; imports are read from all over its top level."""
    if not is_written(tree.text):
        return ir.Module(language=tree.language)
    low = lowering_of(GRAMMAR, tree)
    imports: dict[str, str] = {}
    body: list[ir.Stmt] = []
    for statement in low.blocks(low.inside(tree.root)):
        if isinstance(statement, ir.Bind):
            imports[statement.name] = statement.path
        else:
            body.append(statement)
    if "Params" in tree.text or "params" in tree.text:
        body = [_with_types(tree.text, statement) for statement in body]
    return ir.Module(language=tree.language, imports=imports, body=tuple(body))


def _with_types(text: str, statement: ir.Stmt) -> ir.Stmt:
    """A function whose parameters have a type of the file says what the type says: a page's `props: Props`."""
    if not isinstance(statement, ir.Define) or not _PAGES.search(statement.function.name):
        return statement
    params = tuple(
        [replace(param, annotation=_spelled_out(text, param.annotation)) for param in statement.function.params]
    )
    return ir.Define(statement.line, replace(statement.function, params=params))


def _spelled_out(text: str, annotation: str) -> str:
    if not annotation.isidentifier():
        return annotation
    declared = re.search(rf"\b(?:type|interface)\s+{annotation}\b[^{{;]{{0,80}}\{{(.{{0,400}})", text, re.DOTALL)
    return f"{annotation} {declared[1]}" if declared is not None else annotation


def _import(low: Lowering, node: SgNode) -> ir.Block:
    return tuple(ir.Bind(line_of(node), local, path) for local, path in imported(low, node))


def _export(low: Lowering, node: SgNode) -> ir.Block:
    inner = node.field("declaration") or node.field("value")
    block = _value_statement(low, inner, "default") if inner is not None else ()
    return tuple(_action(stmt) for stmt in block) if block and _is_for_browsers(node) else block


def _is_for_browsers(node: SgNode) -> bool:
    """Whether any browser may call what the file exports: it begins with `"use server"`."""
    module = node.parent()
    first = (
        next((child for child in module.children() if child.kind() != "comment"), None) if module is not None else None
    )
    return first is not None and first.kind() == "expression_statement" and first.text()[1:11] == "use server"


def _action(stmt: ir.Stmt) -> ir.Stmt:
    """A function that a browser calls, marked as such."""
    if not isinstance(stmt, ir.Define):
        return stmt
    marks = (*stmt.function.decorators, ir.Name(stmt.line, "use.server"))
    return ir.Define(stmt.line, replace(stmt.function, decorators=marks))


def _value_statement(low: Lowering, node: SgNode, name: str) -> ir.Block:
    """A value that is a function is a definition, so that its callers are taken to be anybody."""
    if node.kind() in FUNCTIONS:
        return (ir.Define(line_of(node), function_of(low, node, text_of(node.field("name")) or name)),)
    if node.kind() == "object":
        return _methods(low, node) or low.block(node)
    return low.block(node)


def _methods(low: Lowering, node: SgNode) -> ir.Block:
    found: list[ir.Stmt] = []
    for entry in low.inside(node):
        value = entry if entry.kind() == "method_definition" else entry.field("value")
        if value is not None and value.kind() in FUNCTIONS:
            name = text_of(entry.field("name") or entry.field("key"))
            found.append(ir.Define(line_of(entry), function_of(low, value, name)))
    return tuple(found)


def _declaration(low: Lowering, node: SgNode) -> ir.Block:
    return tuple(statement for child in named(node, "variable_declarator") for statement in _declarator(low, child))


def _declarator(low: Lowering, node: SgNode) -> ir.Block:
    target, value = node.field("name"), node.field("value")
    if target is None or value is None:
        return ()
    bound = tuple(bindings(target, value))
    if bound:
        return tuple(ir.Bind(line_of(node), local, path) for local, path in bound)
    if target.kind() == "identifier" and value.kind() in FUNCTIONS:
        return (ir.Define(line_of(node), function_of(low, value, target.text())),)
    if target.kind() == "object_pattern":
        return unpacked(low, target, low.expr(value))
    annotation = text_of(node.field("type")).lstrip(": ")
    return (ir.Assign(line_of(node), (low.expr(target),), low.expr(value), "", annotation),)


def _assignment(low: Lowering, node: SgNode) -> ir.Block:
    left, right = node.field("left"), node.field("right")
    if left is None or right is None:
        return (ir.ExprStmt(line_of(node), low.unknown(node)),)
    if left.kind() == "object_pattern":
        return unpacked(low, left, low.expr(right))
    if right.kind() in FUNCTIONS or (right.kind() == "object" and "exports" in left.text()):
        named_as = text_of(left.field("property")) or left.text()
        return _value_statement(low, right, named_as)
    return (*assigned_key(left), *node_rules.assign_statement(low, node))


def _expression_statement(low: Lowering, node: SgNode) -> ir.Block:
    inner = low.inside(node)
    if not inner:
        return ()
    if inner[0].kind() == "await_expression" and low.inside(inner[0]):
        return low.block(low.inside(inner[0])[0])
    return low.block(inner[0])


def _template(low: Lowering, node: SgNode) -> ir.Expr:
    parts = [
        low.expr(child) if child.kind() == "template_substitution" else ir.Const(line_of(child), child.text())
        for child in low.inside(node)
    ]
    if len(parts) > 1:
        return page(ir.Join(line_of(node), based(tuple(parts))))
    return parts[0] if parts else ir.Const(line_of(node), "")


def _name(_: Lowering, node: SgNode) -> ir.Expr:
    return ir.Name(line_of(node), node.text())


def _string(_: Lowering, node: SgNode) -> ir.Expr:
    return ir.Const(line_of(node), unescaped(node.text()[1:-1]))


def _regex(_: Lowering, node: SgNode) -> ir.Expr:
    return ir.Const(line_of(node), text_of(node.field("pattern")))


def _index(low: Lowering, node: SgNode) -> ir.Expr:
    return ir.Index(line_of(node), low.expr(node.field("object")), low.expr(node.field("index")))


def _object(low: Lowering, node: SgNode) -> ir.Expr:
    found: list[tuple[ir.Expr | None, ir.Expr]] = []
    for entry in low.inside(node):
        line = line_of(entry)
        if entry.kind() == "pair":
            found.append(_pair(low, entry))
        elif entry.kind() == "shorthand_property_identifier":
            found.append((ir.Const(line, entry.text()), ir.Name(line, entry.text())))
        elif entry.kind() == "method_definition":
            function = function_of(low, entry, text_of(entry.field("name")))
            found.append((ir.Const(line, function.name), ir.Lambda(line, function)))
        else:
            found.append((None, low.expr(entry)))
    return ir.Container(line_of(node), "dict", tuple(found))


def _pair(low: Lowering, entry: SgNode) -> tuple[ir.Expr, ir.Expr]:
    """What stands under `$where` is code that a database runs, wherever the query goes."""
    key, value = _key(low, entry.field("key")), low.expr(entry.field("value"))
    is_code = isinstance(key, ir.Const) and key.value == "$where"
    return key, known(value.line, "where.built", value) if is_code else value


def _key(low: Lowering, key: SgNode | None) -> ir.Expr:
    if key is not None and key.kind() == "property_identifier":
        return ir.Const(line_of(key), key.text())
    return low.expr(key)


def _spread(low: Lowering, node: SgNode) -> ir.Expr:
    return ir.Spread(line_of(node), low.expr(low.inside(node)[0])) if low.inside(node) else ir.Unknown(line_of(node))


def _function(low: Lowering, node: SgNode) -> ir.Expr:
    """A name of its own is for itself alone: whoever is handed the function calls it as any other."""
    return ir.Lambda(line_of(node), function_of(low, node, ""))


def _define(low: Lowering, node: SgNode) -> ir.Block:
    return (ir.Define(line_of(node), function_of(low, node, text_of(node.field("name")))),)


def _class(low: Lowering, node: SgNode) -> ir.Block:
    return (ir.DefineClass(line_of(node), class_of(low, node)),)


def _for_in(low: Lowering, node: SgNode) -> ir.Block:
    target, iterable = node.field("left"), low.expr(node.field("right"))
    body = low.block(node.field("body"))
    if target is not None and target.kind() == "object_pattern":
        whole = ir.Name(line_of(target), target.text()[:40])
        body = (*unpacked(low, target, whole), *body)
        return (ir.Loop(line_of(node), body, target=whole, iterable=iterable),)
    return (ir.Loop(line_of(node), body, target=low.expr(target), iterable=iterable),)


def _switch(low: Lowering, node: SgNode) -> ir.Block:
    body = node.field("body")
    cases = [_case(low, child) for child in low.inside(body)] if body is not None else []
    return (ir.Switch(line_of(node), low.expr(node.field("value")), tuple(cases)),)


def _case(low: Lowering, node: SgNode) -> ir.Case:
    value = node.field("value")
    statements = low.blocks(node.field_children("body"))
    falls = not statements or not isinstance(statements[-1], (ir.Exit, ir.Return))
    kept = tuple(each for each in statements if not (isinstance(each, ir.Exit) and each.kind == "break"))
    return ir.Case(line_of(node), (low.expr(value),) if value is not None else (), kept, None, falls)


def _jsx_attribute(low: Lowering, node: SgNode) -> ir.Expr:
    inner = low.inside(node)
    name = inner[0].text() if len(inner) > 1 else ""
    is_address = name in _ADDRESSES and _is_of_a_page(node)
    if not is_address and name != "dangerouslySetInnerHTML":
        return low.unknown(node)
    value = low.expr(inner[1])
    if isinstance(value, ir.Unknown) and value.children:
        value = value.children[0]
    if is_address:
        return ir.Call(line_of(node), ir.Name(line_of(node), "jsx.address"), (value,))
    if isinstance(value, ir.Container) and value.items:
        value = value.items[0][1]
    return ir.Call(line_of(node), ir.Name(line_of(node), inner[0].text()), (value,))


_ADDRESSES = frozenset({"href", "src", "action", "formAction", "srcDoc"})
_RUNS_ADDRESSES = frozenset({"a", "area", "iframe", "form", "button", "embed", "object"})
"""Elements of a page for which an address may be a script."""


def _is_of_a_page(node: SgNode) -> bool:
    element = node.parent()
    return element is not None and text_of(element.field("name")) in _RUNS_ADDRESSES


def _member(low: Lowering, node: SgNode) -> ir.Expr:
    owner = node.field("object")
    if owner is not None and owner.kind() == "call_expression" and (path := required(node)):
        return attribute(line_of(node), path)  # `require('m').y`, used where it is read
    return ir.Attr(line_of(node), low.expr(node.field("object")), text_of(node.field("property")))


def _else(low: Lowering, node: SgNode) -> ir.Block:
    return low.blocks(low.inside(node))


def _pattern(low: Lowering, node: SgNode) -> ir.Expr:
    return ir.Container(line_of(node), "list", tuple((None, low.expr(child)) for child in low.inside(node)))


def _unary(low: Lowering, node: SgNode) -> ir.Expr:
    if text_of(node.field("operator")) == "typeof":
        return known(line_of(node), "typeof", low.expr(node.field("argument")))
    return node_rules.unary(low, node)


def _binary(low: Lowering, node: SgNode) -> ir.Expr:
    """`typeof x === 'number'` is a test of its own."""
    value = node_rules.binary(low, node)
    if isinstance(value, (ir.Join, ir.Binary)):
        return page(value)
    if not isinstance(value, ir.Compare) or value.op not in ("==", "!="):
        return value
    asked, answer = value.left, value.right
    if not isinstance(asked, ir.Call) or ir.dotted(asked.callee) != "typeof" or not isinstance(answer, ir.Const):
        return value
    name = {"string": "type.is_text", "number": "type.is_number", "boolean": "type.is_number"}.get(str(answer.value))
    if name is None:
        return value
    test = known(value.line, name, *asked.args)
    return test if value.op == "==" else ir.Not(value.line, test)


def _update(low: Lowering, node: SgNode) -> ir.Expr:
    return ir.Unary(line_of(node), "+", low.expr(first(node, "identifier")))


GRAMMAR = LoweringGrammar(
    skip=frozenset({"comment", "hash_bang_line", "type_annotation", "type_arguments", "accessibility_modifier"}),
    idiom=plain_call,
    expressions={
        "identifier": _name,
        "property_identifier": node_rules.name,
        "shorthand_property_identifier_pattern": node_rules.name,
        "this": node_rules.self_name,
        "string": _string,
        "template_string": _template,
        "template_substitution": node_rules.through(),
        "regex": _regex,
        "number": node_rules.number,
        "true": node_rules.empty,
        "false": node_rules.empty,
        "null": node_rules.empty,
        "undefined": node_rules.empty,
        "member_expression": _member,
        "subscript_expression": _index,
        "call_expression": call,
        "new_expression": call,
        "binary_expression": _binary,
        "unary_expression": _unary,
        "update_expression": _update,
        "ternary_expression": node_rules.conditional,
        "parenthesized_expression": node_rules.through(),
        "await_expression": node_rules.through(),
        "yield_expression": node_rules.through(),
        "sequence_expression": node_rules.through(),
        "as_expression": lambda low, node: low.expr(low.inside(node)[0]),
        "satisfies_expression": lambda low, node: low.expr(low.inside(node)[0]),
        "non_null_expression": node_rules.through(),
        "assignment_expression": node_rules.assignment,
        "augmented_assignment_expression": node_rules.assignment,
        "assignment_pattern": lambda low, node: low.expr(node.field("left")),
        "array_pattern": _pattern,
        "array": node_rules.items("list"),
        "object": _object,
        "spread_element": _spread,
        "rest_pattern": node_rules.through(),
        "computed_property_name": node_rules.through(),
        "jsx_attribute": _jsx_attribute,
        **dict.fromkeys(FUNCTIONS, _function),
    },
    statements={
        "program": node_rules.sequence,
        "statement_block": node_rules.sequence,
        "expression_statement": _expression_statement,
        "call_expression": call_statement,
        "assignment_expression": _assignment,
        "augmented_assignment_expression": node_rules.assign_statement,
        "lexical_declaration": _declaration,
        "variable_declaration": _declaration,
        "import_statement": _import,
        "export_statement": _export,
        "function_declaration": _define,
        "generator_function_declaration": _define,
        "class_declaration": _class,
        "abstract_class_declaration": _class,
        "if_statement": node_rules.if_statement("condition", "consequence", "alternative"),
        "else_clause": _else,
        "for_statement": node_rules.for_statement("initializer", "condition", "increment"),
        "for_in_statement": _for_in,
        "while_statement": node_rules.while_statement(),
        "do_statement": node_rules.while_statement(),
        "switch_statement": _switch,
        "try_statement": node_rules.try_statement(),
        "return_statement": node_rules.return_statement,
        "throw_statement": node_rules.leave("raise"),
        "break_statement": node_rules.leave("break"),
        "continue_statement": node_rules.leave("continue"),
        "labeled_statement": lambda low, node: low.block(node.field("body")),
        "empty_statement": node_rules.nothing,
        "interface_declaration": node_rules.nothing,
        "type_alias_declaration": node_rules.nothing,
        "ambient_declaration": node_rules.nothing,
        "internal_module": node_rules.sequence,
    },
)
