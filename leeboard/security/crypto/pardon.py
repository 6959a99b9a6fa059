"""Why code that spells a weakness need not have it: an option asks for it, a table lists it, a service demands it."""

from __future__ import annotations

import re
from collections.abc import Callable

from leeboard.model.text import lazy
from leeboard.security.crypto.branch import C_FAMILY, around, is_asked_by_name, is_fallback, plain
from leeboard.security.crypto.chance import chance_of
from leeboard.security.crypto.connection import NAMED, RENAMED, why_old, why_unverified
from leeboard.security.crypto.context import proves_who_it_is
from leeboard.security.crypto.source import CallSite, CryptoSource, Site
from leeboard.security.crypto.uses import statement_text
from leeboard.security.crypto.weakness import WeaknessHit
from leeboard.text.language import is_measurement, is_sample
from leeboard.text.words import split_name

LISTED = "an entry of a table of algorithms"
BLOCK = "a block of a construction that is made of it"
READ = "only read: what others wrote that way"
SHOWN = "in an example or a measurement"
DEMANDED = "demanded by a protocol"
TASTE = "a cookie that says what somebody likes to see"
EITHER = "one of two that a condition chooses from"
HMAC = "an HMAC, put together by hand"
SUM = "a check sum against typing errors"
OPEN = "a cookie of which nothing says that it lets anybody in"
TAKEN_BACK = "a cookie that is taken back"
DEFAULTS = "how a class for cookies begins"
FALLBACK = "only where the platform has nothing better"
TITLED = "an implementation of what the file is named after"
SENT = "what a service asks of its clients"
READ_FIRST = "read first, verified afterwards"

_ENTRIES = frozenset("pair keyed_element array_element_initializer".split())
_NEAR_UP = 5
_KEY_ROOM = 80
_SHORTEST = 2
_RENAMED = lazy(r"\s*(?:[\w.]{0,40}\.)?(?P<name>[A-Za-z]\w{2,60})\s*=\s*[\w.:]{0,60}?(?P=name)\s*;?\s*\Z")
_PROTOCOL = lazy(
    r"(?i)(?<![a-z])(?:ntlm|lm_?hash|nt_?hash|lan_?man|cram|apop|ms_?chap|smb|vnc|rfb|radius|kerberos|krb5)(?![a-z])|"
    r"ntlm|cram_?md5|lmhash|nthash|mschap|(?<![a-z])(?:md5_?crypt|apr_?1|ssha)(?![a-z])"
)
"""Ways to log in and to keep passwords that are older than the ciphers of today, and name theirs."""
_WEAK = frozenset(
    "arc4 arcfour bf blowfish cast5 des des3 ecb idea md2 md4 md5 motp rc2 rc4 sha sha1 smd5 ssha tripledes".split()
)
_BESIDE = frozenset("dsa ecdsa hmac otp rsa with".split())
"""Words of which the name of a standard is made. Whoever adds one of his own, `DesCipher`, made a choice."""
_DOES = lazy(r"(?i)(?:en|de)?crypt_?|_?(?:en|de)?crypt$")
_DIRECTIVE = lazy(r"[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif|define|undef|error|warning)\b")
_PADS = lazy(r"(?i)(?<![a-z])[io]_?pad(?![a-z])")
_LETS_IN = lazy(r"(?i)sess|auth|token|login|user|remember|jwt|\bsid\b|csrf|passw|secret|credential|account")
_BUILT = lazy(
    r"(?i)kdf|deriv|transform_?key|key_?stream|\bctr|_ctr|ctr_|counter|cmac|(?:un)?wrap|xts|eax|ccm|gcm|ofb|"
    r"(?:single|one|encrypt|raw)_?block|header_?prot"
)
_READS = lazy(r"_*(?i:from|parse|read|decode|reset|clear)(?=_|[A-Z]|$)")
_OF_A_TASTE = lazy(
    r"""(?i)(?:["'.\[>_$]|^\s*)(?:[a-z]+[_.\-])?(?:lang(?:uage)?|locale|theme|timezone|tz|consent|dark[_-]?mode|"""
    r"""preferences?|prefs?)(?:[_.\-]?cookie\w*)?["'\]\s=,:).]"""
)
_COOKIE_NAME = lazy(r"""(?i)cookie\w{0,20}\(\s*(["'][\w.\-]{1,80}["'])""")
_TAKEN_BACK = lazy(r"""(?i)cookie\w{0,20}\(\s*[^,()]{1,80},\s*(?:null|none|nil|''|"")\s*[,)]""")
_BEFORE, _BEHIND = 5, 4
_LOGS_IN = lazy(r"(?i)sign_?in|log_?in|auth|token|account|connect|notify|session")
_SENDS = lazy(
    r"\brequests\.(?:get|post|put|request)\(|\bhttpx\.\w{2,8}\(|\burlopen\(|\baxios[.(]|(?<![.\w])fetch\(|"
    r"\b\w{0,20}api_\w{2,20}\(|\b\w{2,20}_(?:request|query)\(|\bCURLOPT_POSTFIELDS\b|\bHttpClient\b|\bRestClient\b|[\"']https?://"
)
_KEEPS = lazy(
    r"(?i)\bexecute\(|\binsert\b|\bselect\b|\.save\(|\bcommit\(|\bdb\b|\.objects\.|filter_by|find_?one|\bupdate\s+\w+\s+set\b"
)
_VERIFIED = lazy(
    r"\.(?:decode|verify)\w{0,12}\((?=[^;]{0,300}?(?:algorithms?\b|key\b|secret\b))(?![^;]{0,200}?verify_signature)|"
    r"\bverif(?:y|ied)_\w{2,40}\(|\bvalidate_\w{2,40}\(|\.verif(?:y|ied)\w{0,20}\("
)


