"""What git knows of a work tree, asked without locks and within a time limit.

`root` is the top of a work tree, and paths are relative to it. Nothing here raises: without a repository, without git
or past the time limit the answer is None, which means *not known*, never *nothing changed*.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import msgspec

from leeboard.io import child
from leeboard.io._git_settings import started
from leeboard.io.child import Bounds, Ran

SECONDS = 5.0
MOST_FILES = 20_000
"""More changed files than this are a tree that git does not look after."""

_STATUS = ("status", "--porcelain=v2", "-z", "--untracked-files=all", "--no-renames")
_FIELDS_BEFORE_PATH = {b"1": 8, b"u": 10, b"?": 1}
"""By the first field of a record; -z ends each with a NUL, so that a path may hold anything else."""


class Fingerprint(msgspec.Struct, frozen=True):
    """How the changed and untracked files of a work tree look from outside."""

    root: str
    files: dict[str, tuple[int, int]]
    """Path to time of modification in ns and size; zeros for one that is gone."""


def status(root: str, seconds: float = SECONDS) -> dict[str, str] | None:
    """Changed and untracked files with git's digest of them; empty where git has not stored what lies there now."""
    output = run(root, _STATUS, seconds)
    return None if output is None else dict(_records(output))


def fingerprint(root: str, seconds: float = SECONDS) -> Fingerprint | None:
    """To be compared with another one of the same tree by `changed_between`."""
    changed = status(root, seconds)
    if changed is None or len(changed) > MOST_FILES:
        return None
    return Fingerprint(root, {path: _look(root, path) for path in changed})


def changed_between(before: Fingerprint, after: Fingerprint) -> tuple[str, ...]:
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


def ended(root: str, arguments: tuple[str, ...], seconds: float, given: bytes = b"") -> Ran | None:
    """How it ended, for who wants to tell a no from a failure; None where it could not be started."""
    try:
        return child.run(*started(root, arguments), Bounds(seconds), given)
    except (OSError, ValueError):
        return None


def _records(output: bytes) -> Iterator[tuple[str, str]]:
    for record in output.split(b"\0"):
        before_path = _FIELDS_BEFORE_PATH.get(record[:1], 0)
        fields = record.split(b" ", before_path)
        if before_path and len(fields) == before_path + 1:
            yield fields[-1].decode("utf-8", "surrogateescape"), _digest(fields)


def _digest(fields: list[bytes]) -> str:
    """Of the staged content, as long as the file itself is the same as what is staged."""
    if fields[0] != b"1" or fields[1][1:] != b"." or not fields[7].strip(b"0"):
        return ""
    return fields[7].decode("ascii", "replace")
