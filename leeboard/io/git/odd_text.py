"""Texts that git takes for binary: in UTF-16, as some editors save them, or with a few NULs among their signs."""

from __future__ import annotations

import codecs

_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
"""The longer ones first: one begins as a shorter one does."""
_LEAST = 16
_FEW, _SHARE = 8, 200
"""NULs that a text may have, whatever its size, and one more for so many bytes."""


def odd_text(data: bytes) -> str | None:
    """None where it is no text. NULs are left out: what a token hides behind one is still a token."""
    for mark, encoding in _MARKS.items():
        if data.startswith(mark):
            return _decoded(data, encoding)
    nuls = data.count(b"\0")
    if not nuls:
        return data.decode("utf-8", "replace")
    if nuls <= _FEW + len(data) // _SHARE:
        return _written(data.replace(b"\0", b""), "utf-8")
    if len(data) < _LEAST or len(data) % 2:
        return None
    even, odd = data[::2].count(b"\0"), data[1::2].count(b"\0")
    if 4 * max(even, odd) < len(data) or min(even, odd):
        return None
    return _written(data, "utf-16-le" if odd else "utf-16-be")


def _written(data: bytes, encoding: str) -> str | None:
    """A picture with few NULs in it is no text."""
    text = _decoded(data, encoding)
    if text is None:
        return None
    signs = sum(sign < " " and sign not in "\t\n\f\r\x1b" for sign in text)
    return text if signs <= len(text) // _SHARE else None


def _decoded(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding).replace("\0", "")
    except UnicodeDecodeError:
        return None
