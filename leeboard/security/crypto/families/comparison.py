"""Secrets compared byte by byte: how long it takes tells how much of a guess was right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from leeboard.model.text import lazy
from leeboard.security.crypto import words
from leeboard.security.crypto.constant import values_of
from leeboard.security.crypto.source import CallSite, ComparisonSite, CryptoSource
from leeboard.security.crypto.weakness import WeaknessHit

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_MADE_BY_HMAC = lazy(
    r"(?i)\bhmac\b|createHmac|hash_hmac|hmac_?sha|Hmac|HMAC|\bMac\b.{0,80}doFinal|\.finalize\(\)\.into_bytes"
)
_SECRET = lazy(
    r"(?i)(?:^|_|\b)(?:hmac|signature|sig|mac|api[-_]?key|secret\w{0,12}|csrf\w{0,8}|(?:auth|access|reset|api|session|bearer|secret)[-_]?token|otp)(?:$|_|\b)"
)
_PASSWORD = lazy(r"(?i)passw(?:or)?d|\bpwd\b|passphrase")
_REPEATED = lazy(
    r"(?i)confirm|repeat|again|retype|verify|password_?2|password2|new_?passw|old_?passw|type|length|len\b|strength|level|field|label|name|id\b|min|max|count|algorithm|version|method"
)
_GIVEN = lazy(
    r"(?i)request|header|\breq\b|param|expected|given|provided|received|input|form|query|calculated|computed|config|environ|settings|stored"
)
_TABLE = words.comparison()
_BYTEWISE = {name: lazy(whole) for name, whole in _TABLE.bytewise.items()}
_KNOWN = lazy(
    r"""(?i)(?:\A|[.:>])(?:null|nullptr|none|nil|undefined)\Z|(?-i:\A[A-Z][\w:]{1,40}\(\s*["'][^"']*["']\s*\)\Z)"""
)
"""Nothing at all, or something made of a text that stands there."""
_BARE = lazy(r"[$@&*]{0,2}[\w.:>-]{1,80}")
_MEASURED = lazy(r"(?i)\A(?:len|mb_strlen|strlen|sizeof|count)\s*\(|\.(?:length|size|len|count)(?:\(\s*\))?\Z")
_ADDRESS_SIZE = lazy(
    r"6|ETH_ALEN|ETHER_ADDR_LEN|IFHWADDRLEN|sizeof\s*\(?\s*(?:struct\s+)?\w*(?:ether|mac)_?addr\w*\s*\)?"
)
_ADDRESS = lazy(r"(?i)(?:\b|_|->|\.)(?:mac_?addr\w*|hw_?addr\w*|ether\w*|addr|bssid)\b")
_HMAC_LEAST = 16
_SHORT = 120
_CALLED = lazy(r"\A(?:self\.|this\.)?([A-Za-z_]\w{1,60})\(.*\)\Z", re.DOTALL)
_BODY = 400
_EXPECTED = lazy(r"(?i)expect|comput|calculat|want|actual|hash")
_LIBRARY = lazy(r"createHmac\(|\bhmac\.(?:new|New|digest)\(|hash_hmac\(|HMAC[.:]|HMACSHA")
_ANY = lazy(
    r"(?i)expect|comput|calculat|want|actual|hash|mac|sig|key|secret|token|csrf|otp|passw|pwd|passphrase|digest|sum"
)


def hits(source: CryptoSource) -> Iterator[WeaknessHit]:
    for compare in source.compares if source.language != "c" else ():  # in C, == compares where they lie
        yield from _judged(compare, compare.left, compare.right, source)
    for name, demanded in _BYTEWISE.items():
        for call in source.calls.get(name, ()):
            if demanded.search(call.name):
                sides = (
                    [*call.args[:2]]
                    if len(call.args) > 1
                    else [*call.args[:1], *((call.receiver,) if call.receiver else ())]
                )
                if len(sides) == 2 and not _is_address(call, sides, source):
                    yield from _judged(call, sides[0], sides[1], source)


def _judged(
    site: ComparisonSite | CallSite, left: SgNode, right: SgNode, source: CryptoSource
) -> Iterator[WeaknessHit]:
    if not _ANY.search(source.text, site.start, min(site.end, site.start + 3 * _SHORT)):
        return
    texts = left.text()[:_SHORT], right.text()[:_SHORT]
    is_named = any(_SECRET.search(text) or _PASSWORD.search(text) or "digest" in text for text in texts)
    if not is_named and not any(_is_from_library(side, source) for side in (left, right)):
        return
    if any(_is_known(side, source) for side in (left, right)) or any(map(_KNOWN.search, texts)):
        return
    if any(map(_MEASURED.search, texts)) or any(_BARE.fullmatch(text) and _REPEATED.search(text) for text in texts):
        return  # which algorithm signs, how long a key is, whether both were typed alike: nothing secret is compared
    if any(_is_hmac(side, source) for side in (left, right)):
        yield _hit(site, "an HMAC compared with ==", source, 0.9, "always")
    elif isinstance(site, CallSite) and _MADE_BY_HMAC.search(source.function_text(site)[:4_000]):
        yield _hit(site, "an HMAC compared byte by byte", source, 0.8, "always")
    elif _is_sent(texts) and all(_SECRET.search(text) for text in texts):
        yield _hit(site, "a secret of a request compared with ==", source, 0.6, "always")
    elif all(_SECRET.search(text) and not _REPEATED.search(text) for text in texts) and _GIVEN.search(" ".join(texts)):
        yield _hit(site, "a secret compared with ==", source, 0.6, "note")
    elif all(_PASSWORD.search(text) for text in texts) and not any(_REPEATED.search(text) for text in texts):
        kept = sum(_KEPT.search(text) is not None for text in texts) == 1 and not any(map(_HASHED.search, texts))
        yield WeaknessHit(
            kind="plain password",
            what="passwords compared as text",
            site=site,
            weighing="always" if kept else "note",
            sure=0.6,
            fix="store and compare a salted hash",
        )


def _is_known(side: SgNode, source: CryptoSource) -> bool:
    """Whether it is a text that stands there; that a name begins with nothing in it makes it none."""
    known = values_of(side, source).known
    return any(known) or (bool(known) and not side.text().isidentifier())


_SENT = lazy(
    r"(?i)\brequest\.(?:headers|args|form|json|GET|POST|META|cookies)\b|\breq\.(?:headers|body|query|get\(|header\()"
)
_HASHED = lazy(r"(?i)hash|digest|crypt|encod|salt|\(")
_KEPT = lazy(
    r"(?i)(?:\A|[.\[])(?:stored|saved|db|real|correct|user|account|row|record|member|customer)\w{0,20}"
    r"(?:[.\[\"']{0,2})\w{0,20}passw(?:or)?d"
)
"""A password as it is kept, of a record or under a name that says so."""


def _is_sent(texts: tuple[str, str]) -> bool:
    """One side is what a request brings, and the other the program's own."""
    return sum(_SENT.search(text) is not None for text in texts) == 1


