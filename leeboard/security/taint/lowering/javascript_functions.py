"""Functions, their parameters, and classes of JavaScript and TypeScript."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from leeboard.model.text import lazy
from leeboard.security.taint import ir
from leeboard.security.taint.lowering.idiom import known, rewriting
from leeboard.security.taint.lowering.lowering import Lowering, end_of, first, line_of, named, text_of
from leeboard.security.taint.table_file import read_table

if TYPE_CHECKING:
    from ast_grep_py import SgNode


FUNCTIONS = frozenset(
    {
        "arrow_function",
        "function_expression",
        "function",
        "generator_function",
        "function_declaration",
        "method_definition",
    }
)
REQUEST = "WebRequest"
"""The mark of a parameter that is read like a request."""
ARGUMENTS = "QueryArguments"
"""The mark of a parameter that holds what a query asks a resolver with."""
_MAY_BE_ARGUMENTS = lazy(r"\{|_?(?:args?|arguments|input|params|variables)$")
_RESOLVED = frozenset({"Query", "Mutation", "Subscription"})
_MAY_BE_REQUEST = lazy(r"^(?:_?req|request|ctx|context|event|httpReq|r)$")
_HOLDS_REQUEST = lazy(r"\{(?:[^{}]*,)?\s*request\s*[,}]")
"""A pattern that takes a request out of what a framework hands over: `({ request, locals }) => ...`."""
_READ_AS_REQUEST = lazy(
    r"\b(_?req|request|ctx|context|event|httpReq|r)(?:\.req(?:uest)?)?\.(?:query|params"
    r"|body|headers|cookies|files?|originalUrl|rawBody"
    r"|queryStringParameters|pathParameters|nextUrl|searchParams|url|param\(|json\(|formData\()"
)
_TYPED = frozenset({"required_parameter", "optional_parameter"})


def function_of(low: Lowering, node: SgNode, name: str, owner: str = "") -> ir.Function:
    """One function under this name, whatever form it has."""
    body = node.field("body")
    later = low.later(body, returns=body is not None and body.kind() != "statement_block")
    return ir.Function(
        name=name or "<lambda>",
        line=line_of(node),
        end=end_of(node),
        params=parameters(low, node),
        lower=_with_patterns(low, node, later),
        decorators=low.exprs(child for item in named(node, "decorator") for child in low.inside(item)),
        owner=owner,
        is_static=bool(owner),
        returns=text_of(node.field("return_type")).lstrip(": "),
    )


def _parameter_nodes(low: Lowering, node: SgNode) -> list[SgNode]:
    single = node.field("parameter")
    if single is not None:
        return [single]
    listed = node.field("parameters")
    return low.inside(listed) if listed is not None else []


def parameters(low: Lowering, node: SgNode) -> tuple[ir.Param, ...]:
    """The parameters; one that is a pattern is called by its text, one that is used as a request is marked as one."""
    found = [_parameter(low, child) for child in _parameter_nodes(low, node)]
    if len(found) > 1 and _MAY_BE_ARGUMENTS.match(found[1].name) and _is_resolver(node):
        found[1] = ir.Param(found[1].name, f"{found[1].annotation} {ARGUMENTS}".strip(), found[1].default)
    if not any(_MAY_BE_REQUEST.search(param.name) or _HOLDS_REQUEST.match(param.name) for param in found):
        return tuple(found)
    text = text_of(node.field("body"))
    return tuple(_marked(param, text) for param in found)


def _is_resolver(node: SgNode) -> bool:
    """Whether the function stands in `{ Query: { … } }`, by which a schema's fields are answered."""
    entry = node if node.kind() == "method_definition" else node.parent()
    fields = entry.parent() if entry is not None else None
    owner = fields.parent() if fields is not None and fields.kind() == "object" else None
    named_as = (owner.field("key") or owner.field("name")) if owner is not None else None
    return named_as is not None and named_as.text() in _RESOLVED


