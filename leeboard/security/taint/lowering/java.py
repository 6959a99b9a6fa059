"""Java to the IR."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from leeboard.model.text import lazy
from leeboard.security.taint import ir
from leeboard.security.taint.lowering import node_rules
from leeboard.security.taint.lowering.choice import Arm, chosen, values_of
from leeboard.security.taint.lowering.idiom import RECEIVER, appended, asked_of, at, built, rewriting, unhardened
from leeboard.security.taint.lowering.lowering import Lowering, LoweringGrammar, end_of, first, line_of, named, text_of
from leeboard.security.taint.table_file import read_table

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_METHODS = frozenset({"method_declaration", "constructor_declaration", "compact_constructor_declaration"})
_ANNOTATIONS = ("annotation", "marker_annotation")
_NESTED = frozenset({"class_declaration", "record_declaration", "enum_declaration", "interface_declaration"})


def _imports(root: SgNode) -> dict[str, str]:
    """A class goes by its own name: packages say nothing that the tables need."""
    found: dict[str, str] = {}
    for declaration in named(root, "import_declaration"):
        name = text_of(first(declaration, "scoped_identifier")).rpartition(".")[2]
        if name:
            found[name] = name
    return found


def _class(low: Lowering, node: SgNode) -> ir.Block:
    body = node.field("body")
    name = text_of(node.field("name"))
    methods: list[ir.Function] = []
    fields: list[ir.Stmt] = []
    others: list[ir.Stmt] = []
    for child in low.inside(body) if body is not None else []:
        if child.kind() in _METHODS:
            methods.append(_method(low, child, name))
        elif child.kind() == "field_declaration":
            fields.extend(_declaration(low, child))
        elif child.kind() in _NESTED:
            others.extend(low.block(child))
    bases = tuple(
        text_of(base).removeprefix("extends ").removeprefix("implements ")
        for base in (first(node, "superclass"), first(node, "super_interfaces"))
        if base is not None
    )
    item = ir.Class(
        name=name,
        line=line_of(node),
        bases=bases,
        methods=tuple(methods),
        fields=tuple(fields),
        types=tuple(_declared(low, node, body)),
        decorators=_marks(low, node),
    )
    # Constants of the class are asked for by their bare names.
    return (*fields, ir.DefineClass(line_of(node), item), *others)


def _declared(low: Lowering, node: SgNode, body: SgNode | None) -> Iterator[tuple[str, str]]:
    """What the class holds, with the types of it: the parts of a record, and fields."""
    listed = node.field("parameters") if node.kind() == "record_declaration" else None
    for part in low.inside(listed) if listed is not None else ():
        yield text_of(part.field("name")), text_of(part.field("type"))
    for child in named(body, "field_declaration") if body is not None else ():
        for declarator in named(child, "variable_declarator"):
            yield text_of(declarator.field("name")), text_of(child.field("type"))


def _marks(low: Lowering, node: SgNode) -> tuple[ir.Expr, ...]:
    modifiers = first(node, "modifiers")
    if modifiers is None:
        return ()
    return tuple(_mark(low, mark) for mark in named(modifiers, *_ANNOTATIONS))


def _mark(low: Lowering, node: SgNode) -> ir.Expr:
    arguments = node.field("arguments")
    name = ir.Name(line_of(node), text_of(node.field("name")))
    return ir.Call(line_of(node), name, low.exprs(low.inside(arguments))) if arguments is not None else name


def _method(low: Lowering, node: SgNode, owner: str) -> ir.Function:
    return ir.Function(
        name=text_of(node.field("name")),
        line=line_of(node),
        end=end_of(node),
        params=_params(node.field("parameters")),
        lower=low.later(node.field("body")),
        decorators=_marks(low, node),
        owner=owner,
        is_static=True,
        returns=text_of(node.field("type")),
    )


def _params(listed: SgNode | None) -> tuple[ir.Param, ...]:
    if listed is None:
        return ()
    found = []
    for child in named(listed, "formal_parameter", "spread_parameter"):
        name = text_of(child.field("name")) or text_of(first(child, "variable_declarator"))
        kind = "*" if child.kind() == "spread_parameter" else ""
        found.append(ir.Param(name, child.text()[:200], None, "*" if kind else ""))
    return tuple(found)


def _declaration(low: Lowering, node: SgNode) -> ir.Block:
    kind = text_of(node.field("type"))
    found: list[ir.Stmt] = []
    for child in named(node, "variable_declarator"):
        value = child.field("value")
        if value is not None:
            name = ir.Name(line_of(child), text_of(child.field("name")))
            found.append(ir.Assign(line_of(child), (name,), low.expr(value), "", f"{kind} {name.id}"))
    return tuple(found)


def _resource(low: Lowering, node: SgNode) -> ir.Block:
    name, value = node.field("name"), node.field("value")
    if name is None or value is None:
        return ()
    return (ir.Assign(line_of(node), (low.expr(name),), low.expr(value)),)


_PATHS_OF_PARTS = frozenset({"Paths.get", "Path.of", "java.nio.file.Paths.get", "java.nio.file.Path.of"})


def _call(low: Lowering, node: SgNode) -> ir.Expr:
    arguments = node.field("arguments")
    values = low.exprs(low.inside(arguments)) if arguments is not None else ()
    owner, name = node.field("object"), text_of(node.field("name"))
    line = line_of(node)
    callee = ir.Attr(line, low.expr(owner), name) if owner is not None else ir.Name(line, name)
    if unhardened(node, ir.dotted(callee)):
        return ir.Call(line, ir.Name(line, "xml.unhardened"), values)
    if values and ir.dotted(callee) in _PATHS_OF_PARTS:
        return ir.Join(line, tuple(part for value in values for part in (ir.Const(line, "/"), value))[1:])
    return low.call(node, callee, values)


def _new(low: Lowering, node: SgNode) -> ir.Expr:
    arguments = node.field("arguments")
    values = low.exprs(low.inside(arguments)) if arguments is not None else ()
    name = text_of(node.field("type")).split("<")[0].rpartition(".")[2]
    return low.call(node, ir.Name(line_of(node), name), values)


def _string(_: Lowering, node: SgNode) -> ir.Expr:
    text = node.text()
    return ir.Const(line_of(node), text.strip('"') if text.startswith('"""') else text[1:-1])


