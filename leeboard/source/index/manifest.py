"""Writing to the index: the manifest of a work tree, the blobs it names, the words they are found by."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterable, Iterator, Sequence
from posixpath import isdir

from leeboard.io.clock import now
from leeboard.source.index.cache import SIZE_CAP, transaction
from leeboard.source.index.extract import file_words
from leeboard.source.index.listing import ListedFile
from leeboard.source.index.scan import Harvest, key_of

Look = tuple[int, int, int]
"""Size, time of change, inode."""


class Manifest:
    """One work tree in an open index. Nothing is kept until the surrounding transaction ends."""

    def __init__(self, connection: sqlite3.Connection, root: str) -> None:
        self.connection = connection
        connection.execute("INSERT OR IGNORE INTO tree (root) VALUES (?)", (root,))
        row = connection.execute("SELECT id, looks FROM tree WHERE root = ?", (root,)).fetchone()
        self.tree: int = row[0]
        self.looks: str = row[1]

    def files(self, paths: Iterable[str] | None = None) -> dict[str, Look]:
        if paths is None:
            rows = self.connection.execute("SELECT path, size, mtime, inode FROM file WHERE tree = ?", (self.tree,))
            return {path: (size, mtime, inode) for path, size, mtime, inode in rows}
        question = "SELECT size, mtime, inode FROM file WHERE tree = ? AND path = ?"
        found = {path: self.connection.execute(question, (self.tree, path)).fetchone() for path in paths}
        return {path: row for path, row in found.items() if row is not None}

    def dirty(self) -> list[str]:
        """Files whose content git did not name when they were last looked at."""
        return [
            row[0] for row in self.connection.execute("SELECT path FROM file WHERE tree = ? AND dirty", (self.tree,))
        ]

    def take_known(self, files: Iterable[ListedFile]) -> list[ListedFile]:
        """Enter the files whose content is known already, from another branch or tree; the others are given back."""
        unknown: list[ListedFile] = []
        rows = []
        for seen in files:
            found = self._blob(key_of(seen.path, seen.digest)) if seen.digest else None
            if found is None:
                unknown.append(seen)
            else:
                rows.append((self.tree, seen.path, seen.size, seen.mtime, seen.inode, found, 0))
        self._enter(rows)
        return unknown

    def take_read(self, harvests: Sequence[Harvest], tidy: frozenset[str]) -> None:
        """Enter files that were read; `tidy` are those whose content git names."""
        numbers = _numbers(self.connection, "blob")
        words: dict[str, array[int]] = {}
        for harvest in harvests:
            ids, fresh = self._blobs(harvest, numbers)
            self._enter(
                (self.tree, item.path, item.size, item.mtime, item.inode, ids[at], int(item.path not in tidy))
                for at, item in enumerate(harvest.files)
            )
            _gather(words, harvest, ids, fresh)
        self._keep_words(words)

    def drop(self, paths: Iterable[str]) -> int:
        gone = [(self.tree, path) for path in paths]
        self.connection.executemany("DELETE FROM file WHERE tree = ? AND path = ?", gone)
        words = [(word, self.tree, path) for _tree, path in gone for word in file_words(path)]
        self.connection.executemany("DELETE FROM path_word WHERE word = ? AND tree = ? AND path = ?", words)
        return len(gone)

    def settle(self, looks: str, now: float, changes: int) -> None:
        """After the whole tree was looked at: count what is left to be parsed."""
        pending = self.connection.execute(
            "SELECT count(*) FROM blob WHERE parsed IN (0, 2) AND id IN (SELECT blob FROM file WHERE tree = ?)",
            (self.tree,),
        ).fetchone()[0]
        self.connection.execute(
            "UPDATE tree SET looks = ?, refreshed = ?, pending = ?, changes = changes + ? WHERE id = ?",
            (looks, now, pending, changes, self.tree),
        )

    def _blob(self, key: str) -> int | None:
        row = self.connection.execute("SELECT id FROM blob WHERE digest = ?", (key,)).fetchone()
        return row[0] if row else None

    def _blobs(self, harvest: Harvest, numbers: Iterator[int]) -> tuple[list[int], set[int]]:
        """The number of each file's content, and which of the files brought a new one."""
        ids: list[int] = []
        fresh: set[int] = set()
        rows: dict[str, tuple[int, str, bytes, bytes]] = {}
        for at, item in enumerate(harvest.files):
            known = rows[item.key][0] if item.key in rows else self._blob(item.key)
            if known is None:
                known = next(numbers)
                rows[item.key] = (known, item.key, item.names, item.imports)
                fresh.add(at)
            ids.append(known)
        self.connection.executemany("INSERT INTO blob (id, digest, names, imports) VALUES (?, ?, ?, ?)", rows.values())
        return ids, fresh

    def _enter(self, rows: Iterable[tuple[int, str, int, int, int, int, int]]) -> None:
        kept = list(rows)
        self.connection.executemany(
            "INSERT OR REPLACE INTO file (tree, path, size, mtime, inode, blob, dirty) VALUES (?, ?, ?, ?, ?, ?, ?)",
            kept,
        )
        words = sorted((word, self.tree, row[1]) for row in kept for word in file_words(row[1]))
        self.connection.executemany("INSERT OR IGNORE INTO path_word VALUES (?, ?, ?)", words)

    def _keep_words(self, words: dict[str, array[int]]) -> None:
        part = self.connection.execute("SELECT coalesce(max(part), 0) + 1 FROM word").fetchone()[0] if words else 0
        rows = ((word, part, words[word].tobytes()) for word in sorted(words))
        self.connection.executemany("INSERT INTO word VALUES (?, ?, ?)", rows)