def _marked(param: ir.Param, body: str) -> ir.Param:
    """`req.query`: what is called like a request and read like one is a request, whoever calls the function."""
    if _HOLDS_REQUEST.match(param.name) and any(
        match.group(1) == "request" for match in _READ_AS_REQUEST.finditer(body)
    ):
        return ir.Param(param.name, f"{param.annotation} {REQUEST}".strip(), param.default, param.kind)
    if not _MAY_BE_REQUEST.search(param.name) or not any(
        each in body for each in (f"{param.name}.", f"= {param.name}")
    ):
        return param
    used = any(match.group(1) == param.name for match in _READ_AS_REQUEST.finditer(body))
    return ir.Param(param.name, f"{param.annotation} {REQUEST}".strip(), param.default, param.kind) if used else param


def _parameter(low: Lowering, node: SgNode) -> ir.Param:
    annotation, pattern, default = "", node, None
    if node.kind() in _TYPED:
        decorators = " ".join(child.text() for child in named(node, "decorator"))
        annotation = f"{decorators} {text_of(node.field('type')).lstrip(': ')}".strip()
        pattern = node.field("pattern") or node
        value = node.field("value")
        default = low.expr(value) if value is not None else None
    if pattern.kind() == "assignment_pattern":
        default, pattern = low.expr(pattern.field("right")), pattern.field("left") or pattern
    if pattern.kind() == "rest_pattern":
        return ir.Param(text_of(first(pattern, "identifier")), annotation, None, "*")
    return ir.Param(pattern.text()[:40], annotation, default)


def _with_patterns(low: Lowering, node: SgNode, later: Callable[[], ir.Block]) -> Callable[[], ir.Block]:
    """The body, after its destructured parameters are taken apart."""
    patterns = [pattern for child in _parameter_nodes(low, node) if (pattern := _pattern(child)) is not None]
    if not patterns:
        return later

    def lower() -> ir.Block:
        apart = [each for pattern in patterns for each in unpacked(low, pattern, _whole(pattern))]
        return (*apart, *later())

    return lower


def _whole(pattern: SgNode) -> ir.Expr:
    return ir.Name(line_of(pattern), pattern.text()[:40])


def _pattern(node: SgNode) -> SgNode | None:
    pattern = node.field("pattern") or node
    if pattern.kind() == "assignment_pattern":
        pattern = pattern.field("left") or pattern
    return pattern if pattern.kind() in {"object_pattern", "array_pattern"} else None


def class_of(low: Lowering, node: SgNode) -> ir.Class:
    """A class with its methods; a field that holds a function is a method."""
    name = text_of(node.field("name"))
    heritage = first(node, "class_heritage")
    methods: list[ir.Function] = []
    fields: list[ir.Stmt] = []
    body = node.field("body")
    pending: list[SgNode] = []
    for entry in low.inside(body) if body is not None else []:
        value = entry.field("value")
        title = text_of(entry.field("name") or entry.field("property"))
        if entry.kind() == "decorator":
            pending.append(entry)
            continue
        if entry.kind() == "method_definition":
            methods.append(_decorated(low, function_of(low, entry, title, name), pending))
        elif value is not None and value.kind() in FUNCTIONS:
            methods.append(function_of(low, value, title, name))
        elif value is not None:
            fields.append(ir.Assign(line_of(entry), (ir.Name(line_of(entry), title),), low.expr(value)))
        pending = []
    bases = (heritage.text().removeprefix("extends ").split(" implements")[0].strip(),) if heritage is not None else ()
    return ir.Class(name=name, line=line_of(node), bases=bases, methods=tuple(methods), fields=tuple(fields))


def _decorated(low: Lowering, function: ir.Function, decorators: list[SgNode]) -> ir.Function:
    found = low.exprs(child for item in decorators for child in low.inside(item))
    return ir.Function(
        name=function.name,
        line=function.line,
        end=function.end,
        params=function.params,
        lower=function.lower,
        decorators=(*found, *function.decorators),
        owner=function.owner,
        is_static=function.is_static,
        returns=function.returns,
    )