def pardon_of(hit: WeaknessHit, source: CryptoSource) -> str:
    """Why it is at most logged; empty where nothing speaks for it."""
    if is_sample(source.path) or is_measurement(source.path):
        return SHOWN
    if _is_listed(hit, source) or _is_declared(hit.site, source):
        return LISTED
    if hit.kind in _CHOSEN_BY_NAME and is_asked_by_name(hit):
        return NAMED
    if hit.kind in _WITHOUT_BETTER and is_fallback(hit.site):
        return FALLBACK
    if hit.kind in _OF_KIND and (reason := _OF_KIND[hit.kind](hit, source)):
        return reason
    line = source.lines[hit.site.line - 1][:200] if hit.site.line <= len(source.lines) else ""
    renamed = ("=" in line and _RENAMED.match(line)) or _is_wrapped(hit.site, source)
    return RENAMED if renamed else ""


_CHOSEN_BY_NAME = frozenset({"weak hash", "weak cipher", "ECB mode", "short key", "old TLS"})
_WITHOUT_BETTER = frozenset({"predictable random", "predictable seed", "weak hash", "insecure cookie"})


def _is_wrapped(site: Site, source: CryptoSource) -> bool:
    """`des_set_key` calls `DES_SET_KEY` and does nothing else: who calls it is told."""
    definition = source.definition_of(site)
    called = site.callee.rpartition(".")[2] if isinstance(site, CallSite) else ""
    if not called or definition is None or plain(definition.name) != plain(called):
        return False
    return not proves_who_it_is(" ".join(definition.params))  # one for passwords is no mere other name


def _of_cipher(hit: WeaknessHit, source: CryptoSource) -> str:
    if hit.kind == "ECB mode":
        definition = source.definition_of(hit.site)
        names = (
            source.path.rpartition("/")[2],
            definition.name if definition else "",
            definition.owner if definition else "",
        )
        if any(map(_BUILT.search, names)):
            return BLOCK
    if _is_demanded(hit.site, source):
        return DEMANDED
    if _is_titled(hit, source):
        return TITLED
    return READ if "decrypt" in source.lower and "encrypt" not in source.lower.replace("encrypted", "") else ""


def _is_demanded(site: Site, source: CryptoSource) -> bool:
    """The function, its class or the file is named after a way to log in that has no other cipher or hash."""
    definition = source.definition_of(site)
    names = (definition.name, definition.owner) if definition is not None else ()
    return any(map(_PROTOCOL.search, (source.path.rpartition("/")[2], *names)))


def _is_titled(hit: WeaknessHit, source: CryptoSource) -> bool:
    """`HMAC_SHA1.java`, `md5.c`: the name of the file or class is that of an algorithm and nothing else. In C a
    function of such a name is a part of one.
    """
    definition = source.definition_of(hit.site)
    names = [source.path.rpartition("/")[2].partition(".")[0], definition.owner if definition else ""]
    if definition is not None and (definition.kind == "class" or source.language in C_FAMILY):
        names.append(_DOES.sub("", definition.name))
    return any(map(_is_title, names))


def _is_title(name: str) -> bool:
    words = [word for word in split_name(name) if len(word) > 1 and not word.isdigit()]
    return any(word in _WEAK for word in words) and all(word in _WEAK or word in _BESIDE for word in words)


