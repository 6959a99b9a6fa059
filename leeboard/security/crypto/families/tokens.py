"""Signed tokens whose signature nobody checks: algorithm none, verification off, decoded without a key."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from leeboard.model.text import lazy
from leeboard.security.crypto.constant import values_of
from leeboard.security.crypto.source import CallSite, CryptoSource, SettingSite, Site
from leeboard.security.crypto.weakness import WeaknessHit

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_OWNER = lazy(r"(?i)\b(?:py)?j[wo][tks]\w{0,12}\b|jsonwebtoken|jose|firebase.jwt|\bdecodejwt\b")
_SPELLED = lazy(
    r"\bjwt\.SigningMethodNone\b|\bUnsafeAllowNoneSignatureType\b|\.ParseUnverified\b|\bAlgorithm\.none\b(?=\s*\()|\bAlgorithm::None\b"
    r"|\bSignatureAlgorithm\.NONE\b|\binsecure_disable_signature_validation\b|\bdangerous_insecure_decode\w{0,20}\b|\bget_unverified_claims\b|\bprocess_jwt\b"
)
_OF_ONES_OWN = lazy(r"(?:\bself|\bcls|\b[A-Z]\w*[a-z]\w*|_handler)\.\Z|\bdef\s+\Z")
_RECEIVER = lazy(r"(\w{1,40})\Z")
_PARSER = lazy(r"\bjwt\.(?:New)?Parser(?:\{[^{}]{0,40}\}|\([^()]{0,40}\))?\)?\Z|\bjwt\Z")
_ARGUMENT = lazy(r"[a-z]\w*_")
_HINTS = ("none", "unverified", "insecure_d", "process_jwt")
_FALSE_OPTIONS = frozenset("verify_signature requiresignedtokens validateissuersigningkey verify_sig".split())
_FIX = "verify the signature with a key and a fixed algorithm"


def hits(source: CryptoSource) -> Iterator[WeaknessHit]:
    for name, settings in source.settings.items():
        if name.lower() in _FALSE_OPTIONS or name == "alg":
            for setting in settings:
                yield from _of_setting(setting, source)
    for _, call in source.matching(_OWNER):
        yield from _of_call(call, source)
    for call in source.named("decode") if source.has(("jsonwebtoken",)) else ():
        if call.name == "decode" and _BROUGHT_IN.search(source.text):
            yield from _decoded(call, source)
    for call in source.named("parse") if source.has(("jwts.parser",)) else ():
        if _PARSES_ANY.search(call.node.text()[:400]):
            yield _hit(call, "parse() of unsigned tokens", 0.8)
    for site in source.spelling(_SPELLED, _HINTS):
        called = source.text[site.start : site.end].strip(".")
        is_own = called in source.own and not _is_of_a_library(site, source)
        if is_own or _OF_ONES_OWN.search(source.text, max(0, site.start - 40), site.start):
            continue  # a method of this project, told where it reads the token
        yield _hit(site, called)


def _is_of_a_library(site: Site, source: CryptoSource) -> bool:
    """`new(jwt.Parser).ParseUnverified(raw)`, in a function of the same name, too."""
    before = source.text[max(0, site.start - 60) : site.start].rstrip()
    receiver = _RECEIVER.search(before)
    made = source.settings.get(receiver[1], ()) if receiver is not None else ()
    return any(map(_PARSER.search, (before, *(setting.value.text()[:80] for setting in made))))


def _hit(site: Site, what: str, sure: float = 0.9) -> WeaknessHit:
    return WeaknessHit(kind="unverified token", what=what[:60], site=site, sure=sure, fix=_FIX)


def _of_setting(setting: SettingSite, source: CryptoSource) -> Iterator[WeaknessHit]:
    if setting.last in _FALSE_OPTIONS and values_of(setting.value, source).is_only(wanted=False):
        yield _hit(setting, f"{setting.name} off")
    elif (
        setting.last == "alg"
        and "assign" not in setting.node.kind()
        and _is_only_none(setting.value, source)
        and source.has(("jwt", "jws", "jose"))
    ):
        yield _hit(setting, "algorithm none")


def _of_call(call: CallSite, source: CryptoSource) -> Iterator[WeaknessHit]:
    named = next((call.named[key] for key in ("algorithms", "algorithm", "alg") if key in call.named), None)
    place = call.args[2] if len(call.args) > 2 and call.last in {"encode", "decode"} else None
    if any(node is not None and _is_none(node, source) for node in (named, place)) or (
        call.last == "encode" and named is not None and values_of(named, source).is_only(None)
    ):
        yield _hit(call, "algorithm none")
    elif call.last == "decode":
        yield from _decoded(call, source)
    elif call.last in {"verify", "verifysync"} and len(call.args) > 1 and not _has_key(call.args[1], source):
        yield _hit(call, "verified with an empty key")
    elif call.last == "decodejwt" and _lets_in(call, source):
        yield _hit(call, f"{call.name}() without verify", 0.7)
    elif call.last in {"jwt_decode", "jwtdecode", "decodejwt"} and len(call.args) == 1:
        yield WeaknessHit(
            kind="unverified token", what=f"{call.name}()"[:60], site=call, weighing="note", sure=0.6, fix=_FIX
        )


_BROUGHT_IN = lazy(
    r"\{[^{}]{0,120}\bdecode\b(?!\s*(?:as|:))[^{}]{0,120}\}\s*(?:from|=\s*require\()\s*[\"']jsonwebtoken[\"']"
)
"""`decode` by itself, out of the library."""
_PARSES_ANY = lazy(
    r"(?s)\AJwts\s*\.parser(?:Builder)?\(\).{0,300}\.(?:setSigningKey|verifyWith|setSigningKeyResolver|keyLocator)\("
)
"""A parser with a key lets a token through that has no signature at all, where any token is asked for."""
_SENT = lazy(r"\bcookies\b|\breq(?:uest)?\.headers\b|\bheaders\(\)|\b[aA]uthorization\b")


def _lets_in(call: CallSite, source: CryptoSource) -> bool:
    """Whether a server believes the token that it was sent: jose reads it there, and this file verifies none."""
    return (
        source.has(("'jose'", '"jose"'))
        and not source.has(("jwtverify",))
        and _SENT.search(source.function_text(call)) is not None
    )


def _is_none(node: SgNode, source: CryptoSource) -> bool:
    return any(text.lower() == "none" for text in values_of(node, source).texts)


def _is_only_none(node: SgNode, source: CryptoSource) -> bool:
    """An argument that none is the default of may be anything."""
    values = values_of(node, source)
    return (
        bool(values.texts)
        and all(text.lower() == "none" for text in values.texts)
        and not _ARGUMENT.fullmatch(node.text()[:60])
        and node.text()[:60].count(".") <= 1  # what a part of another object is set to is not known here
    )


def _has_key(node: SgNode, source: CryptoSource) -> bool:
    values = values_of(node, source)
    return not (values.complete and values.known and all(value in {None, "", False} for value in values.known))


def _decoded(call: CallSite, source: CryptoSource) -> Iterator[WeaknessHit]:
    if ("verify" in call.named and values_of(call.named["verify"], source).is_only(wanted=False)) or (
        source.language == "ruby" and len(call.args) > 2 and values_of(call.args[2], source).is_only(wanted=False)
    ):
        yield _hit(call, "verify off")
    elif source.language in {"javascript", "typescript", "tsx"} and _reads_unverified(call, source):
        yield _hit(call, f"{call.name}() without verify", 0.7)
    elif (
        source.language in {"java", "kotlin"}
        and call.name == "JWT.decode"
        and not source.has((".verify(", "jwtverifier"))
    ):
        yield _hit(call, "JWT.decode() without verify", 0.7)
    elif (
        source.language == "python"
        and len(call.args) == 1
        and "key" not in call.named
        and call.name.lower() == "jwt.decode"
    ):
        yield _hit(call, "decoded without a key", 0.7)


def _is_of_this_project(call: CallSite, source: CryptoSource) -> bool:
    """`const JWT = require('../helpers/jwt')`: what it does is told there."""
    owner = re.escape(call.name.partition(".")[0])
    return re.search(rf"""\b{owner}\b[^\n]{{0,80}}(?:require\(|\bfrom\s)\s*["']\.""", source.text) is not None


def _reads_unverified(call: CallSite, source: CryptoSource) -> bool:
    """`jwt.decode` of the browser's reader or of a server that verifies nowhere in the function."""
    if not re.fullmatch(r"(?:(?:\w*jwt\w*|jsonwebtoken)\.)?decode", call.name, re.IGNORECASE) or source.has(
        ("jwt-simple",)
    ):
        return (
            source.has(("jwt-simple",)) and len(call.args) > 2 and values_of(call.args[2], source).is_only(wanted=True)
        )
    if _is_of_this_project(call, source):
        return False
    text = source.function_text(call)
    only_head = "complete" in call.named and ".header" in text and "payload" not in text
    return re.search(r"\bverify\(", text) is None and not only_head
