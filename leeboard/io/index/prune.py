"""Keeping an index small: work trees that are gone, contents no work tree has, rows that can be joined."""

from __future__ import annotations

import sqlite3
from array import array
from posixpath import isdir

from leeboard.io.clock import now
from leeboard.io.index.cache import SIZE_CAP, transaction

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
