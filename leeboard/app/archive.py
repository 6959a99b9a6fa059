"""What is stored, opened for a person's question and closed after it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from posixpath import exists

from leeboard.errors import ConfigError
from leeboard.io.places import database
from leeboard.model.session import Session
from leeboard.store.sqlite import SqliteStore, open_store


@contextmanager
def opened_archive() -> Iterator[SqliteStore]:
    """The store, made where there is none."""
    store = open_store(database())
    try:
        yield store
    finally:
        store.close()


@contextmanager
def known_archive() -> Iterator[SqliteStore]:
    """The store, or ConfigError where nothing was ever recorded: asking leaves no trace."""
    if not exists(database()):
        raise ConfigError(
            f"nothing was recorded yet in {database()}: after `leeboard init` it begins with an agent's next step"
        )
    with opened_archive() as store:
        yield store


def find_session(store: SqliteStore, start: str, root: str) -> Session:
    """The session whose id starts so, the newest of the project for an empty start; ConfigError where none is."""
    if not start:
        newest = store.sessions(root, 1)
        if not newest:
            raise ConfigError(f"no session was recorded in {root} yet; `leeboard status` shows whether hooks are there")
        return newest[0]
    exact = store.session(start)
    if exact is not None:
        return exact
    found = [session for session in store.sessions(None, 10_000) if session.id.startswith(start)]
    if len(found) == 1:
        return found[0]
    if found:
        raise ConfigError(f"{len(found)} sessions start with {start!r}: give more of the id")
    raise ConfigError(f"no session starts with {start!r}; `leeboard report` without one shows the newest here")
