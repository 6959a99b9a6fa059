"""Why a connection that checks nothing, or an old version of TLS, may be what somebody needs there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from leeboard.model.text import lazy
from leeboard.security.crypto.branch import C_FAMILY, around, plain
from leeboard.security.crypto.source import CryptoSource, Site
from leeboard.security.crypto.uses import statement_text, target_of
from leeboard.security.crypto.weakness import WeaknessHit

if TYPE_CHECKING:
    from ast_grep_py import SgNode

    from leeboard.source.syntax import Definition

ASKED = "only where an option asks for it"
RENAMED = "passed on under its own name"
NAMED = "a version that a name or a setting asks for"
SERVES = "a server that asks its clients for no certificate"
BY_HAND = "the certificate is checked by hand"
LOCAL = "a connection to this machine"
OWN_CA = "a certificate of a chosen authority is demanded"
BEGINS = "a field that begins as nothing"
EITHER = "one of two that a condition chooses from"

_WISH = lazy(
    r"(?i)insecure|unsafe|dangerous|(?<![a-z])strict_?(?:https?|tls|ssl|check)|ignore_?\w{0,12}unauthori[sz]ed|={2,3}\s*(?:\w+[.:]+){0,3}(?:CERT|VERIFY)_NONE\b|(?:allow|accept|ignore|permit|tolerate)_?\w{0,16}(?:unsigned|untrusted|unverified|certs?\b|certificates?\b|expired_?(?:cert|ssl|tls)|(?:cert|ssl|tls)\w{0,12}expired)|"
    r"no[_-]?check|skip[_-]?\w{0,12}(?:verif|check|tls|ssl)|"
    r"disable_?\w{0,16}(?:verif|valid|check|tls|ssl|trust)|allow_?\w{0,10}(?:invalid|self)|without_?verif|self_?signed|"
    r"(?:verif|ssl|tls|cert)\w{0,24}[\"'\])]{0,3}\s*={2,3}\s*(?:\"\"|''|[\"'](?:0|no|off|false)[\"'])|"
    r"no[_-]?verif|do?n[o']?t[_-]?verif|trust_?(?:all|local)|weak_?\w{0,8}(?:cert|valid)|"
    r"(?:verif|ssl|tls|cert)\w{0,20}[\"'\])]{0,3}\s*(?:is|={2,3})\s*[\"']?(?:False|false)\b|"
    r"(?:\bnot\s|\bunless\s|!)\s{0,3}\(?[\w.>\-@$\[:\"']{0,40}(?:verif|check_?host|validate_?cert|(?:tls|ssl)_?valid)"
)
_NAMED_SO = lazy(
    r"\w{0,30}?(?:\b|_|(?<=[a-z0-9]))(?:Insecure|Unsafe|Unverified|TrustAll|NoVerif|NonValidat|AcceptAll|AllTrust)\w{2,}|"
    r"\w{0,30}?(?:Passthrough|Noop)\w{0,20}(?:Verifier|TrustManager|Validator)"
)
_REFUSED = lazy(r"(?i)\(?\s*(?:\$?\w+\s*(?:===?\s*false|\bis\s+False)|!\s*\$?\w+)\s*\)?\Z")
_OF_A_CHECK = lazy(r"(?i)verif|validat")
_CHOICE = lazy(r"\bif\b[^\n]{1,160}\belse\b|(?<!<)\?[^\n]{1,160}:")
_DECIDES = lazy(r"\b(?:if|elif|elsif|else|unless|case|match|switch|when|for|while|get)\b|[?{]|\bor\b|\|\|")
_CHECKS = lazy(r"(?i)verif|valid|check|insecure|trust|peer|self_?signed|tls|ssl|\bca_?(?:f|path|cert|bundle|info)")
_OWN_OPTION = lazy(r"(?:\bself\b|\bthis\b|@)\W{0,3}\w")
_SETS = lazy(
    r"(?i)set|min|max|ctx|context|config|wrap|new|init|option|protocol\b|version|connect|method|add|server|client|get_?instance"
)
_SAYS_NOTHING = lazy(r"[ \t]*(?:#[ \t]*(?:if|el|endif)|[{}]?[ \t]*\Z|//|/\*.*\*/[ \t]*\Z)")
_LINES_UP = 6
_ACCEPTS = lazy(
    r"SSL_accept\b|SSL_set_accept_state|\w*_server_method\b|\bSslAcceptor\b|\bSslMethod::tls_server\b|\bstartServerEncryption\b"
)
_CONNECTS = lazy(r"SSL_connect\b|SSL_set_connect_state|\w*_client_method\b|\bSslConnector\b|\.connect\(")
_HAS_OWN_KEY = lazy(r"\bset_private_key\b|\bcheck_private_key\b")
_SERVES_IN_GO = lazy(
    r"\bfunc\s+(?:\([^()]*\)\s*)?\w*(?i:serve|listen)|\.?(?:Listen\w*|New\w*Server|NewListener)\(|\bServer\{|ClientAuth|ClientCAs"
)
_DIALS_IN_GO = lazy(r"RootCAs|ServerName|\bDial|http\.(?:Client|Transport)|TLSClientConfig|client")
_DIALS_IN_PYTHON = lazy(r"PROTOCOL_TLS_CLIENT|create_default_context|server_hostname")
_MAKES_SERVER = lazy(r"(?:\A|[\s.=])\w*(?:Http|HTTP|Web|Tcp|TCP)\w*Server\(")
_OF_CLIENTS = lazy(r"(?i)verify_?client|client_?verif")
_LOOKED_AT = lazy(r"\.PeerCertificates\b|\bgetPeerCertificate\s*\(|\bgetpeercert\s*\(|x509\.VerifyOptions")
_WITH_FUNCTION = lazy(r"\s*,\s*(?!(?:NULL|nullptr|0)\b)&?[A-Za-z_][\w:.>-]*\s*\)")
_ALIAS = lazy(r"(\w{3,60})\s*(?:=|:)\s*[\w.:]{0,60}\Z")
_DEMANDED = {
    "SSL_VERIFY_NONE": "SSL_VERIFY_PEER",
    "VERIFY_NONE": "VERIFY_PEER",
    "CERT_NONE": "CERT_REQUIRED|CERT_OPTIONAL",
    "VerifyNone": "VerifyPeer",
}
_NONE = lazy(r"SSL_VERIFY_NONE|(?:\w+::)*(?:NONE|VerifyNone)")
_THIS_MACHINE = lazy(r"(?i)(?:https?://|[\"'@/])(?:localhost|127\.0\.0\.1|\[?::1\]?)(?![\w.-])")
_IN_BETWEEN = lazy(
    r"""(?i)(?:prox(?:y|ies)|referr?er|origin|environ|env)\b[^\n]{0,60}?["']https?://[^"'\n]{1,80}["']|"""
    r"""env\.?\w{0,40}\s*(?:\|\||\?\?)\s*["']https?://[^"'\n]{1,80}["']"""
)
"""What a request goes through or came from, and what stands in for a setting: not where it goes."""
_UNLESS = lazy(r"!=|\bunless\b|\bnot\b|\bne\b|(?<![\w)\]])!")
_ADDRESS = lazy(r"(?i)\bhttps?://")
_DEMANDS = lazy(r"\bCERT_REQUIRED\b|SSL_VERIFYPEER,\s*(?:True|true|1)")
_AUTHORITY = lazy(r"load_verify_locations|cafile|ca_certs|cadata|(?:OPT_|\.)CAINFO\b")
_EVERYBODYS = lazy(r"/etc/(?:ssl|pki)\b|ca-(?:certificates|bundle)|\bcertifi\b")
"""What everybody trusts: any host has a certificate of one of those."""
_IS_CALL = lazy(r"call|new_expression|creation")
_NOTHING = lazy(r"[^;=\n]{1,80}=\s*(?:0|NULL|nullptr|false)\s*;\s*$")
_ANSWERS = lazy(r"\s*(?:case\b[^\n:]{1,80}:\s*)?(?:return\b|[?:])[^(){}\n]{1,120}$")
_COMPARED = lazy(r"(?:[=!]==?|(?<![=\-<>])[<>]=?)\s*(?:\([\w\s*]{1,30}\)\s*)?\Z")
_ASKS_VERSION = lazy(r"(?i)\s*(?:case|when|\}?\s*else\s+if|elif|elsif|if)\b.{0,160}(?:tls|ssl|\b1\.[01])")
_VERSION_OF = lazy(r"(?:ssl|tls)v?\d+")
_DEFINED = lazy(r"\s*(?:\w+\s*,\s*){2,12}\w+\s*=(?!=)")
"""Constants that are given their numbers, several in one line."""
_NAMED_BEFORE = lazy(r"(?i)\b\w{0,20}(?:tls|ssl)\w{0,8}\d[\w.]{0,8}[\"']?\s*,\s*\Z")
_UP_OTHERWISE = 12
_NEAR_UP = 5
_KEY_ROOM = 80
_SHORTEST = 2


def why_unverified(hit: WeaknessHit, source: CryptoSource) -> str:
    """Of a certificate that nobody verifies."""
    return next((reason for reason, holds in _REASONS if holds(hit, source)), "")


def why_old(hit: WeaknessHit, source: CryptoSource) -> str:
    """`return tls.VersionTLS10` answers which version a name means; nothing is set to it here."""
    if _is_asked_for(hit, source):
        return ASKED
    if _is_default(hit, source):
        return RENAMED
    line = source.lines[hit.site.line - 1]
    earlier = (
        text for text in reversed(source.lines[: hit.site.line - 1][-_LINES_UP:]) if not _SAYS_NOTHING.match(text)
    )
    above = next(earlier, "")
    is_answer = _ANSWERS.match(line) and line.count("(") == line.count(")")
    ancestors = around(hit.site)
    in_case = any("case" in one.kind() for one in ancestors[:_NEAR_UP]) and source.language in C_FAMILY
    call = next((one for one in ancestors[:_NEAR_UP] if one.kind() == "call_expression"), None)
    is_printed = call is not None and source.language in C_FAMILY and not _SETS.search(call.text().partition("(")[0])
    target = plain(target_of(hit.site, source))
    what = plain(hit.what.rpartition(".")[2])
    version = _VERSION_OF.search(what)
    is_same = target in what or (version is not None and version[0] in target)
    if len(target) > _SHORTEST and any(map(str.isdigit, target)) and is_same:
        return RENAMED
    if _DEFINED.match(line) and line.find(hit.what) < line.rfind("="):
        return NAMED
    before = max(0, hit.site.start - _KEY_ROOM), hit.site.start
    is_compared = _COMPARED.search(source.text, *before) is not None
    is_listed = source.language in C_FAMILY and _NAMED_BEFORE.search(source.text, *before) is not None
    is_named = is_answer or in_case or is_printed or is_compared or is_listed or _ASKS_VERSION.match(above[:200])
    return NAMED if is_named else ""


def _is_a_server(hit: WeaknessHit, source: CryptoSource) -> bool:
    """What a server is told about the certificates of its clients."""
    if _OF_CLIENTS.search(source.lines[hit.site.line - 1]) or _serves_in_python(hit, source):
        return True
    if _MAKES_SERVER.search(_told_to(hit.site)):
        return True
    function = source.function_text(hit.site)
    if source.language == "go" and "Certificates:" in function:
        return bool(_SERVES_IN_GO.search(function)) and not _DIALS_IN_GO.search(function)
    if source.language not in {"c", "cpp", "rust"} or not _NONE.fullmatch(hit.what):
        return False
    connects = _CONNECTS.search(source.text)
    if source.language == "rust" and _HAS_OWN_KEY.search(function) and not connects:
        return True
    accepts = _ACCEPTS.search(function) and not _CONNECTS.search(function)
    return bool(accepts or (_ACCEPTS.search(source.text) and not connects))


def _serves_in_python(hit: WeaknessHit, source: CryptoSource) -> bool:
    function = source.function_text(hit.site) if source.language == "python" else ""
    return "PROTOCOL_TLS_SERVER" in function and not _DIALS_IN_PYTHON.search(function)


def _told_to(site: Site) -> str:
    """The call that is given it, up to its arguments; not one around that."""
    calls = (one for one in (site.node, *around(site)) if _IS_CALL.search(one.kind()))
    call = next(calls, None)
    return call.text().partition("(")[0][-_KEY_ROOM:] + "(" if call is not None else ""


def _is_looked_at(hit: WeaknessHit, source: CryptoSource) -> bool:
    """The code asks for the certificate, or hands over a function that is given it."""
    if source.language in C_FAMILY and _WITH_FUNCTION.match(source.text, hit.site.end):
        return True
    is_checked_in_go = source.language == "go" and "x509.VerifyOptions{" in source.text
    return is_checked_in_go or _LOOKED_AT.search(source.function_text(hit.site)) is not None


def _is_default(hit: WeaknessHit, source: CryptoSource) -> bool:
    """`def wrap(sock, cert_reqs=CERT_NONE)`: who calls it says which, as with the function that it stands for."""
    return source.language == "python" and any(
        one.kind() in _PARAMETERS and _LIBRARYS_NAME.match(one.text()) for one in around(hit.site)[:_NEAR_UP]
    )


_PARAMETERS = frozenset({"default_parameter", "typed_default_parameter"})
_LIBRARYS_NAME = lazy(r"(?:(?:ssl_)?cert_reqs|ssl_version|verify_mode)\b")


def _is_alias(hit: WeaknessHit, source: CryptoSource) -> bool:
    """`const int verify_none = SSL_VERIFY_NONE;`: the same under another name. What is called makes something."""
    if source.text[hit.site.end : hit.site.end + 1] == "(":
        return False
    found = _ALIAS.search(source.text, max(0, hit.site.start - _KEY_ROOM), hit.site.start)
    name = plain(found[1]) if found is not None else ""
    return len(name) > _SHORTEST and plain(hit.what).endswith(name)


def _is_one_of_two(hit: WeaknessHit, source: CryptoSource) -> bool:
    """The function knows both: something decides which."""
    other = _DEMANDED.get(hit.what.rpartition(".")[2].rpartition("::")[2])
    text = source.function_text(hit.site) if other is not None else ""
    return re.search(rf"\b(?:{other})\b", text) is not None and _DECIDES.search(text) is not None


def _has_chosen_authority(hit: WeaknessHit, source: CryptoSource) -> bool:
    """Only the host's name is not compared: whoever is certified by that authority is trusted."""
    function = source.function_text(hit.site)
    demands = _DEMANDS.search(function) and _AUTHORITY.search(function) and not _EVERYBODYS.search(function)
    is_host = hit.what == "check_hostname off" or "VERIFYHOST" in hit.what
    return is_host and bool(demands)


