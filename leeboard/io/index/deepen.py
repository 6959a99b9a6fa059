"""What is learned of a work tree once its names are known: its habits, and the fingerprints of its functions.

Parsing is the slow part. It is done in small batches that are kept one by one, the newest and smallest files first, so
that it can be broken off at any time. A file at which the process died is tried once more by itself, then left alone.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence

import msgspec

from leeboard.code.convention import FileUse, is_instruction_file, learn, rules_in
from leeboard.code.language import language_of
from leeboard.code.likeness import candidates_key
from leeboard.code.name_scan import ScannedImport
from leeboard.io.index.cache import transaction
from leeboard.io.index.extract import FileNames, kept_of, known_of
from leeboard.io.index.listing import read_text

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
