"""The files of an intent that people read and bring: a stage's outputs, what is known, what was found out.

They are found by looking, never by a name from outside: whoever asks for one gets it out of this list or not at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Literal

import msgspec

from leeboard.errors import LeeboardError
from leeboard.model.truth import INTENT_SCOPE, SurfaceFile
from leeboard.plan.disk import layout
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.repository import Repository
from leeboard.plan.disk.truth.surface import kept, read_surface
from leeboard.plan.surface import unspelled
from leeboard.secrets.redaction import redact

DocumentKind = Literal["markdown", "text", "image", "other"]
LONGEST_TEXT = 256 << 10
LARGEST_IMAGE = 8 << 20
MOST_DOCUMENTS = 200
_VERSIONS = 30
_PICTURES: dict[str, tuple[bytes, ...]] = {
    "image/png": (b"\x89PNG\r\n\x1a\n",),
    "image/jpeg": (b"\xff\xd8\xff",),
    "image/gif": (b"GIF87a", b"GIF89a"),
    "image/webp": (b"RIFF",),
}
"""Formats that hold nothing but a picture, by their first bytes: a name says nothing."""


class ShownDocument(msgspec.Struct, frozen=True, kw_only=True):
    path: str
    """Below the intent's folder, as it really lies."""
    scope: str
    """The stage; empty: the intent as a whole."""
    kind: DocumentKind
    sha256: str
    bytes: int
    text: str = ""
    left_out: str = ""
    """Why there is no text, or not all of it."""


class Documents(msgspec.Struct, frozen=True, kw_only=True):
    shown: tuple[ShownDocument, ...]
    more: int = 0
    """How many others there are."""


def documents_of(home: str, slug: str, scopes: tuple[str, ...], *, texts: bool = True) -> Documents:
    """Those of the intent come after those of the stages."""
    folder = PlanFolder(home)
    found = [file for scope in scopes for file in _files(folder, slug, scope)]
    shown = tuple(_shown(folder, slug, file, texts=texts) for file in found[:MOST_DOCUMENTS])
    return Documents(shown=shown, more=max(0, len(found) - MOST_DOCUMENTS))


def _files(folder: PlanFolder, slug: str, scope: str) -> Iterator[SurfaceFile]:
    try:
        files = read_surface(folder, slug, (scope,)).files(scope)
    except (LeeboardError, OSError):
        return
    yield from sorted(files.values(), key=lambda file: file.place)


def _shown(folder: PlanFolder, slug: str, file: SurfaceFile, *, texts: bool) -> ShownDocument:
    kind: DocumentKind = "other"
    text = left_out = ""
    data = read_document(folder, slug, file.place, LARGEST_IMAGE) if texts or file.is_binary else None
    if picture_type(data or b""):
        kind = "image"
    elif not file.is_binary:
        kind = "markdown" if file.place.lower().endswith((".md", ".markdown")) else "text"
        text, left_out = _text(data, file.bytes) if texts else ("", "")
    return ShownDocument(
        path=file.place,
        scope=file.stage or INTENT_SCOPE,
        kind=kind,
        sha256=file.sha256,
        bytes=file.bytes,
        text=text,
        left_out=left_out,
    )


def _text(data: bytes | None, size: int) -> tuple[str, str]:
    if data is None:
        return "", f"{size} bytes, which are not shown here: read the file"
    text = redact(data[:LONGEST_TEXT].decode("utf-8", "replace"))
    more = size - LONGEST_TEXT
    return text, f"{more} bytes more are not shown here: read the file" if more > 0 else ""


def read_document(folder: PlanFolder, slug: str, place: str, most: int) -> bytes | None:
    """None for a link, for what is no file, and for what is larger."""
    try:
        return folder.read(layout.below(slug, unspelled(place)), most)
    except (LeeboardError, OSError, ValueError):
        return None


def picture_type(data: bytes) -> str:
    """The type of a picture that can be nothing else; empty for all other bytes, SVG among them."""
    for kind, starts in _PICTURES.items():
        if data.startswith(starts) and (kind != "image/webp" or data[8:12] == b"WEBP"):
            return kind
    return ""


def picture_of(home: str, slug: str, scope: str, sha: str) -> bytes | None:
    """The picture with this digest, as it lies there now or as git still has it."""
    folder = PlanFolder(home)
    files = list(_files(folder, slug, scope))
    here = next((file for file in files if file.sha256 == sha), None)
    data = read_document(folder, slug, here.place, LARGEST_IMAGE) if here else _committed(home, slug, scope, sha)
    return data if data is not None and picture_type(data) and sha256(data).hexdigest() == sha else None


def _committed(home: str, slug: str, scope: str, sha: str) -> bytes | None:
    place = layout.place_of(home)
    if place is None:
        return None
    repository, top = Repository(place), f"{layout.commit_path(slug)}/{layout.scope_folder(scope)}"
    try:
        printed = repository.said("log", f"-{_VERSIONS}", "--format=", "--raw", "--no-abbrev", "-z", "--", top)
        blobs = dict.fromkeys(
            each.split()[index] for each in printed.split("\0") if each.startswith(":") for index in (2, 3)
        )
        for blob in blobs:
            if set(blob) != {"0"}:
                data = repository.run("cat-file", "blob", blob)
                if sha256(data).hexdigest() == sha:
                    return data
    except (LeeboardError, IndexError):
        return None
    return None


def text_before(home: str, slug: str, scope: str, sha: str) -> str | None:
    """What a tracked file said when it had this digest; None where nobody kept it."""
    found = kept(PlanFolder(home), slug, scope, sha)
    return None if found is None else redact(found)
