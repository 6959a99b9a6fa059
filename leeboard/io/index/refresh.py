"""Bringing the index of a work tree up to date: names first, then habits, then fingerprints, each step kept by itself.

One refresher works at a time; who finds another one at work leaves. A refresher that dies leaves what it had finished,
and the next goes on from there. Nothing here raises: what can not be done is said in `note`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing

import msgspec

from leeboard.io import git
from leeboard.io.clock import now
from leeboard.io.index import cache
from leeboard.io.index.deepen import learn_habits, parse_pending
from leeboard.io.index.listing import Seen, list_files, see_all
from leeboard.io.index.manifest import Manifest
from leeboard.io.index.prune import prune
from leeboard.io.index.scan import scan

BUSY = "another process refreshes it"


class Refreshed(msgspec.Struct, frozen=True, kw_only=True):
    """What a refresh did. `note` says why it did less than it was asked to."""

    seen: int = 0
    """Files that were looked at."""
    read: int = 0
    gone: int = 0
    parsed: int = 0
    note: str = ""


def refresh(root: str, goes_on: Callable[[], bool] = lambda: True) -> Refreshed:
    """All of it: names, then habits and fingerprints as long as `goes_on` says so.

    In a work tree of git only what git calls changed is looked at, so a written file is read and parsed alone.
    """
    return _guarded(root, lambda connection: _everything(connection, root, goes_on))


def _everything(connection: sqlite3.Connection, root: str, goes_on: Callable[[], bool]) -> Refreshed:
    done = _names(connection, root)
    if goes_on():
        learn_habits(connection, root)
    parsed = parse_pending(connection, root, goes_on)
    prune(connection, root)
    cache.keep_within(cache.SIZE_CAP, cache.index_file(root))
    return msgspec.structs.replace(done, parsed=parsed)


def _guarded(root: str, work: Callable[[sqlite3.Connection], Refreshed]) -> Refreshed:
    path = cache.index_file(root)
    try:
        with cache.alone(path) as is_alone:
            return _sound(path, work) if is_alone else Refreshed(note=BUSY)
    except (OSError, sqlite3.Error) as error:
        return Refreshed(note=f"can not write {path}: {error}")


def _sound(path: str, work: Callable[[sqlite3.Connection], Refreshed]) -> Refreshed:
    """Work on the index; on a new one where the old turns out to be torn."""
    try:
        with closing(cache.open_to_write(path)) as connection:
            return work(connection)
    except sqlite3.OperationalError:
        raise
    except (sqlite3.DatabaseError, msgspec.MsgspecError):
        cache.throw_away(path)
    with closing(cache.open_to_write(path)) as connection:
        return work(connection)


def _names(connection: sqlite3.Connection, root: str) -> Refreshed:
    before = cache.looks(root)
    with cache.transaction(connection):
        manifest = Manifest(connection, root)
        asked = _moved(manifest, root, before)
        kept = manifest.files(asked)
        files = list_files(root) if asked is None else list(see_all(root, asked))
        changed = [item for item in files if kept.get(item.path) != (item.size, item.mtime, item.inode)]
        gone = manifest.drop(kept.keys() - {item.path for item in files})
        read = _take(manifest, root, changed)
        manifest.settle(before, now(), len(changed) + gone)
    return Refreshed(seen=len(files), read=read, gone=gone)


def _take(manifest: Manifest, root: str, changed: list[Seen]) -> int:
    """How many files had to be read."""
    unknown = manifest.take_known(changed)
    if unknown:
        manifest.take_read(scan(root, unknown), frozenset(item.path for item in unknown if item.digest))
    return len(unknown)


def _moved(manifest: Manifest, root: str, before: str) -> list[str] | None:
    """What may have changed, as git tells it where its own list is as it was; None: look at everything."""
    if not before or manifest.looks != before:
        return None
    changed = git.status(root)
    if changed is None or len(changed) > git.MOST_FILES:
        return None
    return sorted({*changed, *manifest.dirty()})