# Calls of JavaScript: what they are given, and those that are loops.


_EACH = frozenset({"forEach", "each"})
_SECOND_SHELL = lazy(r"(?:^|[`;&|(]|\s)(?:/bin/)?(?:ba|z|da)?sh\s+-\w*c\b|\beval\s")
_EXPANDS_ENTITIES = lazy(r"\bnoent\s*:\s*true|\bprocessEntities\s*:\s*true")
_EXITS = frozenset({"process.exit", "process.abort"})
_SCHEMA = lazy(r"(?i)(?:schema|validator)s?\w{0,12}$|^(?:z|joi|yup)\.")


def call_statement(low: Lowering, node: SgNode) -> ir.Block:
    callee, arguments = node.field("function"), node.field("arguments")
    if callee is not None and arguments is not None and text_of(callee.field("property")) in _EACH:
        passed = low.inside(arguments)
        if len(passed) == 1 and passed[0].kind() in FUNCTIONS:
            return (_each(low, callee, passed[0]),)
    value = low.expr(node)
    if isinstance(value, ir.Call) and ir.dotted(value.callee) in _EXITS:
        return (ir.Exit(value.line, "exit", value),)
    return (ir.ExprStmt(line_of(node), value),)


def _each(low: Lowering, callee: SgNode, callback: SgNode) -> ir.Stmt:
    """`xs.forEach(x => …)` is a loop."""
    params = parameters(low, callback)
    target = ir.Name(line_of(callback), params[0].name if params else "_")
    body = function_of(low, callback, "").lower()
    loop = tuple(map(_next, body))
    return ir.Loop(line_of(callee), loop, target=target, iterable=low.expr(callee.field("object")))


def _next(statement: ir.Stmt) -> ir.Stmt:
    """A `return` of the callback goes on with the next item."""
    if isinstance(statement, ir.Return):
        return ir.ExprStmt(statement.line, statement.value or ir.Const(statement.line, None))
    if isinstance(statement, ir.If):
        return ir.If(statement.line, statement.test, _left(statement.body), _left(statement.orelse))
    return statement


def _left(block: ir.Block) -> ir.Block:
    return tuple(ir.Exit(each.line, "continue", each.value) if isinstance(each, ir.Return) else each for each in block)


def call(low: Lowering, node: SgNode) -> ir.Expr:
    arguments = node.field("arguments")
    callee = low.expr(node.field("function") or node.field("constructor"))
    if arguments is None or arguments.kind() == "template_string":
        # A tagged template: its tag sees the parts and escapes or parameterises them.
        return low.call(node, callee, _unquoted(low, arguments) if arguments is not None else ())
    if _EXPANDS_ENTITIES.search(arguments.text()[-300:]):
        callee = ir.Attr(line_of(node), callee, "noent")
    values = low.exprs(low.inside(arguments))
    return low.call(node, callee, values, _options(values))


def _unquoted(low: Lowering, template: SgNode) -> tuple[ir.Expr, ...]:
    """What the tag of a shell sets in as it is: what is called raw, and all that a shell inside of it reads. Calls that
    are made in there are made in any case, and hand the tag what it makes safe: `sql.raw(order)`.
    """
    is_second = _SECOND_SHELL.search(template.text()[:300]) is not None
    found: list[ir.Expr] = []
    for part in template.children():
        if part.kind() == "template_substitution":
            value = low.expr(low.inside(part)[0]) if low.inside(part) else None
            raw = [given for name, given in _options((value,)) if name == "raw"] if value is not None else []
            called = [ir.Not(value.line, value)] if isinstance(value, ir.Call) else []
            found += raw or ([value] if is_second and value is not None else called)
    return tuple(found)


