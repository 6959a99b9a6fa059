"""What a file holds after an edit, as far as the edit itself says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from leeboard.model.event import TextEdit

LARGEST = 2 << 20


def edited(before: bytes | None, edits: Sequence[TextEdit]) -> Iterator[bytes]:
    """The bytes it may lead to, the likeliest first; nothing where the edit does not fit what is there.

    Clients keep the line ends of a file, and a text that stands there several times is replaced once or everywhere.
    """
    if len(before or b"") > LARGEST:
        return
    if len(edits) == 1 and not edits[0].old:
        yield from _with_ends(edits[0].new, before or b"")
        return
    try:
        text = (before or b"").decode("utf-8")
    except UnicodeDecodeError:
        return
    plain = text.replace("\r\n", "\n")
    for most in (1, -1):
        found: str | None = plain
        for edit in edits:
            fits = found is not None and edit.old and edit.old.replace("\r\n", "\n") in found
            found = found.replace(edit.old.replace("\r\n", "\n"), edit.new, most) if found and fits else None
        if found is not None:
            yield from _with_ends(found, before or b"")


def _with_ends(text: str, before: bytes) -> Iterator[bytes]:
    data = text.encode("utf-8", "surrogatepass")
    if b"\r\n" in before:
        yield data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    yield data
