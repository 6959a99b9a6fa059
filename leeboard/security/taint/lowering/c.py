"""C and C++ to the IR."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leeboard.model.text import lazy
from leeboard.security.taint import ir
from leeboard.security.taint.lowering import c_library, node_rules
from leeboard.security.taint.lowering.c_library import cpp_compared, plain_method, streamed
from leeboard.security.taint.lowering.idiom import page
from leeboard.security.taint.lowering.lowering import (
    Lowering,
    LoweringGrammar,
    attribute,
    end_of,
    first,
    line_of,
    named,
    text_of,
    unescaped,
)

if TYPE_CHECKING:
    from ast_grep_py import SgNode


# Declarations of C and C++: variables with their first values, functions, classes.


_DECLARATORS = frozenset({"pointer_declarator", "reference_declarator", "array_declarator", "parenthesized_declarator"})
_FORMAT = lazy(r"(?i)(?:^|_)(?:fmt|format|frmt|template)$")
_TEXT = lazy(r"^(?:std::)?w?(?:string|stringstream|ostringstream)\b|^char \w+\[")
_PLAIN_TYPES = lazy(
    r"^(?:const |static |unsigned |signed |struct )*(?:auto|char|int|long|short|size_t|bool"
    r"|float|double|wchar_t|FILE|void)\b"
)


def declared(low: Lowering, node: SgNode) -> ir.Block:
    """`type name = value, …;`: one assignment for each that has a value."""
    kind = text_of(node.field("type"))
    found: list[ir.Stmt] = []
    for child in node.field_children("declarator"):
        if child.kind() == "init_declarator":
            found.extend(_initialised(low, child, kind))
        elif child.kind() == "function_declarator" and _inside_function(node):
            found.append(_constructed(low, child, kind))
        elif _TEXT.search(f"{kind} {child.text()}"):
            # A text that is empty so far: what is appended to it starts it.
            empty = ir.Const(line_of(child), "")
            found.append(ir.Assign(line_of(child), (ir.Name(line_of(child), name_of(child)),), empty))
    return tuple(found)


def _initialised(low: Lowering, node: SgNode, kind: str) -> ir.Block:
    line = line_of(node)
    name = name_of(node.field("declarator"))
    value = node.field("value")
    if value is None:
        return (ir.Assign(line, (ir.Name(line, name),), ir.Unknown(line)),)
    if value.kind() == "argument_list" or (
        value.kind() == "initializer_list"
        and not _PLAIN_TYPES.search(kind)
        and "[" not in text_of(node.field("declarator"))
    ):
        built = _made(low, node, kind, low.exprs(low.inside(value)))
    else:
        built = low.expr(value)
    filled: ir.Block = ()
    if isinstance(built, ir.Walrus):
        # `int n = recv(s, buffer, …)`: what the call fills is assigned as well.
        filled, built = (ir.Assign(line, (built.target,), built.value),), built.target
    return (*filled, ir.Assign(line, (ir.Name(line, name),), built, "", f"{kind} {text_of(node.field('declarator'))}"))


def _made(low: Lowering, node: SgNode, kind: str, values: tuple[ir.Expr, ...]) -> ir.Expr:
    """`Type name(values)`: a call of the type; of a plain one, the value itself."""
    if _PLAIN_TYPES.search(kind) and len(values) == 1:
        return values[0]
    if any(word in kind for word in ("set", "vector", "array", "map", "list")):
        return ir.Container(line_of(node), "list", tuple((None, value) for value in values))
    path = kind.partition("<")[0].replace("const ", "").replace("::", ".").strip().removeprefix("std.")
    return low.call(node, attribute(line_of(node), path or "_"), values)


def _constructed(low: Lowering, node: SgNode, kind: str) -> ir.Stmt:
    """`std::ifstream in(name);` reads as a function to the parser."""
    line = line_of(node)
    listed = node.field("parameters")
    values = (
        tuple(low.expr(first(child, "type_identifier", "qualified_identifier")) for child in low.inside(listed))
        if listed is not None
        else ()
    )
    return ir.Assign(line, (ir.Name(line, name_of(node)),), _made(low, node, kind, values), "", kind)


def _inside_function(node: SgNode) -> bool:
    above = node.parent()
    return above is not None and above.kind() == "compound_statement"


def name_of(node: SgNode | None) -> str:
    """The name a declarator declares, whatever stands around it."""
    for _ in range(12):
        if node is None:
            return ""
        if node.kind() not in _DECLARATORS and node.kind() != "function_declarator":
            return node.text().rpartition("::")[2]
        inner = node.field("declarator")
        if inner is None:
            inner = next((child for child in node.named_children() if child.kind() != "type_qualifier"), None)
        node = inner
    return ""


def function_of(low: Lowering, node: SgNode) -> ir.Function | None:
    """A function with a body."""
    declarator = _function_declarator(node.field("declarator"))
    if declarator is None:
        return None
    written = text_of(declarator.field("declarator"))
    owner = written.rpartition("::")[0]
    return ir.Function(
        name=written.rpartition("::")[2],
        line=line_of(node),
        end=end_of(node),
        params=_params(declarator.field("parameters")),
        lower=low.later(node.field("body")),
        owner=owner,
        is_static=bool(owner),
        returns=text_of(node.field("type")),
    )


def _function_declarator(node: SgNode | None) -> SgNode | None:
    for _ in range(8):
        if node is None or node.kind() in ("function_declarator", "abstract_function_declarator"):
            return node
        node = node.field("declarator") or first(node, "function_declarator", "pointer_declarator")
    return None


def _params(listed: SgNode | None) -> tuple[ir.Param, ...]:
    if listed is None:
        return ()
    variadic = listed.text().rstrip(") ").endswith("...")
    return tuple(
        _param(child, variadic=variadic)
        for child in named(listed, "parameter_declaration", "optional_parameter_declaration")
    )


def _param(node: SgNode, *, variadic: bool) -> ir.Param:
    name = name_of(node.field("declarator"))
    # The format of a function that prints like printf is its callers' constant.
    is_format = bool(_FORMAT.search(name)) or (variadic and "char" in node.text())
    return ir.Param(name or "_", f"format {node.text()}" if is_format else node.text())


def lambda_of(low: Lowering, node: SgNode) -> ir.Expr:
    """`[&](int x) { … }`."""
    declarator = node.field("declarator")
    function = ir.Function(
        name="<lambda>",
        line=line_of(node),
        end=end_of(node),
        params=_params(declarator.field("parameters") if declarator is not None else None),
        lower=low.later(node.field("body")),
    )
    return ir.Lambda(line_of(node), function)


def class_of(low: Lowering, node: SgNode) -> ir.Class:
    """A class or struct: its methods with a body."""
    name = text_of(node.field("name"))
    body = node.field("body")
    methods: list[ir.Function] = []
    for child in named(body, "function_definition") if body is not None else ():
        function = function_of(low, child)
        if function is not None:
            methods.append(_owned(function, name))
    return ir.Class(name=name, line=line_of(node), methods=tuple(methods))


def _owned(function: ir.Function, owner: str) -> ir.Function:
    return ir.Function(
        name=function.name,
        line=function.line,
        end=function.end,
        params=function.params,
        lower=function.lower,
        owner=owner,
        is_static=True,
        returns=function.returns,
    )


_EXITS = frozenset(
    {"exit", "abort", "_exit", "_Exit", "quick_exit", "err", "errx", "terminate", "perror_exit", "die", "longjmp"}
)


def _call(low: Lowering, node: SgNode) -> ir.Expr:
    arguments = node.field("arguments")
    callee = low.expr(node.field("function") or node.field("type"))
    values = low.exprs(low.inside(arguments)) if arguments is not None else ()
    written = text_of(arguments)
    if "XML_PARSE_NOENT" in written or "XML_PARSE_DTDLOAD" in written:
        callee = ir.Attr(line_of(node), callee, "noent")
    return low.call(node, callee, values)


def _idiom(call: ir.Call) -> ir.Expr:
    for form in (c_library.plain, c_library.option, plain_method):
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
    value = page(node_rules.binary(low, node))
    if isinstance(value, ir.Bool):
        return c_library.truth(value)
    if not isinstance(value, ir.Compare):
        return value
    if isinstance(value.left, ir.Index) and isinstance(value.left.key, ir.Name) and isinstance(value.right, ir.Const):
        # One character of a text, asked in a loop over all of them.
        return ir.Compare(value.line, value.op, value.left.value, value.right)
    return cpp_compared(c_library.compared(value))


def _unary(low: Lowering, node: SgNode) -> ir.Expr:
    value = node_rules.unary(low, node)
    return c_library.truth(value) if isinstance(value, ir.Not) else value


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
    test = c_library.truth(node_rules.as_test(low.expr(node.field("condition"))))
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
    test = c_library.truth(low.expr(node.field("condition")))
    loop = ir.Loop(line_of(node), low.block(node.field("body")), test=test)
    return (loop, *_shown(loop.body))


def _for(low: Lowering, node: SgNode) -> ir.Block:
    *before, loop = node_rules.for_statement("initializer", "condition", "update")(low, node)
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
    value = node_rules.conditional(low, node)
    return (
        ir.Ternary(value.line, c_library.truth(value.test), value.yes, value.no)
        if isinstance(value, ir.Ternary)
        else value
    )


_UPDATE = frozenset(
    {"update_expression", "preproc_include", "preproc_def", "preproc_function_def", "using_declaration"}
)

GRAMMAR = LoweringGrammar(
    idiom=_idiom,
    expressions={
        "identifier": node_rules.name,
        "field_identifier": node_rules.name,
        "type_identifier": _name,
        "qualified_identifier": _name,
        "template_function": lambda low, node: low.expr(node.field("name")),
        "this": node_rules.self_name,
        "string_literal": _string,
        "raw_string_literal": _string,
        "concatenated_string": _adjacent,
        "char_literal": _character,
        "number_literal": node_rules.number,
        "true": node_rules.empty,
        "false": node_rules.empty,
        "null": node_rules.empty,
        "sizeof_expression": _zero,
        "update_expression": node_rules.through("argument"),
        "field_expression": _field,
        "subscript_expression": _index,
        "call_expression": _call,
        "new_expression": _call,
        "binary_expression": _binary,
        "unary_expression": _unary,
        "pointer_expression": node_rules.through("argument"),
        "cast_expression": node_rules.through("value"),
        "parenthesized_expression": node_rules.through(),
        "condition_clause": _condition,
        "conditional_expression": _conditional,
        "comma_expression": node_rules.through("right"),
        "assignment_expression": node_rules.assignment,
        "initializer_list": _items,
        "compound_literal_expression": node_rules.through("value"),
        "lambda_expression": lambda_of,
    },
    statements={
        "translation_unit": node_rules.sequence,
        "compound_statement": node_rules.sequence,
        "linkage_specification": lambda low, node: low.block(node.field("body")),
        "declaration_list": node_rules.sequence,
        "namespace_definition": lambda low, node: low.block(node.field("body")),
        "template_declaration": node_rules.sequence,
        "preproc_if": node_rules.sequence,
        "preproc_ifdef": node_rules.sequence,
        "preproc_else": node_rules.sequence,
        "preproc_elif": node_rules.sequence,
        "function_definition": _define,
        "class_specifier": _class,
        "struct_specifier": _class,
        "declaration": declared,
        "expression_statement": _expression,
        "assignment_expression": node_rules.assign_statement,
        "if_statement": _if,
        "else_clause": node_rules.sequence,
        "for_statement": _for,
        "for_range_loop": _for_range,
        "while_statement": _while,
        "do_statement": _while,
        "switch_statement": _switch,
        "try_statement": node_rules.try_statement(),
        "return_statement": node_rules.return_statement,
        "throw_statement": node_rules.leave("raise"),
        "break_statement": node_rules.leave("break"),
        "continue_statement": node_rules.leave("continue"),
        "goto_statement": lambda _, node: (ir.Exit(line_of(node), "raise"),),
        "labeled_statement": lambda low, node: low.blocks(low.inside(node)[1:]),
        "type_definition": node_rules.nothing,
        "enum_specifier": node_rules.nothing,
        "parameter_list": node_rules.nothing,
        "type_identifier": node_rules.nothing,
        "template_parameter_list": node_rules.nothing,
        **dict.fromkeys(_UPDATE, node_rules.nothing),
    },
)
lower = GRAMMAR.lower