def _is_address(call: CallSite, sides: list[SgNode], source: CryptoSource) -> bool:
    """`memcmp(peer_mac, own->addr, 6)`: a network card has such a thing too. Where an HMAC is made, its name and its
    size have to say so.
    """
    size = call.args[2].text()[:_SHORT] if len(call.args) > 2 else ""
    if size.isdigit() and int(size[:6]) >= _HMAC_LEAST:
        return False
    is_sized = _ADDRESS_SIZE.fullmatch(size) is not None
    is_named = any(_ADDRESS.search(side.text()[:_SHORT]) for side in sides)
    if _MADE_BY_HMAC.search(source.function_text(call)[:4_000]):
        return is_sized and is_named
    return is_sized or is_named


def _is_from_library(node: SgNode, source: CryptoSource) -> bool:
    """`expected = createHmac(...)...digest()`: its name says nothing, what makes it does."""
    name = node.text()[:_SHORT].lstrip("$@")
    made = " ".join(setting.value.text()[:200] for setting in source.settings.get(name, ())[-3:])
    return _EXPECTED.search(name) is not None and _LIBRARY.search(made) is not None


def _is_hmac(node: SgNode, source: CryptoSource) -> bool:
    text = node.text()[:300]
    if re.fullmatch(r"[$@]?[\w.\[\]:]{1,60}", text):
        name = re.split(r"\W", text.rstrip("]:").lstrip("$@"))[0]
        made = " ".join(setting.value.text()[:200] for setting in source.settings.get(name, ())[-3:])
        return bool(_MADE_BY_HMAC.search(made)) or _is_summed(made, source)
    return bool(_MADE_BY_HMAC.search(text)) or _is_summed(text, source) or _is_made_here(text, source)


def _is_made_here(made: str, source: CryptoSource) -> bool:
    """`signature(body)`, a function of this file that answers with one."""
    called = _CALLED.match(made)
    if called is None or not _SECRET.search(called[1]):
        return False
    defined = re.search(rf"\b(?:def|func|function|fn|const|fun)\s+{re.escape(called[1])}\b", source.text)
    return defined is not None and bool(_MADE_BY_HMAC.search(source.text, defined.end(), defined.end() + _BODY))


def _is_summed(made: str, source: CryptoSource) -> bool:
    """`mac := hmac.New(...)` and later `sum := mac.Sum(nil)`."""
    found = re.match(r"(?:hex\.EncodeToString\()?(\w{1,40})\.(?:Sum|hexdigest|digest|doFinal|finalize|final)\(", made)
    if found is None:
        return False
    return any(_MADE_BY_HMAC.search(setting.value.text()[:80]) for setting in source.settings.get(found[1], ()))


def _hit(site: ComparisonSite | CallSite, what: str, source: CryptoSource, sure: float, weighing: str) -> WeaknessHit:
    fix = _TABLE.fixes.get(source.language, "compare in constant time")
    return WeaknessHit(
        kind="timing leak",
        what=what,
        site=site,
        sure=sure,
        fix=fix,
        weighing="always" if weighing == "always" else "note",
    )
