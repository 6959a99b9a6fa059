"""Cookies a script or a clear-text connection can read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from leeboard.model.text import lazy
from leeboard.security.crypto.constant import values_of
from leeboard.security.crypto.source import CallSite, CryptoSource, SettingSite, Site
from leeboard.security.crypto.weakness import WeaknessHit, Weighing

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_SETTINGS = frozenset(
    "session_cookie_secure session_cookie_httponly csrf_cookie_secure csrf_cookie_httponly remember_cookie_secure "
    "remember_cookie_httponly".split()
)
_SETTERS = frozenset(("setsecure", "sethttponly"))
_GUARDED = lazy(r"(?i)sess|auth|token|login|user|remember|jwt|\bsid\b|csrf|passw|secret|credential|account")
_SESSION = lazy(r"(?i)sess|\bsid\b|jwt|(?:auth|access)_?token")
"""What such a cookie holds is who somebody is, whatever stands there in a first draft."""
_READ_BY_SCRIPTS = lazy(r"(?i)[cx]srf")
"""A script sends it back in a header: it has to read it."""
_PHP_EXPIRES, _PHP_SECURE, _PHP_HTTP_ONLY = 2, 5, 6
_HANDLERS = lazy(r"(?:self|cls|request|response|handler)\Z")
_OPTIONS = lazy(r"(?i)^[$\w>\-:]*(?:opt|param|setting|attr|config|flags)\w*$")
_FIX = "set secure and httponly"


def hits(source: CryptoSource) -> Iterator[WeaknessHit]:
    """Many files speak of cookies and set none: their calls and settings are gathered where one may be meant. No
    framework in C sets one: a field of that name there is a client's.
    """
    if source.language in {"c", "cpp"}:
        return
    if any(flag in source.lower for flag in _FLAGS):
        yield from _switched_off(source)
    if source.aliases or _SETS.search(source.lower):
        for call in source.named(*_CALLS):
            yield from _of_call(call, source)


def _switched_off(source: CryptoSource) -> Iterator[WeaknessHit]:
    for name, settings in source.settings.items():
        if (known := name.lower() in _SETTINGS) or name.lower() in _FLAGS:
            for setting in settings:
                off = values_of(setting.value, source).is_only(wanted=False)
                if off and (known or _in_cookie(setting, source)):
                    yield _hit(setting, f"{setting.name} off")


_FLAGS = frozenset(("secure", "httponly", "http_only"))
_CALLS = (*sorted(_SETTERS), "set_cookie", "setcookie", "set_signed_cookie", "setrawcookie", "cookie", "cookieoptions")
_SETS = lazy(r"(?:cookie|cookieoptions|setsecure|sethttponly)(?:\s|<[^<>]{0,80}>)*[({]")


def _in_cookie(setting: SettingSite, source: CryptoSource) -> bool:
    """Whether `secure: false` belongs to a cookie: told by what stands before it."""
    if setting.node.kind() in {"keyword_argument", "default_parameter", "typed_default_parameter"}:
        return False
    if source.language in {"java", "kotlin", "csharp", "go"} and "declar" in setting.node.kind():
        return False  # a field of a class says how it begins, not what a cookie gets
    before = source.text[max(0, setting.start - 400) : setting.start].lower()
    return "cookie" in before or "cookie" in setting.target.lower() or "session" in before[-160:]


def _hit(site: Site, what: str, sure: float = 0.9) -> WeaknessHit:
    return WeaknessHit(kind="insecure cookie", what=what, site=site, weighing="hash", sure=sure, fix=_FIX)


def _of_call(call: CallSite, source: CryptoSource) -> Iterator[WeaknessHit]:
    if call.last in _SETTERS and call.args and values_of(call.args[0], source).is_only(wanted=False):
        yield _hit(call, f"{call.name.rpartition('.')[2]}(false)")
    elif (
        call.last in {"set_cookie", "setcookie", "set_signed_cookie"}
        and source.language == "python"
        and len(call.args) + ("key" in call.named) + ("value" in call.named) > 1
        and not _is_told_elsewhere(call)
    ):
        yield from _missing(call, call.named.get("secure"), call.named.get("httponly"), source)
    elif call.name.lower() in {"setcookie", "setrawcookie"} and source.language == "php":
        if len(call.args) == _PHP_EXPIRES + 1 and _OPTIONS.search(call.args[_PHP_EXPIRES].text()[:60]):
            return  # a table that was filled elsewhere
        secure = call.named.get("secure") or _at(call, _PHP_SECURE)
        yield from _missing(call, secure, call.named.get("httponly") or _at(call, _PHP_HTTP_ONLY), source)
    elif (
        call.last == "cookie"
        and source.language in {"javascript", "typescript", "tsx"}
        and call.name.startswith(("res.", "response.", "reply.", "ctx."))
        and ".request." not in call.name
        and len(call.args) > 1  # with a name alone it is read
    ):
        if not (len(call.args) > 2 and not call.named):
            yield from _missing(call, call.named.get("secure"), call.named.get("httponly"), source)
    elif call.name in {"http.Cookie", "fasthttp.Cookie", "CookieOptions"} and _is_set(call):
        yield from _missing(call, call.named.get("secure"), call.named.get("httponly"), source)


def _is_told_elsewhere(call: CallSite) -> bool:
    """`**options` may hold the flags; who is given itself or a handler first sets the cookie in its own way."""
    arguments = call.node.field("arguments")
    spread = arguments is not None and any("splat" in child.kind() for child in arguments.children())
    return spread or bool(call.args and _HANDLERS.match(call.args[0].text()[:40]))


def _is_set(call: CallSite) -> bool:
    """A literal that only deletes a cookie or reads one guards nothing."""
    age = call.named.get("maxage")
    return bool(call.named) and (age is None or not age.text().startswith("-"))


def _at(call: CallSite, place: int) -> SgNode | None:
    return call.args[place] if len(call.args) > place else None


def _says_nothing(call: CallSite, source: CryptoSource) -> bool:
    """A mark such as `"true"`: whoever reads it learns what stands in the source."""
    value = call.named.get("value") or _at(call, 1)
    return value is not None and (values := values_of(value, source)).complete and bool(values.known)


def _missing(
    call: CallSite, secure: SgNode | None, http_only: SgNode | None, source: CryptoSource
) -> Iterator[WeaknessHit]:
    """Switched off is certain; left out is worth a note, more where the cookie says who somebody is."""
    off = [
        name
        for name, node in (("secure", secure), ("httponly", http_only))
        if node is not None
        and (values := values_of(node, source))
        and (values.is_only(wanted=False) or values.is_only(None))
    ]
    left_out = [name for name, node in (("secure", secure), ("httponly", http_only)) if node is None]
    head = source.text[call.start : call.start + 120]
    if _says_nothing(call, source) and not _SESSION.search(head):
        return
    if off:
        if off != ["httponly"] or not _READ_BY_SCRIPTS.search(head):
            yield _hit(call, f"cookie with {' and '.join(off)} off")
    elif left_out:
        weighing: Weighing = "hash" if _GUARDED.search(head) else "note"
        yield WeaknessHit(
            kind="insecure cookie",
            what=f"cookie without {' and '.join(left_out)}",
            site=call,
            weighing=weighing,
            sure=0.7,
            fix=_FIX,
        )