def _index(low: Lowering, node: SgNode) -> ir.Expr:
    return ir.Index(line_of(node), low.expr(node.field("array")), low.expr(node.field("index")))


def _lambda(low: Lowering, node: SgNode) -> ir.Expr:
    listed, body = node.field("parameters"), node.field("body")
    params: tuple[ir.Param, ...] = ()
    if listed is not None and listed.kind() == "identifier":
        params = (ir.Param(listed.text()),)
    elif listed is not None:
        params = _params(listed) or tuple(ir.Param(child.text()) for child in named(listed, "identifier"))
    later = low.later(body, returns=body is not None and body.kind() != "block")
    function = ir.Function(name="<lambda>", line=line_of(node), end=end_of(node), params=params, lower=later)
    return ir.Lambda(line_of(node), function)


def _switch(low: Lowering, node: SgNode) -> ir.Block:
    body = node.field("body")
    groups = low.inside(body) if body is not None else []
    return (ir.Switch(line_of(node), low.expr(node.field("condition")), tuple(_case(low, group) for group in groups)),)


def _case(low: Lowering, node: SgNode) -> ir.Case:
    values: list[ir.Expr] = []
    for label in named(node, "switch_label"):
        values.extend(low.exprs(low.inside(label)))
    statements = low.blocks(child for child in low.inside(node) if child.kind() != "switch_label")
    ends = bool(statements) and isinstance(statements[-1], (ir.Exit, ir.Return))
    kept = tuple(each for each in statements if not (isinstance(each, ir.Exit) and each.kind == "break"))
    return ir.Case(line_of(node), tuple(values), kept, None, node.kind() == "switch_block_statement_group" and not ends)


def _switch_value(low: Lowering, node: SgNode) -> ir.Expr:
    """`switch` as a value."""
    body = node.field("body")
    groups = low.inside(body) if body is not None else []
    return chosen(line_of(node), low.expr(node.field("condition")), [_choice(low, group) for group in groups])


def _reference(low: Lowering, node: SgNode) -> ir.Expr:
    """`this::send`, a method as a value; `Shift::new` makes an object."""
    inner = low.inside(node)
    if not inner:
        return ir.Unknown(line_of(node))
    owner, name = low.expr(inner[0]), text_of(inner[-1])
    return ir.Attr(line_of(node), owner, name) if len(inner) > 1 and name != "new" else owner


def _choice(low: Lowering, group: SgNode) -> Arm:
    """`case "a", "b" -> x`, `case String t -> t`, `default -> { yield y; }`."""
    labels = [inner for label in named(group, "switch_label") for inner in low.inside(label)]
    given = [child for child in low.inside(group) if child.kind() != "switch_label"]
    result = low.expr(_given_back(low, given[-1])) if given else ir.Const(line_of(group), None)
    named_as = low.inside(labels[0])[-1] if labels and labels[0].kind() == "pattern" else None
    name = low.inside(named_as)[-1] if named_as is not None and named_as.kind() == "type_pattern" else None
    return Arm(result, values_of(low, labels), low.expr(name) if name is not None else None, is_default=not labels)


