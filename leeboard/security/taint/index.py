"""A language's tables, ready to be asked: by path, by last name, with compiled patterns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from operator import attrgetter
from typing import TypeVar

import msgspec

from leeboard.model.text import lazy
from leeboard.security.taint.table import KINDS, Cleaner, Kind, Sink, Tables, TaintGuard, TaintSource
from leeboard.security.taint.table_file import last_name
from leeboard.text.names import clues, held_of

Item = TypeVar("Item")

ADDRESSES: frozenset[Kind] = frozenset({"redirect", "url", "session"})
UPLOADS = frozenset({"file", "files", "FILES"})
"""Attributes of a request that hold what was uploaded: open files, though their names are the client's."""
CONTENT: frozenset[Kind] = frozenset({"path"})
PATH_JOINS = frozenset(
    {
        *("os.path.join", "posixpath.join", "ntpath.join", "path.join", "path.resolve"),
        *("filepath.Join", "File.join"),
    }
)
REPLACES = frozenset({"sub", "replace", "replaceAll", "gsub", "preg_replace", "str_replace", "removeprefix"})
_NEVER = "(?!)"
_ANY_KIND: frozenset[Kind] = frozenset(KINDS)
_CONVERTS = lazy(
    r"(?i)decode|encode|parse|^read|bytes|stream|base64|b64|unquote|unescape|json|^to_?(?:s|str|string|lower|upper)|"
    r"trim|strip|concat|append|join|format|sprintf"
)
SPLITS = frozenset({"split", "rsplit", "rpartition", "Split", "explode"})
LAST = frozenset({"pop", "last", "at", "end", "array_pop", "Last", "getLast", "removeLast"})
CUTS = frozenset({"substring", "substr", "slice", "Substring"})
CUTS_PATHS = SPLITS | LAST | CUTS
"""What takes a text apart, takes its last part, or what is left behind a place in it."""
_REMEMBERED = 2048
_CALLEE, _PATH = attrgetter("callee"), attrgetter("path")


class CallNature(msgspec.Struct, frozen=True):
    """What the tables say of a call by its path alone: asked once for each path, and for most of them it is nothing."""

    may_be_source: bool
    cleaner: Cleaner | None
    is_modelled: bool
    """Whether the model of containers and texts may know its result."""
    escapes: tuple[frozenset[Kind] | None] | None
    """Of what it calls itself a cleaner; None where it does not."""
    converts: bool
    """Whether it makes another form of a value, by its name: most of it stays."""
    may_cut: bool
    """Whether it may take a text apart by the slashes in it."""


