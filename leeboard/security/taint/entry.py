"""What a function is given when a framework, or nobody we know, calls it."""

from __future__ import annotations

import re

from msgspec.structs import replace

from leeboard.model.text import lazy
from leeboard.security.taint import ir
from leeboard.security.taint.declared import as_declared, class_named
from leeboard.security.taint.described import CHECKED_FIELD
from leeboard.security.taint.schema import DECLARED_TEXT, NO_OBJECT, doubted, filled, is_schema, vouched
from leeboard.security.taint.state import State
from leeboard.security.taint.table import Handlers, Kind, Trust
from leeboard.security.taint.use import Use
from leeboard.security.taint.values import FOREIGN, HARMLESS, UNKNOWN, TaintOrigin, Val, foreign

_CONVERTED = lazy(r"<(?:int|float|uuid|any\([^)]*\)):(\w+)>")
_LIMITED = lazy(r"\{!?(\w+)<[^<>]+>|['\"](\w+)['\"]\s*=>\s*(?:'[^']|\"[^\"]|Requirement::)")
"""A pattern that a route of Symfony's has for a part of its address."""
_PROVIDED = lazy(
    r"Depends\b|Security\b|inject|Provide|BackgroundTasks|Session\b|Response\b|@Autowired|Principal|Logger"
)

_NO_IMPORT = "(?!)"
"""Of handlers that are known by what the file says alone."""
_ROUTED = frozenset({"python", "php"})
"""Their frameworks give a view what stands in its address, behind the request."""
_FILLED = lazy(
    r"^(?:string|String|IFormFile|str|bytes|bytearray|any|unknown|Buffer|RawData)\b\??|"
    r"\[From(?:Query|Route|Body|Form|Header)|^[\w.]*(?:Message|Msg)\b|"
    r"^\w*(?:Request|Dto|DTO|Input|Payload|Body|Form|Model)\b"
)
"""Types that a framework fills from the request; others are services that it hands in."""
_TYPED = frozenset({"csharp"})
"""Where a parameter without a type may be anything that a framework has."""
_TOLD_BY_SAFE_TYPES = frozenset({"rust"})
"""Where the types that are harmless are all but those of texts."""
_CONTROLLER = lazy(r"(?:Controller|Action)$")
_TELLS_NO_CLASS = frozenset({"", "array"})
_IS_ERROR = lazy(r"_?(?:e|err|error|ex|exception)")
"""What a handler of failures is given in front of the request."""
_FAILURES = ("errorhandler", "exception_handler")
_CONFIGURED = lazy(r"(?i)_*(?:\w+_)?(?:config|configuration|conf|cfg|settings)")
"""Parameters that hold what the machine's own people set."""
_BOUND = lazy(r"@(?:RequestBody|ModelAttribute)\b.*?\b([A-Z]\w*)\s+\w+$")
_WHOLE_BODY = lazy(r"@Body\(\)\s*(?:any|unknown|object|Record<|Partial<|\{\s*\[)")
"""A body of which no class says what fields it has."""
_MODEL_NAME = lazy(r"[A-Z]\w*")

_OBJECT_NAME = lazy(
    r"webview(?:View)?|(?:webview)?panel|(?:extension)?context|ctx|window|document|element|el|res|resp|response|reply|"
    r"next|done|cb|callback",
    re.IGNORECASE,
)
_OBJECT_TYPE = lazy(
    r"\bvscode\.\w|\b(?:\w{0,40}(?:Element|Panel|Webview|WebviewView|Context)|Window|Document|Response)(?:\s*\||\s*$)"
)


def active_handlers(state: State, text: str) -> tuple[Handlers, ...]:
    """Those whose framework the file imports, or that show by what it reads from a request."""
    imported = " ".join((*state.module.imports.values(), *_called_at_once(state, text)))
    if not imported:
        # A piece of a file: its framework stands elsewhere. A name alone proves nothing there.
        return tuple(known for known in state.index.tables.handlers if _is_possible(known, text))
    return tuple(
        handlers
        for handlers in state.index.tables.handlers
        if not handlers.imports
        or state.index.matches(handlers.imports, imported)
        or (handlers.says and _is_said(handlers, text))
    )


def _called_at_once(state: State, text: str) -> list[str]:
    """`const io = require("socket.io")(server)`: what is brought in without a name of its own."""
    return _CALLED_AT_ONCE.findall(text) if state.module.language in _REQUIRES else []


