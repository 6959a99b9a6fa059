"""Keys, salts and initialisation vectors that stand in the source: the same for everyone, known to all readers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from leeboard.model.text import lazy
from leeboard.security.crypto import words
from leeboard.security.crypto.constant import is_constant, values_of
from leeboard.security.crypto.source import CallSite, CryptoSource, SettingSite, Site
from leeboard.security.crypto.weakness import WeaknessHit

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_TABLE = words.material()
_JWT = lazy(r"(?i)\b(?:jwt|jsonwebtoken|jws)\.(?:sign|encode|verify|decode)\Z")
_TAKES_KEYWORDS = lazy(r"(?i)\.new\Z|crypt|cipher|pbkdf2|scrypt|kdf|hmac|derive|hash|\baes|\bdes")
_CIPHER_OBJECT = lazy(r"(?i)cipher|aes|des|crypt|\balg\b|rijndael|encryptor")
_SECRET_NAME = lazy(r"(?i)(?:\A|[_a-z])secret(?:_?key)?\Z|(?:jwt|signing|session)_?key\Z")
_DEFAULTED = lazy(
    r"""(?P<setting>\b(?:process|import\.meta)\.env(?:\.\w{1,60}|\[["'][^"'\n]{1,60}["']\])\s*(?:\|\||\?\?)|"""
    r"""\b(?:environ\.get|getenv|ENV\.fetch)\(\s*["'][^"'\n]{1,60}["']\s*(?:,|\)\s*or\b)|"""
    r"""\bENV\[["'][^"'\n]{1,60}["']\]\s*\|\|)\s*["'`][^"'`\n]{3,80}["'`]"""
)
_NAMES_SECRET = lazy(r"(?i)(?:secret(?:_?key)?|(?:jwt|signing|session)_?key)\W*(?:\bor)?\Z")
"""How the name of a setting ends that holds one, with what stands between it and its default."""
_APPLICATION = lazy(r"(?:self\.)?(?:app|application)(?:\.config)?\b")
"""What signs its sessions with such a key."""
_WHO = lazy(
    r"(?i)[$@&]?(?:[\w]+(?:\.|->))?(?:user_?name|user_?id|user_?email|e_?mail|login)(?:\.(?:encode|lower|strip|getBytes|"
    r"toLowerCase|trim|as_bytes|bytes)\([^()]*\))*\Z"
)
_PLACEHOLDER = lazy(r"(?i)your|change|example|placeholder|<|\$\{|xxx|\{\{")


_WITH_VARIABLES = lazy(r'"[^"]*(?<!\\)\$[A-Za-z_{]')


def hits(source: CryptoSource) -> Iterator[WeaknessHit]:
    for name, known in _TABLE.calls.items():
        for call in source.named(name):
            if known.fits(call.name):
                yield from _of_call(call, known, source)
    for _, call in source.matching(_JWT):
        yield from (_fixed(call, call.args[1], "key", source) if len(call.args) > 1 else ())
        yield from (_fixed(call, call.named["key"], "key", source) if "key" in call.named else ())
    yield from _by_keyword(source)
    for name, settings in source.settings.items():
        for setting in settings if name.lower() in _TABLE.members else ():
            yield from _of_setting(setting, source)
        for setting in settings:
            yield from _of_secret(setting, source) if _SECRET_NAME.search(name) else _of_secret_setting(setting)


def _of_call(call: CallSite, known: words.MaterialCall, source: CryptoSource) -> Iterator[WeaknessHit]:
    for role, place in (_TABLE.other_places.get(call.name) or known.places).items():
        if len(call.args) > place:
            yield from _fixed(call, call.args[place], role, source)
    for option, role in known.named.items():
        if option in call.named:
            yield from _fixed(call, call.named[option], role, source)


def _by_keyword(source: CryptoSource) -> Iterator[WeaknessHit]:
    if source.has(tuple(_TABLE.keywords)):
        for _, call in source.matching(_TAKES_KEYWORDS):
            for word, role in _TABLE.keywords.items():
                if word in call.named and not (word == "nonce" and "initial_value" in call.named):
                    yield from _fixed(call, call.named[word], role, source)


def _of_setting(setting: SettingSite, source: CryptoSource) -> Iterator[WeaknessHit]:
    """`cipher.iv = "..."`, `aes.Key = ...`."""
    role = _TABLE.members.get(setting.last)
    owner = setting.target.rpartition(".")[0]
    if role is not None and owner and _CIPHER_OBJECT.search(owner) and owner != "this":
        yield from _fixed(setting, setting.value, role, source)


def _of_secret(setting: SettingSite, source: CryptoSource) -> Iterator[WeaknessHit]:
    yield from _of_default(setting, setting.value)
    if setting.last == "secret_key" and _APPLICATION.match(setting.target):
        yield from _fixed(setting, setting.value, "key", source)


def _of_default(site: Site, node: SgNode) -> Iterator[WeaknessHit]:
    """`process.env.JWT_SECRET || "dev-secret"`: where the setting is missing, everybody knows the secret."""
    if _DEFAULTED.search(node.text()[:300]):
        what = "a default for a secret"
        yield WeaknessHit(kind="fixed key material", what=what, site=site, sure=0.7, fix="fail where it is not set")


def _of_secret_setting(setting: SettingSite) -> Iterator[WeaknessHit]:
    """The same under a name that says nothing: the setting it is read from tells what it is."""
    found = _DEFAULTED.match(setting.value.text()[:300])
    if found is not None and _NAMES_SECRET.search(found["setting"]):
        yield from _of_default(setting, setting.value)


def _is_filled(node: SgNode, site: Site, source: CryptoSource) -> bool:
    """`salt[0] = a; salt[2] = 0;`: one of its bytes is known, the others are not."""
    name = node.text()[:60]
    word = re.escape(name)
    filled = rf"\b{word}\s*\[\s*\w{{1,8}}\s*\]\s*=(?!\s*[={{\"])|\b(?:PUSH|PUT|STORE|WRITE)_\w{{2,12}}\(\s*{word}\b"
    return (
        source.language in {"c", "cpp"} and name.isidentifier() and bool(re.search(filled, source.function_text(site)))
    )


def _is_known_to_others(node: SgNode, source: CryptoSource) -> bool:
    """A salt that is the name of whom it is for: the same wherever he has an account, and known beforehand."""
    text = node.text()[:120]
    made = source.settings.get(text, ()) if text.isidentifier() else ()
    return bool(_WHO.match(made[-1].value.text()[:120] if len(made) == 1 else text))


def _is_put_together(node: SgNode, source: CryptoSource) -> bool:
    """`"$name::$secret"`: two variables and what stands between."""
    return source.language == "php" and _WITH_VARIABLES.match(node.text()[:200]) is not None


def _fixed(site: Site, node: SgNode, role: str, source: CryptoSource) -> Iterator[WeaknessHit]:
    if role == "salt" and _is_known_to_others(node, source):
        yield WeaknessHit(
            kind="fixed key material", what="predictable salt", site=site, sure=0.6, fix=_TABLE.fixes[role]
        )
        return
    if role == "key" and not isinstance(site, SettingSite):
        yield from _of_default(site, node)
    if not is_constant(node, source) or _is_filled(node, site, source) or _is_put_together(node, source):
        return
    texts = values_of(node, source).texts
    if role == "key" and any(not text or _PLACEHOLDER.search(text) for text in texts):
        return
    if (role == "salt" and any(not text for text in texts)) or (role == "IV" and texts == ("",)):
        return
    zero = bool(texts) and all(set(text) <= {"\0", "0"} for text in texts)
    what = f"{'zero' if zero and role != 'key' else 'fixed'} {role}"
    yield WeaknessHit(
        kind="fixed key material", what=what, site=site, sure=0.8 if role == "key" else 0.9, fix=_TABLE.fixes[role]
    )
