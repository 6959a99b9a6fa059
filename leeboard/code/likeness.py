"""How alike two functions are, from their fingerprints alone.

Half the structure they share, half the names and words they share, each name by how much it tells. Where there are few
names, structure has more of the say; where one half agrees almost wholly, it carries a weaker other half: helpers may
have other names, the same calls may stand in another flow. The numbers were chosen on public code so that at `SAME`
renamed, edited and partly rewritten functions are known again and other functions of the same repository are not.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import islice

from leeboard.code._fingerprint_features import WEIGHTS
from leeboard.model.symbol import Fingerprint

SAME = 0.75
"""Above this two functions do the same thing."""
_DOUBT = 1.0
"""Held against a small function: few shingles prove little."""
_FEW_NAMES = 0.5
_SAME_FLOW, _SOME_NAMES, _FLOW_LEADS = 0.95, 0.2, 0.35
_MANY_NAMES, _SOME_FLOW, _NAMES_LEAD = 5.0, 0.3, 0.7
_KEY = 8
"""Hashes of each kind that a function is looked up by."""
_BY_WEIGHT = tuple(
    tuple(kind for kind, one in enumerate(WEIGHTS) if one == weight) for weight in sorted({*WEIGHTS}, reverse=True)
)
"""The two lowest bits of an anchor, those that tell most first."""
_FAMILY = {"typescript": "javascript", "tsx": "javascript", "cpp": "c"}


def similarity(one: Fingerprint, other: Fingerprint) -> float:
    """0 to 1; the same for both orders. Functions of two languages are not alike."""
    if _FAMILY.get(one.language, one.language) != _FAMILY.get(other.language, other.language):
        return 0.0
    structure = _share(one.shingles, other.shingles)
    names, told = _weighted_share(one.anchors, other.anchors)
    found = _mixed(structure, names, told / (told + _FEW_NAMES) / 2)
    if structure >= _SAME_FLOW and names >= _SOME_NAMES:
        found = max(found, _mixed(structure, names, _FLOW_LEADS))
    if told >= _MANY_NAMES and structure >= _SOME_FLOW:
        found = max(found, _mixed(structure, names, _NAMES_LEAD))
    return found


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
    return both / (len(one) + len(other) - both + _DOUBT)


def _weighted_share(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[float, float]:
    """The share, and how much all of them tell."""
    both = weight(set(one).intersection(other))
    told = weight(one) + weight(other) - both
    return (both / told if told else 0.0), told
