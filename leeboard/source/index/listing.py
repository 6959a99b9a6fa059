"""The files of a work tree that are worth indexing, with how they look and what git calls their content."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator

import msgspec

from leeboard.io import system
from leeboard.io.file import read_start
from leeboard.secrets.redaction import has_shape
from leeboard.source.convention import is_instruction_file
from leeboard.source.index.extract import LARGEST, is_made_path
from leeboard.text.language import folders_with, language_of

SECONDS = 60.0
_SHORTEST_KEY = 16
"""Characters: no maker has a shorter one, and hardly a name is longer."""
MOST_FILES = 200_000
"""More than this is no work tree but a disk."""

_NOT_CODE = frozenset({"", "json", "yaml", "html"})
_SKIPPED_FOLDERS = folders_with("unindexed")


class ListedFile(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """How a file looked from outside; `digest` is empty where only reading it can tell."""

    path: str
    size: int
    mtime: int
    inode: int
    digest: str = ""


def list_files(root: str) -> list[ListedFile]:
    """Sorted by path. What git looks after and does not ignore; without git what no .gitignore names."""
    from leeboard.io.git.ask import (  # noqa: PLC0415 - who only reads the index need not import subprocess
        run as run_git,
    )

    tracked = run_git(root, ("ls-files", "-s", "-z"), SECONDS)
    if tracked is None:
        return sorted(see_all(root, _walk(root)), key=lambda item: item.path)
    digests = dict(_tracked(tracked))
    others = run_git(root, ("ls-files", "-o", "--exclude-standard", "-z"), SECONDS) or b""
    found = list(see_all(root, (*digests, *(os.fsdecode(path) for path in others.split(b"\0") if path))))
    # Asked after looking at the files: one that changes in between is read, whatever git called it before.
    changed = run_git(root, ("diff-files", "--name-only", "-z"), SECONDS)
    moved = {os.fsdecode(path) for path in changed.split(b"\0")} if changed is not None else set(digests)
    return sorted((_called(item, digests, moved) for item in found), key=lambda item: item.path)


def see_all(root: str, paths: Iterable[str]) -> Iterator[ListedFile]:
    """Those of these paths that are files worth indexing."""
    for path, _number in zip((path for path in paths if is_wanted(path)), range(MOST_FILES), strict=False):
        seen = see(root, path)
        if seen is not None:
            yield seen


def see(root: str, path: str) -> ListedFile | None:
    """None for what is no plain file, is empty or too large, or has a name that is no text."""
    if path.isascii() is False and path != path.encode("utf-8", "replace").decode():
        return None  # half characters, which neither the index nor a report can hold
    try:
        found = os.lstat(f"{root}/{path}")
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(found.st_mode) or not 0 < found.st_size <= LARGEST:
        return None
    return ListedFile(path, found.st_size, found.st_mtime_ns, found.st_ino)


def is_wanted(path: str) -> bool:
    """A file that is named after a key is left out: the index is kept, and its names with it."""
    wanted = (language_of(path) not in _NOT_CODE and not is_made_path(path)) or is_instruction_file(path)
    return wanted and not any(has_shape(part) for part in path.split("/") if len(part) >= _SHORTEST_KEY)


def read_text(root: str, path: str) -> tuple[bytes, os.stat_result] | None:
    """The content and how the file looked while it was read; None where it is not text or can not be read."""
    try:
        file = os.open(f"{root}/{path}", os.O_RDONLY | system.NOFOLLOW | system.NONBLOCK)
    except (OSError, ValueError):
        return None
    try:
        looked = os.fstat(file)
        data = os.read(file, LARGEST + 1) if stat.S_ISREG(looked.st_mode) else b""
    except OSError:
        return None
    finally:
        os.close(file)
    return (data, looked) if data and len(data) <= LARGEST and b"\0" not in data[:8192] else None


def _called(item: ListedFile, digests: dict[str, str], moved: set[str]) -> ListedFile:
    digest = "" if item.path in moved else digests.get(item.path, "")
    return ListedFile(item.path, item.size, item.mtime, item.inode, digest) if digest else item


def _tracked(output: bytes) -> Iterator[tuple[str, str]]:
    """Path and blob of plain files; links and submodules are none."""
    for record in output.split(b"\0"):
        head, tab, path = record.partition(b"\t")
        if tab and head.startswith(b"100"):
            yield os.fsdecode(path), head.split(b" ", 2)[1].decode("ascii", "replace")


def _walk(root: str) -> Iterator[str]:
    """Paths below the root, folder by folder, without what a .gitignore on the way names."""
    waiting: list[tuple[str, tuple[tuple[str, object], ...]]] = [("", ())]
    while waiting:
        folder, ignores = waiting.pop()
        ignores = (*ignores, *_ignores(root, folder))
        for path, is_folder in _entries(root, folder):
            if is_ignored(path, is_folder=is_folder, ignores=ignores):
                continue
            if is_folder:
                waiting.append((path, ignores))
            else:
                yield path


def _entries(root: str, folder: str) -> list[tuple[str, bool]]:
    try:
        with os.scandir(f"{root}/{folder}") as entries:
            found = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
    except OSError:
        return []
    prefix = f"{folder}/" if folder else ""
    return [
        (prefix + name, is_folder) for name, is_folder in sorted(found) if not (is_folder and name in _SKIPPED_FOLDERS)
    ]


def _ignores(root: str, folder: str) -> tuple[tuple[str, object], ...]:
    try:
        lines = read_start(f"{root}/{folder}/.gitignore", 100_000).decode("utf-8", "replace").splitlines()
    except OSError:
        return ()
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 - only needed outside of git

    try:
        return ((f"{folder}/" if folder else "", GitIgnoreSpec.from_lines(lines)),)
    except ValueError:
        return ()


def is_ignored(path: str, *, is_folder: bool, ignores: tuple[tuple[str, object], ...]) -> bool:
    """Whether the nearest .gitignore that has an opinion ignores it."""
    for prefix, spec in reversed(ignores):
        answer = spec.check_file(path.removeprefix(prefix) + ("/" if is_folder else "")).include  # type: ignore[attr-defined] # GitIgnoreSpec, imported late
        if answer is not None:
            return bool(answer)
    return False
