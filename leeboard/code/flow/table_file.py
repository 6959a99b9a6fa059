"""A language's tables as `leeboard/data/taint/<language>.toml` writes them, and how they become what the engine asks.

A line of a file names all the calls that are alike; here each becomes an entry of its own. A pattern is written whole
or as a list of its alternatives. `<name>` stands for a text of `[shared]`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import product

import msgspec
from msgspec.structs import replace

from leeboard.code.flow.table import PLAIN_TYPES, Cleaner, Guard, Handlers, Kind, Model, Sink, Source, Tables, Trust
from leeboard.data import load

Pattern = str | tuple[str, ...]
Constant = bool | int | str
Kinds = frozenset[Kind] | None
"""None: all of them."""


class _Written(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What stands in a file: a key that is misspelt is an error."""


class SourceLine(_Written, frozen=True, kw_only=True):
    """As `Source`, under its trust. In a label, `{name}` is the last name of a path and `{path}` the whole of it."""

    paths: tuple[str, ...]
    label: str = ""
    receiver: str = ""


class SinkLine(_Written, frozen=True, kw_only=True):
    """As `Sink`, under its kind. A list in `needs` stands for as many sinks with one constant each."""

    calls: tuple[str, ...]
    args: tuple[int, ...] = (0,)
    keywords: tuple[str, ...] = ()
    receiver: str = ""
    looks: str = ""
    joined: bool = False
    start: bool = False
    needs: dict[str, Constant | tuple[Constant, ...]] = {}
    given: dict[str, str] = {}
    unless: dict[str, str] = {}
    arity: tuple[int, int] = (0, 99)
    bare: float = 0.0
    always: float = 0.0
    parameter: float = 0.0
    least: Trust = "local"
    note: str = ""


class CleanerLine(_Written, frozen=True, kw_only=True):
    calls: tuple[str, ...]
    kinds: Kinds = None


class GuardLine(_Written, frozen=True, kw_only=True):
    calls: tuple[str, ...]
    argument: int = -1
    kinds: Kinds = None
    raises: bool = False
    pattern: int = -1


class IdiomLine(_Written, frozen=True, kw_only=True):
    """Calls to which the same function gives their plain form; see `_idiom.rewriting`."""

    calls: tuple[str, ...]
    form: str
    given: tuple[str | int, ...] = msgspec.field(default=(), name="with")


class EscapeLine(_Written, frozen=True, kw_only=True):
    """Names by which an unknown function is taken for a cleaner of these kinds."""

    names: Pattern
    kinds: Kinds = None


Sinks = dict[Kind, tuple[SinkLine, ...]]


class Common(_Written, frozen=True, kw_only=True):
    """What all those languages share whose calls get the forms of `_idiom`."""

    shared: dict[str, Pattern] = {}
    cleaners: tuple[CleanerLine, ...] = ()
    guards: tuple[GuardLine, ...] = ()
    callers: dict[Kind, float] = {}
    """How sure a flow from a parameter of any function is, where a text of a caller reaches the sink as it is."""
    fixes: dict[Kind, str] = {}
    """What to do instead, in words that fit any language."""


class TableFile(_Written, frozen=True, kw_only=True):
    """One language: the fields of `Tables`."""

    prefilter: Pattern
    candidates: Pattern
    web: Pattern = ""
    web_words: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    by_name: bool = False
    origins: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    shared: dict[str, Pattern] = {}
    sources: dict[Trust, tuple[SourceLine, ...]] = {}
    sinks: Sinks = {}
    assigned: Sinks = {}
    cleaners: tuple[CleanerLine, ...] = ()
    guards: tuple[GuardLine, ...] = ()
    handlers: tuple[Handlers, ...] = ()
    model: Model = Model()
    requests: frozenset[str] = frozenset()
    request_safe: Pattern = ""
    own_address: Pattern = ""
    exits: frozenset[str] = frozenset()
    checks: Pattern = ""
    escapes: tuple[EscapeLine, ...] = ()
    idioms: tuple[IdiomLine, ...] = ()
    numbers: frozenset[str] = frozenset()
    lexical: bool = False
    safe_types: Pattern = PLAIN_TYPES


class Dialect(_Written, frozen=True, kw_only=True):
    """What a language spells otherwise than the one whose tables it takes."""

    harmless: frozenset[str] = frozenset()
    lexical: bool = False
    idioms: tuple[IdiomLine, ...] = ()
    handlers: tuple[Handlers, ...] = ()


