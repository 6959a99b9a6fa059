"""What a predictable number is harmless for: it decides whether something happens, or a strong one stands beside it."""

from __future__ import annotations

from leeboard.model.text import lazy
from leeboard.security.crypto.context import statement_text, target_of
from leeboard.security.crypto.source import CryptoSource
from leeboard.security.crypto.weakness import WeaknessHit
from leeboard.text.words import split_name

CHANCE = "decides whether something happens"
MIXED = "put together with what a strong generator made"
TOLD_APART = "tells things apart"
_COMPARES = frozenset("binary_expression comparison_operator binary comparison binary_operator_expression".split())
_LESS = lazy(r"(?<![<>=\-])[<>]=?(?![<>])")
_NEAR_UP = 4
_STRONG = lazy(
    r"\brandom_(?:bytes|int)\s*\(|openssl_random_pseudo_bytes|\burandom\b|\bsecrets\.\w|SecureRandom|\brandomBytes\s*\(|"
    r"getRandomValues|\bgetrandom\s*\(|RAND_bytes|\brandomUUID\s*\(|\buuid4\s*\("
)
_CHOOSES = lazy(r"\?|\|\||\bor\b|\bif\b|\belse\b|\bunless\b|\bcatch\b|\brescue\b")
_THINGS = frozenset("table column alias boundary color colour port delay jitter timeout interval offset index".split())


def chance_of(hit: WeaknessHit, source: CryptoSource) -> str:
    """Why nothing hangs on it that somebody must not guess; empty where nothing says so."""
    statement = statement_text(hit.site, source)
    if _STRONG.search(statement) and not _CHOOSES.search(statement):
        return MIXED
    words = split_name(target_of(hit.site, source))
    if words and words[-1] in _THINGS:
        return TOLD_APART
    for ancestor in hit.site.node.ancestors()[:_NEAR_UP]:
        if "call" in ancestor.kind() or "argument" in ancestor.kind():
            return ""  # what it is handed to makes something else of it
        if ancestor.kind() in _COMPARES and _LESS.search(ancestor.text()[:200]):
            return CHANCE
    return ""
