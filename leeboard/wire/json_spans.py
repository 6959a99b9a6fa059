"""Where in the bytes of a JSON text a value stands.

msgspec finds its end, and the bytes before it are its key or a comma.
"""

from __future__ import annotations

import re

import msgspec

_KEY = re.compile(rb'\s*,?\s*"(?:[^"\\]|\\.)*"\s*:\s*')
_GAP = re.compile(rb"\s*,?\s*")

Span = tuple[int, int]


def replaced(body: bytes, edits: list[tuple[Span, bytes]]) -> bytes:
    """The bytes with other ones in these places, which do not overlap."""
    parts = []
    at = 0
    for (start, end), put_in in sorted(edits):
        parts += [body[at:start], put_in]
        at = end
    return b"".join((*parts, body[at:]))


def members(body: bytes, span: Span) -> dict[str, Span]:
    raw = body[span[0] : span[1]]
    values = msgspec.json.decode(raw, type=dict[str, msgspec.Raw])
    spans = _walk(raw, raw.index(b"{") + 1, [bytes(value) for value in values.values()], _KEY)
    return {key: (span[0] + start, span[0] + end) for key, (start, end) in zip(values, spans, strict=True)}


def elements(body: bytes, span: Span) -> list[Span]:
    raw = body[span[0] : span[1]]
    values = msgspec.json.decode(raw, type=list[msgspec.Raw])
    spans = _walk(raw, raw.index(b"[") + 1, [bytes(value) for value in values], _GAP)
    return [(span[0] + start, span[0] + end) for start, end in spans]


def _walk(raw: bytes, at: int, values: list[bytes], before: re.Pattern[bytes]) -> list[Span]:
    """The spans of values that follow each other; ValueError where they do not, as with a key that is there twice."""
    spans = []
    for value in values:
        found = before.match(raw, at)
        if found is None or not raw.startswith(value, found.end()):
            raise ValueError(value)
        spans.append((found.end(), found.end() + len(value)))
        at = found.end() + len(value)
    return spans
