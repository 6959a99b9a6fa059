"""Lines that only this machine's Leeboard can have written: one JSON object each, with a keyed digest over it.

What somebody else appended counts as nothing and is reported. A half line, left by a writer that was killed, is passed
over. Where no key can be had, lines are neither signed nor checked. That a line was taken out or put in again does not
show here: for that the seal of the intent holds how many there are, and the last one.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from hashlib import sha256
from posixpath import realpath
from typing import Any

import msgspec

from leeboard.io.secret_key import secret_key
from leeboard.plan.disk.folder import PlanFolder

MOST_BYTES = 1 << 20


class SignedLines(msgspec.Struct, frozen=True, kw_only=True):
    good: tuple[dict[str, Any], ...] = ()
    """Those that count, oldest first."""
    bad: int = 0
    """How many do not."""

    @property
    def sealed(self) -> dict[str, Any]:
        """What the seal of the intent holds of them."""
        return {"lines": len(self.good), "last": self.good[-1]} if self.good else {}


class Signer:
    """Of the lines of one file, at the place where it really lies: what was signed in a copy of it counts there alone.

    The key is read once.
    """

    def __init__(self, folder: PlanFolder, path: str) -> None:
        place = realpath(folder.spelled(path)).encode("utf-8", "surrogateescape")
        self._path = sha256(place).hexdigest()
        self._key = secret_key()

    def signed(self, fields: Mapping[str, Any]) -> bytes:
        """A line without its end."""
        return msgspec.json.encode(dict(fields) | ({"mac": _mac(self._key, self._path, fields)} if self._key else {}))

    def verified(self, line: bytes) -> dict[str, Any] | None:
        """What it says; None where somebody else wrote it."""
        fields = _decoded(line)
        mac = fields.pop("mac", "")
        if self._key and not hmac.compare_digest(str(mac).encode(), _mac(self._key, self._path, fields).encode()):
            return None
        return fields or None


def append_signed(folder: PlanFolder, path: str, fields: Mapping[str, Any]) -> None:
    """A line that says what the last one says is that line."""
    if not _is_last(read_signed(folder, path), fields):
        folder.append(path, _signed(path, fields))


def with_line(path: str, text: str, fields: Mapping[str, Any]) -> str:
    """The lines as they will be. One that says what the last one says is that line."""
    if _is_last(lines_of(path, text), fields):
        return text
    ended = "" if not text or text.endswith("\n") else "\n"
    return f"{text}{ended}{_signed(path, fields).decode()}\n"


def lines_of(path: str, text: str) -> SignedLines:
    data = text.encode("utf-8", "surrogateescape")
    return _checked(path, data if len(data) <= MOST_BYTES else data[-MOST_BYTES:].partition(b"\n")[2])


def read_signed(folder: PlanFolder, path: str) -> SignedLines:
    return _checked(path, folder.tail(path, MOST_BYTES))


def _checked(path: str, data: bytes) -> SignedLines:
    if not data:
        return SignedLines()
    key, good, bad = secret_key(), [], 0
    for line in data.splitlines():
        fields = _decoded(line)
        mac = fields.pop("mac", "")
        if not fields:
            continue
        if key and not hmac.compare_digest(str(mac).encode(), _mac(key, path, fields).encode()):
            bad += 1
        else:
            good.append(fields)
    return SignedLines(good=tuple(good), bad=bad)


def _is_last(lines: SignedLines, fields: Mapping[str, Any]) -> bool:
    return bool(lines.good) and lines.good[-1] == msgspec.to_builtins(fields)


def _signed(path: str, fields: Mapping[str, Any]) -> bytes:
    key = secret_key()
    return msgspec.json.encode(dict(fields) | ({"mac": _mac(key, path, fields)} if key else {}))


def _decoded(line: bytes) -> dict[str, Any]:
    try:
        found = msgspec.json.decode(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _mac(key: bytes, path: str, fields: Mapping[str, Any]) -> str:
    text = msgspec.json.encode([path, fields], order="deterministic")
    return hmac.new(key, text, "sha256").hexdigest()[:32]
