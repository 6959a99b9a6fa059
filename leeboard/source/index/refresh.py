"""Bringing the index of a work tree up to date: names first, then habits, then fingerprints, each step kept by itself.

One refresher works at a time; who finds another one at work leaves. A refresher that dies leaves what it had finished,
and the next goes on from there. Nothing here raises: what can not be done is said in `note`.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from posixpath import isdir

import msgspec

from leeboard.io.clock import now
from leeboard.io.git import ask
from leeboard.source.convention import FileUse, is_instruction_file, learn, rules_in
from leeboard.source.fingerprint import candidates_key
from leeboard.source.index import cache
from leeboard.source.index.cache import SIZE_CAP, transaction
from leeboard.source.index.extract import FileNames, file_words, kept_of, known_of
from leeboard.source.index.listing import ListedFile, list_files, read_text, see_all
from leeboard.source.index.scan import Harvest, key_of, scan
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


# Writing to the index: the manifest of a work tree, the blobs it names, the words they are found by.


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
