"""Functions by what they look like and what they refer to, so that a copy is known again; written texts likewise.

Renaming, another order of independent statements, another layout, comments, documentation and annotations change
nothing, or little. How alike two of them are is `likeness`'s to say.
"""

from __future__ import annotations

import struct
from binascii import Error, a2b_base64, b2a_base64
from functools import lru_cache
from itertools import accumulate, chain, count, islice, repeat
from operator import add
from zlib import crc32

from leeboard.model.symbol import Fingerprint
from leeboard.source.code_features import WEIGHTS, anchors_and_flow, shingles
from leeboard.source.statements import body_of, statements
from leeboard.source.syntax import Definition, SyntaxTree
from leeboard.source.tokens import tokens

__all__ = [
    "candidates_key",
    "fingerprint",
    "fingerprints",
    "of_text",
    "overlap",
    "pack",
    "pack_text",
    "unpack",
]

FEWEST = 10
"""Tokens of a body that is worth a fingerprint: some 14 with the brackets and commas that only lay it out."""
_DELEGATES = 16
"""A single statement of fewer tokens hands on what another function does."""
_ROOM = 160
_WINDOW = 5
_LONG = 40
"""A text of more characters is read word by word."""
_KEY = 8
"""Hashes of each kind that a function is looked up by."""
_BY_WEIGHT = tuple(
    tuple(kind for kind, one in enumerate(WEIGHTS) if one == weight) for weight in sorted({*WEIGHTS}, reverse=True)
)
"""The two lowest bits of an anchor, those that tell most first."""
_SKETCH = 512
"""Hashes kept of a written text; of a longer one the lowest."""
_HASHES = 1 << 32


def fingerprints(tree: SyntaxTree) -> tuple[tuple[Definition, Fingerprint], ...]:
    """Every function and method worth it, in the order of the text."""
    found = ((definition, fingerprint(tree, definition)) for definition in tree.definitions)
    return tuple((definition, made) for definition, made in found if made is not None)


def fingerprint(tree: SyntaxTree, definition: Definition) -> Fingerprint | None:
    """None for a class and for what is too small to be telling."""
    if definition.kind == "class":
        return None
    return of_text(definition.node.text(), tree.language, f"{definition.name}({', '.join(definition.params)})")


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
    named, flow = anchors_and_flow(parts, body.head)
    return Fingerprint(
        shingles=shingles(roles for roles, _words in parts),
        anchors=named,
        flow=flow,
        size=size,
        language=language,
        signature=signature[:_ROOM],
    )


def pack(fingerprint: Fingerprint) -> str:
    """One line of text that `unpack` reads."""
    numbers = (*fingerprint.shingles, *fingerprint.anchors)
    packed = b2a_base64(struct.pack(f"<{len(numbers)}I", *numbers), newline=False).decode()
    flow = b2a_base64(fingerprint.flow.encode(), newline=False).decode()
    counts = f"{fingerprint.size}|{len(fingerprint.shingles)}"
    return f"{fingerprint.language}|{counts}|{packed}|{flow}|{fingerprint.signature}"


@lru_cache(maxsize=1_024)
def unpack(packed: str) -> Fingerprint | None:
    """None where it is none, or was packed before there was a flow."""
    parts = packed.split("|", 5)
    if len(parts) != 6 or not (parts[1].isdecimal() and parts[2].isdecimal()):
        return None
    numbers, middle, flow = _numbers(parts[3]), int(parts[2]), _raw(parts[4]).decode("utf-8", "replace")
    if not flow:
        return None
    return Fingerprint(
        shingles=numbers[:middle],
        anchors=numbers[middle:],
        flow=flow,
        size=int(parts[1]),
        language=parts[0],
        signature=parts[5],
    )


def _raw(packed: str) -> bytes:
    try:
        return a2b_base64(packed.encode("ascii", "replace"))
    except Error:
        return b""


def _numbers(packed: str) -> tuple[int, ...]:
    raw = _raw(packed)
    return struct.unpack(f"<{len(raw) // 4}I", raw[: len(raw) // 4 * 4])


def pack_text(text: str, language: str) -> str:
    """What a change wrote, names and all but for layout and comments, for `overlap`."""
    words = list(filter("\n".__ne__, tokens(text, language)))
    if max(map(len, words), default=0) > _LONG:
        words = [part for word in words for part in (word.split() if len(word) > _LONG else (word,))]
    width = max(1, min(_WINDOW, len(words)))
    line = " ".join(words).encode("utf-8", "replace")
    lengths = map(len, words) if text.isascii() else (len(word.encode("utf-8", "replace")) for word in words)
    ends = list(map(add, accumulate(lengths), count()))
    starts = map(add, chain((-1,), ends), repeat(1))
    found = set(map(crc32, map(line.__getitem__, map(slice, starts, ends[width - 1 :]))))
    kept = _lowest(found)
    return f"{len(found)}|{b2a_base64(struct.pack(f'<{len(kept)}I', *kept), newline=False).decode()}"


def _lowest(found: set[int]) -> list[int]:
    """Hashes are spread evenly: those worth sorting lie below a bound that is easily told."""
    bound = (_SKETCH + _SKETCH // 2) * _HASHES // max(1, len(found))
    below = [one for one in found if one < bound]
    return sorted(below if len(below) >= _SKETCH else found)[:_SKETCH]


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


@lru_cache(maxsize=512)
def candidates_key(fingerprint: Fingerprint) -> tuple[int, ...]:
    """A few hashes such that a copy, also one with small changes, has at least two of them too."""
    wholes = islice((item for item in fingerprint.shingles if item & 1), _KEY)
    runs = islice((item for item in fingerprint.shingles if not item & 1), _KEY)
    # Sorted already: those that tell most come first where each kind is taken in turn.
    telling = islice((it for kinds in _BY_WEIGHT for it in fingerprint.anchors if it & 3 in kinds), _KEY)
    return tuple(sorted({*wholes, *runs, *telling}))