def _is_local(hit: WeaknessHit, source: CryptoSource) -> bool:
    """The statement or its condition names this machine, or the function knows no other address."""
    site = hit.site
    statement = _IN_BETWEEN.sub("", statement_text(site, source))
    if _THIS_MACHINE.search(statement) and not _UNLESS.search(statement):
        return True
    if any(_asks_for_this_machine(site, one) for one in around(site)):
        return True
    text = _IN_BETWEEN.sub("", source.function_text(site))
    addresses = [found.start() for found in _ADDRESS.finditer(text)]
    return bool(addresses) and all(_THIS_MACHINE.match(text, at) for at in addresses)


def _asks_for_this_machine(site: Site, choice: SgNode) -> bool:
    """Whether it stands where the answer is yes: neither `host != "localhost"` nor the other side of `==`."""
    condition, other = choice.field("condition"), choice.field("alternative")
    text = condition.text()[:200] if condition is not None else ""
    if not _THIS_MACHINE.search(text) or _UNLESS.search(text) or "unless" in choice.kind():
        return False
    return other is None or not _is_inside(site, other)


def _begins_as_nothing(hit: WeaknessHit, source: CryptoSource) -> bool:
    """`session->verify = 0;` in a row of fields that are set to nothing."""
    lines = source.lines[hit.site.line - 1 : hit.site.line + 1]
    if source.language == "python":
        return hit.what == "check_hostname off" and lines[0].lstrip().startswith("self.check_hostname")
    return source.language in C_FAMILY and len(lines) > 1 and all(map(_NOTHING.match, lines))


