"""Functions by what they look like and what they refer to, so that a copy is known again; written texts likewise.

Renaming, another order of independent statements, another layout, comments, documentation and annotations change
nothing, or little. How alike two of them are is `similarity`'s to say.
"""

from __future__ import annotations

import struct
from binascii import Error, a2b_base64, b2a_base64
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, chain, count, islice, repeat
from math import log2
from operator import add
from zlib import crc32

import msgspec

from leeboard.model.symbol import Fingerprint
from leeboard.source.code_features import FIRST_LETTER, WEIGHTS, anchors_and_flow, shingles
from leeboard.source.statements import body_of, statements
from leeboard.source.syntax import Definition, SyntaxTree
from leeboard.source.tokens import tokens
from leeboard.text.likeness import common_share

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
    "similarities",
    "similarity",
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


# How alike two functions are, from their fingerprints alone.
#
# What an edit leaves is whole statements, while two functions that serve two purposes in one way differ by a name in
# each: so the share of statements that both have to the letter, names and all but those of their own, tells most. A
# name counts by how much it tells, any other token a little. Structure without any names adds to it. A statement that
# many functions of a project have tells little there, which is known where all are asked that may be alike.
#
# A copy whose helpers were renamed as well has few such statements left. It is laid side by side with the other: what
# share of both flows is the same in the same order, where the smaller function has to agree in more of it. And where
# two name many things and nearly all of them are the same, they may be in another flow: a rewrite.
#
# The numbers were chosen on the functions of public projects: of those that an index gives, one of two hundred is above
# `SAME` though its text is not alike (`python -m tools.clones`).


SAME = 0.75
"""Above this two functions do the same thing."""
_TOKEN = 30
"""What a token counts beside a name that tells much, in hundredths."""
_OF_STRUCTURE = 0.2
"""What the same structure adds to the same statements."""
_KEPT_SAME, _RARE_SAME = 0.8, 0.65
"""Statements and structure from which on two functions are the same: where nobody knows how rare they are, and where
that counts."""
_STRUCTURE, _STATEMENTS = 0.21, 0.22
"""What the same structure and the same statements add to the same flow."""
_DOUBT = 5.2
"""Held against a small function, by its tokens: a short flow proves little."""
_LARGE = 60
"""Tokens from which on the same statements throughout are a copy, however many functions have them."""
_ORDINARY = 0.4
"""Held against a function that says what many others of its project say."""
_RAW_SAME = 1.02
"""Flow, structure and statements together, from which on two functions are the same."""
_RAW_OTHER, _KEPT_OTHER = 0.4, 0.1
"""What two functions have in common that have nothing in common but the language."""
_MANY_NAMES, _SAME_NAMES, _SOME_FLOW, _NAMES_LEAD = 5.0, 0.95, 0.3, 0.7
_FEW_NAMES = 0.5
_KEY = 8
"""Hashes of each kind that a function is looked up by."""
_BY_WEIGHT = tuple(
    tuple(kind for kind, one in enumerate(WEIGHTS) if one == weight) for weight in sorted({*WEIGHTS}, reverse=True)
)
"""The two lowest bits of an anchor, those that tell most first."""
_FAMILY = {"typescript": "javascript", "tsx": "javascript", "cpp": "c"}


class _Rarity(msgspec.Struct, frozen=True):
    """How much the statements of a function tell among those it is compared with."""

    told: dict[str, float]
    """By statement, the share of its weight that counts."""
    ordinary: float
    """The share of the whole function that does not."""


def similarities(one: Fingerprint, others: Sequence[Fingerprint], around: Sequence[Fingerprint] = ()) -> list[float]:
    """To each of those that an index gave for it: a statement that many of them, and of those around, have tells less.
    What is below `SAME` is not told apart.
    """
    here, whole = _weighed(one.flow)
    often = Counter([line for known in (*others, *around) for line in here.keys() & _weighed(known.flow)[0].keys()])
    told = {line: 1 / (1 + log2(times) / 2) for line, times in often.items()}
    counted = sum([weight * told.get(line, 1.0) for line, weight in here.items()])
    rarity = _Rarity(told, 1 - counted / max(whole, _TOKEN))
    return [_similarity(one, other, rarity) for other in others]


def similarity(one: Fingerprint, other: Fingerprint) -> float:
    """0 to 1; the same for both orders. Functions of two languages are not alike."""
    return _similarity(one, other, None)


