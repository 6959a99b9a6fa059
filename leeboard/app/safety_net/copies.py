"""Copies of a person's files, compressed, each content once; and the list of what was kept of which file when.

Nobody but the user can read them. All of a work tree together stay below a bound: the oldest go first, and never one
of a file that still lies there as it was copied.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha256
from posixpath import exists, join

import msgspec
from msgspec.structs import replace

from leeboard.app.safety_net.note import PRIVATE, folder_of, note_lock, read_packed, write_packed
from leeboard.errors import EffectError, LeeboardError
from leeboard.io.file import read_regular, replace_file
from leeboard.io.places import kept_dir, make_private_dir
from leeboard.model.text import digest

_LEVEL = 3
_MOST = 1 << 30
MOST_COPIES = 5_000
MOST_LOST = 200


class KeptCopy(msgspec.Struct, frozen=True, array_like=True):
    """What one file was like at one time."""

    path: bytes
    digest: str
    time: float
    """When it was last seen so."""
    size: int
    mode: int
    lost: float = 0.0
    """When it was found to be gone; zero: it was not."""
    line: str = ""
    """What ran then, redacted."""

    @property
    def name(self) -> str:
        return os.fsdecode(self.path)

    @property
    def id(self) -> str:
        return copy_id(self.path, self.digest)


class KeptRef(msgspec.Struct, frozen=True, array_like=True):
    """A branch or a stash that was found to be gone. Git keeps its commits for a while by itself."""

    kind: str
    """`branch` or `stash`."""
    name: str
    """The branch without `refs/heads/`; what git says of the stash."""
    commit: str
    lost: float
    line: str = ""

    @property
    def id(self) -> str:
        return self.commit[:10]


class LostFile(msgspec.Struct, frozen=True, array_like=True):
    """A file that is gone and of which there was no copy."""

    path: bytes
    size: int
    why: str
    """Why there was none."""
    lost: float
    line: str = ""

    @property
    def name(self) -> str:
        return os.fsdecode(self.path)


class KeptWork(msgspec.Struct, frozen=True, kw_only=True):
    root: str
    copies: tuple[KeptCopy, ...] = ()
    refs: tuple[KeptRef, ...] = ()
    without: tuple[LostFile, ...] = ()


def copy_id(path: bytes, content_digest: str) -> str:
    """What a copy is called where the name of its file can not be typed."""
    return digest(path + b"\0" + content_digest.encode(), 5)


def read_kept(root: str) -> KeptWork:
    found = read_packed(join(folder_of(root), "copies.list"), KeptWork)
    return found if found is not None and found.root == root else KeptWork(root=root)


def write_kept(kept: KeptWork) -> None:
    write_packed(join(folder_of(kept.root), "copies.list"), kept)


def digest_of(data: bytes) -> str:
    return sha256(data).hexdigest()


def content(root: str, of: str) -> bytes | None:
    """What was copied, byte for byte; None where the copy is gone or damaged."""
    try:
        data = zlib.decompress(read_regular(_copy_file(root, of), _MOST))
    except (OSError, zlib.error):
        return None
    return data if digest_of(data) == of else None


def write_copy(root: str, of: str, data: bytes) -> None:
    """EffectError where the disk refuses it, and nothing is left of it then."""
    path = _copy_file(root, of)
    if exists(path):
        return
    try:
        make_private_dir(join(folder_of(root), "copies"))
    except OSError as error:
        raise EffectError(f"can not write {path}: {error.strerror or error}") from error
    replace_file(path, zlib.compress(data, _LEVEL), mode=PRIVATE)


def bounded(kept: KeptWork, standing: Iterable[tuple[bytes, str]], most: int) -> KeptWork:
    """Without the oldest, as many as it takes to stay below `most` bytes. `standing` are those that still lie there."""
    spared = set(standing)
    left = sorted(kept.copies, key=lambda one: ((one.path, one.digest) in spared, one.time), reverse=True)
    sizes = {one.digest: _size(_copy_file(kept.root, one.digest)) for one in left}
    room, counted, stay = most, set[str](), list[KeptCopy]()
    for one in left[:MOST_COPIES]:
        size = 0 if one.digest in counted else sizes[one.digest]
        if (size or one.digest in counted) and size <= room:
            room -= size
            counted.add(one.digest)
            stay.append(one)
    for unused in sizes.keys() - counted:
        with suppress(OSError):
            os.unlink(_copy_file(kept.root, unused))  # noqa: PTH108 - as above
    return replace(kept, copies=tuple(sorted(stay, key=lambda one: one.time)))


def disk_size(kept: KeptWork) -> int:
    return sum(_size(_copy_file(kept.root, each)) for each in {one.digest for one in kept.copies})


def kept_files(root: str) -> tuple[str, ...]:
    """All that is kept of a work tree, as files."""
    found = []
    for folder in (folder_of(root), join(folder_of(root), "copies")):
        with suppress(OSError):
            found += [join(folder, name) for name in os.listdir(folder) if name != "copies"]  # noqa: PTH208 - as above
    return tuple(found)


def kept_roots() -> tuple[str, ...]:
    """Every work tree of which something is kept."""
    found = (read_packed(join(name, "copies.list"), KeptWork) for name in _folders())
    return tuple(kept.root for kept in found if kept is not None)


def forget_folder(root: str) -> None:
    """Remove the folder of a work tree once its last copy is gone."""
    for folder in (join(folder_of(root), "copies"), folder_of(root)):
        with suppress(OSError):
            os.rmdir(folder)  # noqa: PTH106 - as above


def forget_older(before: float) -> int:
    """Copies of every work tree that were last seen before then; how many there were."""
    gone = 0
    for name in _folders():
        kept = read_packed(join(name, "copies.list"), KeptWork)
        if kept is None:
            continue
        with suppress(LeeboardError), note_lock(kept.root):
            kept = read_kept(kept.root)
            left = tuple(one for one in kept.copies if one.time >= before)
            if len(left) < len(kept.copies):
                gone += len(kept.copies) - len(left)
                for unused in {one.digest for one in kept.copies} - {one.digest for one in left}:
                    with suppress(OSError):
                        os.unlink(_copy_file(kept.root, unused))  # noqa: PTH108 - as above
                write_kept(replace(kept, copies=left))
    return gone


def _folders() -> tuple[str, ...]:
    top = kept_dir()
    try:
        return tuple(join(top, name) for name in os.listdir(top))  # noqa: PTH208 - as above
    except OSError:
        return ()


def _copy_file(root: str, of: str) -> str:
    return join(folder_of(root), "copies", f"{of}.z")


def _size(path: str) -> int:
    try:
        return os.lstat(path).st_size
    except OSError:
        return 0
