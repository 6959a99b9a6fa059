"""A language's tables as `leeboard/data/taint/<language>.toml` writes them, and how they become what the engine asks.

A line names all the calls that are alike; here each becomes an entry of its own, with the fields of `Sink`,
`TaintSource`, `Cleaner` or `TaintGuard`. A pattern is written whole or as a list of its alternatives; `<name>` stands
for a text of `[shared]`. The lines are no types of their own: to make those would cost a hook more than all the rest of
a table.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import product
from typing import Any

import msgspec
from msgspec.structs import replace

from leeboard.data import load
from leeboard.security.taint.table import (
    PLAIN_TYPES,
    Cleaner,
    Handlers,
    Kind,
    Model,
    Sink,
    Tables,
    TaintGuard,
    TaintSource,
)

Line = dict[str, Any]
Pattern = str | list[str]
Texts = Mapping[str, str]


class TableFile(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """One language, a dialect of one, or what they have in common: the fields of `Tables`, and some more."""

    prefilter: Pattern = ""
    candidates: Pattern = ""
    web: Pattern = ""
    web_words: list[str] = []
    marks: list[str] = []
    by_name: bool = False
    origins: list[str] = []
    words: list[str] = []
    shared: dict[str, Pattern] = {}
    sources: dict[str, list[Line]] = {}
    """By trust. In a label, `{name}` is the last name of a path and `{path}` the whole of it."""
    sinks: dict[str, list[Line]] = {}
    """By kind. A list in `needs` stands for as many sinks with one constant each."""
    assigned: dict[str, list[Line]] = {}
    cleaners: list[Line] = []
    guards: list[Line] = []
    handlers: list[Line] = []
    model: dict[str, list[str]] = {}
    requests: list[str] = []
    request_safe: Pattern = ""
    own_address: Pattern = ""
    exits: list[str] = []
    checks: Pattern = ""
    escapes: list[Line] = []
    numbers: list[str] = []
    lexical: bool = False
    safe_types: Pattern = PLAIN_TYPES
    idioms: list[Line] = []
    """See `_idiom.rewriting`."""
    callers: dict[str, float] = {}
    """How sure a flow from a parameter of any function is, by kind, where a caller's text reaches a sink as it is."""
    fixes: dict[str, str] = {}
    """What to do instead, by kind, in words that fit any language."""


def tables_of(language: str, file: TableFile, also: TableFile | None = None) -> Tables:
    """What the file says, after what all languages share where it is given."""
    also = also or TableFile()
    texts = {f"<{name}>": _pattern(text) for name, text in (also.shared | file.shared).items()}
    return Tables(
        language=language,
        prefilter=_pattern(file.prefilter),
        candidates=_pattern(file.candidates),
        web=_pattern(file.web),
        web_words=tuple(file.web_words),
        marks=tuple(file.marks),
        by_name=file.by_name,
        origins=tuple(file.origins),
        words=tuple(file.words),
        sources=tuple(_sources(file.sources, texts)),
        sinks=tuple(_sinks(file.sinks, texts, also)),
        assigned=tuple(_sinks(file.assigned, texts, also)),
        cleaners=tuple(_cleaners([*also.cleaners, *file.cleaners])),
        guards=tuple(_guards([*also.guards, *file.guards])),
        handlers=handlers_of(file.handlers),
        model=Model(**{does: frozenset(names) for does, names in file.model.items()}),
        requests=frozenset(file.requests),
        request_safe=_pattern(file.request_safe),
        own_address=_pattern(file.own_address),
        exits=frozenset(file.exits),
        checks=_pattern(file.checks),
        escapes=tuple([(_pattern(line["names"]), _kinds(line)) for line in file.escapes]),
        numbers=frozenset(file.numbers),
        lexical=file.lexical,
        safe_types=_pattern(file.safe_types),
    )


def handlers_of(lines: Iterable[Line]) -> tuple[Handlers, ...]:
    return tuple([Handlers(**{**line, "fields": tuple(line.get("fields", ()))}) for line in lines])


def _pattern(written: Pattern) -> str:
    return written if isinstance(written, str) else "|".join(written)


def _kinds(line: Line) -> frozenset[Kind] | None:
    """None, which is all of them, where the line names none."""
    kinds = line.get("kinds")
    return None if kinds is None else frozenset(kinds)


def _sources(lines: Mapping[str, Iterable[Line]], texts: Texts) -> Iterator[TaintSource]:
    for trust, of_trust in lines.items():
        for line in of_trust:
            label, receiver = line.get("label", ""), line.get("receiver", "")
            alike = TaintSource(path="", trust=trust, receiver=texts.get(receiver, receiver))  # type: ignore[arg-type]  # a trust
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


@cache
def read_table(language: str) -> TableFile:
    """The table of a language; `common` is what all those share whose calls get the forms of `idiom`."""
    return load(f"taint/{language}", TableFile)
