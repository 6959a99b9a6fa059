"""What a predictable number is harmless for: it decides whether something happens, or a strong one stands beside it."""

from __future__ import annotations

from leeboard.model.text import lazy
from leeboard.security.crypto.context import (
    becomes_a_secret,
    proves_who_it_is,
    speaks_of_secrets,
    turns_into_a_secret,
)
from leeboard.security.crypto.source import CallSite, CryptoSource
from leeboard.security.crypto.uses import direct_uses, statement_text, target_of
from leeboard.security.crypto.weakness import WeaknessHit
from leeboard.text.words import split_name

CHANCE = "decides whether something happens"
MIXED = "put together with what a strong generator made"
TOLD_APART = "tells things apart"
_COMPARES = frozenset("binary_expression comparison_operator binary comparison binary_operator_expression".split())
_LESS = frozenset({"<", ">", "<=", ">="})
_NEAR_UP = 4
_STRONG = lazy(
    r"\brandom_(?:bytes|int)\s*\(|openssl_random_pseudo_bytes|\burandom\b|\bsecrets\.\w|SecureRandom|\brandomBytes\s*\(|"
    r"getRandomValues|\bgetrandom\s*\(|RAND_bytes|\brandomUUID\s*\(|\buuid4\s*\("
)
_FEW = lazy(
    r"(?:random_?[bB]ytes|urandom|getrandom|token_\w{1,12})\s*\(\s*[0-7]\s*\)|\brandom_int\s*\(\s*\d+\s*,\s*\d{1,6}\s*\)"
)
"""Strong, and so few that all of them can be tried."""
_HOW_MANY = lazy(r"(?i)(?:urandom|token_bytes|token_hex|token_urlsafe|random_?bytes)\(\s*\Z")
"""It says how many a strong generator draws."""
_ORDERS = lazy(
    r"\bkey\s*=\s*lambda\b[^\n]{0,80}\brandom\.|"
    r"\.sort\(\s*(?:function\s*)?\([^)\n]{0,20}\)\s*(?:=>|\{)[^\n]{0,20}Math\.random"
)
_WAITS = lazy(
    r"(?i)\bsleep\(\s*(?:[\w.]{1,40}\s*[*+]\s*){0,2}(?:random\.\w+|Math\.random|(?:mt_)?rand)\(|"
    r"\btime\(\)\s*\+[^;\n]{0,60}\b(?:mt_)?rand\(|\brand(?:om)?\(\)\s*%\s*\w{0,40}(?:timeout|jitter|delay|interval|backoff)"
)
_KNOWN_ONES = r"(?:servers?|hosts|nodes|peers|mirrors|proxies|endpoints|user_?agents)\b"
_PICKS = lazy(rf"(?i)\b\w{{0,30}}{_KNOWN_ONES}\s*\[[^\]\n]{{0,40}}\brand|\bchoice\(\s*[\w.]{{0,40}}{_KNOWN_ONES}")
"""One of several that are all known."""
_CHOOSES = lazy(r"\?|\|\||\bor\b|\bif\b|\belse\b|\bunless\b|\bcatch\b|\brescue\b")
_ROW_OF_A_SESSION = lazy(r"\$_SESSION\b[^=;\n]{0,160}\[\Z")
"""`$_SESSION["rows"][uniqid()]`: whoever knows it still needs the session."""
_ROW_ROOM, _UUID_ROOM = 200, 500
_UUID = lazy(r"%04x%04x-%04x-%04x-%04x-")
"""How a number that is to be the only one of its kind is written."""
_WEAKLY_DRAWN = lazy(r"\brandom\.(?:choices?|randint|randrange|sample)\(|\bMath\.random\(|\b(?:mt_|array_)?rand\(")
_THINGS = frozenset(
    "boundary color colour port delay jitter timeout interval iterations iteration rounds seq sequence seqno suffix "
    "username nickname name label title region zone handle".split()
)
_COUNTS_VISITORS = lazy(r"(?i)(?:^|[/_.-])(?:telemetry|analytics|track(?:er|ing)?|statistics|metrics)(?:[/_.-]|$)")
"""Who sends a number to a counter tells visits apart by it, and nobody is let in."""
_OPENS = frozenset("apikey code invite key license nonce otp passcode password pin reset secret token voucher".split())
_GIVEN_TO = lazy(r"(?i)cookie|\b(?:user|account|member)\w{0,10}(?:\.|->)\w|\.save\(")
_ERRANDS = frozenset("correlation event job message next packet request row task".split())
"""Their ids say which answer belongs to which question."""
_PLACES = frozenset("table column alias offset index".split())
"""A place may be named after what lies there, and a secret after the place it is used in."""


def chance_of(hit: WeaknessHit, source: CryptoSource) -> str:
    """Why nothing hangs on it that somebody must not guess; empty where nothing says so."""
    statement = statement_text(hit.site, source)
    is_mixed = _STRONG.search(_FEW.sub("", statement)) and not _CHOOSES.search(statement)
    is_count = _HOW_MANY.search(source.text, max(0, hit.site.start - _ROW_ROOM), hit.site.start)
    if is_mixed or is_count or _shuffles_strong_ones(hit, source):
        return MIXED
    if _ORDERS.search(statement) or _WAITS.search(statement) or _PICKS.search(statement):
        return CHANCE
    if _tells_apart(hit, source):
        return TOLD_APART
    for ancestor in hit.site.node.ancestors()[:_NEAR_UP]:
        if "call" in ancestor.kind() or "argument" in ancestor.kind():
            return ""  # what it is handed to makes something else of it
        if ancestor.kind() in _COMPARES and any(one.kind() in _LESS for one in ancestor.children()):
            return CHANCE
    return ""


def _tells_apart(hit: WeaknessHit, source: CryptoSource) -> bool:
    if _ROW_OF_A_SESSION.search(source.text, max(0, hit.site.start - _ROW_ROOM), hit.site.start):
        return True
    target = target_of(hit.site, source)
    words = split_name(target)
    if _COUNTS_VISITORS.search(source.path) and not _lets_in(hit, source):
        return True
    words = words[:-1] if words[-2:-1] == ("seq",) and words[-1:] in {("num",), ("number",), ("no",)} else words
    written = max(0, hit.site.start - _UUID_ROOM), hit.site.start
    if target and _UUID.search(source.text, *written) and not proves_who_it_is(target):
        return True
    is_errand = words[-1:] == ("id",) and bool(_ERRANDS.intersection(words[:-1]))
    if _THINGS.intersection(words[-1:]) and not turns_into_a_secret(hit.site, source):
        return True
    if is_errand and not becomes_a_secret(hit.site, source):
        return True
    return bool(_PLACES.intersection(words[-1:])) and not speaks_of_secrets(target)


def _lets_in(hit: WeaknessHit, source: CryptoSource) -> bool:
    """By its name, or because a cookie or a user gets it."""
    words = split_name(target_of(hit.site, source))
    if _OPENS.intersection(words):
        return True
    lines = (statement_text(hit.site, source), *direct_uses(hit.site, source))
    return any(map(_GIVEN_TO.search, lines))


def _shuffles_strong_ones(hit: WeaknessHit, source: CryptoSource) -> bool:
    """The order of characters that a strong generator drew."""
    site = hit.site
    if not isinstance(site, CallSite) or site.last != "shuffle" or not site.args:
        return False
    made = source.settings.get(site.args[0].text()[:60], ())
    if _WEAKLY_DRAWN.search(source.function_text(site)):
        return False
    return any(_STRONG.search(_FEW.sub("", setting.value.text()[:200])) for setting in made)