def _of_hash(hit: WeaknessHit, source: CryptoSource) -> str:
    if _is_demanded(hit.site, source):
        return DEMANDED
    if _is_titled(hit, source):
        return TITLED
    if len({found.lower() for found in _PADS.findall(source.function_text(hit.site))}) > 1:
        return HMAC
    if "CRC" in hit.what and "checksum" in statement_text(hit.site, source).lower():
        return SUM
    return _of_login(hit, source)


def _of_login(hit: WeaknessHit, source: CryptoSource) -> str:
    """A client that logs in somewhere sends the hash that the service wants; whoever keeps one chooses it."""
    definition = source.definition_of(hit.site)
    if definition is None or not _LOGS_IN.search(definition.name):
        return ""
    text = source.function_text(hit.site)
    return SENT if _SENDS.search(text) and not _KEEPS.search(text) else ""


def _of_cookie(hit: WeaknessHit, source: CryptoSource) -> str:
    """`secure` is set by what the connection is: the other side of the condition switches it on."""
    name = hit.what.partition(" ")[0]
    definition = source.definition_of(hit.site)
    if definition is not None and _READS.match(definition.name):
        return READ
    if _TAKEN_BACK.search(statement_text(hit.site, source)):
        return TAKEN_BACK
    if definition is not None and definition.kind == "class" and "cookie" in definition.name.lower():
        return DEFAULTS
    first, last = max(0, hit.site.line - _BEFORE), hit.site.line + _BEHIND
    named = _COOKIE_NAME.search(statement_text(hit.site, source))
    told = named[1] + "," if named is not None else "\n".join(source.lines[first:last])
    if name.lower().replace("_", "") == "httponly" and _OF_A_TASTE.search(told):
        return TASTE
    named_so = "\n".join((told, definition.name if definition is not None else "", source.path.rpartition("/")[2]))
    if name.lower().replace("_", "") == "httponly" and not _LETS_IN.search(named_so):
        return OPEN
    on = rf"(?i)\b{re.escape(name)}\s*=\s*true\b"
    is_switched = hit.what.endswith(" off") and re.search(on, source.function_text(hit.site)) is not None
    return EITHER if is_switched else ""


def _of_material(hit: WeaknessHit, source: CryptoSource) -> str:
    """ECB takes no IV: what is wrong there is said of the mode."""
    return BLOCK if "IV" in hit.what and "ECB" in source.function_text(hit.site) else ""


def _of_token(hit: WeaknessHit, source: CryptoSource) -> str:
    """Whose key it is has to be read before it can be verified."""
    first, last = source.function_lines(hit.site)
    behind = "\n".join(source.lines[hit.site.line : last]) if first else ""
    return READ_FIRST if _VERIFIED.search(behind) else ""


_OF_KIND: dict[str, Callable[[WeaknessHit, CryptoSource], str]] = {
    "old TLS": why_old,
    "unverified connection": why_unverified,
    "ECB mode": _of_cipher,
    "weak hash": _of_hash,
    "unsalted password hash": _of_login,
    "fast password hash": _of_login,
    "insecure cookie": _of_cookie,
    "predictable random": chance_of,
    "weak cipher": _of_cipher,
    "fixed key material": _of_material,
    "unverified token": _of_token,
}


def _is_declared(site: Site, source: CryptoSource) -> bool:
    """A member of an enumeration, a line of the preprocessor, an entry that a macro makes: named there, not used."""
    if source.language not in C_FAMILY or not 0 < site.line <= len(source.lines):
        return False
    if _DIRECTIVE.match(source.lines[site.line - 1]):
        return True
    for ancestor in around(site)[:_NEAR_UP]:
        if ancestor.kind() == "enumerator":
            return True
        if ancestor.kind() == "initializer_list" and (row := ancestor.parent()) is not None:
            return row.kind() == "initializer_list"  # a row of a table
        if ancestor.kind() == "call_expression" and not isinstance(site, CallSite):
            name = ancestor.text().partition("(")[0].strip()
            return name.isupper() and "SET" not in name
    return False


def _is_listed(hit: WeaknessHit, source: CryptoSource) -> bool:
    """`"SHA-1": hashlib.sha1`: the key says the same as the value, so nothing is chosen here."""
    spelled = source.text[hit.site.start : min(hit.site.end, hit.site.start + _KEY_ROOM)]
    wanted = [plain(text.partition("(")[0]) for text in (hit.what, spelled)]
    for node in (hit.site.node, *hit.site.node.ancestors()[:3]):
        if node.kind() in _ENTRIES and len(node.children()) > 1:
            key = node.field("key") or next(iter(node.children()), None)
            said = plain(key.text()[:_KEY_ROOM]) if key is not None else ""
            return any(len(name) > _SHORTEST and name in said for name in wanted)
    return False