def _is_asked_for(hit: WeaknessHit, source: CryptoSource) -> bool:
    """`if args.insecure:` stands around it, or it is one side of such a choice."""
    site = hit.site
    statement = statement_text(site, source)
    if _WISH.search(statement) and _CHOICE.search(statement):
        return True
    definition = source.definition_of(site)
    name = definition.name if definition is not None else ""
    if _WISH.search(name) and (_OWN_OPTION.search(statement) or source.language in C_FAMILY):
        return True  # a method by which its caller asks for it
    if _is_named_so(site, source):
        return True
    if definition is not None:
        name = f"{definition.owner}.{name}"
    for up, ancestor in enumerate(around(site)):
        condition = ancestor.field("condition") or (ancestor.field("value") if "case" in ancestor.kind() else None)
        if condition is None:
            continue
        text = condition.text()[:200]
        if _WISH.search(text) or (_OF_A_CHECK.search(name) and _REFUSED.match(text)):
            return True
        if up < _UP_OTHERWISE and _is_otherwise(site, ancestor, condition):
            return True
    return any(map(_is_last_of_checks, around(site)))


def _is_named_so(site: Site, source: CryptoSource) -> bool:
    """A function or a class around it says so by its name, and the file only offers it: nothing else in it uses it."""
    definition = source.definition_of(site)
    if definition is None:
        return False
    enclosing = (it for it in source.tree.definitions if it.start <= site.line <= it.end)
    named = (it for it in enclosing if _NAMED_SO.match(it.name))
    return any(not _is_used_outside(it, source) for it in named)


