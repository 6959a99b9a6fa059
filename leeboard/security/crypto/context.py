"""What the code around a site is for: authentication, or a checksum. Told by names and never by the algorithm.

Names count by how near they are: those of the statement, of the function and of the lines that use the result count
double, the rest of the function and the path once. A name is split into words, so `resetTokenFor` speaks of a token.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from leeboard.model.text import lazy
from leeboard.security.crypto import words
from leeboard.security.crypto.source import CallSite, CryptoSource, Site
from leeboard.security.crypto.uses import direct_uses, statement_text, target_of, uses_of
from leeboard.security.crypto.weakness import Context, WeaknessHit
from leeboard.text.words import split_name

if TYPE_CHECKING:
    from leeboard.source.syntax import Definition

_WORDS = words.context()
_WORD = lazy(r"[A-Za-z_][A-Za-z0-9_]{1,60}")
_IMPORT = lazy(r"^\s*(?:import|from|use|using|require|#include|package)\b")
_METHOD = lazy(r"\.\s*(?:hex)?digest\w{0,10}\s*\(|\.\s*(?:update|final|reset|doFinal)\s*\(", re.IGNORECASE)
_COMMENT = lazy(r"(?:#|//|/\*|^\s*\*|--|\"\"\")(.{0,300})")
_KNOWING = lazy(
    r"\b(?:legacy|compat\w{0,12}|required by|requires (?:md5|sha)|demanded|by (?:the )?(?:api|spec|protocol|vendor)|"
    r"nosec|not (?:used )?(?:for|a) (?:security|crypto\w{0,12}|secret)|non-?(?:crypto\w{0,12}|security)|insecure|weak|"
    r"deprecated|on purpose|intentional\w{0,2}|not security|deliberate\w{0,2}|known (?:issue|weak)|self-?signed|"
    r"our own verification|"
    r"(?:local|dev\w{0,10}) only|only in dev\w{0,10}|no security|collision\w{0,10} (?:are|is) (?:fine|ok))",
    re.IGNORECASE,
)
_SPECIFIED = lazy(
    r"(?i:\b(?:part of|defined (?:by|in)|required by|demanded by|mandated by|specified (?:by|in)|as per|according to)\b"
    r".{0,60}\b(?:spec\w{0,10}|protocol|standard|rfc|format)\b|\bspec(?:ification)? (?:for|says|demands|wants)\b)|"
    r"\bused in (?:the )?\w{0,20}[A-Z]\w{0,20} (?:algorithm|protocol|scheme)\b"
)
"""Named by name: that something is used as the algorithm says nothing."""
_SCHEMES = lazy(
    r"\bRFC[ -]?(?:1939|1994|2069|2195|2289|2433|2617|2759|2831|2865|3118|3961|4226|4252|4253|4757|4880|5802|6238|6455|"
    r"7616|9580)\b"
)
"""Ways to log in, and what is sent there, that say which hash is taken."""
_ALGORITHMS = lazy(
    r"\bRFC[ -]?(?:1319|132[01]|142[13]|1828|2104|2202|2268|240[345]|2898|3174|4122|4231|4716|615[01]|6194|"
    r"7292|8018|9562)\b"
)
"""What an algorithm or a format is: whoever hashes a password with it chose it."""
_A_PASSWORD = lazy(r"(?i)passw|passphrase|\bpwd")
_NEVER_SPECIFIED = frozenset({"unverified connection", "predictable random", "predictable seed"})
_BY_OTHERS = lazy(
    r"(?i:\b(?:spec(?:ification|s)?|protocol|standard|rfc)\b)|\b\w{0,20}[A-Z]\w{0,20} (?:algorithm|format|scheme)\Z"
)
_FILLED_KEY = lazy(r"(?i)(?:^|[\s*_{;(])\w{0,20}key\s*\[\s*\w{1,20}\s*\]\s*=[^=]")
_RETURNED = lazy(r"\s*(?:return\b|=>)")
_BEHIND_TEXT = r"""f?["'`][^"'`\n{}]{0,40}(?:["'`]\s*[+.]\s*|[#$]?\{)"""
_AUTH_LEAST = 2
_REASON_ABOVE = 5
_MOST_WORDS = 4_000


class SiteSurroundings(msgspec.Struct, frozen=True, kw_only=True):
    context: Context
    auth: int
    nearest: int
    """The part of `auth` that the statement and the function's name say."""
    checksum: int
    near: frozenset[str]
    """The words of the statement, of the function's name and of the lines that use the result."""
    body: frozenset[str]
    comment: str = ""
    """The comment that says it is known to be weak."""

    @property
    def plays(self) -> bool:
        """Jitter, colours, games, samples: nobody guards those, unless more speaks of secrets."""
        near = len(_WORDS.play & self.near)
        return 4 * near >= max(self.nearest, 1) or (not self.nearest and len(_WORDS.play & self.body) > 2)


def surroundings(site: Site, source: CryptoSource, *, follow: bool = False) -> SiteSurroundings:
    """What the names around a site say; `follow` goes on to the lines that use what is made of the result."""
    called = site.callee if isinstance(site, CallSite) else ""
    near = _words_of(_without(called, _near_texts(site, source, follow=follow)))
    body = _body_words(site, source, called) - near
    path = _words_of((source.path,))
    parses = _WORDS.language_models & (near | body) and {"token", "tokens"} & near
    nearest = max(0, 2 * _weight(near) - (4 if parses else 0))
    auth = nearest + _weight(body) + min(_weight(path), _AUTH_LEAST)
    checksum = 4 * len(_WORDS.sums & near) + len(_WORDS.sums & body) + len(_WORDS.sums & path)
    context: Context = "neutral"
    if auth >= _AUTH_LEAST and auth > checksum:
        context = "auth"
    elif checksum > auth:
        context = "checksum"
    comment = knowing_comment(site, source)
    return SiteSurroundings(
        context=context, auth=auth, nearest=nearest, checksum=checksum, near=near, body=body, comment=comment
    )


def becomes_a_secret(site: Site, source: CryptoSource) -> bool:
    """Whether a variable that holds it, or a field that it is put into, is called a password, a token, a session id."""
    return not _WORDS.proofs.isdisjoint(_words(target_of(site, source))) or turns_into_a_secret(site, source)


def turns_into_a_secret(site: Site, source: CryptoSource) -> bool:
    """The same, of what is made of it: a suffix of a password may be a suffix, what it is put behind is none."""
    uses = uses_of(site, source)
    target = target_of(site, source)
    names = {target, *uses.names}
    if any(_WORDS.proofs.intersection(_words(name)) for name in names - {target, ""}):
        return True
    held = "|".join(map(re.escape, sorted(names - {""})))
    if not held:
        return False
    put = re.compile(rf"(\w{{2,60}})[\"'\]]{{0,2}}\s*(?:=>|[:=])\s*(?:{_BEHIND_TEXT}|\w{{1,20}}\()?\$?(?:{held})(?!\w)")
    return any(_WORDS.proofs.intersection(_words(found[1])) for line in uses.lines for found in put.finditer(line))


def names_a_key(site: Site, source: CryptoSource) -> bool:
    """Whether the result goes into something called a key, a code, an id."""
    name = target_of(site, source)
    if not name and _RETURNED.match(statement_text(site, source)):
        definition = source.definition_of(site)
        name = definition.name if definition is not None and definition.kind != "class" else ""
    return bool(_WORDS.keys.intersection(_words(name))) or "code" in _last_words(uses_of(site, source).names)


def made_by(definition: Definition) -> str:
    """What a function makes that is called no more than `generate`: its class is called after it."""
    if not _MAKES.fullmatch(definition.name):
        return ""
    made = _MADE.search(definition.owner)
    return made["made"] if made is not None else ""


_MAKES = lazy(
    r"_?(?i:(?:new|make|create|generate|gen|random|build|issue|produce)(?:_?(?:random|new|one|value|string|code|instance))?)"
)
_MADE = lazy(
    r"(?P<made>Passw(?:or)?d|O[tT][pP]|Pin(?:Code)?|A[pP][iI]Key|(?:Access|Reset|Session|Auth)?Token|Secret|SessionId|"
    r"(?:Invite|Reset|Recovery)Code|Voucher|Coupon|Captcha)s?"
    r"(?:Service|Generator|Factory|Utils?|Helper|Provider|Maker|Creator|Issuer)?$"
)


def _last_words(names: Iterable[str]) -> set[str]:
    """What each of them names, at its end: a `reset_code` is a code."""
    return {words[-1] for words in map(split_name, names) if words}


def proves_something(site: Site, source: CryptoSource, near: frozenset[str]) -> bool:
    """Whether a password, a token, a signature or a session hangs on it: such a word is hashed or stands beside it, or
    what comes out is called so. A name for a cache or a search is none, though it is kept in a session.
    """
    guarded = _WORDS.strong | _WORDS.mild
    return bool(_WORDS.proofs & near) or bool(guarded.intersection(_words(target_of(site, source))))


def speaks_of_secrets(name: str) -> bool:
    """Whether it names something that somebody must not guess."""
    return not (_WORDS.strong | _WORDS.mild | _WORDS.keys).isdisjoint(_words(name))


def opens_something(name: str) -> bool:
    """Whether it is called what somebody types to be let in: no card of a game is called so."""
    return not _WORDS.typed.isdisjoint(_words(name)[-2:])


def proves_who_it_is(text: str) -> bool:
    """Whether a name in it is one of a password, a token, a signature."""
    return not _WORDS.proofs.isdisjoint(_words_of((text,)))


def fills_a_key(site: Site, source: CryptoSource) -> bool:
    """Whether it is drawn byte by byte into a key: no table is called so and filled so."""
    return bool(_FILLED_KEY.search(statement_text(site, source)))


def draws_many_bits(site: Site) -> bool:
    """`getrandbits(128)`: as many as a key has, and a place in a table needs none of them."""
    if not isinstance(site, CallSite) or site.last not in _BITS or not site.args:
        return False
    size = site.args[0].text()
    return size.isdigit() and int(size[:6]) >= _BITS[site.last]


_BITS = {"getrandbits": 64, "randbytes": 8}


def _body_words(site: Site, source: CryptoSource, called: str) -> frozenset[str]:
    first, last = source.function_lines(site)
    key = (first, last, called)
    if key not in source.vocabulary:
        definition = source.definition_of(site)
        lines = [definition.owner if definition else "", *_code_lines(source, first, last)]
        source.vocabulary[key] = _words_of(_without(called, lines))
    return source.vocabulary[key]


def knowing_comment(site: Site, source: CryptoSource) -> str:
    """A comment on the line or just above it which says that the weakness is known."""
    for number in range(max(0, site.line - 4), min(len(source.lines), site.line)):
        line = source.lines[number][:400]
        found = _COMMENT.search(line)
        if found is not None and _KNOWING.search(found[1]):
            return found[1].strip()[:80]
    return ""


def gives_a_reason(hit: WeaknessHit, source: CryptoSource, context: Context) -> bool:
    """A comment on the line or just above it names the specification that wants it so. Of what lets somebody in a
    format or a scheme of one's own is none; the number of some RFC says nothing.
    """
    site = hit.site
    lines = source.lines[max(0, site.line - _REASON_ABOVE) : site.line]
    comments = [found[1] for line in lines if (found := _COMMENT.search(line[:400])) is not None]
    is_open = hit.kind not in _NEVER_SPECIFIED
    if is_open and any(map(_SCHEMES.search, comments)):
        return True
    if is_open and not _A_PASSWORD.search(statement_text(site, source)) and any(map(_ALGORITHMS.search, comments)):
        return True
    reasons = [found[0] for comment in comments if (found := _SPECIFIED.search(comment)) is not None]
    return any(context != "auth" or _BY_OTHERS.search(reason) for reason in reasons)


def _weight(words: frozenset[str]) -> int:
    return 2 * len(_WORDS.strong & words) + len(_WORDS.mild & words)


def _without(called: str, texts: Iterable[str]) -> Iterable[str]:
    """What is called says nothing about what it is called for: `secrets.token_hex` makes no token of a row."""
    return (text.replace(called, " ") for text in texts) if called else texts


def _near_texts(site: Site, source: CryptoSource, *, follow: bool) -> list[str]:
    uses = uses_of(site, source).lines if follow else direct_uses(site, source)
    texts = [statement_text(site, source), *uses]
    definition = source.definition_of(site)
    return [*texts, definition.name] if definition is not None and definition.kind != "class" else texts


def _code_lines(source: CryptoSource, first: int, last: int) -> list[str]:
    return [line[:300] for line in source.lines[first - 1 : min(last, first + 150)] if not _IMPORT.match(line)]


def _words_of(texts: Iterable[str]) -> frozenset[str]:
    found: set[str] = set()
    for text in texts:
        for name in _WORD.findall(_METHOD.sub(" ", text))[:_MOST_WORDS]:
            found.update(_words(name))
    return frozenset(found - _WORDS.of_the_hash)


@lru_cache(maxsize=8_192)
def _words(name: str) -> tuple[str, ...]:
    words = split_name(name)
    joined = tuple(first + second for first, second in pairwise(words))
    return (*words, *joined)
