"""What can be said of the index of a work tree without asking it anything."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from posixpath import getsize

import msgspec

from leeboard.io.clock import now
from leeboard.model.symbol import Habit
from leeboard.source.index import cache

FRESH = 60.0
"""Seconds in which nobody writes so much behind git's back that looking again pays."""


class IndexState(msgspec.Struct, frozen=True, kw_only=True):
    path: str
    """Where it lies, or would."""
    exists: bool = False
    files: int = 0
    functions: int = 0
    pending: int = 0
    """Contents still to be parsed."""
    size: int = 0
    refreshed: float = 0.0
    """Epoch seconds."""
    looks: str = ""
    """How git's list of files looked then."""
    habits: tuple[Habit, ...] = ()


def read_state(root: str) -> IndexState:
    """An index that can not be read is none."""
    path = cache.index_file(root)
    connection = cache.open_to_read(path)
    if connection is None:
        return IndexState(path=path)
    with closing(connection):
        try:
            return _state(connection, path, root)
        except (sqlite3.Error, OSError, msgspec.MsgspecError):
            return IndexState(path=path)


def is_due(root: str) -> bool:
    """Whether a refresh has something to do: nothing is there, git moved, parsing is left, time passed."""
    state = _brief(root)
    if state is None:
        return True
    looked, pending, refreshed = state
    return pending != 0 or looked != cache.looks(root) or now() - refreshed > FRESH


def _brief(root: str) -> tuple[str, int, float] | None:
    connection = cache.open_to_read(cache.index_file(root))
    if connection is None:
        return None
    with closing(connection):
        try:
            row = connection.execute("SELECT looks, pending, refreshed FROM tree WHERE root = ?", (root,)).fetchone()
        except sqlite3.Error:
            return None
    return (row[0], row[1], row[2]) if row else None


def _state(connection: sqlite3.Connection, path: str, root: str) -> IndexState:
    row = connection.execute(
        "SELECT id, looks, refreshed, pending, habits FROM tree WHERE root = ?", (root,)
    ).fetchone()
    if row is None:
        return IndexState(path=path)
    tree, looked, refreshed, pending, habits = row
    files = connection.execute("SELECT count(*) FROM file WHERE tree = ?", (tree,)).fetchone()[0]
    places = connection.execute(
        "SELECT count(*) FROM function WHERE blob IN (SELECT blob FROM file WHERE tree = ?)",
        (tree,),
    )
    return IndexState(
        path=path,
        exists=True,
        files=files,
        functions=places.fetchone()[0],
        pending=max(0, pending),
        size=getsize(path),
        refreshed=refreshed,
        looks=looked,
        habits=msgspec.msgpack.decode(habits, type=tuple[Habit, ...]) if habits else (),
    )
