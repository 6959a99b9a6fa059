"""How alike two functions are, from their fingerprints alone.

What an edit leaves is whole statements, while two functions that serve two purposes in one way differ by a name in
each: so the share of statements that both have to the letter, names and all but those of their own, tells most. A
name counts by how much it tells, any other token a little. Structure without any names adds to it.

A copy whose helpers were renamed as well has few such statements left. It is laid side by side with the other: what
share of both flows is the same in the same order, where the smaller function has to agree in more of it. And where
two name the same things they may be in another flow: a rewrite.

Where all are asked that may be alike, it is known how rare a statement or a name is among them: what many functions
of a project have tells little there. Copies of one another count once in that.

The numbers were chosen on half of some public projects: of the functions there, fewer than one of two hundred is above
`SAME` to one whose text is not alike (`python -m tools.clones`, docs/copies.md).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, KeysView, Sequence
from functools import lru_cache
from math import log1p, log2

import msgspec

from leeboard.model.symbol import Fingerprint
from leeboard.source.code_features import FIRST_LETTER, WEIGHTS
from leeboard.text.likeness import common_share

SAME = 0.75
"""Above this two functions do the same thing."""
_TOKEN = 30
"""What a token counts beside a name that tells much, in hundredths."""
_OF_STRUCTURE = 0.2
"""What the same structure adds to the same statements."""
_KEPT_SAME = 0.8
"""Statements and structure from which on two functions are the same."""
_STRUCTURE, _STATEMENTS = 0.21, 0.22
"""What the same structure and the same statements add to the same flow."""
_DOUBT = 5.2
"""Held against a small function, by its tokens: a short flow proves little."""
_RAW_SAME = 1.02
"""Flow, structure and statements together, from which on two functions are the same."""
_RAW_OTHER, _KEPT_OTHER = 0.4, 0.1
"""What two functions have in common that have nothing in common but the language."""
_MANY_NAMES, _SAME_NAMES, _SOME_FLOW, _NAMES_LEAD = 5.0, 0.95, 0.3, 0.7
_FEW_NAMES = 0.5
_CERTAIN = 0.7
"""What is beyond the least that makes two functions the same, in those that are the same throughout."""
_FAMILY = {"typescript": "javascript", "tsx": "javascript", "cpp": "c"}


class _Rarity(msgspec.Struct, frozen=True):
    """How much the statements and the names of a function tell among those it is compared with."""

    statements: dict[str, float]
    """By statement, the share of its weight that counts."""
    names: dict[str, float]
    """The same by the letter of a name."""
    ordinary: float
    """The share of all its names that does not count."""


class _Measure(msgspec.Struct, frozen=True):
    """One way to see that two functions are the same: what it takes, and what counts how much towards it."""

    least: float
    statements: float = 0.0
    flow: float = 0.0
    structure: float = 0.0
    names: float = 0.0
    told: float = 0.0
    """By how much the names that both have tell together, on a scale of twice as much."""
    missing: float = 0.0
    """The same of those that only the larger has."""
    ordinary: float = 0.0
    doubt: float = 0.0
    """By tokens of the smaller function."""


_MEASURES = (
    _Measure(least=0.53, statements=1.0, structure=0.3, missing=-0.05, ordinary=-0.1, doubt=-2.8),
    _Measure(least=1.05, flow=1.0, statements=0.3, names=0.2, structure=0.1, doubt=-5.8),
    _Measure(least=0.95, flow=0.75, names=0.6, structure=0.4, told=0.2, missing=-0.3, doubt=-9.8),
)
"""Kept, copied with other helpers, and written anew."""


def similarities(one: Fingerprint, others: Sequence[Fingerprint], around: Sequence[Fingerprint] = ()) -> list[float]:
    """To each of those that an index gave for it: what many of them, and of those around, have tells less. What is
    below `SAME` is not told apart.
    """
    flows = {known.flow for known in (*others, *around)}
    names, whole = _names(one.flow)
    statements = _told(_weighed(one.flow)[0].keys(), [_weighed(flow)[0].keys() for flow in flows])
    told = _told(names.keys(), [_names(flow)[0].keys() for flow in flows])
    counted = sum([weight * told.get(letter, 1.0) for letter, weight in names.items()])
    rarity = _Rarity(statements, told, 1 - counted / max(whole, _TOKEN))
    return [_similarity_among(one, other, rarity) for other in others]


def _told(items: KeysView[str], known: Iterable[KeysView[str]]) -> dict[str, float]:
    """What counts of each, by how many have it."""
    often = Counter([item for one in known for item in items & one])
    return {item: 1 / (1 + log2(times) / 2) for item, times in often.items()}


def _similarity_among(one: Fingerprint, other: Fingerprint, rarity: _Rarity) -> float:
    """Above `SAME` where one of the measures says so, else nothing."""
    if not _are_comparable(one, other):
        return 0.0
    if one.flow == other.flow and one.anchors == other.anchors:
        return 1.0
    kept = _kept(one.flow, other.flow, rarity.statements)
    shared, told, missing = _shared_names(one.flow, other.flow, rarity.names)
    size = max(1, min(one.size, other.size))
    known = [
        it.statements * kept
        + it.names * shared
        + it.told * log1p(told)
        + it.missing * log1p(missing)
        + it.ordinary * rarity.ordinary
        + it.doubt / size
        - it.least
        for it in _MEASURES
    ]
    most = _most_common_share(one.flow, other.flow)
    if max(raw + it.structure + it.flow * most for raw, it in zip(known, _MEASURES, strict=True)) <= 0:
        return 0.0
    structure = _share(one.shingles, other.shingles)
    known = [raw + it.structure * structure for raw, it in zip(known, _MEASURES, strict=True)]
    if max(raw + it.flow * most for raw, it in zip(known, _MEASURES, strict=True)) <= 0:
        return 0.0
    common = common_share(one.flow, other.flow)
    found = max(raw + it.flow * common for raw, it in zip(known, _MEASURES, strict=True))
    return min(1.0, SAME + (1 - SAME) * found / _CERTAIN) if found > 0 else 0.0


def similarity(one: Fingerprint, other: Fingerprint) -> float:
    """0 to 1; the same for both orders. Functions of two languages are not alike."""
    if not _are_comparable(one, other):
        return 0.0
    if one.flow == other.flow and one.anchors == other.anchors:
        return 1.0
    kept = _kept(one.flow, other.flow, {})
    beside = _STATEMENTS * kept - _DOUBT / max(1, min(one.size, other.size))
    structure = _share(one.shingles, other.shingles)
    found = _on_scale(kept + _OF_STRUCTURE * structure, _KEPT_OTHER, _KEPT_SAME, 1 + _OF_STRUCTURE)
    if _by_flow(_most_common_share(one.flow, other.flow) + beside + _STRUCTURE * structure) > found:
        found = max(found, _by_flow(common_share(one.flow, other.flow) + beside + _STRUCTURE * structure))
    if structure >= _SOME_FLOW:
        names, told = _weighted_share(one.anchors, other.anchors)
        if told >= _MANY_NAMES and names >= _SAME_NAMES:
            found = max(found, _mixed(structure, names, _NAMES_LEAD))
    return found


def _are_comparable(one: Fingerprint, other: Fingerprint) -> bool:
    return _FAMILY.get(one.language, one.language) == _FAMILY.get(other.language, other.language)


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


def _kept(one: str, other: str, told: dict[str, float]) -> float:
    """The share of the larger flow that are statements which the other has too, in any order, by what they tell."""
    (here, whole), (there, other_whole) = _weighed(one), _weighed(other)
    both = [(line, min(weight, there[line])) for line, weight in here.items() if line in there]
    return sum([weight * told.get(line, 1.0) for line, weight in both]) / max(whole, other_whole, _TOKEN)


def _shared_names(one: str, other: str, told: dict[str, float]) -> tuple[float, float, float]:
    """The share of the names of the larger flow that the other has too, by what they tell; what these tell, and what
    is told by all it has beyond them.
    """
    (here, whole), (there, other_whole) = _names(one), _names(other)
    both = [(letter, min(weight, there[letter])) for letter, weight in here.items() if letter in there]
    shared, largest = sum([weight * told.get(letter, 1.0) for letter, weight in both]), max(whole, other_whole)
    return shared / max(largest, _TOKEN), shared / 100, (largest - sum([weight for _letter, weight in both])) / 100


@lru_cache(maxsize=2_048)
def _names(flow: str) -> tuple[dict[str, int], int]:
    """The letters of names with what each tells as often as it stands there, and what all of them tell."""
    weights = {
        letter: times * WEIGHTS[ord(letter) & 3] for letter, times in _letters(flow).items() if letter >= FIRST_LETTER
    }
    return weights, sum(weights.values())


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
