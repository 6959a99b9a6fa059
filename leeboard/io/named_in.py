"""What a file names: the lines of a short text, the members of a tar or zip file. Looked at, never unpacked."""

from __future__ import annotations

import os
import stat
from itertools import islice

MOST_BYTES = 64 * 1024 * 1024
MOST_TEXT = 256 * 1024
MOST_NAMES = 20_000
_ZIP, _TAR = b"PK\x03\x04", b"ustar"
_PACKED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ")
_TAR_AT = 257


def names_in(place: str) -> tuple[str, ...] | None:
    """None where it is no plain file, too large, or neither text nor an archive that can be read."""
    look = os.stat(place)  # noqa: PTH116 - hooks import no pathlib
    if not stat.S_ISREG(look.st_mode) or look.st_size > MOST_BYTES:
        return None
    with open(place, "rb") as file:  # noqa: PTH123 - hooks import no pathlib
        start = file.read(512)
        if start.startswith(_ZIP):
            return _zipped(place)
        if start.startswith(_PACKED) or start[_TAR_AT : _TAR_AT + len(_TAR)] == _TAR:
            return _tarred(place)
        text = start + file.read(MOST_TEXT)
    if b"\0" in text or len(text) > MOST_TEXT:
        return tuple(os.fsdecode(name) for name in text.split(b"\0")[:MOST_NAMES]) if _is_list(text) else None
    return tuple(os.fsdecode(text).splitlines()[:MOST_NAMES])


def _is_list(text: bytes) -> bool:
    """Names with a NUL behind each, as `find -print0` writes them."""
    return text.endswith(b"\0") and len(text) <= MOST_TEXT and b"\0\0" not in text


def _zipped(place: str) -> tuple[str, ...] | None:
    import zipfile  # noqa: PLC0415 - as expensive as all the rest, for lines that unpack one

    try:
        with zipfile.ZipFile(place) as archive:
            return tuple(islice(archive.namelist(), MOST_NAMES))
    except (zipfile.BadZipFile, NotImplementedError):
        return None


def _tarred(place: str) -> tuple[str, ...] | None:
    import tarfile  # noqa: PLC0415 - as above

    try:
        with tarfile.open(place) as archive:
            return tuple(f"{member.name}/" if member.isdir() else member.name for member in islice(archive, MOST_NAMES))
    except (tarfile.TarError, EOFError, ValueError, ImportError):
        return None