def _gather(words: dict[str, array[int]], harvest: Harvest, ids: list[int], fresh: set[int]) -> None:
    """The words of new contents. Naming a known one twice does no harm and is cheaper than looking, where few are."""
    mostly_new = 2 * len(fresh) > len(ids)
    for word, packed in harvest.words.items():
        places = array("I", packed)
        found = array("I", map(ids.__getitem__, places if mostly_new else [at for at in places if at in fresh]))
        if word in words:
            words[word].extend(found)
        elif found:
            words[word] = found


def _numbers(connection: sqlite3.Connection, table: str) -> Iterator[int]:
    number = connection.execute(f"SELECT coalesce(max(id), 0) FROM {table}").fetchone()[0]  # noqa: S608 - our own name
    while True:
        number += 1
        yield number


# Keeping an index small: work trees that are gone, contents no work tree has, rows that can be joined.


MOST_PARTS = 24
"""Refreshes whose words stand in rows of their own."""
FORGOTTEN = 60 * 86_400.0
"""Seconds without a refresh after which a work tree is dropped."""
FEW = 500
SPARE = 4
"""Contents that no work tree has may be a quarter of all: switching back to a branch costs nothing then."""


def prune(connection: sqlite3.Connection, root: str, cap: int = SIZE_CAP) -> None:
    """Drop what is of no use, oldest work trees first while it is too large; `root` itself stays."""
    with transaction(connection):
        rows = connection.execute("SELECT id, root, refreshed FROM tree WHERE root != ? ORDER BY refreshed", (root,))
        for tree, other, refreshed in rows.fetchall():
            if not isdir(other) or refreshed < now() - FORGOTTEN or _size(connection) > cap:
                _drop_tree(connection, tree)
        if _has_too_many_spare(connection) or _size(connection) > cap:
            _drop_spare(connection)
        if connection.execute("SELECT count(DISTINCT part) FROM word").fetchone()[0] > MOST_PARTS:
            _join_words(connection)
    free = connection.execute("PRAGMA freelist_count").fetchone()[0]
    if free * 2 > connection.execute("PRAGMA page_count").fetchone()[0]:
        connection.execute("VACUUM")


def _size(connection: sqlite3.Connection) -> int:
    """Bytes in use."""
    pages, free, size = (
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * size)


def _drop_tree(connection: sqlite3.Connection, tree: int) -> None:
    for table, column in (("file", "tree"), ("path_word", "tree"), ("tree", "id")):
        connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (tree,))  # noqa: S608 - our own names
    _drop_spare(connection)


def _has_too_many_spare(connection: sqlite3.Connection) -> bool:
    every, spare = connection.execute(
        "SELECT count(*), coalesce(sum(id NOT IN (SELECT blob FROM file)), 0) FROM blob"
    ).fetchone()
    return bool(spare > FEW and spare * SPARE > every)


def _drop_spare(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM blob WHERE id NOT IN (SELECT blob FROM file)")
    connection.execute("DELETE FROM hash WHERE blob NOT IN (SELECT id FROM blob)")
    connection.execute("DELETE FROM function WHERE blob NOT IN (SELECT id FROM blob)")
    _join_words(connection)


def _join_words(connection: sqlite3.Connection) -> None:
    """One row for each word, without contents that are gone."""
    alive = {row[0] for row in connection.execute("SELECT id FROM blob")}
    words: dict[str, set[int]] = {}
    for word, packed in connection.execute("SELECT word, blobs FROM word"):
        words.setdefault(word, set()).update(alive.intersection(array("I", packed)))
    connection.execute("DELETE FROM word")
    rows = ((word, 1, array("I", sorted(blobs)).tobytes()) for word, blobs in sorted(words.items()) if blobs)
    connection.executemany("INSERT INTO word VALUES (?, ?, ?)", rows)
