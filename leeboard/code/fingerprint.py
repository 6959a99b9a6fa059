"""Functions by what they look like and what they refer to, so that a copy is known again; written texts likewise.

Renaming, another order of independent statements, another layout, comments, documentation and annotations change
nothing, or little. How alike two of them are is `similarity`'s to say.
"""

from __future__ import annotations

import struct
from binascii import Error, a2b_base64, b2a_base64
from functools import lru_cache
from itertools import accumulate, count
from operator import add
from zlib import crc32

from leeboard.code._fingerprint_features import anchors, shingles
from leeboard.code._fingerprint_statements import body_of, statements
from leeboard.code._fingerprint_tokens import tokens
from leeboard.code.likeness import SAME, candidates_key, cover, similarity
from leeboard.code.syntax import Definition, Tree
from leeboard.model.symbol import Fingerprint

__all__ = [
    "SAME",
    "candidates_key",
    "cover",
    "fingerprint",
    "fingerprints",
    "of_text",
    "overlap",
    "pack",
    "pack_text",
    "similarity",
    "unpack",
]

FEWEST = 26
"""Tokens of a body that is worth a fingerprint: thirty with the brackets and commas that only lay it out."""
_DELEGATES = 50
"""A single statement of fewer tokens hands on what another function does."""
_ROOM = 160
_WINDOW = 5
_LONG = 40
"""A text of more characters is read word by word."""
_SKETCH = 512
"""Hashes kept of a written text; of a longer one the lowest."""


def fingerprints(tree: Tree) -> tuple[tuple[Definition, Fingerprint], ...]:
    """Every function and method worth it, in the order of the text."""
    found = ((definition, fingerprint(tree, definition)) for definition in tree.definitions)
    return tuple((definition, made) for definition, made in found if made is not None)


def fingerprint(tree: Tree, definition: Definition) -> Fingerprint | None:
    """None for a class, for what the language itself calls (`__eq__`) and for what is too small to be telling."""
    name = definition.name
    if definition.kind == "class" or (name.startswith("__") and name.endswith("__")):
        return None
    return of_text(definition.node.text(), tree.language, f"{name}({', '.join(definition.params)})")


@lru_cache(maxsize=1_024)
def of_text(text: str, language: str, signature: str = "") -> Fingerprint | None:
    """The fingerprint of the text of one function; several ask for that of a function just written."""
    if len(text) < FEWEST:
        return None
    body = body_of(text, language)
    if len(body.tokens) < FEWEST:
        return None
    parts = list(statements(body, language))
    size = sum(len(words) for _roles, words in parts)
    if size < FEWEST or (len(parts) < 2 and size < _DELEGATES):
        return None
    return Fingerprint(
        shingles=shingles(roles for roles, _words in parts),
        anchors=anchors(parts, body.head),
        size=size,
        language=language,
        signature=signature[:_ROOM],
    )


def pack(fingerprint: Fingerprint) -> str:
    """One line of text that `unpack` reads."""
    numbers = (*fingerprint.shingles, *fingerprint.anchors)
    packed = b2a_base64(struct.pack(f"<{len(numbers)}I", *numbers), newline=False).decode()
    return f"{fingerprint.language}|{fingerprint.size}|{len(fingerprint.shingles)}|{packed}|{fingerprint.signature}"


@lru_cache(maxsize=1_024)
def unpack(packed: str) -> Fingerprint | None:
    """None where it is none."""
    parts = packed.split("|", 4)
    if len(parts) != 5 or not (parts[1].isdecimal() and parts[2].isdecimal()):
        return None
    numbers, middle = _numbers(parts[3]), int(parts[2])
    return Fingerprint(
        shingles=numbers[:middle], anchors=numbers[middle:], size=int(parts[1]), language=parts[0], signature=parts[4]
    )


def _numbers(packed: str) -> tuple[int, ...]:
    try:
        raw = a2b_base64(packed.encode("ascii", "replace"))
    except Error:
        return ()
    return struct.unpack(f"<{len(raw) // 4}I", raw[: len(raw) // 4 * 4])


def pack_text(text: str, language: str) -> str:
    """What a change wrote, names and all but for layout and comments, for `overlap`."""
    words = [word for word in tokens(text, language) if word != "\n"]
    if max(map(len, words), default=0) > _LONG:
        words = [part for word in words for part in (word.split() if len(word) > _LONG else (word,))]
    width = max(1, min(_WINDOW, len(words)))
    line = " ".join(words).encode("utf-8", "replace")
    lengths = map(len, words) if text.isascii() else (len(word.encode("utf-8", "replace")) for word in words)
    starts = [0, *map(add, accumulate(lengths), count(1))]
    found = {crc32(line[start : end - 1]) for start, end in zip(starts, starts[width:], strict=False)}
    kept = sorted(found)[:_SKETCH]
    return f"{len(found)}|{b2a_base64(struct.pack(f'<{len(kept)}I', *kept), newline=False).decode()}"


def overlap(one: str, other: str) -> float:
    """The share of the larger of two packed texts that the other has too, 0 to 1."""
    (size, kept), (other_size, other_kept) = _sketch(one), _sketch(other)
    if not kept or not other_kept:
        return 0.0
    lowest = sorted({*kept, *other_kept})[:_SKETCH]
    both = set(kept).intersection(other_kept)
    alike = sum(item in both for item in lowest) / len(lowest)
    shared = alike * (size + other_size) / (1 + alike)
    return min(1.0, shared / max(size, other_size))


def _sketch(packed: str) -> tuple[int, tuple[int, ...]]:
    size, _bar, numbers = packed.partition("|")
    return (int(size), _numbers(numbers)) if size.isdecimal() else (0, ())
