"""Bringing the index of a work tree up to date: names first, then habits, then fingerprints, each step kept by itself.

One refresher works at a time; who finds another one at work leaves. A refresher that dies leaves what it had finished,
and the next goes on from there. Nothing here raises: what can not be done is said in `note`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing

import msgspec

from leeboard.io.clock import now
from leeboard.io.git import ask
from leeboard.source.convention import FileUse, is_instruction_file, learn, rules_in
from leeboard.source.fingerprint import candidates_key
from leeboard.source.index import cache
from leeboard.source.index.cache import transaction
from leeboard.source.index.extract import FileNames, kept_of, known_of
from leeboard.source.index.listing import ListedFile, list_files, read_text, see_all
from leeboard.source.index.manifest import Manifest, prune
from leeboard.source.index.scan import scan
from leeboard.source.name_scan import ScannedImport
from leeboard.text.language import language_of

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


def _take(manifest: Manifest, root: str, changed: list[ListedFile]) -> int:
    """How many files had to be read."""
    unknown = manifest.take_known(changed)
    if unknown:
        manifest.take_read(scan(root, unknown), frozenset(item.path for item in unknown if item.digest))
    return len(unknown)


def _moved(manifest: Manifest, root: str, before: str) -> list[str] | None:
    """What may have changed, as git tells it where its own list is as it was; None: look at everything."""
    if not before or manifest.looks != before:
        return None
    changed = ask.status(root)
    if changed is None or len(changed) > ask.MOST_FILES:
        return None
    return sorted({*changed, *manifest.dirty()})


# What is learned of a work tree once its names are known: its habits, and the fingerprints of its functions.
#
# Parsing is the slow part. It is done in small batches that are kept one by one, the newest and smallest files first,
# so that it can be broken off at any time. A file at which the process died is tried once more by itself, then left
# alone.


BATCH = 32
_DAY = 86_400 * 10**9

_PENDING, _PARSED, _TRIED, _LEFT = 0, 1, 2, 3


class _Waiting(msgspec.Struct, frozen=True):
    path: str
    look: tuple[int, int, int]
    blob: int
    tried: bool


def learn_habits(connection: sqlite3.Connection, root: str) -> bool:
    """Learn them anew once enough files changed; whether that was so."""
    tree, changes, habits = connection.execute(
        "SELECT id, changes, habits FROM tree WHERE root = ?", (root,)
    ).fetchone()
    files = connection.execute("SELECT count(*) FROM file WHERE tree = ?", (tree,)).fetchone()[0]
    if habits is not None and changes < max(1, files // 200):
        return False
    uses = list(_uses(connection, tree))
    texts = {item.path: _text(root, item.path) or "" for item in uses if is_instruction_file(item.path)}
    found = (*rules_in(texts), *learn(item for item in uses if item.language))
    with transaction(connection):
        connection.execute(
            "UPDATE tree SET habits = ?, changes = 0 WHERE id = ?", (msgspec.msgpack.encode(found), tree)
        )
    return True


def _uses(connection: sqlite3.Connection, tree: int) -> Iterator[FileUse]:
    names = msgspec.msgpack.Decoder(FileNames).decode
    imports = msgspec.msgpack.Decoder(tuple[ScannedImport, ...]).decode
    question = "SELECT path, names, imports FROM file JOIN blob ON blob.id = file.blob WHERE tree = ?"
    for path, named, imported in connection.execute(question, (tree,)):
        found = names(named)
        yield FileUse(path, found.language, imports(imported), found.names, found.style)


def parse_pending(connection: sqlite3.Connection, root: str, goes_on: Callable[[], bool] = lambda: True) -> int:
    """The second pass, as far as `goes_on` lets it: how many contents were parsed."""
    tree = connection.execute("SELECT id FROM tree WHERE root = ?", (root,)).fetchone()[0]
    parsed = 0
    for batch in _batches(_waiting(connection, tree)):
        if not goes_on():
            break
        with transaction(connection):
            connection.executemany(
                "UPDATE blob SET parsed = ? WHERE id = ?",
                [(_LEFT if item.tried else _TRIED, item.blob) for item in batch],
            )
        parsed += _parse(connection, root, tree, batch)
    return parsed


def _waiting(connection: sqlite3.Connection, tree: int) -> list[_Waiting]:
    rows = connection.execute(
        "SELECT min(path), size, mtime, inode, blob, parsed FROM file JOIN blob ON blob.id = file.blob "
        "WHERE tree = ? AND parsed IN (?, ?) GROUP BY blob ORDER BY parsed, mtime / ? DESC, size",
        (tree, _PENDING, _TRIED, _DAY),
    )
    return [
        _Waiting(path, (size, mtime, inode), blob, parsed == _TRIED) for path, size, mtime, inode, blob, parsed in rows
    ]


def _batches(waiting: Sequence[_Waiting]) -> Iterator[Sequence[_Waiting]]:
    first = [item for item in waiting if not item.tried]
    for start in range(0, len(first), BATCH):
        yield first[start : start + BATCH]
    for item in waiting:
        if item.tried:
            yield [item]


def _parse(connection: sqlite3.Connection, root: str, tree: int, batch: Sequence[_Waiting]) -> int:
    done: list[tuple[int, int]] = []
    functions: list[tuple[int, int, bytes]] = []
    hashes: list[tuple[int, int, int]] = []
    moved: list[tuple[int, int]] = []
    for item in batch:
        text = _text(root, item.path, item.look)
        if text is None:  # it was written since: the next refresh knows it by another content
            moved.append((_PENDING, item.blob))
            continue
        known = known_of(item.path, text, language_of(item.path, text[:200]))
        done.append((_PARSED, item.blob))
        functions += [(item.blob, slot, msgspec.msgpack.encode(kept_of(one))) for slot, one in enumerate(known)]
        hashes += [(key, item.blob, slot) for slot, one in enumerate(known) for key in candidates_key(one.fingerprint)]
    with transaction(connection):
        connection.executemany("UPDATE blob SET parsed = ? WHERE id = ?", [*done, *moved])
        connection.executemany("INSERT OR REPLACE INTO function VALUES (?, ?, ?)", functions)
        connection.executemany("INSERT OR IGNORE INTO hash VALUES (?, ?, ?)", sorted(hashes))
        connection.execute("UPDATE tree SET pending = max(0, pending - ?) WHERE id = ?", (len(done), tree))
    return len(done)


def _text(root: str, path: str, look: tuple[int, int, int] | None = None) -> str | None:
    """The text of a file; None where it can not be read, or does not look like this any more."""
    read = read_text(root, path)
    if read is None:
        return None
    data, seen = read
    if look is not None and look != (seen.st_size, seen.st_mtime_ns, seen.st_ino):
        return None
    return data.decode("utf-8", "replace")
