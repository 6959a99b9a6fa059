"""Every byte that lies below a folder, git's own included: where a test looks for what must not be there."""

from __future__ import annotations

import sqlite3
import subprocess
import zlib
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path


def written_below(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Names and contents of all files; objects of git as they are read, and every cell of a database."""
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        yield name, name.encode("utf-8", "surrogateescape")
        if path.is_symlink() or not path.is_file():
            continue
        data = path.read_bytes()
        yield name, data
        with suppress(zlib.error):
            yield name, zlib.decompress(data)
        if data.startswith(b"SQLite format 3"):
            yield from ((f"{name} {table}", cells) for table, cells in _rows(path))
    for store in folder.rglob(".git"):
        if store.is_dir():
            yield str(store), _objects(store)


def _objects(store: Path) -> bytes:
    """All of them, packed or not, reachable or not; names of branches and the log of their moves lie in plain files."""
    command = ("git", "--git-dir", str(store), "cat-file", "--batch-all-objects", "--batch")
    return subprocess.run(command, capture_output=True, check=True).stdout


def _rows(path: Path) -> Iterator[tuple[str, bytes]]:
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            for row in database.execute(f'SELECT * FROM "{table}"'):
                yield table, b"\n".join(cell if isinstance(cell, bytes) else str(cell).encode() for cell in row)
