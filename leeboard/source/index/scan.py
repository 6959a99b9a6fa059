"""The first pass over many files: read each once, take its names, gather the words. Spread over the processors."""

from __future__ import annotations

import gc
import os
import tempfile
from array import array
from collections.abc import Sequence
from hashlib import sha1

import msgspec

from leeboard.io.detached import fork
from leeboard.io.parents import processors
from leeboard.io.system import HAS_FORK
from leeboard.source.index.extract import FileNames, names_of, words_of
from leeboard.source.index.listing import ListedFile, read_text
from leeboard.text.language import language_of

WORTH_A_PROCESS = 1_500
"""Files of each process; fewer are read sooner than one is started."""
MOST_PROCESSES = 4


class IndexedFile(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A file that was read: how it looked then, the key of its content, and its names and imports, packed."""

    path: str
    size: int
    mtime: int
    inode: int
    key: str
    names: bytes
    imports: bytes


class Harvest(msgspec.Struct, array_like=True):
    """`words`: under which words which of the files is looked up, as numbers of `files`."""

    files: list[IndexedFile]
    words: dict[str, bytes]


def key_of(path: str, digest: str) -> str:
    """The key of a content and its language: the same text in another language has other names."""
    return f"{digest}:{language_of(path)}"


def git_digest(data: bytes) -> str:
    """What git calls this content, so that committing a file changes nothing."""
    return sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def scan(root: str, files: Sequence[ListedFile]) -> list[Harvest]:
    """In one harvest for each process that took part."""
    # What is made here stays: looking for cycles in it would take a quarter of the time.
    gc.disable()
    try:
        return _spread(root, files)
    finally:
        gc.enable()


def _spread(root: str, files: Sequence[ListedFile]) -> list[Harvest]:
    many = min(processors(), MOST_PROCESSES, max(1, len(files) // WORTH_A_PROCESS)) if HAS_FORK else 1
    shares = [files[start::many] for start in range(many)]
    children = [_started(root, share) for share in shares[1:]]
    first = harvest(root, shares[0])
    return [first, *(_finished(child, root, share) for child, share in zip(children, shares[1:], strict=True))]


def harvest(root: str, files: Sequence[ListedFile]) -> Harvest:
    """Binaries and files that are gone are left out."""
    found: list[IndexedFile] = []
    words: dict[str, list[int]] = {}
    encode = msgspec.msgpack.Encoder().encode
    for seen in files:
        read = read_text(root, seen.path)
        if read is None:
            continue
        data, looked = read
        names = names_of(seen.path, data.decode("utf-8", "replace"))
        same = (looked.st_mtime_ns, looked.st_size, looked.st_ino) == (seen.mtime, seen.size, seen.inode)
        digest = seen.digest if same and seen.digest else git_digest(data)
        number = len(found)
        for word in words_of(names):
            words.setdefault(word, []).append(number)
        shape = (looked.st_size, looked.st_mtime_ns, looked.st_ino)
        bare = FileNames(names.language, names.names, (), names.style)
        found.append(IndexedFile(seen.path, *shape, key_of(seen.path, digest), encode(bare), encode(names.imports)))
    return Harvest(found, {word: array("I", numbers).tobytes() for word, numbers in words.items()})


def _started(root: str, files: Sequence[ListedFile]) -> tuple[int, int]:
    """A process that reads these files into a nameless file: its id, and that file."""
    result = _nameless()

    def read() -> None:
        with open(result, "wb", closefd=False) as file:
            file.write(msgspec.msgpack.encode(harvest(root, files)))

    return fork(read), result


def _finished(child: tuple[int, int], root: str, files: Sequence[ListedFile]) -> Harvest:
    """What the process found; where it failed, the work is done here."""
    process, result = child
    _pid, status = os.waitpid(process, 0)
    with open(result, "rb") as file:  # noqa: PTH123 - a number, not a path
        if status:
            return harvest(root, files)
        file.seek(0)
        return msgspec.msgpack.decode(file.read(), type=Harvest)


def _nameless() -> int:
    file, path = tempfile.mkstemp(prefix="leeboard-")
    os.unlink(path)  # noqa: PTH108 - pathlib costs the hook process its import
    return file