_REQUIRES = frozenset({"javascript", "typescript", "tsx"})
_CALLED_AT_ONCE = lazy(r"\brequire\(\s*[\"']([^\"'\n]{1,80})[\"']\s*\)\s*\(")


def _is_said(handlers: Handlers, text: str) -> bool:
    """A pattern for the beginning of a line is tried where its literal stands, and not at every character."""
    if not handlers.says_beside:
        return re.search(handlers.says, text) is not None
    pattern = re.compile(handlers.says)
    at = text.find(handlers.says_beside)
    while at >= 0:
        if pattern.match(text, text.rfind("\n", 0, at) + 1):
            return True
        end = text.find("\n", at)
        at = text.find(handlers.says_beside, end) if end >= 0 else -1
    return False


def _is_possible(known: Handlers, text: str) -> bool:
    """Whether a file that imports nothing may hold such handlers: not those known by names that others use as well."""
    if known.imports == _NO_IMPORT:
        return _is_said(known, text)
    return not (known.imports and (known.functions or known.events))


def handler_of(state: State, function: ir.Function, owner: ir.Class | None) -> Handlers | None:
    """How the function is known to be called with a request; None where it is not."""
    for handlers in state.handlers:
        if handlers.functions and owner is None and re.fullmatch(handlers.functions, function.name):
            return handlers
        marks = [ir.dotted(mark).removesuffix("()") for mark in function.decorators]
        if handlers.decorators and any(re.search(handlers.decorators, mark) for mark in marks):
            return handlers
        if handlers.bases and owner is not None and _may_be_asked_for(function, owner, marks, handlers):
            resolved = [state.module.imports.get(base.partition(".")[0], base) for base in owner.bases]
            if any(re.search(handlers.bases, base) for base in (*owner.bases, *resolved)):
                return handlers
    return None


def _may_be_asked_for(function: ir.Function, owner: ir.Class, marks: list[str], handlers: Handlers) -> bool:
    """Whether a method of a class that answers requests is one that does, and not one it keeps for itself."""
    if function.name == owner.name or not _KEPT.isdisjoint(marks):
        return False
    return re.fullmatch(handlers.methods or r"\w+", function.name) is not None


_KEPT = frozenset({"private", "NonAction"})


def entry_values(state: State, function: ir.Function, handlers: Handlers | None, trust: Trust | None) -> dict[str, Val]:
    """The parameters of a function nobody in this file calls. Without a trust they are simply not known."""
    harmless = _converted(function)
    if any(ir.dotted(mark).removesuffix("()").endswith(_FAILURES) for mark in function.decorators):
        handlers = trust = None  # it is given an exception
    values: dict[str, Val] = {}
    for param in function.params:
        if param.name in {"self", "cls"}:
            continue
        if _is_request(state, param, handlers):
            values[param.name] = Val(shape="request", path=param.name, text=FOREIGN, steps=(function.line,))
        elif handlers is None and _has_methods(state, param):
            values[param.name] = as_declared(state, param.annotation, UNKNOWN)
        elif param.name in harmless or _is_safe(state, param) or _is_other(param, handlers):
            values[param.name] = HARMLESS
        elif (marked := _marked(state, param)) is not None:
            sent = _foreign(param, marked.trust, function.line)
            values[param.name] = replace(sent, path=f"{param.name}.body") if _is_record(state, param) else sent
        elif handlers is not None and not handlers.fields and not _is_handed_in(state, param):
            values[param.name] = _foreign(param, handlers.trust, function.line)
        elif trust is not None and not _is_provided(param) and not _is_object(param):
            given = _foreign(param, trust, function.line)
            own = trust == "parameter" and _CONFIGURED.fullmatch(param.name) is not None
            values[param.name] = doubted(given) if own else given
        else:
            values[param.name] = UNKNOWN if trust is not None else HARMLESS  # its callers are followed instead
        values[param.name] = _uploaded(param, _typed(state, param, _validated(state, param, values[param.name])))
    return values


def _has_methods(state: State, param: ir.Param) -> bool:
    """Whether it is declared as an object that does something, of a class of this file, and no record."""
    kind = class_named(state, param.annotation)
    return kind is not None and not is_schema(state, kind)


_UPLOAD = lazy(r"\bUploadFile\b")
_NO_NAMES: frozenset[Kind] = frozenset({"path", "upload", "url", "redirect"})


def _uploaded(param: ir.Param, value: Val) -> Val:
    """What was uploaded has a name, which its sender chose, and an open file, which is no name of any."""
    if not value.taints or not _UPLOAD.search(param.annotation):
        return value
    opened = Val(taints={origin: done | _NO_NAMES for origin, done in value.taints.items()}, text=FOREIGN)
    return replace(value, items={**value.items, "file": opened})


