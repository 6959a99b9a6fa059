"""Go to the IR."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leeboard.model.text import lazy
from leeboard.security.taint import ir
from leeboard.security.taint.lowering import node_rules
from leeboard.security.taint.lowering.idiom import RECEIVER, Shape, appended, at, built, known, page, rewriting, without
from leeboard.security.taint.lowering.lowering import (
    Lowering,
    LoweringGrammar,
    end_of,
    first,
    line_of,
    named,
    text_of,
    unescaped,
)
from leeboard.security.taint.table_file import read_table

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_EXITS = frozenset({"os.Exit", "log.Fatal", "log.Fatalf", "log.Fatalln", "panic"})
_VERSION = lazy(r"^v\d{1,3}$")
_WRITER = lazy(r"^(?:w|rw|writer|resp|res|response|rsp|c\.Writer|ctx\.Writer|c\.Response\(\))$")
_FILLS = frozenset({"Execute", "ExecuteTemplate"})
_PRINTERS = frozenset({"fmt.Fprintf", "fmt.Fprint", "fmt.Fprintln", "io.WriteString"})

_OTHER_TYPE = lazy(
    r"application/(?:json|xml|octet-stream|pdf|javascript)|text/(?:plain|csv)|image/|TextPlain|ApplicationJson"
)
_FUNCTIONS = frozenset({"func_literal", "function_declaration", "method_declaration", "function_definition", "method"})
_ANCESTORS = 60


_STANDARD = {
    "exec": "os.exec",
    "filepath": "path.filepath",
    "http": "net.http",
    "ioutil": "io.ioutil",
    "template": "html.template",
    "url": "net.url",
}
"""What these names mean where the piece of a file shows no imports."""


def _imports(root: SgNode) -> dict[str, str]:
    found: dict[str, str] = {}
    for declaration in named(root, "import_declaration"):
        listed = first(declaration, "import_spec_list") or declaration
        for spec in named(listed, "import_spec"):
            path = text_of(spec.field("path")).strip('"`')
            parts = [part for part in path.split("/") if not _VERSION.search(part)]
            local = text_of(spec.field("name")) or (parts[-1] if parts else path)
            # A module of the world goes by its last part alone; those of the standard library have no host.
            found[local] = parts[-1] if parts and "." in parts[0] else ".".join(parts)
    return found or dict(_STANDARD)


def _define(low: Lowering, node: SgNode) -> ir.Block:
    return (ir.Define(line_of(node), _function(low, node)),)


def _function(low: Lowering, node: SgNode) -> ir.Function:
    receiver = node.field("receiver")
    return ir.Function(
        name=text_of(node.field("name")) or "<lambda>",
        line=line_of(node),
        end=end_of(node),
        params=_params(low, node.field("parameters")),
        lower=low.later(node.field("body")),
        owner=text_of(receiver).strip("()").rpartition(" ")[2].lstrip("*"),
        is_static=receiver is not None,
        returns=text_of(node.field("result")),
    )


def _params(low: Lowering, listed: SgNode | None) -> tuple[ir.Param, ...]:
    found: list[ir.Param] = []
    for declaration in low.inside(listed) if listed is not None else []:
        annotation = text_of(declaration.field("type"))
        kind = declaration.kind() == "variadic_parameter_declaration"
        found.extend(
            ir.Param(name.text(), annotation, None, "*" if kind else "") for name in named(declaration, "identifier")
        )
    return tuple(found)


def _lambda(low: Lowering, node: SgNode) -> ir.Expr:
    return ir.Lambda(line_of(node), _function(low, node))


def _call(low: Lowering, node: SgNode) -> ir.Expr:
    arguments = node.field("arguments")
    callee = low.expr(node.field("function"))
    values = low.exprs(low.inside(arguments)) if arguments is not None else ()
    written = ir.dotted(callee)
    if values and written in _PRINTERS and _WRITER.search(ir.dotted(values[0])) and sends_html(node):
        return known(line_of(node), "respond.html", *values[1:])
    if isinstance(callee, ir.Attr) and callee.name == "Write" and _WRITER.search(ir.dotted(callee.value)):
        return known(line_of(node), "respond.html" if sends_html(node) else "respond.data", *values)
    if isinstance(callee, ir.Attr) and callee.name in _FILLS and values and _WRITER.search(ir.dotted(values[0])):
        return known(line_of(node), "page.filled", values[-1])
    return low.call(node, callee, values)


def _binary(low: Lowering, node: SgNode) -> ir.Expr:
    """`net.ParseIP(x) == nil` asks whether it is no address."""
    value = page(node_rules.binary(low, node))
    if not isinstance(value, ir.Compare) or value.op not in ("==", "!=") or not isinstance(value.left, ir.Call):
        return value
    if ir.dotted(value.left.callee) not in ("net.ParseIP", "netip.ParseAddr") or not value.left.args:
        return value
    test = known(value.line, "type.is_number", value.left.args[0])
    return ir.Not(value.line, test) if value.op == "==" else test


def _literal(low: Lowering, node: SgNode) -> ir.Expr:
    """`T{...}`: a mapping where its items have keys, a list otherwise."""
    body = node.field("body")
    entries: list[tuple[ir.Expr | None, ir.Expr]] = []
    for entry in low.inside(body) if body is not None else []:
        parts = low.inside(entry)
        if entry.kind() == "keyed_element" and len(parts) > 1:
            entries.append((_key(low, parts[0]), low.expr(parts[-1])))
        else:
            entries.append((None, low.expr(entry)))
    keyed = any(key is not None for key, _ in entries)
    return ir.Container(line_of(node), "dict" if keyed else "list", tuple(entries))


def _key(low: Lowering, node: SgNode) -> ir.Expr:
    inner = low.inside(node)
    if len(inner) == 1 and inner[0].kind() == "identifier":
        return ir.Const(line_of(node), inner[0].text())
    return low.expr(node)


def _index(low: Lowering, node: SgNode) -> ir.Expr:
    return ir.Index(line_of(node), low.expr(node.field("operand")), low.expr(node.field("index")))


def _slice(low: Lowering, node: SgNode) -> ir.Expr:
    return ir.Index(line_of(node), low.expr(node.field("operand")), None)


def _string(_: Lowering, node: SgNode) -> ir.Expr:
    return ir.Const(line_of(node), unescaped(node.text()[1:-1]))


def _raw(_: Lowering, node: SgNode) -> ir.Expr:
    return ir.Const(line_of(node), node.text()[1:-1])


def _assign(low: Lowering, node: SgNode) -> ir.Block:
    left, right = node.field("left"), node.field("right")
    if left is None or right is None:
        return ()
    operator = text_of(node.field("operator")).rstrip("=").rstrip(":")
    return _assigned(low, low.inside(left), low.inside(right), operator)


def _assigned(low: Lowering, targets: list[SgNode], values: list[SgNode], operator: str = "") -> ir.Block:
    line = line_of(targets[0]) if targets else 0
    if len(targets) == len(values):
        pairs = zip(targets, values, strict=True)
        return tuple(ir.Assign(line, (low.expr(one),), low.expr(other), operator) for one, other in pairs)
    names, value = low.exprs(targets), low.expr(values[0]) if values else ir.Unknown(line)
    if len(names) == 2 and isinstance(value, ir.Index) and value.key is not None:
        found = ir.Compare(line, "in", value.key, value.value)
        return (ir.Assign(line, (names[0],), value), ir.Assign(line, (names[1],), found))
    if len(names) == 2 and isinstance(value, ir.Call) and ir.dotted(value.callee).rpartition(".")[2] in _READS:
        return (ir.Assign(line, (names[0],), value), ir.Assign(line, (names[1],), known(line, "fill.done", names[0])))
    return (ir.Assign(line, (ir.Container(line, "tuple", tuple((None, name) for name in names)),), value),)


_READS = frozenset("ReadAll ReadString Cookie GetRawData Parse QueryUnescape PathUnescape DecodeString".split())
"""They give what they are given and an error, which says nothing of what is in it."""


def _declaration(low: Lowering, node: SgNode) -> ir.Block:
    found: list[ir.Stmt] = []
    listed = first(node, "var_spec_list") or node
    for spec in named(listed, "var_spec", "const_spec"):
        targets, value = list(named(spec, "identifier")), spec.field("value")
        if value is not None:
            found.extend(_assigned(low, targets, low.inside(value)))
        elif text_of(spec.field("type")) in ("strings.Builder", "bytes.Buffer", "string"):
            found.extend(ir.Assign(line_of(spec), (low.expr(each),), ir.Const(line_of(spec), "")) for each in targets)
        elif text_of(spec.field("type")).startswith("map["):
            found.extend(
                ir.Assign(line_of(spec), (low.expr(each),), ir.Container(line_of(spec), "dict", ())) for each in targets
            )
    return tuple(found)


def _if(low: Lowering, node: SgNode) -> ir.Block:
    before = low.block(node.field("initializer"))
    test = node_rules.as_test(low.expr(node.field("condition")))
    branch = ir.If(line_of(node), test, low.block(node.field("consequence")), low.block(node.field("alternative")))
    return (*before, branch)


def _for(low: Lowering, node: SgNode) -> ir.Block:
    body = node.field("body")
    line = line_of(node)
    ranged, clause = first(node, "range_clause"), first(node, "for_clause")
    if ranged is not None:
        left = ranged.field("left")
        names = low.exprs(low.inside(left)) if left is not None else ()
        target = names[-1] if names else None
        loop = ir.Loop(line, low.block(body), target=target, iterable=low.expr(ranged.field("right")))
        return (loop, *_once_more(loop))
    if clause is not None:
        work = (*low.block(body), *low.block(clause.field("update")))
        loop = ir.Loop(line, work, test=low.expr(clause.field("condition")))
        return (*low.block(clause.field("initializer")), loop)
    test = next((child for child in low.inside(node) if child.kind() != "block"), None)
    return (ir.Loop(line, low.block(body), test=low.expr(test) if test is not None else None),)


def _once_more(loop: ir.Loop) -> ir.Block:
    """A loop over characters that leaves at a bad one: after it the text is good, so its test is asked of the text."""
    first_test = loop.body[0] if loop.body else None
    if not isinstance(first_test, ir.If) or loop.target is None or loop.iterable is None:
        return ()
    leaves = bool(first_test.body) and isinstance(first_test.body[-1], (ir.Return, ir.Exit))
    if not leaves or not isinstance(loop.iterable, ir.Name):
        return ()
    return (ir.Assign(loop.line, (loop.target,), loop.iterable), first_test)


def _switch(low: Lowering, node: SgNode) -> ir.Block:
    subject = node.field("value")
    before = low.block(node.field("initializer"))
    cases = [_case(low, child) for child in named(node, "expression_case", "type_case", "default_case")]
    if subject is not None or node.kind() == "type_switch_statement":
        alias = node.field("alias")
        bound = _assigned(low, low.inside(alias), [subject]) if alias is not None and subject is not None else ()
        return (*before, *bound, ir.Switch(line_of(node), low.expr(subject), tuple(cases)))
    return (*before, *_conditions(cases))


def _case(low: Lowering, node: SgNode) -> ir.Case:
    value = node.field("value")
    values = low.exprs(low.inside(value)) if value is not None else ()
    if node.kind() == "type_case":
        values = (ir.Unknown(line_of(node)),)
    statements = [child for child in low.inside(node) if child.kind() != "expression_list" and child != value]
    return ir.Case(line_of(node), values, low.blocks(statements))


def _conditions(cases: list[ir.Case]) -> ir.Block:
    """`switch { case a: … case b: … }` is a chain of conditions."""
    chain: ir.Block = ()
    for case in reversed(cases):
        if not case.values:
            chain = case.body
        else:
            test = case.values[0] if len(case.values) == 1 else ir.Bool(case.line, "or", case.values)
            chain = (ir.If(case.line, node_rules.as_test(test), case.body, chain),)
    return chain


def _statement(low: Lowering, node: SgNode) -> ir.Block:
    inner = low.inside(node)
    if not inner:
        return ()
    value = low.expr(inner[0])
    if isinstance(value, ir.Call) and ir.dotted(value.callee) in _EXITS:
        return (ir.Exit(value.line, "exit", value),)
    return built(value)


def _return(low: Lowering, node: SgNode) -> ir.Block:
    values = low.exprs(low.inside(node.children()[1])) if len(node.children()) > 1 else ()
    if len(values) > 1:
        return (ir.Return(line_of(node), ir.Container(line_of(node), "tuple", tuple((None, each) for each in values))),)
    return (ir.Return(line_of(node), values[0] if values else None),)


def sends_html(node: SgNode) -> bool:
    """True unless the function around it names another content type."""
    current = node.parent()
    for _ in range(_ANCESTORS):
        if current is None:
            return True
        if current.kind() in _FUNCTIONS:
            return not _OTHER_TYPE.search(current.text())
        current = current.parent()
    return True


def _filled(source: int, target: int) -> Shape:
    """A call that fills what it is given a pointer to: `json.Unmarshal(data, &x)`."""

    def shape(call: ir.Call) -> ir.Expr:
        value, place = at(call, source), at(call, target)
        return _put_into(place, value) if value is not None and isinstance(place, (ir.Name, ir.Attr)) else call

    return shape


def _bound(call: ir.Call) -> ir.Expr:
    """`c.BindJSON(&x)`: the body of a request."""
    place = at(call, 0)
    return _put_into(place, known(call.line, "request.bound")) if isinstance(place, (ir.Name, ir.Attr)) else call


def _put_into(place: ir.Name | ir.Attr, value: ir.Expr) -> ir.Expr:
    """The call gives an error: whether there is one says nothing of what it has put there."""
    return known(value.line, "fill.done", ir.Walrus(value.line, place, value))


def _replacer(call: ir.Call) -> ir.Expr:
    """`strings.NewReplacer(old, new, …).Replace(x)`."""
    maker, value = at(call, RECEIVER), at(call, 0)
    if value is None or not isinstance(maker, ir.Call) or ir.dotted(maker.callee) != "strings.NewReplacer":
        return call
    removed = "".join(str(each.value) for each in maker.args[::2] if isinstance(each, ir.Const))
    return without(call, removed, value)


_IDIOMS = rewriting(
    read_table("go").idioms,
    {
        "appended": appended,
        "bound": _bound,
        "filled": _filled(0, 1),
        "filled_by_receiver": _filled(RECEIVER, 0),
        "page": page,
        "replacer": _replacer,
    },
)

GRAMMAR = LoweringGrammar(
    idiom=_IDIOMS,
    imports=_imports,
    expressions={
        "identifier": node_rules.name,
        "field_identifier": node_rules.name,
        "package_identifier": node_rules.name,
        "interpreted_string_literal": _string,
        "raw_string_literal": _raw,
        "rune_literal": _string,
        "int_literal": node_rules.number,
        "float_literal": node_rules.number,
        "true": node_rules.empty,
        "false": node_rules.empty,
        "nil": node_rules.empty,
        "selector_expression": node_rules.attr("operand", "field"),
        "index_expression": _index,
        "slice_expression": _slice,
        "call_expression": _call,
        "binary_expression": _binary,
        "unary_expression": node_rules.unary,
        "parenthesized_expression": node_rules.through(),
        "type_assertion_expression": lambda low, node: low.expr(node.field("operand")),
        "type_conversion_expression": node_rules.through("operand"),
        "composite_literal": _literal,
        "literal_value": node_rules.items("list"),
        "literal_element": node_rules.through(),
        "expression_list": node_rules.through(),
        "variadic_argument": lambda low, node: ir.Spread(line_of(node), low.expr(low.inside(node)[0])),
        "func_literal": _lambda,
    },
    statements={
        "source_file": node_rules.sequence,
        "block": node_rules.sequence,
        "statement_list": node_rules.sequence,
        "package_clause": node_rules.nothing,
        "import_declaration": node_rules.nothing,
        "type_declaration": node_rules.nothing,
        "function_declaration": _define,
        "method_declaration": _define,
        "short_var_declaration": _assign,
        "assignment_statement": _assign,
        "var_declaration": _declaration,
        "const_declaration": _declaration,
        "if_statement": _if,
        "for_statement": _for,
        "expression_switch_statement": _switch,
        "type_switch_statement": _switch,
        "select_statement": lambda low, node: low.blocks(
            child for case in low.inside(node) for child in low.inside(case)
        ),
        "expression_statement": _statement,
        "go_statement": _statement,
        "defer_statement": _statement,
        "return_statement": _return,
        "break_statement": node_rules.leave("break"),
        "continue_statement": node_rules.leave("continue"),
        "labeled_statement": lambda low, node: low.blocks(low.inside(node)[1:]),
        "inc_statement": node_rules.nothing,
        "dec_statement": node_rules.nothing,
    },
)
lower = GRAMMAR.lower