def _is_used_outside(definition: Definition, source: CryptoSource) -> bool:
    rest = "\n".join((*source.lines[: definition.start - 1], *source.lines[definition.end :]))
    return re.search(rf"\b{re.escape(definition.name)}\b", rest) is not None


def _is_otherwise(site: Site, choice: SgNode, condition: SgNode) -> bool:
    """`verify ? SSL_VERIFY_PEER : SSL_VERIFY_NONE`: what happens where the check is not wanted."""
    other = choice.field("alternative") or choice.field("alternate")
    if other is None or not _CHECKS.search(condition.text()[:200]):
        return False
    return _is_inside(site, other)


def _is_last_of_checks(ancestor: SgNode) -> bool:
    """`elif verify: ... else:`: the branches of Python lie beside each other."""
    whole = ancestor.parent()
    if whole is None or ancestor.kind() != "else_clause":
        return False
    beside = (one.field("condition") for one in whole.children() if one.kind() == "elif_clause")
    return any(_CHECKS.search(one.text()[:200]) for one in beside if one is not None)


def _is_inside(site: Site, node: SgNode) -> bool:
    span = node.range()
    return span.start.index <= site.start and site.end <= span.end.index


_REASONS = (
    (ASKED, _is_asked_for),
    (RENAMED, _is_alias),
    (RENAMED, _is_default),
    (EITHER, _is_one_of_two),
    (LOCAL, _is_local),
    (SERVES, _is_a_server),
    (BY_HAND, _is_looked_at),
    (OWN_CA, _has_chosen_authority),
    (BEGINS, _begins_as_nothing),
)
