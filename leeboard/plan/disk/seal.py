"""A seal over every field that belongs to the engine: `.fsm_checksum` of an intent.

For each file it keeps a keyed digest over what its engine-owned fields mean, so that quotes, comments and order are
free, and one more over all of them and the place they lie at, so that no entry can be taken out and nothing that was
sealed in a copy counts here. Before the engine writes, the seal admits both what is there and what is coming; when
everything is written, only that. Killed in between, the next look finds nothing wrong. What is missing altogether was
taken away, where this machine sealed the intent before; else it is a tree from elsewhere, and is sealed from now on.
Where no key can be had there is no seal.
"""

from __future__ import annotations

import contextlib
import hmac
import os
from collections.abc import Iterable, Mapping
from functools import lru_cache
from hashlib import sha256
from posixpath import exists
from typing import Any

import msgspec

from leeboard.io.places import make_private_file, secret_key, state_dir
from leeboard.plan.disk import layout
from leeboard.plan.disk.folder import PlanFolder

PLAN_SEAL, DRIFT_SEAL = ".fsm_checksum", ".drift_checksum"
"""One seals the fields of the plan, the other the files in which the truth of files is kept, each by its digest."""
Values = Mapping[str, Mapping[str, Any] | None]
"""Path below the intent to the engine's fields that are set in it; None where the file can not be read."""


class _Kept(msgspec.Struct, frozen=True, kw_only=True):
    files: dict[str, tuple[str, ...]]
    mac: str
    version: int = 1
    step: str = ""
    """The step that was written last, where it was noted beforehand."""


_VERSION = 2
"""The first one knew no place and no lines."""


class Seal:
    """The seal of one intent, as it was found."""

    def __init__(self, folder: PlanFolder, slug: str, name: str = PLAN_SEAL) -> None:
        self._folder = folder
        self._slug = slug
        self._name = name
        self._key = secret_key()
        self._files: dict[str, tuple[str, ...]] = {}
        self._found = _Kept(files={}, mac="", version=_VERSION)
        self.is_new = False
        """There is none, and this machine never made one here: a tree from elsewhere."""
        self.tampered: tuple[str, ...] = ()
        """Files that somebody else changed; the seal itself where it is gone or not ours."""

    @property
    def whole(self) -> bool:
        return not self.tampered

    def check(self, values: Values) -> None:
        """Compare with what the seal says. Found whole, it admits exactly what is there."""
        if not self._key:
            return
        kept = self._read()
        if kept is None:
            self.tampered = (self._name,) if self._sealed_before() else ()
            self.is_new = not self.tampered
        else:
            self._files = kept
            gone = kept.keys() - values.keys()
            self.tampered = tuple(
                sorted(
                    [path for path, fields in values.items() if not self.admits(path, fields)]
                    + [path for path in gone if not self.admits(path, {})]
                )
            )
        if self.whole:
            unread = {path: kept[path] for path, fields in values.items() if fields is None and kept and path in kept}
            self._files = {path: (self._mac(path, fields),) for path, fields in values.items() if fields} | unread

    def admits(self, path: str, fields: Mapping[str, Any] | None) -> bool:
        if fields is None or not self._key:
            return True  # what can not be read is said elsewhere, and compared again once it can
        admitted = self._files.get(path)
        if admitted is None:
            return not fields or _is_filed(path, fields) or (self._found.version < _VERSION and path.endswith(".jsonl"))
        return self._mac(path, fields) in admitted

    def is_at(self, step: str) -> bool:
        """Whether this step is the one that was written last: begun, or done to its end. None older can be."""
        return not self._key or self._found.version < _VERSION or step == self._found.step

    def knows(self, path: str) -> bool:
        """Whether anything is sealed of this file."""
        return path in self._files

    def expect(self, coming: Iterable[tuple[str, Mapping[str, Any] | None]], step: str = "") -> None:
        """Before writing: admit what is there and all that is coming, in its order.

        One that is made anew in the place of one that was taken away says so for ever, unless a person takes it.
        """
        if self._name in self.tampered:
            self._files[self._name] = ()
        self._found = _Kept(files={}, mac="", version=_VERSION, step=step)
        for path, fields in coming:
            admitted = self._files.get(path, (self._mac(path, {}),))
            self._files[path] = (*admitted, self._mac(path, fields or {}))
        self._write()

    def settle(self, written: Values) -> None:
        """After writing: only what was written is right."""
        self._files |= {path: (self._mac(path, fields or {}),) for path, fields in written.items()}
        self._write()
        if self._key:
            make_private_file(self._mark)

    def begin(self) -> None:
        """A new intent is about to lie where another one may have been."""
        with contextlib.suppress(OSError):
            os.unlink(self._mark)  # noqa: PTH108 - pathlib costs the hook process its import

    def take(self, values: Values) -> None:
        """A person looked at it: what is there now is right."""
        self._files = {}
        self.tampered = ()
        self.settle(values)

    def _mac(self, path: str, fields: Mapping[str, Any]) -> str:
        return _mac(self._key, msgspec.json.encode([self._slug, path, fields], order="deterministic"))

    def _whole_mac(self, kept: _Kept) -> str:
        place = () if kept.version < _VERSION else (self._place, kept.version, kept.step)
        text = msgspec.json.encode([self._slug, kept.files, *place], order="deterministic")
        return hmac.digest(self._key, text, "sha256").hex()

    def _read(self) -> dict[str, tuple[str, ...]] | None:
        data = self._folder.read(self._path)
        if not data:
            return None
        try:
            kept = msgspec.json.decode(data, type=_Kept)
        except (ValueError, RecursionError):
            return None
        if not kept.mac.isascii() or not hmac.compare_digest(kept.mac, self._whole_mac(kept)):
            return None
        self._found = kept
        return kept.files

    def _write(self) -> None:
        if self._key:
            kept = _Kept(files=self._files, mac="", version=_VERSION, step=self._found.step)
            kept = msgspec.structs.replace(kept, mac=self._whole_mac(kept))
            self._folder.write(self._path, msgspec.json.encode(kept) + b"\n")

    def _sealed_before(self) -> bool:
        return exists(self._mark)

    @property
    def _path(self) -> str:
        return f"{layout.intent_folder(self._slug)}/{self._name}"

    @property
    def _mark(self) -> str:
        """That this intent, at this place, was sealed by this user."""
        return f"{state_dir()}/seals/{self._place[:32]}"

    @property
    def _place(self) -> str:
        """However it is spelled."""
        path = layout.intent_folder(self._slug) if self._name == PLAN_SEAL else self._path
        place = self._folder.sealed_at(path)
        return sha256(place.encode("utf-8", "surrogateescape")).hexdigest()


