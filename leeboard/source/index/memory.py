"""An index over texts in memory, for scenarios and tests: nothing is kept, every file is read when first asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from leeboard.model.symbol import Fingerprint, Habit, KnownFunction, Symbol
from leeboard.source.convention import learn, rules_in
from leeboard.source.fingerprint import candidates_key
from leeboard.source.index.extract import (
    SHARED,
    FileNames,
    file_symbol,
    file_words,
    known_of,
    name_words,
    names_of,
    symbols_of,
    use_of,
)
from leeboard.source.module_path import refers


class MemorySymbols:
    """The lookup `leeboard.model.symbol.Symbols` over path -> text."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._files = files
        self._names: dict[str, FileNames] = {}
        self._known: dict[str, tuple[KnownFunction, ...]] = {}

    @property
    def complete(self) -> bool:
        return True

    def named(self, words: Iterable[str]) -> tuple[Symbol, ...]:
        wanted = frozenset(words)
        found: list[Symbol] = []
        for path in sorted(self._files):
            if wanted & file_words(path):
                found.append(file_symbol(path))
            symbols = symbols_of(path, self._names_of(path))
            found.extend(symbol for symbol in symbols if wanted & name_words(symbol.name))
        return tuple(found)

    def like(self, fingerprint: Fingerprint) -> tuple[KnownFunction, ...]:
        wanted = set(candidates_key(fingerprint))
        return tuple(
            known
            for path in sorted(self._files)
            for known in self.of_file(path)
            if len(wanted.intersection(candidates_key(known.fingerprint))) >= min(SHARED, len(wanted))
        )

    def of_file(self, path: str) -> tuple[KnownFunction, ...]:
        if path not in self._known:
            text = self._files.get(path, "")
            self._known[path] = known_of(path, text, self._names_of(path).language)
        return self._known[path]

    def importers(self, path: str) -> tuple[str, ...]:
        return tuple(
            importer
            for importer in sorted(self._files)
            if any(refers(item, importer, path) for item in self._names_of(importer).imports)
        )

    def imports(self, path: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(item.module for item in self._names_of(path).imports))

    def habits(self) -> tuple[Habit, ...]:
        return self._habits

    @cached_property
    def _habits(self) -> tuple[Habit, ...]:
        names = {path: self._names_of(path) for path in sorted(self._files)}
        uses = [use_of(path, found) for path, found in names.items() if found.language]
        return (*rules_in(self._files), *learn(uses))

    def _names_of(self, path: str) -> FileNames:
        if path not in self._names:
            self._names[path] = names_of(path, self._files.get(path, ""))
        return self._names[path]
