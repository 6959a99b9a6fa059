"""What a language's tables are made of: where foreign values come from, where they do harm, what cleans them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any, Literal, get_args

import msgspec
from msgspec.structs import replace

from leeboard.data import load
from leeboard.security.taint.table_file import PLAIN_TYPES, Line, Pattern, TableFile, joined, read_table

Kind = Literal[
    "sql", "command", "code", "html", "path", "url", "redirect", "ldap", "xpath", "xxe", "deserialise", "log", "header",
    "nosql", "regex", "template", "format", "session", "upload", "xslt", "attribute", "debug", "permission", "tempfile",
    "prototype", "fields", "trace", "cors", "logged", "passed", "failed", "partly",
]  # fmt: skip
UNREAD_CHECK: frozenset[Kind] = frozenset({"passed", "failed"})
"""No kinds of sink, but marks of a value that a check nobody can read was asked about: it held, or it did not. As they
are two, nothing is left of them where both ways go on.
"""
WEAK_CHECK: Kind = "partly"
"""The mark of a value that passed a check which is known not to suffice."""
KINDS: tuple[Kind, ...] = tuple(kind for kind in get_args(Kind) if kind not in {*UNREAD_CHECK, WEAK_CHECK})

Trust = Literal["request", "handler", "archive", "parameter", "local", "failure"]
"""Where a value comes from: a request; a parameter of a route handler; an entry of an archive, which whoever packed it
named; a parameter of any function; the machine's own people and files (argv, environment, configuration); what a
failure tells of the program, which does harm only where it is sent out."""


class TaintSource(msgspec.Struct, frozen=True, kw_only=True):
    """A name, attribute or call that yields foreign values. `path` is dotted with imports resolved.

    `flask.request.args` matches that path and everything read from it. `*.get_argument()` matches a call of a method of
    this name on any receiver, `input()` a call. `label` is how the value is spoken of.
    """

    path: str
    trust: Trust = "request"
    label: str = ""
    receiver: str = ""
    """For `*.name`: a regular expression which the receiver, as written and dotted, must match (searched)."""
    beside: str = ""
    """What the text of the file must match (searched) besides."""
    given: str = ""
    """For a call: what its first argument must be, a constant text, matched whole."""


class Sink(msgspec.Struct, frozen=True, kw_only=True):
    """A call in which a foreign value does harm.

    `callee` is dotted with imports resolved (`os.system`), or `*.name` for a method of any receiver. For assignments
    (`el.innerHTML = x`) put it into `Tables.assigned`, where `*.name` is the assigned attribute.
    """

    kind: Kind
    callee: str
    args: tuple[int, ...] = (0,)
    """Positions that matter; -1 stands for all of them, -2 for the receiver of a method."""
    keywords: tuple[str, ...] = ()
    """Named arguments that matter as well; `*` stands for all of them."""
    receiver: str = ""
    """For `*.name`: what the receiver, as written and dotted, must match (searched, any case)."""
    looks: str = ""
    """What the known text of the argument must match (searched, any case) where the receiver does not match.
    With both given, either is enough."""
    joined: bool = False
    """Harm only where the foreign value is a part of a longer string, not the whole of it."""
    start: bool = False
    """Harm only where the foreign value stands at the start of the string (host of a URL, start of a redirect)."""
    read: bool = False
    """Harm only where the value itself is run, not where a call or a comparison has made something else of it."""
    sniffed: bool = False
    """Whether what is written is taken for HTML only where its beginning looks so."""
    needs: tuple[tuple[str, object], ...] = ()
    """Named arguments that must have this constant value: `("shell", True)`."""
    given: tuple[tuple[str, str], ...] = ()
    """As `unless`, but without them it is no sink; the name `receiver` stands for the receiver."""
    unless: tuple[tuple[str, str], ...] = ()
    """Named (or, by a number, positional) arguments that lift it when their text matches: `("Loader", "Safe")`."""
    beside: str = ""
    """What the file must say somewhere for it to be a sink: a model that guards nothing."""
    arity: tuple[int, int] = (0, 99)
    """Least and most positional arguments."""
    bare: float = 0.0
    """Confidence where the argument is neither constant nor known to be foreign. 0: silent."""
    always: float = 0.0
    """Confidence whatever the argument is, unless all that matter are constant: a call that is unsafe by itself."""
    parameter: float = 0.0
    """Confidence for a parameter of any function, where it is not that of the kind."""
    fills: bool = False
    """Whether it sets what it is given into a page that is written elsewhere, and that may escape it itself."""
    least: Trust = "local"
    """`request` for kinds that only matter when a request brings the value (log, open, header)."""
    note: str = ""
    """What to do instead, where this call needs other words than its kind."""


class Cleaner(msgspec.Struct, frozen=True, kw_only=True):
    """A call whose result is harmless for some kinds, whatever goes in. `callee` as in `Sink`."""

    callee: str
    kinds: frozenset[Kind] | None = None
    """None: for all kinds (a number, a digest, a length)."""


class TaintGuard(msgspec.Struct, frozen=True, kw_only=True):
    """A test that makes the tested value harmless where it holds: `value.isdigit()`, `re.fullmatch(p, value)`."""

    callee: str
    argument: int = -1
    """Which argument is tested; -1 is the receiver."""
    kinds: frozenset[Kind] | None = None
    raises: bool = False
    """Whether it also tells by raising, when its result is dropped: `path.relative_to(folder)`."""
    pattern: int = -1
    """Position of a pattern that must be a narrow one: the guard holds only if the constant there is anchored."""


class Handlers(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the functions are known that a web framework calls with a request."""

    decorators: str = ""
    """Matches the dotted decorator (`app.route`, `GetMapping`); their parameters come from the request."""
    annotations: str = ""
    """Matches the annotation of a parameter whose *value* comes from the request (`@RequestParam`, `Query`)."""
    requests: str = ""
    """Matches the annotation of a parameter that *is* a request (`HttpRequest`, `*http.Request`)."""
    names: str = ""
    """Names of parameters that are a request wherever they stand (`request|req`), matched whole."""
    bases: str = ""
    """Matches a base class whose `methods` are handlers."""
    methods: str = ""
    fields: tuple[str, ...] = ()
    """Attributes of an object of such a class that hold the request: `self.path`."""
    others: str = ""
    """Names of parameters of a handler, matched whole, that hold something of the framework's own: `info`."""
    functions: str = ""
    """Names of functions that are handlers without any mark, matched whole."""
    trust: Trust = "handler"
    """How far what a handler is given is trusted: `local` for commands of a terminal."""
    calls: str = ""
    """Matches a dotted callee to which a handler is passed as an argument (`app.get`)."""
    fills: bool = False
    """Whether every plain parameter of a handler passed to such a call is filled from the request."""
    events: str = ""
    """What the first argument of such a call must be, matched whole: the name of an event that brings a message."""
    unless: str = ""
    """What the text of a handler (searched) shows that it asks who sent it."""
    request_position: int = -1
    """Where the request stands among the parameters of a handler passed to such a call; -1: by name only."""
    imports: str = ""
    """These handlers exist only where a module imported in the file matches (searched); empty: everywhere."""
    says: str = ""
    """They exist also where the text of the file matches (searched), whatever it imports: `request.GET[`."""
    says_beside: str = ""
    """A literal that stands in the first line of each match of `says`, which begins where that line does: no other line
    is asked then."""
    returns_html: bool = False
    """Whether a string which a handler returns is sent as HTML."""
    html_marks: str = ""
    """As `returns_html`, but only where an argument of a decorator matches, dotted: `response_class=HTMLResponse`."""
    returns_markup: bool = False
    """As `returns_html`, but only where the string holds a tag: a browser is sent what it asked for."""
    redirects: str = ""
    """What a string starts with (matched) which a handler returns to send the browser elsewhere: `redirect:`."""