_FIELDS_HAVE_TYPES = frozenset({"java", "kotlin", "csharp"})


def _typed(state: State, param: ir.Param, value: Val) -> Val:
    """Of a class of this file whose numbers and choices are what they are declared as, whatever was sent."""
    if state.module.language == "python" and value.taints and DECLARED_TEXT.match(param.annotation):
        return replace(value, taints={origin: done | NO_OBJECT for origin, done in value.taints.items()})
    if not value.taints or value.items or state.module.language not in _FIELDS_HAVE_TYPES:
        return value
    named = [state.classes[word] for word in _MODEL.findall(param.annotation) if word in state.classes]
    declared = named[-1] if named else None
    fields = declared.types if declared is not None else ()
    safe = [name for name, kind in fields if kind.rpartition(" ")[2].rstrip("?") in _PLAIN]
    return replace(value, items=dict.fromkeys(safe, HARMLESS)) if safe else value


_MODEL = lazy(r"\b[A-Z]\w*")
_PLAIN = frozenset(
    "int long short byte float double boolean Integer Long Short Byte Float Double Boolean BigDecimal BigInteger UUID "
    "LocalDate LocalDateTime Instant Int bool decimal uint ulong Guid DateTime DateTimeOffset DateOnly TimeSpan".split()
)


def _validated(state: State, param: ir.Param, value: Val) -> Val:
    """What comes out of a model that checks its fields need not be what was sent."""
    if not value.taints or value.shape == "request" or _marked(state, param) is not None:
        return value
    name = param.annotation.strip()
    declared = state.classes.get(name)
    if declared is not None and is_schema(state, declared):
        return filled(state, declared, {}, value)
    sent = state.module.language == "python" and any(origin.trust == "handler" for origin in value.taints)
    return vouched(value) if sent and _MODEL_NAME.fullmatch(name) and name in state.module.imports else value


def takes_request(state: State, function: ir.Function) -> bool:
    """A view: its first parameter is the request, the others come from its address, in languages that do so."""
    if state.module.language not in _ROUTED:
        return False
    given = [param for param in function.params if param.name not in {"self", "cls"}]
    is_view = not function.owner or (state.module.language == "php" and _CONTROLLER.search(function.owner) is not None)
    return bool(given) and is_view and _is_request(state, given[0], None)


def is_handed_a_request(state: State, function: ir.Function) -> bool:
    """Whether a parameter says by its type or mark that a framework fills it, wherever the function is passed to."""
    return any(
        bool(param.annotation) and (_is_request(state, param, None) or _marked(state, param) is not None)
        for param in function.params
    )


def _foreign(param: ir.Param, trust: Trust, line: int) -> Val:
    value = foreign(TaintOrigin(trust, f"parameter '{param.name}'", line))
    return value if not param.kind else Val(shape="list" if param.kind == "*" else "dict", rest=value, text="\x02")


def _converted(function: ir.Function) -> set[str]:
    """Names that the route itself turns into numbers."""
    names: set[str] = set()
    for mark in function.decorators:
        for arg in mark.args if isinstance(mark, ir.Call) else ():
            if isinstance(arg, ir.Const) and isinstance(arg.value, str):
                names.update(_CONVERTED.findall(arg.value[:500]))
                names.update(name for found in _LIMITED.findall(arg.value[:500]) for name in found if name)
    return names


def _is_record(state: State, param: ir.Param) -> bool:
    """Whether the body of a request is bound to what the database keeps, by the mark of its class or where it lives."""
    if _WHOLE_BODY.match(param.annotation):
        return True
    bound = _BOUND.search(param.annotation)
    declared = state.classes.get(bound[1]) if bound is not None else None
    if bound is None or declared is None:
        return bound is not None and state.mentions.imports(rf"\.(?:entity|entities|domain)\.{bound[1]}\b")
    return any(ir.dotted(mark).removesuffix("()") in {"Entity", "Document", "Table"} for mark in declared.decorators)


def _is_other(param: ir.Param, handlers: Handlers | None) -> bool:
    return handlers is not None and bool(handlers.others) and re.fullmatch(handlers.others, param.name) is not None