def _similarity(one: Fingerprint, other: Fingerprint, rarity: _Rarity | None) -> float:
    if _FAMILY.get(one.language, one.language) != _FAMILY.get(other.language, other.language):
        return 0.0
    if one.flow == other.flow and one.anchors == other.anchors:
        return 1.0
    whole, kept = _kept(one.flow, other.flow, rarity.told if rarity is not None else {})
    size = max(1, min(one.size, other.size))
    beside = _STATEMENTS * (whole if size >= _LARGE else kept) - _DOUBT / size
    beside -= _ORDINARY * rarity.ordinary if rarity is not None else 0.0
    same, most = _KEPT_SAME if rarity is None else _RARE_SAME, _most_common_share(one.flow, other.flow) + beside
    if (
        rarity is not None
        and kept + _OF_STRUCTURE <= same
        and most + _STRUCTURE <= _RAW_SAME
        and 3 * abs(len(one.anchors) - len(other.anchors)) > len(one.anchors) + len(other.anchors)
    ):
        return 0.0  # whatever their structure is
    structure = _share(one.shingles, other.shingles)
    found = _on_scale(kept + _OF_STRUCTURE * structure, _KEPT_OTHER, same, 1 + _OF_STRUCTURE)
    if _by_flow(most + _STRUCTURE * structure) > max(found, SAME if rarity is not None else 0.0):
        found = max(found, _by_flow(common_share(one.flow, other.flow) + beside + _STRUCTURE * structure))
    if structure >= _SOME_FLOW:
        names, told = _weighted_share(one.anchors, other.anchors)
        if told >= _MANY_NAMES and names >= _SAME_NAMES:
            found = max(found, _mixed(structure, names, _NAMES_LEAD))
    return found


def _by_flow(raw: float) -> float:
    return _on_scale(raw, _RAW_OTHER, _RAW_SAME, 1 + _STRUCTURE + _STATEMENTS)


def _on_scale(raw: float, other: float, same: float, most: float) -> float:
    """0 to 1, with `SAME` where `same` was."""
    if raw <= same:
        return max(0.0, SAME * (raw - other) / (same - other))
    return min(1.0, SAME + (1 - SAME) * (raw - same) / (most - same))


def _most_common_share(one: str, other: str) -> float:
    """What `common_share` is at most: it can not have more letters than both have, in whatever order."""
    here, there = _letters(one), _letters(other)
    both = sum([min(times, there[letter]) for letter, times in here.items() if letter in there])
    return 2 * both / max(1, len(one) + len(other))


@lru_cache(maxsize=2_048)
def _letters(flow: str) -> dict[str, int]:
    return dict(Counter(flow))


def _kept(one: str, other: str, told: dict[str, float]) -> tuple[float, float]:
    """The share of the larger flow that are statements which the other has too, in any order; and that of what they
    tell.
    """
    (here, whole), (there, other_whole) = _weighed(one), _weighed(other)
    both = {line: min(weight, there[line]) for line, weight in here.items() if line in there}
    largest = max(whole, other_whole, _TOKEN)
    return sum(both.values()) / largest, sum([both[line] * told.get(line, 1.0) for line in both]) / largest


@lru_cache(maxsize=2_048)
def _weighed(flow: str) -> tuple[dict[str, int], int]:
    """Each statement with what all of its kind tell together, and what all of them tell."""
    weights = {line: times * sum(map(_weight_of, line)) for line, times in Counter(flow.split("\n")).items()}
    return weights, sum(weights.values())


def _weight_of(letter: str) -> int:
    return WEIGHTS[ord(letter) & 3] if letter >= FIRST_LETTER else _TOKEN


def cover(part: Fingerprint, whole: tuple[Fingerprint, ...]) -> float:
    """The share of one function's shingles and anchors that these functions have together."""
    shingles = {item for one in whole for item in one.shingles}
    anchors = {item for one in whole for item in one.anchors}
    structure = len(shingles.intersection(part.shingles)) / max(1, len(part.shingles))
    told = weight(part.anchors)
    names = weight(anchors.intersection(part.anchors)) / told if told else structure
    return _mixed(structure, names, told / (told + _FEW_NAMES) / 2)


@lru_cache(maxsize=512)
def candidates_key(fingerprint: Fingerprint) -> tuple[int, ...]:
    """A few hashes such that a copy, also one with small changes, has at least two of them too."""
    wholes = islice((item for item in fingerprint.shingles if item & 1), _KEY)
    runs = islice((item for item in fingerprint.shingles if not item & 1), _KEY)
    # Sorted already: those that tell most come first where each kind is taken in turn.
    telling = islice((it for kinds in _BY_WEIGHT for it in fingerprint.anchors if it & 3 in kinds), _KEY)
    return tuple(sorted({*wholes, *runs, *telling}))


def weight(anchors: set[int] | tuple[int, ...]) -> float:
    """How much these names tell, together."""
    return sum([WEIGHTS[anchor & 3] for anchor in anchors]) / 100


def _mixed(structure: float, names: float, trust: float) -> float:
    return min(1.0, (1 - trust) * structure + trust * names)


def _share(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    both = len(set(one).intersection(other))
    return both / max(1, len(one) + len(other) - both)


def _weighted_share(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[float, float]:
    """The share, and how much all of them tell."""
    both = weight(set(one).intersection(other))
    told = weight(one) + weight(other) - both
    return (both / told if told else 0.0), told
