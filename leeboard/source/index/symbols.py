"""Reading the index of a work tree, under what was written since.

Every answer is held against the files as they are now: one that looks other than in the manifest is read again, one
that is gone vanishes. Files named as changed are read whatever the manifest says of them, so that what was written a
moment ago is found too.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeVar

import msgspec

from leeboard.model.symbol import Fingerprint, Habit, KnownFunction, Symbol, Symbols
from leeboard.source.convention import learn, rules_in
from leeboard.source.fingerprint import candidates_key
from leeboard.source.index import cache
from leeboard.source.index.extract import (
    IMPORT_MARK,
    SHARED,
    FileNames,
    KeptFunction,
    file_symbol,
    file_words,
    known_of,
    name_words,
    names_of,
    symbols_of,
    unpacked,
    use_of,
)
from leeboard.source.index.listing import is_wanted, read_text, see
from leeboard.source.module_path import keys_of_path, refers
from leeboard.source.name_scan import ScannedImport
from leeboard.text.language import language_of

T = TypeVar("T")

MOST_NAMED = 400
MOST_ALIKE = 200
"""Candidates are compared one by one: beyond this the question was not distinctive."""
MOST_SHARING = 500
_MOST_MARKS = 500


def open_symbols(root: str, changed: Iterable[str] = ()) -> Symbols | None:
    """The index as it stands; None while there is none. `changed`: paths written since, by whoever asks."""
    connection = cache.open_to_read(cache.index_file(root))
    if connection is None:
        return None
    try:
        row = connection.execute("SELECT id, pending, habits FROM tree WHERE root = ?", (root,)).fetchone()
    except sqlite3.Error:
        row = None
    if row is None or row[1] < 0:
        connection.close()
        return None
    return KeptSymbols(connection, root, row, frozenset(path for path in changed if is_wanted(path)))


class KeptSymbols:
    """The lookup `leeboard.model.symbol.Symbols` over the kept index. A torn index answers with nothing."""

    def __init__(
        self, connection: sqlite3.Connection, root: str, row: tuple[int, int, bytes | None], changed: frozenset[str]
    ) -> None:
        self._connection = connection
        self._root = root
        self._tree, self._pending, self._learned = row
        self._changed = changed
        self._now: dict[str, FileNames | None] = {}

    @property
    def complete(self) -> bool:
        return self._pending == 0

    def __del__(self) -> None:
        """A lookup lives as long as the event it answers for."""
        self._connection.close()

    def named(self, words: Iterable[str]) -> tuple[Symbol, ...]:
        wanted = frozenset(words)
        found = [
            file_symbol(path)
            for path in self._paths_named(wanted)
            if wanted & file_words(path) and see(self._root, path) is not None
        ]
        for path, names in self._holding(wanted):
            found.extend(symbol for symbol in symbols_of(path, names) if wanted & name_words(symbol.name))
            if len(found) > MOST_NAMED:
                break
        return tuple(sorted(found[:MOST_NAMED], key=lambda item: (item.path, item.kind != "file", item.line)))

    def like(self, fingerprint: Fingerprint) -> tuple[KnownFunction, ...]:
        wanted = set(candidates_key(fingerprint))
        enough = min(SHARED, len(wanted))
        found: list[KnownFunction] = []
        stale = set(self._changed)
        for (blob, slot), shared in self._sharing(wanted).most_common(MOST_ALIKE):
            if shared < enough:
                break
            for path, size, mtime, inode, packed in self._ask(_FUNCTION, (blob, slot, self._tree)):
                if self._looks(path, (size, mtime, inode)):
                    found.extend(_known(path, packed))
                else:
                    stale.add(path)
        for path in stale:
            found.extend(item for item in self._parsed_now(path) if _shares(wanted, item))
        return tuple(sorted(found, key=lambda item: (item.symbol.path, item.symbol.line)))

    def _sharing(self, wanted: set[int]) -> Counter[tuple[int, int]]:
        """Functions by how many of these hashes they have. A hash that half of all functions have tells nothing."""
        shared: Counter[tuple[int, int]] = Counter()
        for key in wanted:
            rows = self._ask("SELECT blob, slot FROM hash WHERE key = ? LIMIT ?", (key, MOST_SHARING + 1))
            if len(rows) <= MOST_SHARING:
                shared.update((blob, slot) for blob, slot in rows)
        return shared

    def of_file(self, path: str) -> tuple[KnownFunction, ...]:
        rows = self._ask(
            "SELECT size, mtime, inode, blob FROM file JOIN blob ON blob.id = file.blob "
            "WHERE tree = ? AND path = ? AND parsed = 1",
            (self._tree, path),
        )
        for size, mtime, inode, blob in rows:
            if self._looks(path, (size, mtime, inode)):
                kept = self._ask("SELECT packed FROM function WHERE blob = ? ORDER BY slot", (blob,))
                return tuple(known for (packed,) in kept for known in _known(path, packed))
        return self._parsed_now(path)

    def importers(self, path: str) -> tuple[str, ...]:
        wanted = frozenset(IMPORT_MARK + key for key in keys_of_path(path))
        found = {
            importer
            for importer, packed in self._kept_with(wanted, "imports")
            for imports in (_decoded(_IMPORTS, packed, ()) if packed else self._imports_now(importer),)
            if any(refers(item, importer, path) for item in imports)
        }
        return tuple(sorted(found))

    def imports(self, path: str) -> tuple[str, ...]:
        rows = self._ask(
            "SELECT size, mtime, inode, imports FROM file JOIN blob ON blob.id = file.blob WHERE tree = ? AND path = ?",
            (self._tree, path),
        )
        fresh = [packed for *look, packed in rows if self._looks(path, tuple(look))]
        imports = _decoded(_IMPORTS, fresh[0], ()) if fresh else self._imports_now(path)
        return tuple(dict.fromkeys(item.module for item in imports))

    def habits(self) -> tuple[Habit, ...]:
        return _decoded(_HABITS, self._learned, ()) if self._learned else ()

    def _paths_named(self, wanted: frozenset[str]) -> list[str]:
        """Those with rare words first, and no more than leave room for what is in the files."""
        told: dict[str, float] = dict.fromkeys(self._changed, 1.0)
        for word in wanted:
            rows = self._ask("SELECT path FROM path_word WHERE word = ? AND tree = ? LIMIT 1000", (word, self._tree))
            for (path,) in rows:
                told[path] = told.get(path, 0.0) + 1 / len(rows)
        return sorted(told, key=lambda path: (-told[path], path))[: MOST_NAMED // 2]

    def _holding(self, words: frozenset[str]) -> Iterator[tuple[str, FileNames]]:
        """Files that have one of these words in a name, as they are now."""
        for path, packed in self._kept_with(words, "names"):
            names = _decoded(_NAMES, packed, FileNames("")) if packed else self._read_now(path)
            if names is not None:
                yield path, names

    def _kept_with(self, words: frozenset[str], column: str) -> Iterator[tuple[str, bytes]]:
        """Files looked up by these words, with what is kept of them; with nothing where they were written since."""
        yield from ((path, b"") for path in sorted(self._changed))
        stale: set[str] = set()
        for some in _portions(self._blobs_with(words)):
            place = {blob: number for number, blob in enumerate(some)}
            marks = ",".join("?" * len(some))
            rows = self._ask(
                f"SELECT path, size, mtime, inode, {column}, blob FROM file INDEXED BY file_blob "  # noqa: S608 - our own name
                f"JOIN blob ON blob.id = file.blob WHERE blob IN ({marks}) AND tree = ?",
                (*some, self._tree),
            )
            for path, size, mtime, inode, packed, _blob in sorted(rows, key=lambda row: place[row[-1]]):
                if self._looks(path, (size, mtime, inode)):
                    yield path, packed
                elif path not in self._changed:
                    stale.add(path)
        yield from ((path, b"") for path in sorted(stale))

    def _blobs_with(self, words: frozenset[str]) -> list[int]:
        """Those with rare words, and with several of them, first."""
        told: dict[int, float] = {}
        for word in words:
            blobs = array("I")
            for (packed,) in self._ask("SELECT blobs FROM word WHERE word = ?", (word,)):
                blobs.frombytes(packed[: len(packed) // 4 * 4])
            for blob in set(blobs):
                told[blob] = told.get(blob, 0.0) + 1 / len(blobs)
        return sorted(told, key=lambda blob: (-told[blob], blob))

    def _looks(self, path: str, look: tuple[int, int, int]) -> bool:
        """Whether a file still looks as it did, and nobody says that it was written."""
        seen = None if path in self._changed else see(self._root, path)
        return seen is not None and (seen.size, seen.mtime, seen.inode) == look

    def _read_now(self, path: str) -> FileNames | None:
        if path not in self._now:
            text = self._text(path)
            self._now[path] = names_of(path, text) if text is not None else None
        return self._now[path]

    def _imports_now(self, path: str) -> tuple[ScannedImport, ...]:
        names = self._read_now(path)
        return names.imports if names else ()

    def _parsed_now(self, path: str) -> tuple[KnownFunction, ...]:
        text = self._text(path)
        return known_of(path, text, language_of(path, text[:200])) if text is not None else ()

    def _text(self, path: str) -> str | None:
        read = read_text(self._root, path) if is_wanted(path) else None
        return read[0].decode("utf-8", "replace") if read else None

    def _ask(self, question: str, values: tuple[object, ...]) -> list[Any]:
        try:
            return self._connection.execute(question, values).fetchall()
        except sqlite3.Error:
            return []


_FUNCTION = (
    "SELECT path, size, mtime, inode, packed FROM function CROSS JOIN file INDEXED BY file_blob "
    "WHERE function.blob = ?1 AND slot = ?2 AND file.blob = ?1 AND tree = ?3"
)
"""The index is named because the planner takes a work tree to be a handful of files."""
_IMPORTS = msgspec.msgpack.Decoder(tuple[ScannedImport, ...])
_NAMES = msgspec.msgpack.Decoder(FileNames)
_KNOWN = msgspec.msgpack.Decoder(KeptFunction)
_HABITS = msgspec.msgpack.Decoder(tuple[Habit, ...])


def _decoded(decoder: msgspec.msgpack.Decoder[T], packed: bytes, torn: T) -> T:
    try:
        return decoder.decode(packed)
    except msgspec.MsgspecError:
        return torn


def _known(path: str, packed: bytes) -> Iterator[KnownFunction]:
    try:
        yield unpacked(path, _KNOWN.decode(packed))
    except msgspec.MsgspecError:
        return


def _portions(numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(numbers), _MOST_MARKS):
        yield numbers[start : start + _MOST_MARKS]


def _shares(wanted: set[int], item: KnownFunction) -> bool:
    return len(wanted.intersection(candidates_key(item.fingerprint))) >= min(SHARED, len(wanted))


# The same without a disk, for scenarios.


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
        symbols, by_word = self._symbols
        found = {place for word in set(words) for place in by_word.get(word, ())}
        return tuple([symbols[place] for place in sorted(found)])

    @cached_property
    def _symbols(self) -> tuple[list[Symbol], dict[str, list[int]]]:
        """All of them in order, and the places of those that a word finds."""
        symbols: list[Symbol] = []
        by_word: dict[str, list[int]] = {}
        for path in sorted(self._files):
            named = [(symbol, name_words(symbol.name)) for symbol in symbols_of(path, self._names_of(path))]
            for symbol, told in ((file_symbol(path), file_words(path)), *named):
                for word in told:
                    by_word.setdefault(word, []).append(len(symbols))
                symbols.append(symbol)
        return symbols, by_word

    def like(self, fingerprint: Fingerprint) -> tuple[KnownFunction, ...]:
        known, by_key = self._keyed
        wanted = set(candidates_key(fingerprint))
        enough = min(SHARED, len(wanted))
        if not enough:
            return tuple(known)
        shared = Counter([place for key in wanted for place in by_key.get(key, ())])
        return tuple([known[place] for place in sorted(shared) if shared[place] >= enough])

    @cached_property
    def _keyed(self) -> tuple[list[KnownFunction], dict[int, list[int]]]:
        """All of them in order, and the places of those that a key finds."""
        known = [item for path in sorted(self._files) for item in self.of_file(path)]
        by_key: dict[int, list[int]] = {}
        for place, item in enumerate(known):
            for key in candidates_key(item.fingerprint):
                by_key.setdefault(key, []).append(place)
        return known, by_key

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