def _given_back(low: Lowering, node: SgNode) -> SgNode:
    """The value of a rule: an expression, or what its block yields at the end."""
    while node.kind() in ("expression_statement", "block", "yield_statement") and low.inside(node):
        node = low.inside(node)[-1]
    return node


def _statement(low: Lowering, node: SgNode) -> ir.Block:
    inner = low.inside(node)
    if not inner:
        return ()
    if inner[0].kind() in ("assignment_expression", "switch_expression"):
        return low.block(inner[0])
    return built(low.expr(inner[0]))


def _matcher(call: ir.Call) -> ir.Expr:
    """`pattern.matcher(text).matches()`, `text.matches(pattern)`."""
    maker = at(call, RECEIVER)
    if (
        isinstance(maker, ir.Call)
        and isinstance(maker.callee, ir.Attr)
        and maker.callee.name == "matcher"
        and maker.args
    ):
        inner = ir.Call(call.line, ir.Attr(call.line, maker.callee.value, "matches"), maker.args)
        whole = isinstance(call.callee, ir.Attr) and call.callee.name == "matches"
        return asked_of(RECEIVER, 0, whole=whole)(inner)
    return asked_of(0, RECEIVER, whole=True)(call) if call.args else call


_IDIOMS = rewriting(read_table("java").idioms, {"appended": appended, "matcher": _matcher})

_WHOLE_NAME = lazy(r"(?:[a-z]\w*\.)+([A-Z]\w*)$")
_MEMBER = node_rules.attr("object", "field")


def _field(low: Lowering, node: SgNode) -> ir.Expr:
    """A class by its whole name is what its short one is: `java.nio.file.Files`."""
    whole = _WHOLE_NAME.match(node.text()[:120])
    return ir.Name(line_of(node), whole[1]) if whole is not None else _MEMBER(low, node)


GRAMMAR = LoweringGrammar(
    idiom=_IDIOMS,
    imports=_imports,
    expressions={
        "identifier": node_rules.name,
        "type_identifier": node_rules.name,
        "this": node_rules.self_name,
        "string_literal": _string,
        "character_literal": _string,
        "decimal_integer_literal": node_rules.number,
        "hex_integer_literal": node_rules.number,
        "decimal_floating_point_literal": node_rules.number,
        "true": node_rules.empty,
        "false": node_rules.empty,
        "null_literal": node_rules.empty,
        "field_access": _field,
        "scoped_identifier": node_rules.attr("scope", "name"),
        "array_access": _index,
        "method_invocation": _call,
        "object_creation_expression": _new,
        "binary_expression": node_rules.binary,
        "unary_expression": node_rules.unary,
        "update_expression": node_rules.through(),
        "ternary_expression": node_rules.conditional,
        "parenthesized_expression": node_rules.through(),
        "cast_expression": node_rules.through("value"),
        "instanceof_expression": lambda low, node: ir.Compare(
            line_of(node), "is", low.expr(node.field("left")), ir.Const(line_of(node), text_of(node.field("right")))
        ),
        "assignment_expression": node_rules.assignment,
        "array_creation_expression": node_rules.through("value"),
        "array_initializer": node_rules.items("list"),
        "element_value_array_initializer": node_rules.items("list"),
        "lambda_expression": _lambda,
        "switch_expression": _switch_value,
        "method_reference": _reference,
    },
    statements={
        "program": node_rules.sequence,
        "block": node_rules.sequence,
        "constructor_body": node_rules.sequence,
        "package_declaration": node_rules.nothing,
        "import_declaration": node_rules.nothing,
        **dict.fromkeys(_NESTED, _class),
        "local_variable_declaration": _declaration,
        "field_declaration": _declaration,
        "resource_specification": node_rules.sequence,
        "resource": _resource,
        "expression_statement": _statement,
        "assignment_expression": node_rules.assign_statement,
        "if_statement": node_rules.if_statement("condition", "consequence", "alternative"),
        "for_statement": node_rules.for_statement("init", "condition", "update"),
        "enhanced_for_statement": node_rules.each_statement("name", "value"),
        "while_statement": node_rules.while_statement(),
        "do_statement": node_rules.while_statement(),
        "switch_expression": _switch,
        "try_statement": node_rules.try_statement(),
        "try_with_resources_statement": node_rules.try_statement(),
        "synchronized_statement": lambda low, node: low.block(node.field("body")),
        "return_statement": node_rules.return_statement,
        "yield_statement": node_rules.return_statement,
        "throw_statement": node_rules.leave("raise"),
        "break_statement": node_rules.leave("break"),
        "continue_statement": node_rules.leave("continue"),
        "labeled_statement": lambda low, node: low.blocks(low.inside(node)[1:]),
    },
)
lower = GRAMMAR.lower
