"""A language's tables, ready to be asked: by path, by last name, with compiled patterns."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Protocol, TypeVar

from leeboard.code.flow.table import Cleaner, Guard, Kind, Sink, Source, Tables


class _Called(Protocol):
    @property
    def callee(self) -> str: ...


Item = TypeVar("Item", bound=_Called)

ADDRESSES: frozenset[Kind] = frozenset({"redirect", "url"})
_NEVER = "(?!)"


class Index:
    """Answers what a dotted path means."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.prefilter = re.compile(tables.prefilter, re.MULTILINE)
        self.candidates = re.compile(tables.candidates, re.MULTILINE)
        self.sink_names = frozenset(_last(sink.callee) for sink in tables.sinks) if tables.by_name else frozenset[str]()
        self._web = re.compile(tables.web, re.MULTILINE)
        self.request_safe = re.compile(tables.request_safe or _NEVER)
        self._own_address = re.compile(tables.own_address or _NEVER)
        self.safe_types = re.compile(tables.safe_types)
        self._checks = re.compile(tables.checks or _NEVER, re.IGNORECASE)
        self._escapes = [(re.compile(pattern, re.IGNORECASE), kinds) for pattern, kinds in tables.escapes]
        self._sinks = _by_last_name(tables.sinks)
        self._assigned = _by_last_name(tables.assigned)
        self._cleaners = _by_last_name(tables.cleaners)
        self._guards = _by_last_name(tables.guards)
        self._sources: dict[str, list[Source]] = {}
        for source in tables.sources:
            self._sources.setdefault(_last(source.path), []).append(source)
        self._patterns: dict[str, re.Pattern[str]] = {}

    def matches(self, pattern: str, text: str) -> bool:
        """Searched, any case."""
        compiled = self._patterns.get(pattern)
        if compiled is None:
            compiled = self._patterns[pattern] = re.compile(pattern, re.IGNORECASE)
        return compiled.search(text) is not None

    def handles_requests(self, text: str) -> bool:
        words = self.tables.web_words
        return (not words or any(word in text for word in words)) and self._web.search(text) is not None

    def may_hold_sinks(self, text: str) -> bool:
        """Whether the file is worth parsing."""
        if self.tables.words:
            return any(word in text for word in self.tables.words) or self.handles_requests(text)
        return self.prefilter.search(text) is not None

    def sure_places(self, text: str) -> list[int]:
        """Offsets of sinks that need no request."""
        return _offsets(self.tables.words, text)

    def places(self, text: str) -> list[int]:
        """Offsets at which there may be a sink, apart from calls by name, for files that handle requests."""
        if self.tables.marks:
            return _offsets(self.tables.marks, text)
        return [match.end() for match in self.candidates.finditer(text)]

    def origin_places(self, text: str) -> list[int]:
        return _offsets(self.tables.origins, text)

    def of_request(self, name: str) -> frozenset[Kind]:
        """For which kinds an attribute or method of a request is harmless by itself."""
        return ADDRESSES if self._own_address.fullmatch(name) else frozenset()

    def sinks(self, path: str) -> list[Sink]:
        return [sink for sink in self._sinks.get(_last(path), ()) if _is_called(sink.callee, path)]

    def assigned(self, path: str) -> list[Sink]:
        return [sink for sink in self._assigned.get(_last(path), ()) if _is_called(sink.callee, path)]

    def guards(self, path: str) -> list[Guard]:
        return [guard for guard in self._guards.get(_last(path), ()) if _is_called(guard.callee, path)]

    def cleaner(self, path: str) -> Cleaner | None:
        for cleaner in self._cleaners.get(_last(path), ()):
            if _is_called(cleaner.callee, path):
                return cleaner
        return None

    def escape(self, path: str) -> tuple[bool, frozenset[Kind] | None]:
        """Whether a function nobody knows calls itself a cleaner, and of what."""
        name = _last(path)
        for pattern, kinds in self._escapes:
            if pattern.search(name):
                return True, kinds
        return False, None

    def is_check(self, path: str) -> bool:
        return self._checks.search(_last(path)) is not None

    def source(self, path: str, written: str, *, called: bool) -> Source | None:
        """The source which this path, or a call of it, is."""
        for source in self._sources.get(_last(path), ()):
            if source.path.endswith("()") != called:
                continue
            wanted = source.path.removesuffix("()")
            if wanted == path or (wanted.startswith("*.") and self._is_received(source, path, written)):
                return source
        return None

    def _is_received(self, source: Source, path: str, written: str) -> bool:
        if "." not in path and "." not in written:
            return False
        receiver = f"{path.rpartition('.')[0]} {written.rpartition('.')[0]}"
        return not source.receiver or self.matches(source.receiver, receiver)


def _offsets(words: tuple[str, ...], text: str) -> list[int]:
    found: list[int] = []
    for word in words:
        at = text.find(word)
        while at >= 0:
            found.append(at + 1)
            at = text.find(word, at + 1)
    return found


def _by_last_name(items: Iterable[Item]) -> dict[str, list[Item]]:
    found: dict[str, list[Item]] = {}
    for item in items:
        found.setdefault(_last(item.callee), []).append(item)
    return found


def _last(path: str) -> str:
    return path.removesuffix("()").rpartition(".")[2]


def _is_called(callee: str, path: str) -> bool:
    if callee.startswith("*."):
        return "." in path
    return callee == path
