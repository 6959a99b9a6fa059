"""All that is kept about a project outside of it: given out as JSON, or forgotten.

Rows of the database, the files beside it that belong to its sessions, a pause, looks at its work tree, what is
remembered of its drift, hooks that went unanswered there, copies of work that is in no commit, the index of its code
and that of its words. What a person has trusted there and what `uninstall` gives back are no records of what happened:
they stay, and are not part of it. So does the port that hooks are posted to, for as long as they are.

Some files do not tell which project they are of: they belong to the person, and go where everything goes.
"""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Iterable, Iterator
from contextlib import suppress
from posixpath import basename, exists, join

from leeboard.app.guard.look import FOLDER as GUARDS
from leeboard.app.guard.look import kept_looks
from leeboard.app.install.hook_files import SettingsPlace, posted_at, text_at
from leeboard.app.misses import forget_misses, misses_about
from leeboard.app.missing_store.fallback_files import copy_files
from leeboard.app.pause import pause_file
from leeboard.app.posting.hooks import all_hooks, forget_hooks_in, hooks_of
from leeboard.app.safety_net.copies import content as copied
from leeboard.app.safety_net.copies import forget_folder, kept_files, kept_roots, read_kept
from leeboard.app.tree_watch import FOLDER as TREES
from leeboard.app.tree_watch import KeptLooks, kept_trees
from leeboard.app.work_contract import drift_place
from leeboard.clients import FIRST
from leeboard.errors import ConfigError
from leeboard.io.clock import iso
from leeboard.io.file import read_regular
from leeboard.io.places import cache_dir, state_dir
from leeboard.source.index.cache import index_file
from leeboard.store.project_rows import forget_project, known_projects, project_rows
from leeboard.store.sqlite import SqliteStore
from leeboard.store.word_index import throw_away

_MOST = 16 << 20
_PERSONAL = (TREES, "drift", "stamps", "backtest", "crashes")
"""Folders of the state directory with files that name what a person works on."""
_DERIVED = ("backtest", "index", "scan")
"""Folders of the cache with what was made from projects and sessions; so are the digests in the state directory."""


def all_projects(store: SqliteStore) -> tuple[str, ...]:
    """Every project that anything is kept about: together that is all there is about a person."""
    return tuple(dict.fromkeys((*known_projects(store.pages), *kept_roots())))


def exported(root: str, store: SqliteStore) -> Iterator[dict[str, object]]:
    """One object for each row and file. Texts were redacted before they were stored."""
    for table, row in project_rows(store.pages, root):
        yield {"kind": "row", "table": table, "columns": {name: _plain(value) for name, value in row.items()}}
    yield from _given_out(_files(root, store))
    for line in misses_about(state_dir(), root):
        yield {"kind": "miss", "text": line}
    for one in read_kept(root).copies:
        kept = copied(root, one.digest)
        if kept is not None:
            yield {"kind": "copy", "path": _plain(one.path), "time": iso(one.time), "content": _plain(kept)}


def exported_of_person(roots: Iterable[str], store: SqliteStore) -> Iterator[dict[str, object]]:
    """What is kept beside that of these projects."""
    told = {path for root in roots for path in _files(root, store)}
    yield from _given_out(path for path in _below(*_personal()) if path not in told)
    about = {line for root in roots for line in misses_about(state_dir(), root)}
    for line in misses_about(state_dir(), ""):
        if line not in about:
            yield {"kind": "miss", "text": line}


def forgotten_of_person() -> int:
    """How many files there were that no project accounts for."""
    folders = (*_personal(), join(state_dir(), "digests"), *(join(cache_dir(), name) for name in _DERIVED))
    files = _below(*folders)
    _unlink(files)
    for folder in folders:
        _forget_empty(folder)
    forget_misses(state_dir(), "")
    return len(files) + sum(forget_unused_posts(hooks.root) for hooks in all_hooks())


def forgotten(root: str, store: SqliteStore) -> tuple[int, int]:
    """Rows and files that were there and are not any more."""
    files = [path for path in (*_files(root, store), *kept_files(root), index_file(root)) if exists(path)]
    rows = forget_project(store.pages, root)
    throw_away()
    _unlink(files)
    forget_folder(root)
    _forget_empty(drift_place(root))
    forget_misses(state_dir(), root)
    return rows, len(files) + forget_unused_posts(root)


def forget_unused_posts(root: str) -> int:
    """How many records of a port went: one, where no settings have hooks posted to it any more. It is never given out:
    it holds a token.
    """
    hooks = hooks_of(root)
    if hooks is None:
        return 0
    at = SettingsPlace("local", hooks.settings, FIRST)
    try:
        used = bool(posted_at(at, at.format.read_state(text_at(at.path))))
    except (ConfigError, OSError, ValueError, RecursionError):
        used = True
    if not used:
        forget_hooks_in(hooks.settings)
    return int(not used)


def _files(root: str, store: SqliteStore) -> tuple[str, ...]:
    sessions = {session.id for session in store.sessions(root, 100_000)}
    looks = KeptLooks(join(state_dir(), GUARDS))
    kept = (looks.path_of(look.session) for look in kept_looks() if look.root == root or look.session in sessions)
    copies = (path for session in sorted(sessions) for path in copy_files(session))
    trees = (
        path for path, look in kept_trees(join(state_dir(), TREES)) if look.root == root or look.session in sessions
    )
    return tuple(
        path for path in (*kept, *copies, pause_file(root), *trees, *_below(drift_place(root))) if exists(path)
    )


def _personal() -> tuple[str, ...]:
    return tuple(join(state_dir(), name) for name in _PERSONAL)


def _below(*folders: str) -> list[str]:
    """The files in these folders, however deep."""
    return sorted(join(top, name) for folder in folders for top, _inside, names in os.walk(folder) for name in names)


def _unlink(files: Iterable[str]) -> None:
    for path in files:
        with suppress(OSError):
            os.unlink(path)  # noqa: PTH108 - paths are strings here


def _forget_empty(folder: str) -> None:
    """Remove a folder and the folders in it, as far as nothing is left in them."""
    for top, _inside, _names in os.walk(folder, topdown=False):
        with suppress(OSError):
            os.rmdir(top)  # noqa: PTH106 - paths are strings here


def _given_out(paths: Iterable[str]) -> Iterator[dict[str, object]]:
    for path in paths:
        with suppress(OSError):
            yield {"kind": "file", "name": basename(path), "content": _plain(read_regular(path, _MOST))}


def _plain(value: object) -> object:
    if not isinstance(value, bytes):
        return value
    try:
        return value.decode()
    except UnicodeDecodeError:
        return {"base64": b64encode(value).decode()}
