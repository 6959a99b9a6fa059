"""Why code that spells a weakness need not have it: an option asks for it, a table lists it, a name is passed on."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from leeboard.model.text import lazy
from leeboard.security.crypto.chance import chance_of
from leeboard.security.crypto.context import proves_who_it_is, statement_text, target_of
from leeboard.security.crypto.source import CallSite, CryptoSource, Site, Word
from leeboard.security.crypto.weakness import WeaknessHit
from leeboard.text.language import is_measurement, is_sample

if TYPE_CHECKING:
    from ast_grep_py import SgNode

ASKED = "only where an option asks for it"
LISTED = "an entry of a table of algorithms"
RENAMED = "passed on under its own name"
NAMED = "a version that a name or a setting asks for"
SERVES = "a server that asks its clients for no certificate"
BLOCK = "a block of a construction that is made of it"
READ = "only read: what others wrote that way"
SHOWN = "in an example or a measurement"
DEMANDED = "demanded by a protocol"
TASTE = "a cookie that says what somebody likes to see"
EITHER = "one of two that a condition chooses from"
BY_HAND = "the certificate is looked at by hand"
HMAC = "an HMAC, put together by hand"
SUM = "a check sum against typing errors"
OPEN = "a cookie of which nothing says that it lets anybody in"

_WISH = lazy(
    r"(?i)insecure|unsafe|no_?check|skip_?\w{0,12}(?:verif|check|tls|ssl)|disable_?\w{0,16}(?:verif|valid|check|tls|ssl)|"
    r"allow_?\w{0,10}(?:invalid|self)|without_?verif|self_?signed|no_?verif|trust_?all|"
    r"(?:verif|ssl|tls|cert)\w{0,20}\s*(?:is|={2,3})\s*(?:False|false)\b|"
    r"(?:\bnot\s|\bunless\s|!)\s{0,3}\(?[\w.>\-@$\[:\"']{0,40}(?:verif|check_?host|validate_?cert)"
)
_NAMED_SO = lazy(r"_*(?:Insecure|Unsafe|Unverified|TrustAll|NoVerif|NonValidat|AcceptAll)\w{2,}")
_CHOICE = lazy(r"\bif\b[^\n]{1,160}\belse\b|(?<!<)\?[^\n]{1,160}:")
_ENTRIES = frozenset("pair keyed_element array_element_initializer".split())
_UP = 24
_UP_OTHERWISE = 12
_NEAR_UP = 5
_KEY_ROOM = 80
_SHORTEST = 2
_SIGNS = lazy(r"[^a-z0-9]")
_RENAMED = lazy(r"\s*(?:[\w.]{0,40}\.)?(?P<name>[A-Za-z]\w{2,60})\s*=\s*[\w.:]{0,60}?(?P=name)\s*;?\s*\Z")
_CONNECTIONS = frozenset({"unverified connection", "old TLS"})
_CHECKS = lazy(r"(?i)verif|valid|check|insecure|trust|peer|self_?signed|tls|ssl")
_PROTOCOL = lazy(
    r"(?i)(?<![a-z])(?:ntlm|lm_?hash|nt_?hash|lan_?man|cram|apop|ms_?chap|smb|vnc|rfb|radius|kerberos|krb5)(?![a-z])|"
    r"ntlm|cram_?md5|lmhash|nthash|mschap"
)
"""Ways to log in that are older than the ciphers of today, and name theirs."""
_SETS = lazy(
    r"(?i)set|min|max|ctx|context|config|wrap|new|init|option|protocol\b|version|connect|method|add|server|client|get_?instance"
)
_DIRECTIVE = lazy(r"[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif|define|undef|error|warning)\b")
_IS_DIRECTIVE = lazy(r"[ \t]*#[ \t]*(?:if|el|endif)")
_C_FAMILY = frozenset({"c", "cpp"})
_OWN_OPTION = lazy(r"(?:\bself\b|\bthis\b|@)\W{0,3}\w")
_ACCEPTS = lazy(
    r"SSL_accept\b|SSL_set_accept_state|\w*_server_method\b|\bSslAcceptor\b|\bSslMethod::tls_server\b|\bstartServerEncryption\b"
)
_CONNECTS = lazy(r"SSL_connect\b|SSL_set_connect_state|\w*_client_method\b|\bSslConnector\b")
_OF_CLIENTS = lazy(r"(?i)verify_?client|client_?verif")
_LOOKED_AT = lazy(r"\.PeerCertificates\b|\bgetPeerCertificate\s*\(|\bgetpeercert\s*\(|x509\.VerifyOptions")
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
_BEFORE, _BEHIND = 5, 4
_ANSWERS = lazy(r"\s*(?:case\b[^\n:]{1,80}:\s*)?(?:return\b|[?:])[^(){}\n]{1,120}$")
_COMPARED = lazy(r"(?:[=!]==?|[<>]=?)\s*(?:\([\w\s*]{1,30}\)\s*)?\Z")
_ASKS_VERSION = lazy(r"(?i)\s*(?:case|when|\}?\s*else\s+if|elif|elsif|if)\b.{0,160}(?:tls|ssl|\b1\.[01])")


def pardon_of(hit: WeaknessHit, source: CryptoSource) -> str:
    """Why it is at most logged; empty where nothing speaks for it."""
    if is_sample(source.path) or is_measurement(source.path):
        return SHOWN
    if hit.kind in _CONNECTIONS and _is_asked_for(hit.site, source):
        return ASKED
    if _is_listed(hit, source) or _is_declared(hit.site, source):
        return LISTED
    if hit.kind in _OF_KIND and (reason := _OF_KIND[hit.kind](hit, source)):
        return reason
    line = source.lines[hit.site.line - 1][:200] if hit.site.line <= len(source.lines) else ""
    renamed = ("=" in line and _RENAMED.match(line)) or _is_wrapped(hit.site, source)
    return RENAMED if renamed else ""


def _is_wrapped(site: Site, source: CryptoSource) -> bool:
    """`des_set_key` calls `DES_SET_KEY` and does nothing else: who calls it is told."""
    definition = source.definition_of(site)
    called = site.callee.rpartition(".")[2] if isinstance(site, CallSite) else ""
    if not called or definition is None or _plain(definition.name) != _plain(called):
        return False
    return not proves_who_it_is(" ".join(definition.params))  # one for passwords is no mere other name


def _of_old_tls(hit: WeaknessHit, source: CryptoSource) -> str:
    """`return tls.VersionTLS10` answers which version a name means; nothing is set to it here."""
    line = source.lines[hit.site.line - 1]
    earlier = (text for text in reversed(source.lines[: hit.site.line - 1][-3:]) if not _IS_DIRECTIVE.match(text))
    above = next((text for text in earlier if text.strip()), "")
    is_answer = _ANSWERS.match(line) and line.count("(") == line.count(")")
    ancestors = _around(hit.site)
    in_case = any("case" in one.kind() for one in ancestors[:_NEAR_UP]) and source.language in _C_FAMILY
    call = next((one for one in ancestors[:_NEAR_UP] if one.kind() == "call_expression"), None)
    is_printed = call is not None and source.language in _C_FAMILY and not _SETS.search(call.text().partition("(")[0])
    target = _plain(target_of(hit.site, source))
    if len(target) > _SHORTEST and any(map(str.isdigit, target)) and target in _plain(hit.what.rpartition(".")[2]):
        return RENAMED
    is_compared = _COMPARED.search(source.text, max(0, hit.site.start - _KEY_ROOM), hit.site.start) is not None
    return NAMED if is_answer or in_case or is_printed or is_compared or _ASKS_VERSION.match(above[:200]) else ""


def _of_connection(hit: WeaknessHit, source: CryptoSource) -> str:
    if _OF_CLIENTS.search(source.lines[hit.site.line - 1]):
        return SERVES
    function = source.function_text(hit.site)
    if _LOOKED_AT.search(function) or (source.language == "go" and "x509.VerifyOptions{" in source.text):
        return BY_HAND
    if source.language not in {"c", "cpp", "rust"} or not _NONE.fullmatch(hit.what):
        return ""
    accepts = _ACCEPTS.search(function) and not _CONNECTS.search(function)
    return SERVES if accepts or (_ACCEPTS.search(source.text) and not _CONNECTS.search(source.text)) else ""


_NONE = lazy(r"SSL_VERIFY_NONE|(?:\w+::)*(?:NONE|VerifyNone)")


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
    if _is_asked_by_name(hit, source):
        return NAMED
    return READ if "decrypt" in source.lower and "encrypt" not in source.lower.replace("encrypted", "") else ""


def _is_asked_by_name(hit: WeaknessHit, source: CryptoSource) -> bool:
    """A branch for this very cipher: `case ENCR_DES:`; which one is used was decided by who asked."""
    if source.language not in _C_FAMILY:
        return False
    spelled = _plain(hit.what.partition("-")[0].partition(" ")[0])
    cases = (one.field("value") for one in _around(hit.site) if one.kind() == "case_statement")
    return len(spelled) > 1 and any(spelled in _plain(label.text()[:_KEY_ROOM]) for label in cases if label is not None)


def _is_demanded(site: Site, source: CryptoSource) -> bool:
    """The function, its class or the file is named after a way to log in that has no other cipher or hash."""
    definition = source.definition_of(site)
    names = (definition.name, definition.owner) if definition is not None else ()
    return any(map(_PROTOCOL.search, (source.path.rpartition("/")[2], *names)))


def _of_hash(hit: WeaknessHit, source: CryptoSource) -> str:
    if _is_demanded(hit.site, source):
        return DEMANDED
    if len({found.lower() for found in _PADS.findall(source.function_text(hit.site))}) > 1:
        return HMAC
    return SUM if "CRC" in hit.what and "checksum" in statement_text(hit.site, source).lower() else ""


def _of_cookie(hit: WeaknessHit, source: CryptoSource) -> str:
    """`secure` is set by what the connection is: the other side of the condition switches it on."""
    name = hit.what.partition(" ")[0]
    definition = source.definition_of(hit.site)
    if definition is not None and _READS.match(definition.name):
        return READ
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


_OF_KIND: dict[str, Callable[[WeaknessHit, CryptoSource], str]] = {
    "old TLS": _of_old_tls,
    "unverified connection": _of_connection,
    "ECB mode": _of_cipher,
    "weak hash": _of_hash,
    "insecure cookie": _of_cookie,
    "predictable random": chance_of,
    "weak cipher": _of_cipher,
    "fixed key material": _of_material,
}


def _is_asked_for(site: Site, source: CryptoSource) -> bool:
    """`if args.insecure:` stands around it, or it is one side of such a choice."""
    statement = statement_text(site, source)
    if _WISH.search(statement) and _CHOICE.search(statement):
        return True
    definition = source.definition_of(site)
    if definition is not None and _WISH.search(definition.name) and _OWN_OPTION.search(statement):
        return True  # a method by which its caller asks for it
    if definition is not None and _NAMED_SO.match(definition.owner or definition.name):
        return True  # a class that says so by its name: whoever uses it is told where it is used
    for up, ancestor in enumerate(_around(site)):
        condition = ancestor.field("condition") or (ancestor.field("value") if "case" in ancestor.kind() else None)
        if condition is not None and _WISH.search(condition.text()[:200]):
            return True
        if condition is not None and up < _UP_OTHERWISE and _is_otherwise(site, ancestor, condition):
            return True
    return False


def _around(site: Site) -> list[SgNode]:
    """What a site lies in, the nearest first. A word is looked for below the call or setting it is known to lie in."""
    node = site.node
    while isinstance(site, Word) and (inner := _child_with(node, site)) is not None:
        node = inner
    return node.ancestors()[:_UP]


def _child_with(node: SgNode, site: Site) -> SgNode | None:
    spans = ((child, child.range()) for child in node.children())
    return next((one for one, span in spans if span.start.index <= site.start and site.end <= span.end.index), None)


def _is_otherwise(site: Site, choice: SgNode, condition: SgNode) -> bool:
    """`verify ? SSL_VERIFY_PEER : SSL_VERIFY_NONE`: what happens where the check is not wanted."""
    other = choice.field("alternative") or choice.field("alternate")
    if other is None or not _CHECKS.search(condition.text()[:200]):
        return False
    span = other.range()
    return span.start.index <= site.start and site.end <= span.end.index


def _is_declared(site: Site, source: CryptoSource) -> bool:
    """A member of an enumeration, a line of the preprocessor, an entry that a macro makes: named there, not used."""
    if source.language not in _C_FAMILY or not 0 < site.line <= len(source.lines):
        return False
    if _DIRECTIVE.match(source.lines[site.line - 1]):
        return True
    for ancestor in _around(site)[:_NEAR_UP]:
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
    wanted = [_plain(text.partition("(")[0]) for text in (hit.what, spelled)]
    for node in (hit.site.node, *hit.site.node.ancestors()[:3]):
        if node.kind() in _ENTRIES and len(node.children()) > 1:
            key = node.field("key") or next(iter(node.children()), None)
            said = _plain(key.text()[:_KEY_ROOM]) if key is not None else ""
            return any(len(name) > _SHORTEST and name in said for name in wanted)
    return False


def _plain(text: str) -> str:
    return _SIGNS.sub("", text.lower())
