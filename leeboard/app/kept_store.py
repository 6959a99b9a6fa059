"""The store of a process that answers hook after hook, kept open from one to the next.

Opening a database reads its tables anew, and closing it as the last one writes the whole log back: together most of
what an event costs. It is kept only while it is the file that stands there: one that was moved away, replaced or
brought to another version is let go before anything is read or written. Where nothing happens for a while it is closed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from leeboard.errors import LeeboardError
from leeboard.store.sqlite import SqliteStore, open_store

Identity = tuple[int, int]


class _Kept:
    """What is open; nothing in a process that does not keep it."""

    def __init__(self) -> None:
        self.keeps = False
        self.store: SqliteStore | None = None
        self.path = ""
        self.identity: Identity = (0, 0)


_kept = _Kept()


def keep_open() -> None:
    """From here on. For a process that answers one hook at a time, in one thread."""
    _kept.keeps = True


def let_go() -> None:
    """Close what is open: the next hook opens it again."""
    store, _kept.store = _kept.store, None
    if store is not None:
        store.close()


@contextmanager
def store_at(path: str, patience: float) -> Iterator[SqliteStore]:
    """The store at `path` for one hook, that waits no longer than `patience` for others in all."""
    store = _again(path, patience) or open_store(path, patience=patience)
    try:
        yield store
    except BaseException:
        _kept.store = None
        store.close()
        raise
    if _kept.keeps:
        _kept.store, _kept.path, _kept.identity = store, path, _identity(path)
    else:
        store.close()


def _again(path: str, patience: float) -> SqliteStore | None:
    """The one that is open, where it is still what stands there."""
    store = _kept.store
    if store is None:
        return None
    if path == _kept.path and _identity(path) == _kept.identity:
        try:
            store.use_again(patience)
        except LeeboardError:
            let_go()
            return None
        return store
    let_go()
    return None


def _identity(path: str) -> Identity:
    try:
        seen = os.stat(path)  # noqa: PTH116 - pathlib costs the hook process its import
    except OSError:
        return (0, 0)
    return (seen.st_dev, seen.st_ino)