def _options(values: tuple[ir.Expr, ...]) -> tuple[tuple[str, ir.Expr], ...]:
    """What literal objects name, as named arguments besides."""
    return tuple(
        (str(key.value), value)
        for given in values
        if isinstance(given, ir.Container) and given.kind == "dict"
        for key, value in given.items
        if isinstance(key, ir.Const)
    )


def _validated(call: ir.Call) -> ir.Expr:
    """`schema.parse(x)`: what comes out is what the schema says."""
    owner = call.callee.value if isinstance(call.callee, ir.Attr) else None
    if owner is None or not call.args or not _SCHEMA.search(ir.dotted(owner)):
        return call
    way = call.callee.name if isinstance(call.callee, ir.Attr) else ""
    return known(call.line, "schema.validated", call.args[0], owner, ir.Const(call.line, way))


plain_call = rewriting(read_table("javascript").idioms, {"validated": _validated})


# Destructuring in JavaScript, taken apart into one assignment per name.


def unpacked(low: Lowering, pattern: SgNode, value: ir.Expr) -> ir.Block:
    """`{a, b: c} = value` as one assignment per name."""
    line = line_of(pattern)
    found: list[ir.Stmt] = []
    if not isinstance(value, (ir.Name, ir.Attr)):
        whole = ir.Name(line, pattern.text()[:40])
        found.append(ir.Assign(line, (whole,), value))
        value = whole
    if pattern.kind() == "array_pattern":
        return (*found, *_unpacked_in_order(low, pattern, value))
    for entry in low.inside(pattern):
        found.extend(_unpacked_entry(low, entry, value))
    return tuple(found)


def _unpacked_in_order(low: Lowering, pattern: SgNode, value: ir.Expr) -> Iterator[ir.Stmt]:
    """`[key, value]`, of which some may be left out."""
    position = 0
    for entry in pattern.children():
        position += entry.kind() == ","
        line = line_of(entry)
        if entry.kind() == "identifier":
            yield ir.Assign(line, (ir.Name(line, entry.text()),), ir.Index(line, value, ir.Const(line, position)))
        elif entry.kind() in {"object_pattern", "array_pattern"}:
            yield from unpacked(low, entry, ir.Index(line, value, ir.Const(line, position)))


def _unpacked_entry(low: Lowering, entry: SgNode, value: ir.Expr) -> ir.Block:
    line = line_of(entry)
    if entry.kind() == "shorthand_property_identifier_pattern":
        return (ir.Assign(line, (ir.Name(line, entry.text()),), ir.Attr(line, value, entry.text())),)
    if entry.kind() == "object_assignment_pattern":
        name = text_of(entry.field("left"))
        return (ir.Assign(line, (ir.Name(line, name),), ir.Attr(line, value, name)),)
    if entry.kind() == "pair_pattern":
        part = ir.Attr(line, value, text_of(entry.field("key")).strip("'\""))
        target = entry.field("value")
        if target is not None and target.kind() == "object_pattern":
            return unpacked(low, target, part)
        return (ir.Assign(line, (low.expr(target),), part),)
    rest = low.inside(entry)
    return (ir.Assign(line, (low.expr(rest[0]),), value),) if rest else ()


# Which modules the names of a JavaScript file stand for.


_WRAPPERS = frozenset({"promisify", "util.promisify", "__importDefault", "__importStar", "_interopRequireDefault"})


def module_path(written: str) -> str:
    """`node:fs/promises` as `fs.promises`; a file of the project as `local.<its name>`."""
    name = written.strip("'\"`").removeprefix("node:")
    if name.startswith("."):
        return "local." + name.rstrip("/").rsplit("/", 1)[-1].split(".", 1)[0]
    if name.startswith("@"):
        return name
    return name.replace("/", ".")