@lru_cache(4096)
def _mac(key: bytes, text: bytes) -> str:
    """Made once for what is compared at each look."""
    return hmac.digest(key, text, "sha256").hex()[:32]


def _is_filed(path: str, fields: Mapping[str, Any]) -> bool:
    """A finding that somebody put there by hand can only hold work up: it is taken as it is."""
    return "/feedback/" in f"/{path}" and "status" not in fields


# Lines that only this machine's Leeboard can have written: one JSON object each, with a keyed digest over it.
#
# What somebody else appended counts as nothing and is reported. A half line, left by a writer that was killed, is
# passed over. Where no key can be had, lines are neither signed nor checked. That a line was taken out or put in again
# does not show here: for that the seal of the intent holds how many there are, and the last one.


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
    """Signs the lines of one file at the place where it really lies: what was signed in a copy counts there alone.

    The key is read once.
    """

    def __init__(self, folder: PlanFolder, path: str) -> None:
        place = folder.sealed_at(path).encode("utf-8", "surrogateescape")
        self._path = sha256(place).hexdigest()
        self._key = secret_key()

    def signed(self, fields: Mapping[str, Any]) -> bytes:
        """A line without its end."""
        return msgspec.json.encode(
            dict(fields) | ({"mac": _signed_lines_mac(self._key, self._path, fields)} if self._key else {})
        )

    def verified(self, line: bytes) -> dict[str, Any] | None:
        """What it says; None where somebody else wrote it."""
        fields = _decoded(line)
        mac = fields.pop("mac", "")
        if self._key and not hmac.compare_digest(
            str(mac).encode(), _signed_lines_mac(self._key, self._path, fields).encode()
        ):
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
        if key and not hmac.compare_digest(str(mac).encode(), _signed_lines_mac(key, path, fields).encode()):
            bad += 1
        else:
            good.append(fields)
    return SignedLines(good=tuple(good), bad=bad)


def _is_last(lines: SignedLines, fields: Mapping[str, Any]) -> bool:
    return bool(lines.good) and lines.good[-1] == msgspec.to_builtins(fields)


def _signed(path: str, fields: Mapping[str, Any]) -> bytes:
    key = secret_key()
    return msgspec.json.encode(dict(fields) | ({"mac": _signed_lines_mac(key, path, fields)} if key else {}))


def _decoded(line: bytes) -> dict[str, Any]:
    try:
        found = msgspec.json.decode(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _signed_lines_mac(key: bytes, path: str, fields: Mapping[str, Any]) -> str:
    text = msgspec.json.encode([path, fields], order="deterministic")
    return hmac.new(key, text, "sha256").hexdigest()[:32]
