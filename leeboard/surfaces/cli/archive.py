"""What is stored, opened for a person's question and closed after it."""

from __future__ import annotations

import getpass
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from leeboard.errors import ConfigError
from leeboard.io.clock import iso, now
from leeboard.io.places import database
from leeboard.model.contract import Allowance
from leeboard.model.session import Session
from leeboard.model.workspace import Workspace
from leeboard.rule import discover
from leeboard.store.sqlite import SqliteStore, open_store
from leeboard.surfaces.cli.until import parse_until


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
    if not Path(database()).exists():
        raise ConfigError(f"nothing was recorded yet in {database()}; `leeboard init` starts it")
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


# A person's word that a finding may stand: made here by `allow` and by `scope widen`.


def scope_rules() -> tuple[str, ...]:
    """What widening the scope lets pass: the rules that ask where the work lies."""
    return tuple(loaded.id for loaded in discover() if loaded.traits.about_place)


def new_allowance(*, rule: str = "", path: str = "", fingerprint: str = "", reason: str, until: str) -> Allowance:
    """ConfigError without a reason, or where the end can not be read."""
    if not reason.strip():
        raise ConfigError("--reason must say why, for whoever asks later")
    seed = "\x1f".join((rule, path, fingerprint, reason, repr(now()), str(os.getpid())))
    return Allowance(
        id="a" + hashlib.blake2b(seed.encode("utf-8", "replace"), digest_size=4).hexdigest(),
        rule=rule,
        path=path,
        fingerprint=fingerprint,
        reason=" ".join(reason.split()),
        until=parse_until(until, now()),
        by=_person(),
    )


def spelled_in_project(given: str, root: str) -> str:
    """A path or glob as the rules spell it; ConfigError for one outside the project.

    A correction names paths from the top of the project: one that is not there below the current folder but is below
    the top means the latter.
    """
    workspace = Workspace(root)
    spelled = workspace.spell(given, str(Path.cwd()))
    from_top = workspace.spell(given, root)
    if not _there(root, spelled) and _there(root, from_top):
        spelled = from_top
    if not workspace.holds(spelled):
        raise ConfigError(f"{given} lies outside {root}; Leeboard leaves files there alone anyway")
    return spelled if spelled != "." else "**"


def described(allowance: Allowance) -> str:
    """What it lets pass."""
    if allowance.fingerprint:
        return allowance.fingerprint
    return f"{allowance.rule or 'every rule'} on {allowance.path or 'every path'}"


def how_long(allowance: Allowance) -> str:
    return f"until {iso(allowance.until)}" if allowance.until else "for good"


def allowance_object(allowance: Allowance) -> dict[str, object]:
    return {
        "kind": "allowance",
        "id": allowance.id,
        "rule": allowance.rule,
        "path": allowance.path,
        "fingerprint": allowance.fingerprint,
        "reason": allowance.reason,
        "until": iso(allowance.until) if allowance.until else None,
        "by": allowance.by,
    }


def _there(root: str, spelled: str) -> bool:
    return (Path(root) / spelled).exists()


def _person() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return str(os.getuid())