def _is_safe(state: State, param: ir.Param) -> bool:
    annotation = param.annotation.removeprefix("Optional[").removesuffix("]").partition("|")[0].strip()
    declared = state.classes.get(annotation)
    if declared is not None and any(base.rpartition(".")[2].endswith("Enum") for base in declared.bases):
        return True
    return bool(annotation) and state.index.safe_types.search(annotation) is not None


def _is_provided(param: ir.Param) -> bool:
    default = ir.dotted(param.default) if param.default is not None else ""
    return _PROVIDED.search(f"{param.annotation} {default}"[:300]) is not None


def _is_handed_in(state: State, param: ir.Param) -> bool:
    """Not of the request: a service, by its type; PHP's routes fill in what is of no class."""
    is_service = state.module.language == "php" and _CLASS.match(param.annotation) is not None
    return is_service or _is_provided(param)


_CLASS = lazy(r"\??\\?[A-Z]")


def _is_object(param: ir.Param) -> bool:
    """Something of a framework, by its declared type or, without one, by its name: an object, no text of a user."""
    if param.annotation:
        return _OBJECT_TYPE.search(param.annotation[:200]) is not None
    return _OBJECT_NAME.fullmatch(param.name) is not None


def _is_request(state: State, param: ir.Param, handlers: Handlers | None) -> bool:
    for known in state.handlers:
        if known.requests and param.annotation and re.search(known.requests, param.annotation):
            return True
        is_untold = param.annotation in _TELLS_NO_CLASS
        if known.names and known.imports and is_untold and re.fullmatch(known.names, param.name):
            return True
    return handlers is not None and bool(handlers.names) and re.fullmatch(handlers.names, param.name) is not None


def _marked(state: State, param: ir.Param) -> Handlers | None:
    """Whose mark it bears: that of a framework that fills it from the request, or of a main function."""
    default = ir.dotted(param.default) if param.default is not None else ""
    shown = f"{param.annotation} {default}"
    return next((known for known in state.handlers if known.annotations and re.search(known.annotations, shown)), None)


def registering(state: State, use: Use) -> Handlers | None:
    """How the functions are known that are given to this call as handlers; None where it registers none."""
    first = use.args[0].const if use.args and use.args[0].is_const else None
    event = first if isinstance(first, str) else ""
    for known in state.handlers:
        is_heard = not known.events or re.fullmatch(known.events, event)
        if known.calls and is_heard and re.search(known.calls, use.written):
            return known
    return None


def callback_values(state: State, known: Handlers, function: ir.Function, use: Use) -> dict[str, Val]:
    """The parameters of a function given to a call that registers handlers."""
    if known.unless and re.search(known.unless, state.mentions.text_of(function)):
        return {param.name: UNKNOWN for param in function.params}
    described = _described(use) if known.request_position == 0 and len(function.params) == 1 else None
    if described is not None:
        return {function.params[0].name: described}
    return {
        param.name: _callback_value(state, function, position, known) for position, param in enumerate(function.params)
    }


def _described(use: Use) -> Val | None:
    """`.input(z.object({ ... })).query(({ input }) => ...)`: what is sent, field by field as the schema says."""
    receiver = use.receiver
    if receiver is None or not receiver.path.endswith(".input()") or not receiver.args or not receiver.args[0].args:
        return None
    fields = receiver.args[0].args[0].items
    if not any(CHECKED_FIELD.search(field.path) for field in fields.values()):
        return None
    items = {
        key: HARMLESS
        if CHECKED_FIELD.search(field.path)
        else foreign(TaintOrigin("request", f"input.{key!s}", use.line))
        for key, field in fields.items()
    }
    return Val(shape="dict", items={"input": Val(shape="dict", items=items)})


def _is_filled(language: str, annotation: str) -> bool:
    """Whether a framework fills a parameter of this type from a request."""
    if annotation and language not in _TOLD_BY_SAFE_TYPES:
        return _FILLED.search(annotation) is not None
    return language not in _TYPED


def _callback_value(state: State, function: ir.Function, position: int, known: Handlers) -> Val:
    param = function.params[position]
    if known.fills and not _is_request(state, param, None):
        by_type = _is_filled(state.module.language, param.annotation)
        filled_in = by_type and not _is_safe(state, param) and not _is_provided(param)
        return _foreign(param, known.trust, function.line) if filled_in else UNKNOWN
    named = bool(known.names) and re.fullmatch(known.names, param.name) is not None
    behind_error = _IS_ERROR.fullmatch(function.params[0].name) is not None and len(function.params) > 2
    if named or position - behind_error == known.request_position:
        return Val(shape="request", path=param.name, text=FOREIGN)
    return UNKNOWN
