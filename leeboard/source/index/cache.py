"""The file an index lives in: one for each repository, shared by its work trees, thrown away whenever it is not sound.

| table | holds |
|---|---|
| tree | a work tree: its root, how its index looked when it was last listed, how much is left to parse, its habits |
| file | the manifest of a tree: path, how the file looked, the blob that is in it |
| blob | what is known of one content: names and imports (first pass), and whether it was parsed |
| function | the functions of a parsed content with their fingerprints (second pass) |
| word | word of a name or key of an import -> blobs, a row for each refresh that brought some |
| path_word | word of a file's name -> files |
| hash | hash of a fingerprint -> functions |

It is a cache: nothing is forced to disk, and after a crash that left it torn it is made anew.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from posixpath import dirname, isdir, isfile, join, normpath

from leeboard.io import places, system
from leeboard.io.file import read_start
from leeboard.model.text import digest
from leeboard.model.workspace import is_whole

SHAPE = 4
"""The shape of the tables and of what is packed in them. A file of another shape is made anew."""
SIZE_CAP = 512 * 1024 * 1024
"""Bytes all indexes may take together; the ones not used for longest go first."""

_TABLES = """
CREATE TABLE tree (
    id INTEGER PRIMARY KEY, root TEXT UNIQUE NOT NULL, looks TEXT NOT NULL DEFAULT '',
    refreshed REAL NOT NULL DEFAULT 0,
    pending INTEGER NOT NULL DEFAULT -1, changes INTEGER NOT NULL DEFAULT 0, habits BLOB);
CREATE TABLE file (
    tree INTEGER NOT NULL, path TEXT NOT NULL, size INTEGER NOT NULL, mtime INTEGER NOT NULL, inode INTEGER NOT NULL,
    blob INTEGER NOT NULL, dirty INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (tree, path)) WITHOUT ROWID;
CREATE INDEX file_blob ON file (blob, tree);
CREATE TABLE blob (
    id INTEGER PRIMARY KEY, digest TEXT UNIQUE NOT NULL, names BLOB NOT NULL, imports BLOB NOT NULL,
    parsed INTEGER NOT NULL DEFAULT 0);
CREATE TABLE function (
    blob INTEGER NOT NULL, slot INTEGER NOT NULL, packed BLOB NOT NULL, PRIMARY KEY (blob, slot)) WITHOUT ROWID;
CREATE TABLE word (
    word TEXT NOT NULL, part INTEGER NOT NULL, blobs BLOB NOT NULL, PRIMARY KEY (word, part)) WITHOUT ROWID;
CREATE TABLE path_word (
    word TEXT NOT NULL, tree INTEGER NOT NULL, path TEXT NOT NULL, PRIMARY KEY (word, tree, path)) WITHOUT ROWID;
CREATE TABLE hash (
    key INTEGER NOT NULL, blob INTEGER NOT NULL, slot INTEGER NOT NULL, PRIMARY KEY (key, blob, slot)) WITHOUT ROWID;
"""


def index_dir() -> str:
    return join(places.cache_dir(), "index")


def index_file(root: str) -> str:
    """The same for all work trees of one repository."""
    return join(index_dir(), f"{digest(_repository(root))}.db")


def open_to_read(path: str) -> sqlite3.Connection | None:
    """None where there is none that this version can read."""
    if not isfile(path):
        return None
    try:
        # As a URI, so that nothing is made where there is nothing; the log beside it has to be writable all the same.
        connection = sqlite3.connect(f"file:{_escaped(path)}?mode=rw", uri=True, isolation_level=None, timeout=0.2)
    except sqlite3.Error:
        return None
    try:
        shape = connection.execute("PRAGMA user_version").fetchone()[0]
    except sqlite3.Error:
        shape = -1
    if shape == SHAPE:
        return connection
    connection.close()
    return None


def open_to_write(path: str) -> sqlite3.Connection:
    """Made where there is none, and made anew where it is not sound. Only for who holds the refresher's lock."""
    try:
        return _opened(path)
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError):  # no room, no right: making it anew would not help
            raise
        throw_away(path)
        return _opened(path)


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if connection.in_transaction:  # a full disk ends it by itself
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def looks(root: str) -> str:
    """Changes whenever git's list of files does; empty outside of git."""
    try:
        seen = os.stat(join(_git_dir(root), "index"))  # noqa: PTH116 - pathlib costs the hook process its import
    except (OSError, ValueError):
        return ""
    return f"{seen.st_mtime_ns}:{seen.st_size}:{seen.st_ino}"


@contextmanager
def alone(path: str) -> Iterator[bool]:
    """Whether nobody else refreshes this index. The kernel frees the lock when its holder dies."""
    places.make_private_file(f"{path}.lock")
    lock = os.open(f"{path}.lock", os.O_RDWR | system.CLOEXEC)
    try:
        try:
            system.lock(lock)
        except OSError:
            yield False
            return
        yield True
    finally:
        os.close(lock)


def is_refreshing(root: str) -> bool:
    """Whether somebody is at it right now."""
    try:
        with alone(index_file(root)) as is_alone:
            return not is_alone
    except OSError:
        return False


def throw_away(path: str) -> None:
    for ending in ("", "-wal", "-shm", "-journal"):
        try:
            os.unlink(path + ending)  # noqa: PTH108 - pathlib costs the hook process its import
        except FileNotFoundError:
            continue


def keep_within(cap: int, kept: str) -> tuple[str, ...]:
    """Throw away the indexes that were not used for longest until all fit; never `kept`. Which ones went."""
    with os.scandir(index_dir()) as entries:
        files = [
            (entry.stat().st_mtime, entry.stat().st_size, entry.path) for entry in entries if entry.name.endswith(".db")
        ]
    total = sum(size for _age, size, _path in files)
    gone: list[str] = []
    for _age, size, path in sorted(files):
        if total > cap and path != kept:
            throw_away(path)
            gone.append(path)
            total -= size
    return tuple(gone)


def _git_dir(root: str) -> str:
    mark = join(root, ".git")
    if not isfile(mark):
        return mark
    return join(root, _words(mark).removeprefix("gitdir:").strip())


def _words(path: str) -> str:
    return read_start(path, 4096).decode("utf-8", "surrogateescape")


def _escaped(path: str) -> str:
    return path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")


def _opened(path: str) -> sqlite3.Connection:
    places.make_private_file(path)
    connection = sqlite3.connect(path, isolation_level=None, timeout=5.0)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = OFF")
        shape = connection.execute("PRAGMA user_version").fetchone()[0]
        if shape not in (0, SHAPE):
            raise sqlite3.DatabaseError("an index of another version")
        if shape == 0:
            connection.executescript(f"BEGIN;{_TABLES}PRAGMA user_version = {SHAPE};COMMIT;")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _repository(root: str) -> str:
    """What all work trees of a repository share: its git directory; the root itself outside of git."""
    mark = join(root, ".git")
    if isdir(mark):
        return os.path.realpath(mark)
    try:
        target = _words(mark).removeprefix("gitdir:").strip()
        own = target if is_whole(target) else join(root, target)
        return os.path.realpath(normpath(join(own, _words(join(own, "commondir")).strip())))
    except (OSError, ValueError):
        return os.path.realpath(root or dirname(mark))
