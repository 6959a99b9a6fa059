"""Whether a call is a sink, and whether what reaches it does harm there."""

from __future__ import annotations

import re

import msgspec

from leeboard.model.text import lazy
from leeboard.security.taint.doubts.answer import is_meant_to_be_sent
from leeboard.security.taint.doubts.at_sink import doubt_of
from leeboard.security.taint.doubts.flow_doubt import FlowDoubt, doubt
from leeboard.security.taint.removed import PATHS
from leeboard.security.taint.state import Flow, State, TaintScope
from leeboard.security.taint.table import HARM, UNREAD_CHECK, WEAK_CHECK, Kind, Sink, Trust, confidence_of
from leeboard.security.taint.unpacked import is_looked_through
from leeboard.security.taint.values import (
    CLEAN,
    FOREIGN,
    FROM_ROOT,
    OPEN,
    Key,
    TaintOrigin,
    Val,
    held,
    is_settled,
)

_RANK: dict[Trust, int] = {"request": 3, "handler": 2, "archive": 2, "parameter": 1, "local": 0, "failure": 0}
_HOST_FIXED = lazy(r"[a-z][\w+.-]{0,12}://[^/?#\x00]*[/?#]|[\x01\x02][^\x00]*[/?#=]|/[^/\\\x00]|\w[\w.-]*/|\?|#")
_BEHIND_OWN = lazy(r"\x00[^\x00]*[?#]")
"""Something of the page's own address, and the rest behind it."""
_NAMED_CALLS = frozenset({"*.send", "*.public_send", "*.__send__", "send", "public_send", "__send__", "*.__invoke"})
"""Calls of a method or a function by its name."""
_PREFIXED = lazy(r"[^\W\d]\w+$")
_HEAD_LINES = lazy(r"(?!\r\n)(?:[^<\r\n]{1,400}\r\n){1,60}(?:\r\n)?$")
_VALUE_POSITION = lazy(
    r"(?:=|<|>|\blike|\bin\s*\(|\bbetween|\bbetween\s[^()]{1,60}\sand|\bvalues\s*\((?:[^()]{0,200},)?)\s*[bnN]?['\"]?%?$",
    2,
)
"""Where a query holds a value, which can be bound; names of columns and whole clauses stand elsewhere."""
_QUOTED_POSITION = lazy(r"(?:=|<|>|\blike|\bin\s*\(|\bvalues\s*\((?:[^()]{0,200},)?)\s*[bnN]?['\"]%?$", 2)
_NAMES_A_PART = lazy(
    r"(?i)(?:table|column|col|field|schema|clause|where|order(?:_?by)?|sort|direction|prefix)(?:_?names?|s)?'?$"
)
_ROOM_BEFORE, _MOST_LABEL = 240, 60
_BROKEN_BY: dict[Kind, re.Pattern[str]] = {
    "command": lazy(r"^\s*[\w./-]*[a-z][\w.-]*\s[^\x00]*\x00"),
    "xpath": lazy(r"['\"]\x00"),
    "ldap": lazy(r"\(\s*[\w.;-]+\s*[~<>]?=\*?\x00"),
    "nosql": lazy(r"\x00.*[=<>].*:\w|[=<>(]\s*['\"]?\x00"),
}
"""Texts in which a value stands as a word, or as what is compared: a mark in it breaks them, whoever calls."""
_SHELLS = lazy(r"(?:^|/)(?:ba|z|da|k)?sh$|^cmd(?:\.exe)?$|powershell", 2)
_STRUCTURED = lazy(r"json|body|\.data\b|payload|\breq(?:uest)?\.query\b")
_SPEAKS_XML = r"(?i)xml|etree|xpath|\bdom\b|DOMDocument|nokogiri|libxml"