class Model(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Methods and functions the engine understands, by what they do. The same word may not stand twice."""

    push: frozenset[str] = frozenset()
    """`list.append(x)`: the receiver gets a value without a known key."""
    write: frozenset[str] = frozenset()
    """`map.put(key, x)`, `parser.set(section, key, x)`: the last argument goes under the keys before it."""
    read: frozenset[str] = frozenset()
    """`map.get(key)`, `parser.get(section, key)`; a last argument that is no key is a default."""
    take: frozenset[str] = frozenset()
    """`list.pop(i)`, `shift()`."""
    drop: frozenset[str] = frozenset()
    """`list.remove(x)`, `clear()`."""
    same: frozenset[str] = frozenset()
    """Text to text with the same foreign content: `strip`, `lower`, `encode`; constants are computed where known."""
    join: frozenset[str] = frozenset()
    """Builds one string of all it gets: `format`, `join`, `String.format`, `sprintf`, `concat`."""
    values: frozenset[str] = frozenset()
    """`values()`, `items()`, `entries()`: all that is in a container."""
    mapped: frozenset[str] = frozenset()
    """`xs.map(f)`, `map(f, xs)`: what the function makes of each item, and nothing else."""
    folded: frozenset[str] = frozenset()
    """`xs.reduce(f, start)`: likewise, with what was made so far as the first argument."""
    copy: frozenset[str] = frozenset()
    """`list(x)`, `sorted(x)`: the first argument (or, for a method without one, the receiver) as it is."""
    transparent: frozenset[str] = frozenset()
    """Calls (last name) that nobody has to doubt: what comes out is what went in, in another form (`json.loads`)."""
    harmless: frozenset[str] = frozenset()
    """Calls (last name) whose result carries nothing of their arguments: `len`, `isinstance`, `hash`."""


class Tables(msgspec.Struct, frozen=True, kw_only=True):
    """All that is known of one language."""

    language: str
    candidates: str
    """Where sinks may be: only functions with a match in their lines are followed. Cheap, may match too much."""
    marks: tuple[str, ...] = ()
    """Literal texts that say the same: much cheaper to look for."""
    by_name: bool = False
    """Whether every call of a name that stands last in a sink's callee is a candidate, beside those that match."""
    origins: tuple[str, ...] = ()
    """Literal texts where foreign values come in. In files that handle requests, a function with a candidate but
    without one of these is followed only when it is called, unless it holds one of `words`. Empty: they all are."""
    sources: tuple[TaintSource, ...] = ()
    sinks: tuple[Sink, ...] = ()
    assigned: tuple[Sink, ...] = ()
    cleaners: tuple[Cleaner, ...] = ()
    guards: tuple[TaintGuard, ...] = ()
    handlers: tuple[Handlers, ...] = ()
    model: Model = Model()
    requests: frozenset[str] = frozenset()
    """Dotted paths that are a request wherever they are read: `flask.request`, `self.request`."""
    request_safe: str = ""
    """Attributes of a request that are not the client's to choose, matched whole: `method|user|session`."""
    server_keys: str = ""
    """What the server itself puts under a key of something foreign, as a label, matched whole: `$_SERVER['argv']`."""
    own_address: str = ""
    """Names, attributes and methods that give the address that was asked for, matched whole: a redirect there stays
    here. What is read from it under a key is the client's again."""
    exits: frozenset[str] = frozenset()
    """Calls that do not return: `sys.exit`, `abort`."""
    demands: frozenset[str] = frozenset()
    """Calls that return only where their first argument holds: `assert(ok)`, `abort_unless(ok, 404)`."""
    refuses: frozenset[str] = frozenset()
    """Calls that return only where it does not: `abort_if(bad, 404)`."""
    checks: str = ""
    """Names of functions (last name, searched) which test the value they get, wherever they are defined."""
    partial_checks: tuple[tuple[str, frozenset[Kind] | None], ...] = ()
    """The same, with the kinds for which the value is good then: where a path leads says nothing of a command."""
    escapes: tuple[tuple[str, frozenset[Kind] | None], ...] = ()
    """Names of functions (last name, searched) by which an unknown one is taken for a cleaner of these kinds."""
    numbers: frozenset[str] = frozenset()
    """Operators that make a number of whatever they get, or fail."""
    lexical: bool = False
    """Whether a function that assigns to a name of the enclosing function means that one (JavaScript, Ruby, ...)."""
    own_methods: bool = False
    """Whether a bare name that nothing else bears is a method of the object it stands in (Java, Ruby, ...)."""
    safe_types: str = PLAIN_TYPES
    """Declared types whose values are harmless."""


# How the lines of a file become entries: a line names all the calls that are alike, here each has one of its own.


Texts = Mapping[str, str]


def tables_for(name: str) -> Tables:
    if name == "python":
        return tables_of(name, read_table(name))
    if name != "kotlin":
        return tables_of(name, read_table(name), read_table("common"))
    java, own = tables_of(name, read_table("java"), read_table("common")), read_table(name)
    model = replace(
        java.model,
        harmless=java.model.harmless.union(own.model["harmless"]),
        copy=java.model.copy.union(own.model["copy"]),
    )
    handlers = (*java.handlers, *handlers_of(own.handlers))
    return replace(java, handlers=handlers, model=model, lexical=own.lexical)


def _told_apart(candidates: Pattern) -> tuple[list[str], list[str]]:
    """The alternatives that are plain texts, and the others."""
    written = [candidates] if isinstance(candidates, str) else candidates
    plain = [one for one in written if one and _SPECIAL.isdisjoint(one)]
    return plain, [one for one in written if one not in plain]


_SPECIAL = frozenset(r".^$*+?{}[]\|()")


def tables_of(language: str, file: TableFile, also: TableFile | None = None) -> Tables:
    """What the file says, after what all languages share where it is given."""
    also = also or TableFile()
    marks, patterns = (file.marks, ()) if file.marks else _told_apart(file.candidates)
    texts = {f"<{name}>": joined(text) for name, text in (also.shared | file.shared).items()}
    return Tables(
        language=language,
        candidates="|".join(patterns),
        marks=tuple(marks),
        by_name=file.by_name,
        origins=tuple(file.origins),
        sources=tuple(_sources(file.sources, texts)),
        sinks=tuple(_sinks(file.sinks, texts, also)),
        assigned=tuple(_sinks(file.assigned, texts, also)),
        cleaners=tuple(_cleaners([*also.cleaners, *file.cleaners])),
        guards=tuple(_guards([*also.guards, *file.guards])),
        handlers=handlers_of(file.handlers),
        model=Model(**{does: frozenset(names) for does, names in file.model.items()}),
        requests=frozenset(file.requests),
        request_safe=joined(file.request_safe),
        server_keys=joined(file.server_keys),
        own_address=joined(file.own_address),
        exits=frozenset(file.exits),
        demands=frozenset(file.demands),
        refuses=frozenset(file.refuses),
        checks=joined(file.checks),
        partial_checks=tuple([(joined(line["names"]), _kinds(line)) for line in file.partial_checks]),
        escapes=tuple([(joined(line["names"]), _kinds(line)) for line in file.escapes]),
        numbers=frozenset(file.numbers),
        lexical=file.lexical,
        own_methods=file.own_methods,
        safe_types=joined(file.safe_types),
    )


def handlers_of(lines: Iterable[Line]) -> tuple[Handlers, ...]:
    return tuple([Handlers(**{**line, "fields": tuple(line.get("fields", ()))}) for line in lines])


def _kinds(line: Line) -> frozenset[Kind] | None:
    """None, which is all of them, where the line names none."""
    kinds = line.get("kinds")
    return None if kinds is None else frozenset(kinds)


def _sources(lines: Mapping[str, Iterable[Line]], texts: Texts) -> Iterator[TaintSource]:
    for trust, of_trust in lines.items():
        for line in of_trust:
            label, receiver = line.get("label", ""), line.get("receiver", "")
            alike = TaintSource(
                path="",
                trust=trust,  # type: ignore[arg-type]  # a trust
                receiver=texts.get(receiver, receiver),
                beside=line.get("beside", ""),
                given=line.get("given", ""),
            )
            for path in line["paths"]:
                read = path.removesuffix("()")
                named = label.replace("{path}", read).replace("{name}", read.rpartition(".")[2]) if label else ""
                yield replace(alike, path=path, label=named)


def _sinks(lines: Mapping[str, Iterable[Line]], texts: Texts, also: TableFile) -> Iterator[Sink]:
    for kind, of_kind in lines.items():
        told = {"kind": kind, "parameter": also.callers.get(kind, 0.0), "note": also.fixes.get(kind, "")}
        for line in of_kind:
            fields: Line = told | line
            (first, *others), needs = fields.pop("calls"), fields.pop("needs", None)
            alike = Sink(callee=first, **{name: _constant(value, texts) for name, value in fields.items()})
            alternatives = [replace(alike, needs=each) for each in _needs(needs)] if needs else [alike]
            yield from alternatives
            # To copy costs a third of what it costs to make one anew.
            yield from [replace(each, callee=callee) for callee in others for each in alternatives]


def _needs(wanted: Line) -> Iterator[tuple[tuple[str, object], ...]]:
    """One constant for each name, in all the ways in which the line allows it."""
    return product(
        *[
            [(name, value) for value in (values if isinstance(values, list) else [values])]
            for name, values in wanted.items()
        ]
    )


def _constant(value: Any, texts: Texts) -> Any:
    """A field of a line, with the shared text it stands for."""
    if isinstance(value, str):
        return texts.get(value, value)
    if isinstance(value, dict):
        return tuple([(name, texts.get(text, text)) for name, text in value.items()])
    return tuple(value) if isinstance(value, list) else value


def _cleaners(lines: Iterable[Line]) -> Iterator[Cleaner]:
    for line in lines:
        kinds = _kinds(line)
        yield from [Cleaner(callee=callee, kinds=kinds) for callee in line["calls"]]


def _guards(lines: Iterable[Line]) -> Iterator[TaintGuard]:
    for line in lines:
        fields = {**line, "kinds": _kinds(line), "callee": ""}
        calls, alike = fields.pop("calls"), TaintGuard(**fields)
        yield from [replace(alike, callee=callee) for callee in calls]


# What each kind of sink does, how sure a flow into it is, and what to do instead.


class TaintHarm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    noun: str
    """What the value reaches: `SQL`, `a shell command`."""
    fix: str
    request: float = 0.92
    handler: float = 0.90
    archive: float = 0.0
    """Where an entry of an archive chooses it; 0: silent, as only the place to which it is unpacked is at stake."""
    parameter: float = 0.0
    """Where any function's parameter arrives; 0: silent, callers are expected to pass good values."""
    local: float = 0.5
    failure: float = 0.0


class _Harms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kinds: dict[Kind, TaintHarm]


HARM = load("security/harm", _Harms).kinds


def confidence_of(kind: Kind, trust: Trust) -> float:
    """How sure a flow into this kind of sink is, by where its value comes from."""
    sure: float = getattr(HARM[kind], trust)
    return sure
