"""All that is kept about a project outside of it: given out as JSON, or forgotten.

Rows of the database, the files beside it that belong to its sessions, a pause, copies of work that is in no commit, the
index of its code and that of its words. What a person has trusted there and what `uninstall` gives back are no records
of what happened: they stay, and are not part of it.
"""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Iterator
from posixpath import basename, exists, join

from leeboard.app.guard.look import FOLDER as GUARDS
from leeboard.app.guard.look import kept_looks
from leeboard.app.missing_store.fallback_files import copy_files
from leeboard.app.pause import pause_file
from leeboard.app.safety_net.copies import content as copied
from leeboard.app.safety_net.copies import forget_folder, kept_files, kept_roots, read_kept
from leeboard.app.tree_watch import KeptLooks
from leeboard.io.clock import iso
from leeboard.io.file import read_regular
from leeboard.io.places import state_dir
from leeboard.source.index.cache import index_file
from leeboard.store.project_rows import forget_project, known_projects, project_rows
from leeboard.store.sqlite import SqliteStore
from leeboard.store.word_index import throw_away

_MOST = 16 << 20


def all_projects(store: SqliteStore) -> tuple[str, ...]:
    """Every project that anything is kept about: together that is all there is about a person."""
    return tuple(dict.fromkeys((*known_projects(store.pages), *kept_roots())))


def exported(root: str, store: SqliteStore) -> Iterator[dict[str, object]]:
    """One object for each row and file. Texts were redacted before they were stored."""
    for table, row in project_rows(store.pages, root):
        yield {"kind": "row", "table": table, "columns": {name: _plain(value) for name, value in row.items()}}
    for path in _files(root, store):
        try:
            content = read_regular(path, _MOST)
        except OSError:
            continue
        yield {"kind": "file", "name": basename(path), "content": _plain(content)}
    for one in read_kept(root).copies:
        kept = copied(root, one.digest)
        if kept is not None:
            yield {"kind": "copy", "path": _plain(one.path), "time": iso(one.time), "content": _plain(kept)}


def forgotten(root: str, store: SqliteStore) -> tuple[int, int]:
    """Rows and files that were there and are not any more."""
    files = [path for path in (*_files(root, store), *kept_files(root), index_file(root)) if exists(path)]
    rows = forget_project(store.pages, root)
    throw_away()
    for path in files:
        try:
            os.unlink(path)  # noqa: PTH108 - paths are strings here
        except OSError:
            continue
    forget_folder(root)
    return rows, len(files)


def _files(root: str, store: SqliteStore) -> tuple[str, ...]:
    sessions = {session.id for session in store.sessions(root, 100_000)}
    looks = KeptLooks(join(state_dir(), GUARDS))
    kept = (looks.path_of(look.session) for look in kept_looks() if look.root == root or look.session in sessions)
    copies = (path for session in sorted(sessions) for path in copy_files(session))
    return tuple(path for path in (*kept, *copies, pause_file(root)) if exists(path))


def _plain(value: object) -> object:
    if not isinstance(value, bytes):
        return value
    try:
        return value.decode()
    except UnicodeDecodeError:
        return {"base64": b64encode(value).decode()}