class Use(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One call as the engine sees it."""

    line: int
    path: str
    written: str
    receiver: Val | None
    args: tuple[Val, ...]
    keywords: dict[str, Val]


def check_call(state: State, scope: TaintScope, use: Use) -> None:
    for sink in state.index.sinks(use.path):
        if applies(state, sink, use):
            _check(state, scope, sink, use)


def check_assignment(state: State, scope: TaintScope, use: Use) -> None:
    """`use.args` holds the assigned value."""
    for sink in state.index.assigned(use.path):
        if applies(state, sink, use):
            _check(state, scope, sink, use)


def check_value(state: State, scope: TaintScope, kind: Kind, value: Val, use: Use) -> None:
    """A value at a place that is a sink though nothing is called there: what a handler returns."""
    sink = Sink(kind=kind, callee=use.path, least="failure" if kind == "trace" else "handler", start=kind == "redirect")
    _check_value(state, scope, sink, value, use)


def applies(state: State, sink: Sink, use: Use) -> bool:
    """Whether the call is the one that the sink means, by what it is given and called on."""
    fits = sink.arity[0] <= len(use.args) <= sink.arity[1]
    if not fits or (sink.beside and not state.mentions.says(sink.beside)):
        return False
    for name, wanted in sink.needs:
        if not _is_given(use, name, wanted, is_setting=sink.kind == "debug"):
            return False
    for name, pattern in sink.given:
        given = _named(use, name)
        if given is None or not state.index.matches(pattern, _telling(given)):
            return False
    for name, pattern in sink.unless:
        given = _named(use, name)
        if given is not None and state.index.matches(pattern, _telling(given)):
            return False
    if sink.looks or (sink.receiver and sink.callee.startswith("*.")):
        return _is_plausible(state, sink, use)
    return True


def _is_given(use: Use, name: str, wanted: object, *, is_setting: bool) -> bool:
    given = _named(use, name)
    if given is None:
        return False
    if given.is_const:
        return given.const == wanted and type(given.const) is type(wanted)
    if is_setting:
        return False  # where it runs decides
    # A wrapper that is told by its caller leaves the choice to it.
    return wanted is True and not (given.taints and all(origin.trust == "parameter" for origin in given.taints))


def _is_surely_given(use: Use, name: str) -> bool:
    """Whether what makes it dangerous stands in the source, and is not one more thing nobody knows."""
    given = _named(use, name)
    return given is not None and given.is_const


def _named(use: Use, name: str) -> Val | None:
    if name == "receiver":
        return use.receiver
    place, _dot, key = name.partition(".")
    if place.isdigit():
        given = use.args[int(place)] if int(place) < len(use.args) else None
        return given if given is None or not key else given.items.get(key)
    return use.keywords.get(name)


def _telling(value: Val) -> str:
    """What it is, as text: its constant, its path, and what it was made with."""
    parts = [repr(value.const) if value.is_const else "", value.path, value.text]
    parts += value.type.bases if value.type is not None else ()
    parts += [f"{name}={_telling(inner)}" for name, inner in value.keywords.items()]
    parts += [
        f"{key!s}={inner.const!r}"
        for key, inner in list(value.items.items())[:9]
        if (value.path or value.shape == "list") and inner.is_const
    ]
    parts += [_telling(inner) for inner in value.args[:3]]
    return " ".join(part for part in parts if part)[:400]


def _is_plausible(state: State, sink: Sink, use: Use) -> bool:
    receiver = [use.written.rpartition(".")[0], use.receiver.path if use.receiver is not None else ""]
    if sink.receiver and any(state.index.matches(sink.receiver, text) for text in receiver if text):
        return True
    values = _values(sink, use)
    return bool(sink.looks) and any(
        state.index.matches(sink.looks, held(value).text) or state.index.matches(sink.looks, value.path)
        for value in values
    )


def _values(sink: Sink, use: Use) -> list[Val]:
    if sink.keywords == ("*",):
        found = list(use.keywords.values())
    else:
        found = [use.keywords[name] for name in sink.keywords if name in use.keywords]
    for position in sink.args:
        if position == -1:
            found += use.args
        elif position == -2:
            found += [use.receiver] if use.receiver is not None else []
        elif position < len(use.args):
            found.append(use.args[position])
    return found


def _check(state: State, scope: TaintScope, sink: Sink, use: Use) -> None:
    values = _values(sink, use)
    if sink.always and (_is_meant(state, sink, use) or _is_looked_through(state, sink, use)):
        return
    if sink.always and (not values or not all(is_settled(value) for value in values)):
        _report(state, scope, sink, use, _Judged(sink.always))
    for value in values:
        _check_value(state, scope, sink, value, use)


_MASK_IS_MEANT = lazy(r"umask\(\s*[a-z_]\w*\s*\)|\bsetsid\s*\(")
_MODE_IS_MEANT = lazy(r"\bsockaddr_un\b|\bAF_UNIX\b|\bbind\s*\(")


def _is_meant(state: State, sink: Sink, use: Use) -> bool:
    """The mask is read by setting it, and set again in the same function; or a daemon begins, which gives each file its
    mode. Who may write to a socket may send to it: that is what it is for.
    """
    if sink.kind != "permission" or not state.active:
        return False
    meant = _MASK_IS_MEANT if use.path.endswith("umask") else _MODE_IS_MEANT
    return bool(meant.search(state.mentions.text_of(state.active[-1])))


def _is_looked_through(state: State, sink: Sink, use: Use) -> bool:
    """An archive is unpacked where the same function looks at the paths of its members."""
    asked = sink.callee.startswith("*.extract") and bool(state.active)
    return asked and is_looked_through(state.body(state.active[-1]), use.written.partition(".")[0])


class _Judged(msgspec.Struct, frozen=True):
    """How sure it is, and which foreign value it is about."""

    confidence: float
    origin: TaintOrigin | None = None
    label: str = ""
    steps: tuple[int, ...] = ()
    doubt: str = ""


def _check_value(state: State, scope: TaintScope, sink: Sink, value: Val, use: Use) -> None:
    if (
        value.shape == "request"
        or (sink.kind == "html" and not sink.fills and _is_sent_as_data(value))
        or (sink.read and value.opaque)
    ):
        return  # handed on as a whole, or made something else, it is no text
    value = _part_that_counts(sink, value, use)
    whole = held(value)
    origin = _worst(scope, sink, whole)
    if sink.kind == "xpath" and not state.mentions.says(_SPEAKS_XML):
        return  # what finds something elsewhere is no tree
    if origin is not None and sink.kind == "nosql" and not _is_operator(value, origin):
        return
    if _is_named_here(sink, value) or (origin is not None and _is_passed_on(sink, value, origin)):
        return
    if origin is None:
        unknown = sink.bare and not whole.is_foreign and not is_settled(whole) and _is_unresolved(sink, whole)
        if unknown and all(_is_surely_given(use, name) for name, _wanted in sink.needs):
            sure = min(sink.bare, _OWN_FILE) if _READ.search(whole.path) else sink.bare
            _report(state, scope, sink, use, _Judged(sure, label="a value of unknown origin"))
        return
    if _is_harmless_place(sink, whole) or is_meant_to_be_sent(state, sink):
        return
    judged = _judged(state, scope, sink, whole, origin, use.line)
    if judged.confidence:
        _report(state, scope, sink, use, judged)


def _part_that_counts(sink: Sink, value: Val, use: Use) -> Val:
    if sink.kind == "command":
        return _command_of(value, use)
    if sink.kind == "fields" and (value is not use.receiver or value.args):
        return _sent_whole(value.args[0] if value is use.receiver else value)  # `new User(body)` is made of it
    if sink.kind == "sql" and value.shape in {"dict", "list"}:
        return next((value.items[key] for key in _STATEMENT_KEYS if key in value.items), value)
    return _address_of(value) if sink.kind == "url" and value.items and not value.taints else value


_STATEMENT_KEYS: tuple[Key, ...] = ("text", "sql", 0)
"""Where a statement stands that is given with its parameters: `{text, values}`, `[sql, *values]`."""
_ADDRESS_KEYS = frozenset({"url", "uri", "href", "host", "hostname", "baseURL", "base_url", "origin"})


def _address_of(value: Val) -> Val:
    """What of the options of a request says where it goes: its headers and its body do not."""
    items = {key: item for key, item in value.items.items() if key in _ADDRESS_KEYS or isinstance(key, int)}
    return msgspec.structs.replace(value, items=items)


def _is_named_here(sink: Sink, value: Val) -> bool:
    """The fields that are set, or the method of an object that is called, stand in the source."""
    if sink.kind == "attribute":
        return bool(value.items) and value.rest is None
    method = value.items.get(1) if sink.kind == "code" and value.shape == "list" else None
    return method is not None and method.is_const


_WHOLE_REQUEST = lazy(r"(?:\w+\.)?request$")


def _is_passed_on(sink: Sink, value: Val, origin: TaintOrigin) -> bool:
    """`fetch(event.request)` sends a request where it was going, as a service worker does."""
    return sink.kind == "url" and value.text == FOREIGN and bool(_WHOLE_REQUEST.match(origin.label))


_WHOLE_BODY = lazy(r"(?:^|\.)(?:req|request)\.body$")
_EVENT_STREAM = lazy(r"(?:event|data|id|retry): ?")


def _is_sent_as_data(value: Val) -> bool:
    """A record or a parsed body is sent as JSON, and a stream of events is no page."""
    if value.shape == "dict":
        return "__html" not in value.items
    return bool(_WHOLE_BODY.search(value.path)) or bool(_EVENT_STREAM.match(value.text))


def _worst(scope: TaintScope, sink: Sink, value: Val) -> TaintOrigin | None:
    """The least trusted foreign value in it that nothing has made harmless for this sink."""
    is_any = sink.kind in PATHS and value.path == FROM_ROOT
    live = [
        origin
        for origin, done in value.taints.items()
        if (is_any or sink.kind not in done)
        and (origin.trust == "failure") == (sink.kind == "trace")
        and sink.kind not in scope.cleaned(origin)
        and _RANK[origin.trust] >= _RANK[sink.least]
    ]
    return max(live, key=lambda one: (_RANK[one.trust], not _has_unread_check(scope, value, one)), default=None)


def _has_unread_check(scope: TaintScope, value: Val, origin: TaintOrigin) -> bool:
    """Whether a check that nobody can read here was asked about it."""
    return bool({*UNREAD_CHECK, WEAK_CHECK} & (scope.cleaned(origin) | value.taints[origin]))


def _is_operator(value: Val, origin: TaintOrigin) -> bool:
    """Only what may be a mapping can be an operator: a form gives texts. Code inside a query is another matter."""
    code = [value.items[key] for key in ("$where", "$function", "$expr") if key in value.items]
    if any(item.taints for item in code):
        return True
    held_in = [item for item in value.items.values() if held(item).taints] or [value]
    if all(not item.shape and (item.path.endswith(_NO_MAPPINGS) or len(item.text) > 1) for item in held_in):
        return False  # a text that was built, or a pattern
    parsed = any("json" in item.path for item in (value, *value.items.values()) if item.taints)
    return parsed or bool(_STRUCTURED.search(origin.label)) or origin.trust == "handler"


_NO_MAPPINGS = ("RegExp()", "ObjectId()", "String()")
"""What is made by these is one value, whatever it was made of."""
_RECORD_KEYS = ("data", "$set", "values")
_ALL_THAT_WAS_SENT = lazy(
    r"(?:^|[.>])(?:body|rawBody|data|json|all|input|form|formData|POST|post|get_json|parseBody|params|permit|to_unsafe_h|"
    r"getParameterMap)(?:\(\))?(?:\.(?:dict|to_dict)\(\))?$"
)


def _sent_whole(value: Val) -> Val:
    """What of a record's fields is a request's body as it came; harmless where each field stands in the source."""
    for key in _RECORD_KEYS:
        value = value.items.get(key, value)
    if value.shape == "dict" and value.rest is not None:
        value = value.rest
    return value if _ALL_THAT_WAS_SENT.search(value.path) else Val(text=CLEAN)


_READ = lazy(r"(?:^|\.)read(?:_text|_bytes|lines?|all)?\(\)$")
_OWN_FILE = 0.45
"""Who runs what stands in a file mostly wrote that file, or installed it."""


def _is_unresolved(sink: Sink, value: Val) -> bool:
    """A variable nobody knows. What an object or module holds is its own, and mostly chosen by the same people."""
    if sink.kind == "sql":
        before = value.text.partition(OPEN)[0]
        return len(value.text) > 1 and bool(_QUOTED_POSITION.search(before[-_ROOM_BEFORE:]))
    return True


def _is_harmless_place(sink: Sink, value: Val) -> bool:
    before = value.text.partition(FOREIGN)[0]
    if sink.joined and not value.text.replace(FOREIGN, "").strip(OPEN + CLEAN):
        return True
    if sink.kind == "attribute" or sink.callee in _NAMED_CALLS:
        return _PREFIXED.match(before) is not None  # one of a family of methods: `do_` + command
    if sink.kind == "upload" and value.path.endswith((".stream", ".file", ".read()")):
        return True  # what was sent, not what it is called
    if sink.kind == "path" and value.path.endswith("IO()"):
        return True  # a file in memory has no path, whatever was written to it
    if sink.kind == "html" and _HEAD_LINES.match(value.text):
        return True  # header lines of a response, which are judged where they are set
    return sink.start and _has_its_host(sink, value, before)


def _has_its_host(sink: Sink, value: Val, before: str) -> bool:
    """What stands in front of it names the host, or is of the page's own address."""
    of_own = any(sink.kind in done for done in value.taints.values()) and _BEHIND_OWN.match(value.text)
    return bool(_HOST_FIXED.match(before) or of_own)


def _judged(state: State, scope: TaintScope, sink: Sink, value: Val, origin: TaintOrigin, line: int) -> _Judged:
    sure = confidence_of(sink.kind, origin.trust)
    if origin.trust == "parameter":
        sure = _of_parameter(sink, value, sink.parameter or sure, is_given=origin.label.startswith("parameter"))
        return _Judged(sure, origin, steps=value.steps)
    check = _check_of(state, scope, value, origin)
    is_walked = sure > doubt("checked_in_path").at_most and check is None
    against = doubt_of(state, sink, value, origin, line if is_walked else 0)
    if check is not None and (against is None or against.at_most > check.at_most):
        against = check
    if against is None or against.at_most >= sure:
        return _Judged(sure, origin, steps=value.steps)
    return _Judged(against.at_most, origin, steps=value.steps, doubt=against.why)


def _check_of(state: State, scope: TaintScope, value: Val, origin: TaintOrigin) -> FlowDoubt | None:
    """The check that nobody can read here and that it passed; or a class or a weak check, which tell less."""
    shown = scope.cleaned(origin)
    if shown & UNREAD_CHECK or (state.running, origin.place) in state.held_against:
        return doubt("unread_check")
    return doubt("weak_check") if WEAK_CHECK in shown or value.taints[origin] & UNREAD_CHECK else None


def _of_parameter(sink: Sink, value: Val, sure: float, *, is_given: bool) -> float:
    """`is_given`: by a caller, and not by a file or the environment."""
    if sink.kind in {"sql", "xpath"} and value.text == FOREIGN:
        return 0.0  # a wrapper that is given its statement
    if sink.kind == "sql":
        before = value.text.partition(FOREIGN)[0]
        is_value = _VALUE_POSITION.search(before[-_ROOM_BEFORE:]) is not None
        is_value = is_value and not all(_NAMES_A_PART.search(origin.label) for origin in value.taints)
        is_value = is_value or _QUOTED_POSITION.search(before[-_ROOM_BEFORE:]) is not None  # whatever it is called
        return sure if is_value and not value.opaque else min(sure, 0.6)
    is_broken = is_given and not value.opaque
    if sink.kind in _BROKEN_BY and not (is_broken and _BROKEN_BY[sink.kind].search(value.text)):
        sure = min(sure, 0.6)
    sure = max(sure, sink.bare)
    return min(sure, 0.55) if value.opaque else sure


def _command_of(value: Val, use: Use) -> Val:
    """What of a list of arguments is a command: the program, or the line given to a shell."""
    if value.shape != "list":
        return value
    if len(use.args) > 1 and value is use.args[1]:
        return _line_for(use.args[0], value.items.get(0), value.items.get(1))
    shell = use.keywords.get("shell")
    first = value.items.get(0) or value.rest or Val(text=CLEAN)
    if shell is not None and shell.const is not False:
        return first
    return first if first.is_foreign else _line_for(first, value.items.get(1), value.items.get(2))


def _line_for(program: Val, flag: Val | None, line: Val | None) -> Val:
    """What a shell is told to run; nothing where the program is none."""
    is_shell = _SHELLS.search(program.text.rstrip(CLEAN)) is not None
    told = flag is not None and flag.text.rstrip(CLEAN) in {"-c", "-lc", "/c", "/C", "-Command"}
    return line if line is not None and is_shell and told else Val(text=CLEAN)


def _report(state: State, scope: TaintScope, sink: Sink, use: Use, judged: _Judged) -> None:
    origin = judged.origin
    line = origin.line if origin is not None else use.line
    by_design = sink.kind in {"code", "template"} and runs_code(state, scope.function, use.args)
    against = doubt("runs_code")
    if by_design and judged.confidence > against.at_most and not _is_within(state, line):
        judged = msgspec.structs.replace(judged, confidence=against.at_most, doubt=against.why)
    state.report(
        Flow(
            kind=sink.kind,
            confidence=judged.confidence,
            trust=origin.trust if origin is not None else None,
            source=(origin.label if origin is not None else judged.label)[:_MOST_LABEL],
            source_line=line,
            sink=use.written[:_MOST_LABEL] or use.path[:_MOST_LABEL],
            sink_line=use.line,
            function=scope.function,
            steps=tuple(sorted({line, *judged.steps, use.line})),
            advice=sink.note or HARM[sink.kind].fix,
            by_design=by_design,
            doubt=judged.doubt,
        )
    )


def _is_within(state: State, line: int) -> bool:
    """Whether the line is one of the function that is being followed."""
    return not state.active or state.active[-1].line <= line <= state.active[-1].end


# Whether running code is what a function is for: a console, an interpreter, a debugger, a template engine.


_TOOL_CLASS = lazy(
    r"(?i)repl(?!ac|ic|y|i)|console|interpreter|interactive|debugger|template|sandbox|kernel|notebook|doctest|shell$"
)
_TOOL_FUNCTION = lazy(
    r"(?i)^_*(?:eval|exec|repl|interact|push|render\w*|compile\w*|template\w*)$|interpret|"
    r"(?:run|exec|execute|eval|evaluate)_?(?:code|source|src|cell|script|snippet|block|eval|ctx|statement)"
)
_BINDING = lazy(r"(?i)binding")
_KEPT_NAMES = lazy(r"^self\.|f_globals|f_locals|__dict__|^(?:globals|locals)\(\)")


def runs_code(state: State, function: str, args: tuple[Val, ...]) -> bool:
    """By the names of the function and its class, by names that are kept from one run to the next, or by `compile`."""
    if _TOOL_FUNCTION.search(function) or any(_TOOL_CLASS.search(item.owner) for item in state.active[-1:]):
        return True
    if len(args) > 1 and _KEPT_NAMES.search(args[1].path):
        return True
    if len(args) > 2 and _BINDING.search(args[1].path):
        return True  # told the file it stands in: a loader
    return bool(args) and args[0].path in {"compile()", "codeop.compile_command()", "code.compile_command()"}