def imported(low: Lowering, node: SgNode) -> Iterator[tuple[str, str]]:
    """Local names and paths of one `import` statement."""
    source = node.field("source") or first(node, "string")
    clause = first(node, "import_clause")
    if source is None or clause is None:
        return
    path = module_path(source.text())
    for child in low.inside(clause):
        if child.kind() == "identifier":
            yield child.text(), path
        elif child.kind() == "namespace_import":
            yield text_of(first(child, "identifier")), path
        else:
            for specifier in named(child, "import_specifier"):
                name = text_of(specifier.field("name"))
                yield text_of(specifier.field("alias")) or name, f"{path}.{name}"


def bindings(target: SgNode, value: SgNode) -> Iterator[tuple[str, str]]:
    """`const x = require('m').y`, `const {a, b: c} = require('m')`: local names and paths; nothing for other values."""
    path = required(value)
    if not path:
        return
    if target.kind() == "identifier":
        yield target.text(), path
    elif target.kind() == "object_pattern":
        for entry in target.children():
            if entry.kind() == "shorthand_property_identifier_pattern":
                yield entry.text(), f"{path}.{entry.text()}"
            elif entry.kind() == "pair_pattern":
                yield text_of(entry.field("value")), f"{path}.{text_of(entry.field('key'))}"


def required(value: SgNode) -> str:
    """The path of the module (or of its member) that an expression stands for; empty for any other expression."""
    if value.kind() == "member_expression":
        head, member = value.field("object"), value.field("property")
        path = required(head) if head is not None else ""
        return f"{path}.{text_of(member)}" if path else ""
    if value.kind() != "call_expression":
        return required(value.children()[-1]) if value.kind() == "await_expression" else ""
    callee, arguments = text_of(value.field("function")), value.field("arguments")
    passed = arguments.named_children() if arguments is not None else []
    if len(passed) != 1:
        return ""
    if callee in ("require", "import") and passed[0].kind() == "string":
        return module_path(passed[0].text())
    return required(passed[0]) if callee in _WRAPPERS else ""


# Writes under computed keys that walk into an object: `target = target[key]`, a merge that calls itself.
#
# A shallow copy (`out[key] = value[key]`) cannot reach a prototype that others share; only a function which goes down
# by such a key can. A function that looks at `__proto__`, asks for own properties or builds on `Object.create(null)` is
# left alone.


SINK = "prototype.assign"
_CAREFUL = lazy(r"__proto__|hasOwn|prototype|Object\.create\(null\)|new Map\b|isSafeKey|isPrototypePolluted")
_WORD = lazy(r"^[A-Za-z_$][\w$]*$")
_ANCESTORS = 40
_LONGEST = 6000
"""A function longer than this is no merge."""


def assigned_key(left: SgNode) -> ir.Block:
    """For `target[key] = …` inside such a function: a call with the key, which the tables know as a sink."""
    if left.kind() != "subscript_expression":
        return ()
    key, target = left.field("index"), left.field("object")
    if key is None or target is None or key.kind() != "identifier" or not _WORD.search(target.text()):
        return ()
    for name, body in _functions_around(left):
        if len(body) < _LONGEST and not _CAREFUL.search(body) and _goes_down(name, body, target.text(), key.text()):
            line = line_of(left)
            return (ir.ExprStmt(line, known(line, SINK, ir.Name(line, key.text()))),)
    return ()


def _goes_down(name: str, body: str, target: str, key: str) -> bool:
    calls_itself = bool(name) and f"{name}({target}[{key}]" in body.replace(" ", "")
    return calls_itself or f"{target}={target}[" in body.replace(" ", "")


def _functions_around(node: SgNode) -> Iterator[tuple[str, str]]:
    current = node.parent()
    for _ in range(_ANCESTORS):
        if current is None:
            return
        if "function" in current.kind() or current.kind() == "method_definition":
            above = current.parent()
            yield text_of(current.field("name") or (above.field("name") if above is not None else None)), current.text()
        current = current.parent()
