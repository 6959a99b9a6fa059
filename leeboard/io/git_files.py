"""What git says of single files: which it ignores, and which are exactly as in the current commit.

Nothing here raises: without a repository, without git or past the time limit nothing is known.
"""

from __future__ import annotations

import hashlib
import os
from posixpath import join

from leeboard.errors import LeeboardError
from leeboard.io.git import ended
from leeboard.io.git_place import find, head_at
from leeboard.io.opened import read_regular

SECONDS = 2.0
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
    done = ended(root, arguments, SECONDS, given)
    return done.out if done is not None and done.code in {0, 1} else None
