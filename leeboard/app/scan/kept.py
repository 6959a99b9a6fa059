"""What the rules found in each text the last time, so that a tree is judged anew only where it changed since.

A text is known by a digest of it, of its name and of the rules as they are: whatever of these changes, it is judged
again. The digest is made with the user's key, since what is kept says that a file is clean, and so is a seal over the
digest and the findings: what somebody else changed is judged again. Nothing but the findings is kept, whose texts are
redacted; what people have decided about them is asked anew each time.
"""

from __future__ import annotations

import contextlib
import os
from hashlib import blake2b
from hmac import compare_digest
from posixpath import dirname, join

import msgspec

import leeboard
from leeboard.errors import LeeboardError
from leeboard.io.file import read_regular, replace_file
from leeboard.io.places import cache_dir, make_private_dir, make_private_file, secret_key
from leeboard.model.text import digest
from leeboard.model.verdict import Finding

MOST = 50_000
"""Texts that are kept for one work tree; beyond it only those that were met this time are."""
_LARGEST = 64 << 20
_SEAL = 16


class KeptText(msgspec.Struct, frozen=True, array_like=True):
    """What there is to say of one text under one name."""

    findings: tuple[Finding, ...] = ()
    unread: str = ""


class KeptScans:
    """Those of one work tree. What can not be read or written is only slower the next time."""

    def __init__(self, root: str) -> None:
        self._path = join(cache_dir(), "scan", f"{digest(root)}.bin")
        self._secret = secret_key()
        self._met: dict[bytes, bytes] = {}
        self._new = False
        self._known: dict[bytes, bytes] = {}
        with contextlib.suppress(OSError, msgspec.MsgspecError, RecursionError):
            self._known = msgspec.msgpack.decode(read_regular(self._path, _LARGEST), type=dict[bytes, bytes])

    def find(self, key: bytes) -> KeptText | None:
        sealed = self._known.get(key, b"")
        packed = sealed[_SEAL:]
        if not self._secret or not compare_digest(sealed[:_SEAL], self._seal(key, packed)):
            return None
        try:
            found = msgspec.msgpack.decode(packed, type=KeptText)
        except msgspec.MsgspecError:
            return None
        self._met[key] = sealed
        return found

    def add(self, key: bytes, kept: KeptText) -> None:
        """Unless it can not be kept: a name that is no UTF-8 is in it, or there is no key."""
        try:
            packed = msgspec.msgpack.encode(kept)
        except UnicodeEncodeError:
            return
        if self._secret:
            self._met[key] = self._seal(key, packed) + packed
            self._new = True

    def _seal(self, key: bytes, packed: bytes) -> bytes:
        made_of = blake2b(b"%d " % len(key), key=self._secret, digest_size=_SEAL, person=b"kept scan")
        made_of.update(key + packed)
        return made_of.digest()

    def save(self) -> None:
        if not self._new:
            return
        kept = {**self._known, **self._met}
        try:
            make_private_dir(dirname(self._path))
            make_private_file(self._path)
            replace_file(self._path, msgspec.msgpack.encode(kept if len(kept) <= MOST else self._met))
        except (OSError, LeeboardError):
            return  # the next scan judges them again


def judge_stamp(disabled: tuple[str, ...]) -> bytes:
    """The rules that are asked, by name, size and time of each file of the program; empty where nothing may be kept."""
    key = secret_key()
    if not key:
        return b""
    stamp = blake2b(repr((leeboard.__version__, disabled)).encode(), key=key, digest_size=16)
    for folder, folders, names in os.walk(dirname(leeboard.__file__)):
        folders.sort()
        for name in sorted(names):
            if name.endswith((".py", ".json", ".z")):
                seen = os.stat(join(folder, name))  # noqa: PTH116 - as everywhere here, without pathlib
                stamp.update(f"{name} {seen.st_size} {seen.st_mtime_ns}".encode())
    return stamp.digest()


def text_key(stamp: bytes, name: str, text: str) -> bytes:
    """What a text is known by under its name: rules look at where a file lies."""
    made_of = blake2b(os.fsencode(name), key=stamp, digest_size=20)
    made_of.update(b"\0" + text.encode("utf-8", "surrogatepass"))
    return made_of.digest()