class PathIndex:
    """Answers what a dotted path means."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self._candidates = re.compile(tables.candidates, re.MULTILINE) if tables.candidates else None
        self._sinks = _by_last_name(tables.sinks, _CALLEE)
        self.sink_names = frozenset(self._sinks) if tables.by_name else frozenset[str]()
        self._marks, self._origins = clues(tables.marks), clues(tables.origins)
        self.request_safe = re.compile(tables.request_safe or _NEVER)
        self._server_keys = re.compile(tables.server_keys or _NEVER)
        self._own_address = re.compile(tables.own_address or _NEVER)
        self.safe_types = re.compile(tables.safe_types)
        self._checks = re.compile(tables.checks or _NEVER, re.IGNORECASE)
        self._partial_checks = [(re.compile(names, re.IGNORECASE), kinds) for names, kinds in tables.partial_checks]
        self._escapes = [(re.compile(pattern, re.IGNORECASE), kinds) for pattern, kinds in tables.escapes]
        self._assigned = _by_last_name(tables.assigned, _CALLEE)
        self._cleaners, self._guards = _by_last_name(tables.cleaners, _CALLEE), _by_last_name(tables.guards, _CALLEE)
        self._sources = _by_last_name(tables.sources, _PATH)
        self._exits = frozenset(last_name(path) for path in tables.exits | tables.demands | tables.refuses)
        self._patterns: dict[str, re.Pattern[str]] = {}
        # Most paths are asked for again and again, in one file and in the next.
        self.sinks = lru_cache(_REMEMBERED)(self._sinks_of)
        self.assigned = lru_cache(_REMEMBERED)(self._assigned_of)
        self.guards = lru_cache(_REMEMBERED)(self._guards_of)
        self.cleaner = lru_cache(_REMEMBERED)(self._cleaner_of)
        self.escape = lru_cache(_REMEMBERED)(self._escape_of)
        self.checked_for = lru_cache(_REMEMBERED)(self._checked_for)
        self.may_settle = lru_cache(_REMEMBERED)(self._may_settle)
        self.sources = lru_cache(_REMEMBERED)(self._sources_of)
        self.nature = lru_cache(_REMEMBERED)(self._nature_of)

    @cached_property
    def changes(self) -> frozenset[str]:
        """Methods that change what they are called on."""
        model = self.tables.model
        return model.push | model.write | model.drop | model.take

    @cached_property
    def _modelled(self) -> frozenset[str]:
        """Last names of all calls whose result the model may know."""
        model = self.tables.model
        sets = (model.read, model.values, model.mapped, model.join, model.copy, model.same, model.harmless)
        return self.changes.union(REPLACES, *sets)

    @cached_property
    def dangerous_names(self) -> frozenset[str]:
        """Last names of all sinks, without the brackets of those that are set under a key."""
        return frozenset(name.removesuffix("[]") for name in (*self._sinks, *self._assigned))

    @cached_property
    def request_names(self) -> frozenset[str]:
        """Last names of what is a request wherever it is read."""
        return frozenset(map(last_name, self.tables.requests))

    @cached_property
    def foreign_names(self) -> frozenset[str]:
        """Last names of all by which something foreign comes in."""
        return self.request_names.union(name.removesuffix("[]") for name in self._sources)

    def sinks_named(self, name: str) -> Sequence[Sink]:
        """Those that a call of this last name may be."""
        return self._sinks.get(name, ())

    def assigned_named(self, name: str) -> Sequence[Sink]:
        """Those that an assignment to this last name may be."""
        return self._assigned.get(name, ())

    def sources_named(self, name: str) -> Sequence[TaintSource]:
        """Those that something of this last name may be, read, called or looked into."""
        return (*self._sources.get(name, ()), *self._sources.get(f"{name}[]", ()))

    def may_be_assigned(self, name: str) -> bool:
        """Whether an assignment to an attribute of this name may be a sink."""
        return name in self._assigned

    def matches(self, pattern: str, text: str) -> bool:
        """Searched, any case."""
        compiled = self._patterns.get(pattern)
        if compiled is None:
            compiled = self._patterns[pattern] = re.compile(pattern, re.IGNORECASE)
        return compiled.search(text) is not None

    def places(self, text: str) -> list[int]:
        """Offsets at which a literal text says that there may be a sink, for files that handle requests."""
        return [at for word in held_of(text, self._marks) for at in _lines_with(word, text)]

    def has_pattern(self, text: str, first: int, end: int) -> bool:
        """Whether a pattern says so for this part of the text."""
        return self._candidates is not None and self._candidates.search(text, first, end) is not None

    def origin_places(self, text: str) -> list[int]:
        return [at for word in held_of(text, self._origins) for at in _lines_with(word, text)]

    def of_request(self, name: str) -> frozenset[Kind]:
        """For which kinds an attribute or method of a request is harmless by itself."""
        return CONTENT if name in UPLOADS else self.of_source(name)

    def is_of_server(self, label: str) -> bool:
        """Whether what stands under this key is the server's own: `$_SERVER['DOCUMENT_ROOT']`."""
        return self._server_keys.fullmatch(label) is not None

    def of_label(self, label: str) -> frozenset[Kind]:
        """For which kinds what stands under this key is harmless by itself."""
        return ADDRESSES if self._own_address.fullmatch(label) else frozenset()

    def of_source(self, path: str) -> frozenset[Kind]:
        """For which kinds a source is harmless by itself: who is sent to the address he came to stays here."""
        return ADDRESSES if self._own_address.fullmatch(last_name(path)) else frozenset()

    def _sinks_of(self, path: str) -> list[Sink]:
        return [sink for sink in self._sinks.get(last_name(path), ()) if _is_called(sink.callee, path)]

    def _assigned_of(self, path: str) -> list[Sink]:
        return [sink for sink in self._assigned.get(last_name(path), ()) if _is_called(sink.callee, path)]

    def _guards_of(self, path: str) -> list[TaintGuard]:
        return [guard for guard in self._guards.get(last_name(path), ()) if _is_called(guard.callee, path)]

    def _cleaner_of(self, path: str) -> Cleaner | None:
        for cleaner in self._cleaners.get(last_name(path), ()):
            if _is_called(cleaner.callee, path):
                return cleaner
        return None

    def _escape_of(self, path: str) -> tuple[bool, frozenset[Kind] | None]:
        """Whether a function nobody knows calls itself a cleaner, and of what."""
        name = last_name(path)
        for pattern, kinds in self._escapes:
            if pattern.search(name):
                return True, kinds
        return False, None

    def _nature_of(self, path: str) -> CallNature:
        name = last_name(path)
        is_escape, kinds = self._escape_of(path)
        return CallNature(
            may_be_source=name in self._sources,
            cleaner=self._cleaner_of(path),
            is_modelled=path in PATH_JOINS or path.rpartition(".")[2] in self._modelled,
            escapes=(kinds,) if is_escape else None,
            converts=_CONVERTS.search(path.rpartition(".")[2]) is not None,
            may_cut=path.rpartition(".")[2] in CUTS_PATHS,
        )

    def _checked_for(self, path: str) -> frozenset[Kind]:
        """The kinds for which a value is good after a function of this name found it so; none where it is no check."""
        name = last_name(path)
        if self._checks.search(name):
            return _ANY_KIND
        for pattern, kinds in self._partial_checks:
            if pattern.search(name):
                return _ANY_KIND if kinds is None else kinds
        return frozenset()

    def _may_settle(self, name: str) -> bool:
        """Whether a call of this name, its result dropped, may leave the function or show that a value is good."""
        return name in self._exits or name in self._cleaners or name in self._guards or bool(self._checked_for(name))

    def _sources_of(self, path: str, written: str, *, called: bool) -> list[TaintSource]:
        """The sources which this path, or a call of it, may be."""
        return [
            source
            for source in self._sources.get(last_name(path), ())
            if source.path.endswith("()") == called and self._is_read(source, path, written)
        ]

    def _is_read(self, source: TaintSource, path: str, written: str) -> bool:
        wanted = source.path.removesuffix("()")
        return wanted == path or (wanted.startswith("*.") and self._is_received(source, path, written))

    def _is_received(self, source: TaintSource, path: str, written: str) -> bool:
        if "." not in path and "." not in written:
            return False
        receiver = f"{path.rpartition('.')[0]} {written.rpartition('.')[0]}"
        return not source.receiver or self.matches(source.receiver, receiver)


def _by_last_name(items: Iterable[Item], path_of: Callable[[Item], str]) -> dict[str, list[Item]]:
    found: dict[str, list[Item]] = {}
    for item in items:
        found.setdefault(last_name(path_of(item)), []).append(item)
    return found


def _lines_with(word: str, text: str) -> Iterator[int]:
    """Behind the first character of the first place in each line that has one."""
    at = text.find(word)
    while at >= 0:
        yield at + 1
        end = text.find("\n", at)
        at = text.find(word, end) if end >= 0 else -1


def _is_called(callee: str, path: str) -> bool:
    if callee.startswith("*."):
        return "." in path
    return callee == path
