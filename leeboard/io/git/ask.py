"""What git knows of a work tree, asked without locks and within a time limit.

`root` is the top of a work tree, and paths are relative to it. Nothing here raises: without a repository, without git
or past the time limit the answer is None, which means *not known*, never *nothing changed*.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from posixpath import join

import msgspec

from leeboard.errors import LeeboardError
from leeboard.io import process
from leeboard.io.file import read_regular
from leeboard.io.git.place import find, head_at
from leeboard.io.git.settings import started
from leeboard.io.process import Bounds, ProcessResult

SECONDS = 5.0
MOST_FILES = 20_000
"""More changed files than this are a tree that git does not look after."""

_STATUS = ("status", "--porcelain=v2", "-z", "--untracked-files=all", "--no-renames")
_FIELDS_BEFORE_PATH = {b"1": 8, b"u": 10, b"?": 1}
"""By the first field of a record; -z ends each with a NUL, so that a path may hold anything else."""


class TreeFingerprint(msgspec.Struct, frozen=True):
    """How the changed and untracked files of a work tree look from outside."""

    root: str
    files: dict[str, tuple[int, int]]
    """Path to time of modification in ns and size; zeros for one that is gone."""


def status(root: str, seconds: float = SECONDS) -> dict[str, str] | None:
    """Changed and untracked files with git's digest of them; empty where git has not stored what lies there now."""
    output = run(root, _STATUS, seconds)
    return None if output is None else dict(_records(output))


def fingerprint(root: str, seconds: float = SECONDS) -> TreeFingerprint | None:
    """To be compared with another one of the same tree by `changed_between`."""
    changed = status(root, seconds)
    if changed is None or len(changed) > MOST_FILES:
        return None
    return TreeFingerprint(root, {path: _look(root, path) for path in changed})


def changed_between(before: TreeFingerprint, after: TreeFingerprint) -> tuple[str, ...]:
    """Paths whose content was written between the two. One that was committed meanwhile only looks clean again."""
    changed = {path for path, look in after.files.items() if before.files.get(path) != look}
    settled = before.files.keys() - after.files.keys()
    changed.update(path for path in settled if before.files[path] != _look(after.root, path))
    return tuple(sorted(changed))


def _look(root: str, path: str) -> tuple[int, int]:
    try:
        seen = os.lstat(os.fsencode(root) + b"/" + path.encode("utf-8", "surrogateescape"))
    except (OSError, ValueError):
        return (0, 0)
    return (seen.st_mtime_ns, seen.st_size)


def run(root: str, arguments: tuple[str, ...], seconds: float) -> bytes | None:
    done = ended(root, arguments, seconds)
    return done.out if done is not None and done.code == 0 else None


def ended(root: str, arguments: tuple[str, ...], seconds: float, given: bytes = b"") -> ProcessResult | None:
    """How it ended, for who wants to tell a no from a failure; None where it could not be started."""
    try:
        return process.run(*started(root, arguments), Bounds(seconds), given)
    except (OSError, ValueError):
        return None


def _records(output: bytes) -> Iterator[tuple[str, str]]:
    for record in output.split(b"\0"):
        before_path = _FIELDS_BEFORE_PATH.get(record[:1], 0)
        fields = record.split(b" ", before_path)
        if before_path and len(fields) == before_path + 1:
            yield fields[-1].decode("utf-8", "surrogateescape"), _digest(fields)


def _digest(fields: list[bytes]) -> str:
    """The digest of the staged content, as long as the file itself is the same as what is staged."""
    if fields[0] != b"1" or fields[1][1:] != b"." or not fields[7].strip(b"0"):
        return ""
    return fields[7].decode("ascii", "replace")


# What git says of single files: which it ignores, and which are exactly as in the current commit.
#
# Nothing here raises: without a repository, without git or past the time limit nothing is known.


FILE_SECONDS = 2.0
MOST_PATHS = 200
MOST_BYTES = 256 << 20
SHORT = 8
"""Characters of a commit's id that are told."""


def ignored_of(root: str, paths: tuple[str, ...]) -> frozenset[str]:
    named = b"\0".join(os.fsencode(path) for path in paths)
    output = _asked(root, ("check-ignore", "-z", "--stdin"), named) if root and named else None
    return frozenset(os.fsdecode(path) for path in (output or b"").split(b"\0") if path)


def committed(root: str, paths: tuple[str, ...], since: float) -> dict[str, str]:
    """The current commit for those of the files that are as in it, where git has written anything since then."""
    try:
        place = find(root) if root and paths else None
        if place is None or not _moved(place.folder, since):
            return {}
        head = head_at(place)
    except LeeboardError:
        return {}
    listed = ("--literal-pathspecs", "ls-tree", "-z", "HEAD", "--", *paths[:MOST_PATHS])
    output = _asked(root, listed, b"") if head else None
    return {path: head[:SHORT] for path, blob in _blobs(output or b"") if _is_same(join(root, path), blob)}


def head_moved(root: str, since: float) -> bool:
    """Whether another commit is checked out since then, or the branch has grown. The index is written for less."""
    try:
        place = find(root) if root else None
    except LeeboardError:
        return False
    return place is not None and any(_changed_at(join(place.folder, name)) > since for name in ("HEAD", "logs/HEAD"))


def _moved(folder: str, since: float) -> bool:
    return any(_changed_at(join(folder, name)) >= since - 1 for name in ("HEAD", "index", "logs/HEAD"))


def _changed_at(path: str) -> float:
    try:
        return os.stat(path).st_ctime  # noqa: PTH116 - pathlib costs the hook process its import
    except OSError:
        return 0.0


def _blobs(output: bytes) -> list[tuple[str, str]]:
    found = (line.partition(b"\t") for line in output.split(b"\0") if line)
    return [(os.fsdecode(path), about.split(b" ")[2].decode("ascii", "replace")) for about, _, path in found]


def _is_same(path: str, blob: str) -> bool:
    """As git counts it, without the filters a repository may have."""
    try:
        data = read_regular(path, MOST_BYTES)
    except OSError:
        return False
    name = "sha256" if len(blob) == hashlib.sha256().digest_size * 2 else "sha1"
    counted = hashlib.new(name, b"blob %d\0" % len(data), usedforsecurity=False)
    counted.update(data)
    return counted.hexdigest() == blob


def _asked(root: str, arguments: tuple[str, ...], given: bytes) -> bytes | None:
    done = ended(root, arguments, FILE_SECONDS, given)
    return done.out if done is not None and done.code in {0, 1} else None
