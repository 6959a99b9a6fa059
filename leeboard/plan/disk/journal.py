"""What a step is about to write, and the commit that is due afterwards: on the disk before the first of it.

So a step is done as a whole or not at all: after a kill the next engine does it again, which changes nothing where it
was done already. The note is signed, and the seal names the one that was written last: nobody else can have the engine
write something, or write something old once more. Several writes or a commit need it; a single write is whole by
itself.
"""

from __future__ import annotations

import hmac

import msgspec

from leeboard.io.places import secret_key
from leeboard.model.text import digest
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.write import FileEffect

MOST_BYTES = 1 << 30
"""A step that settles a mass of files names each of them."""


class Due(msgspec.Struct, frozen=True, kw_only=True):
    now: str
    effects: tuple[FileEffect, ...]
    message: str = ""
    """Of the commit; empty: none is due."""


class _Signed(msgspec.Struct, frozen=True, kw_only=True):
    due: msgspec.Raw
    mac: str


def note_step(folder: PlanFolder, slug: str, due: Due) -> str:
    """The name of the step: the seal takes it before the first write."""
    text = msgspec.json.encode(due)
    folder.write(_path(slug), msgspec.json.encode(_Signed(due=msgspec.Raw(text), mac=_mac(slug, text))))
    return step_name(due)


def step_name(due: Due) -> str:
    return digest(msgspec.json.encode(due).decode("utf-8", "surrogateescape"), 16)


def noted_step(folder: PlanFolder, slug: str) -> Due | None:
    """None where nothing is due, or somebody else wrote it."""
    data = folder.read(_path(slug), MOST_BYTES)
    if data is None:
        return None
    try:
        signed = msgspec.json.decode(data, type=_Signed)
        due = msgspec.json.decode(signed.due, type=Due)
    except (ValueError, RecursionError):
        return None
    return due if hmac.compare_digest(signed.mac, _mac(slug, bytes(signed.due))) else None


def forget_step(folder: PlanFolder, slug: str) -> None:
    folder.remove(_path(slug))


def _mac(slug: str, text: bytes) -> str:
    key = secret_key()
    return hmac.new(key, slug.encode() + b"\0" + text, "sha256").hexdigest() if key else ""


def _path(slug: str) -> str:
    return f"tmp/{slug}.step"