def tables_of(language: str, file: TableFile, also: Common | None = None) -> Tables:
    """What the file says, after what all languages share where it is given."""
    also = also or Common()
    texts = {f"<{name}>": _pattern(text) for name, text in (also.shared | file.shared).items()}
    return Tables(
        language=language,
        prefilter=_pattern(file.prefilter),
        candidates=_pattern(file.candidates),
        web=_pattern(file.web),
        web_words=file.web_words,
        marks=file.marks,
        by_name=file.by_name,
        origins=file.origins,
        words=file.words,
        sources=tuple(_sources(file.sources, texts)),
        sinks=tuple(_sinks(file.sinks, texts, also)),
        assigned=tuple(_sinks(file.assigned, texts, also)),
        cleaners=tuple(_cleaners((*also.cleaners, *file.cleaners))),
        guards=tuple(_guards((*also.guards, *file.guards))),
        handlers=file.handlers,
        model=file.model,
        requests=file.requests,
        request_safe=_pattern(file.request_safe),
        own_address=_pattern(file.own_address),
        exits=file.exits,
        checks=_pattern(file.checks),
        escapes=tuple([(_pattern(line.names), line.kinds) for line in file.escapes]),
        numbers=file.numbers,
        lexical=file.lexical,
        safe_types=_pattern(file.safe_types),
    )


def _pattern(written: Pattern) -> str:
    return written if isinstance(written, str) else "|".join(written)


def _sources(lines: Mapping[Trust, Iterable[SourceLine]], texts: Mapping[str, str]) -> Iterator[Source]:
    for trust, of_trust in lines.items():
        for line in of_trust:
            receiver = texts.get(line.receiver, line.receiver)
            for path in line.paths:
                read = path.removesuffix("()")
                label = line.label.replace("{path}", read).replace("{name}", read.rpartition(".")[2])
                yield Source(path=path, trust=trust, label=label, receiver=receiver)


def _sinks(lines: Sinks, texts: Mapping[str, str], also: Common) -> Iterator[Sink]:
    for kind, of_kind in lines.items():
        for line in of_kind:
            alike = _sink(kind, line, texts, also)
            alternatives = [replace(alike, needs=needs) for needs in _needs(line)] if line.needs else [alike]
            yield from [replace(sink, callee=callee) for callee in line.calls for sink in alternatives]


def _sink(kind: Kind, line: SinkLine, texts: Mapping[str, str], also: Common) -> Sink:
    """What the calls of a line have in common."""
    return Sink(
        kind=kind,
        callee="",
        args=line.args,
        keywords=line.keywords,
        receiver=texts.get(line.receiver, line.receiver),
        looks=texts.get(line.looks, line.looks),
        joined=line.joined,
        start=line.start,
        given=tuple([(name, texts.get(text, text)) for name, text in line.given.items()]),
        unless=tuple([(name, texts.get(text, text)) for name, text in line.unless.items()]),
        arity=line.arity,
        bare=line.bare,
        always=line.always,
        parameter=line.parameter or also.callers.get(kind, 0.0),
        least=line.least,
        note=texts.get(line.note, line.note) or also.fixes.get(kind, ""),
    )


def _needs(line: SinkLine) -> Iterator[tuple[tuple[str, Constant], ...]]:
    each = [[(name, value) for value in _listed(wanted)] for name, wanted in line.needs.items()]
    return product(*each)


def _listed(wanted: Constant | tuple[Constant, ...]) -> tuple[Constant, ...]:
    return wanted if isinstance(wanted, tuple) else (wanted,)


def _cleaners(lines: Iterable[CleanerLine]) -> Iterator[Cleaner]:
    for line in lines:
        for callee in line.calls:
            yield Cleaner(callee=callee, kinds=line.kinds)


def _guards(lines: Iterable[GuardLine]) -> Iterator[Guard]:
    for line in lines:
        for callee in line.calls:
            yield Guard(
                callee=callee, argument=line.argument, kinds=line.kinds, raises=line.raises, pattern=line.pattern
            )


@cache
def python() -> TableFile:
    return load("taint/python", TableFile)


@cache
def javascript() -> TableFile:
    return load("taint/javascript", TableFile)


@cache
def java() -> TableFile:
    return load("taint/java", TableFile)


@cache
def go() -> TableFile:
    return load("taint/go", TableFile)


@cache
def php() -> TableFile:
    return load("taint/php", TableFile)


@cache
def ruby() -> TableFile:
    return load("taint/ruby", TableFile)


@cache
def csharp() -> TableFile:
    return load("taint/csharp", TableFile)


@cache
def rust() -> TableFile:
    return load("taint/rust", TableFile)


@cache
def c() -> TableFile:
    return load("taint/c", TableFile)


@cache
def kotlin() -> Dialect:
    return load("taint/kotlin", Dialect)


@cache
def common() -> Common:
    return load("taint/common", Common)
