"""What was found by the last scan, in one file of the user's state directory.

It is signed with this user's key, so whatever is cut short, altered or of another version is not there. It is only a
memory: losing it costs the time to hash everything again.
"""

from __future__ import annotations

import contextlib
import hmac
import marshal
import os
import sys
from hashlib import sha256
from posixpath import basename, dirname, join

from leeboard.io import system
from leeboard.io.places import make_private_dir, secret_key, state_dir
from leeboard.secrets.redaction import has_shape
from leeboard.truth.digests.identity import Stamp, kind
from leeboard.truth.digests.tree import FolderDigests, Tree

MOST_BYTES = 128 << 20
"""The size of one cache: more than a million files. A larger one is not kept."""
MOST_CACHES = 64
"""The ones used longest ago make room."""
ENDING = ".digests"


class Remembered:
    """A tree, when it was looked at, and the names that were left out."""

    def __init__(self, stamp: Stamp, ignore: tuple[str, ...], tree: Tree) -> None:
        self.stamp = stamp
        self.ignore = ignore
        self.tree = tree


def cache_place(about: str) -> str:
    """Where the cache of this folder (or whatever names the set of tops) lies."""
    return join(state_dir(), "digests", sha256(os.fsencode(about), usedforsecurity=False).hexdigest()[:32] + ENDING)


def read_cache(place: str) -> Remembered | None:
    """None where there is none that can be relied on."""
    data = read_signed(place)
    if data is None:
        return None
    stamp, ignore, tops = marshal.loads(data)  # noqa: S302 - signed by this user's key, and of this very version
    known = {top: {found[0]: FolderDigests._make(found) for found in folders} for top, folders in tops.items()}
    return Remembered(stamp, ignore, known)


def write_cache(place: str, found: Remembered) -> None:
    """Kept whole or not at all. A disk that refuses is no matter. Where a file is named after a key nothing is kept."""
    if any(_names_a_key(folder) for folders in found.tree.values() for folder in folders.values()):
        return
    tops = {top: [tuple(folder) for folder in folders.values()] for top, folders in found.tree.items()}
    write_signed(place, marshal.dumps((found.stamp, found.ignore, tops)))


def _names_a_key(folder: FolderDigests) -> bool:
    return has_shape(b"\0".join((folder.path, folder.names)).decode("utf-8", "replace"))


def read_signed(place: str) -> memoryview | None:
    """What was written there by this user's key, under this very name."""
    head, key = _head(), _key(place)
    try:
        data = _read(place)
    except OSError:
        return None
    body = memoryview(data)[len(head) + 32 :]
    if not key or not data.startswith(head) or len(data) > MOST_BYTES:
        return None
    signed = hmac.digest(key, body, "sha256")
    return body if hmac.compare_digest(data[len(head) : len(head) + 32], signed) else None


def write_signed(place: str, body: bytes) -> None:
    """Not flushed to the disk: what a crash leaves half written has no signature."""
    head, key = _head(), _key(place)
    if not key or len(body) + len(head) + 32 > MOST_BYTES:
        _remove(place)
        return
    beside = f"{place}.{os.getpid()}.tmp"
    try:
        make_private_dir(dirname(place))
        file = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | system.NOFOLLOW | system.CLOEXEC, 0o600)
        with open(file, "wb") as opened:  # noqa: PTH123 - a descriptor, not a path
            opened.writelines((head, hmac.digest(key, body, "sha256"), body))
        os.replace(beside, place)  # noqa: PTH105 - as above
        _make_room(place)
    except OSError:
        _remove(beside)


def _read(place: str) -> bytes:
    """Only as much as there is: to make room for the most there may be takes longer than to read what is usual."""
    file = os.open(place, os.O_RDONLY | system.CLOEXEC)
    try:
        return os.read(file, min(os.fstat(file).st_size, MOST_BYTES) + 1)
    finally:
        os.close(file)


def _key(place: str) -> bytes:
    key = secret_key()
    return key and hmac.digest(key, b"digests of " + os.fsencode(basename(place)), "sha256")


def _head() -> bytes:
    """Plain values are written differently by another version of the interpreter."""
    return f"leeboard digests 1 {kind()} {sys.version_info[:2]} {marshal.version}\n".encode()


def _make_room(place: str) -> None:
    with os.scandir(dirname(place)) as entries:
        caches = [entry for entry in entries if entry.name.endswith(ENDING) and entry.name != basename(place)]
    if len(caches) < MOST_CACHES:
        return
    with contextlib.suppress(OSError):
        aged = sorted(caches, key=lambda entry: entry.stat().st_mtime_ns)
        for entry in aged[: len(caches) - MOST_CACHES + 1]:
            _remove(entry.path)


def _remove(path: str) -> None:
    with contextlib.suppress(OSError):
        os.unlink(path)  # noqa: PTH108 - as above
