"""What a file names: the lines of a short text, the members of a tar or zip file. Looked at, never unpacked."""

from __future__ import annotations

import errno
import os
from io import BytesIO
from itertools import islice
from typing import BinaryIO

from leeboard.io.file import open_regular

MOST_BYTES = 64 * 1024 * 1024
MOST_TEXT = 256 * 1024
MOST_UNPACKED = 32 * 1024 * 1024
MOST_NAMES = 20_000
_ZIP, _TAR = b"PK\x03\x04", b"ustar"
_GZIP, _BZIP, _XZ = b"\x1f\x8b", b"BZh", b"\xfd7zXZ"
_PACKED = (_GZIP, _BZIP, _XZ)
_GZIP_BITS = 31
_TAR_AT = 257


def names_in(place: str) -> tuple[str, ...] | None:
    """None where it is no plain file, too large, or neither text nor an archive that can be read."""
    try:
        opened = open_regular(place, follow=True)
    except OSError as error:
        if error.errno == errno.EINVAL:
            return None
        raise
    with os.fdopen(opened, "rb") as file:
        if os.fstat(file.fileno()).st_size > MOST_BYTES:
            return None
        start = file.read(512)
        file.seek(0)
        if start.startswith(_ZIP):
            return _zipped(file)
        if start.startswith(_PACKED) or start[_TAR_AT : _TAR_AT + len(_TAR)] == _TAR:
            return _tarred(file, start)
        text = file.read(MOST_TEXT + 1)
    if b"\0" in text or len(text) > MOST_TEXT:
        return tuple(os.fsdecode(name) for name in text.split(b"\0")[:MOST_NAMES]) if _is_list(text) else None
    return tuple(os.fsdecode(text).splitlines()[:MOST_NAMES])


def _is_list(text: bytes) -> bool:
    """Names with a NUL behind each, as `find -print0` writes them."""
    return text.endswith(b"\0") and len(text) <= MOST_TEXT and b"\0\0" not in text


def _zipped(file: BinaryIO) -> tuple[str, ...] | None:
    import zipfile  # noqa: PLC0415 - as expensive as all the rest, for lines that unpack one

    try:
        with zipfile.ZipFile(file) as archive:
            return tuple(islice(archive.namelist(), MOST_NAMES))
    except (zipfile.BadZipFile, NotImplementedError, ValueError):
        return None


def _tarred(file: BinaryIO, start: bytes) -> tuple[str, ...] | None:
    import tarfile  # noqa: PLC0415 - as above

    names: list[str] = []
    try:
        with tarfile.TarFile(fileobj=_beginning(file, start)) as archive:
            for member in islice(archive, MOST_NAMES):
                names.append(f"{member.name}/" if member.isdir() else member.name)  # noqa: PERF401 - half a list counts
    except (tarfile.TarError, EOFError, ValueError):
        return tuple(names) or None
    return tuple(names)


def _beginning(file: BinaryIO, start: bytes) -> BinaryIO:
    """As much as a packed archive begins with: none is worth unpacking gigabytes for its names."""
    if not start.startswith(_PACKED):
        return file
    import bz2  # noqa: PLC0415 - as above
    import lzma  # noqa: PLC0415 - as above
    import zlib  # noqa: PLC0415 - as above

    packed = file.read()
    try:
        if start.startswith(_GZIP):
            return BytesIO(zlib.decompressobj(wbits=_GZIP_BITS).decompress(packed, MOST_UNPACKED))
        if start.startswith(_BZIP):
            return BytesIO(bz2.BZ2Decompressor().decompress(packed, MOST_UNPACKED))
        return BytesIO(lzma.LZMADecompressor().decompress(packed, MOST_UNPACKED))
    except (OSError, zlib.error, lzma.LZMAError) as error:
        raise ValueError(str(error)) from error
