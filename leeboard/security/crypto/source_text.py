"""Weak cryptography in one file: the signatures that may apply, and the weight each hit has where it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from itertools import islice

from leeboard.model.text import lazy
from leeboard.security.crypto.context import (
    SiteSurroundings,
    draws_many_bits,
    fills_a_key,
    names_a_key,
    proves_something,
    statement_text,
    surroundings,
)
from leeboard.security.crypto.gate import families_of
from leeboard.security.crypto.source import CryptoSource, Site
from leeboard.security.crypto.weakness import Weakness, WeaknessHit
from leeboard.source.syntax import SyntaxTree, parse
from leeboard.text.language import is_test_path

_NEUTRAL = 0.6
_GUARDING = lazy(r"(?i)passw(?:or)?d|session|cookie|token(?!iz|s\b)|crypt|openssl|secret|login|nonce|otp|api_?key")
_LONGEST_LINE = 10_000
_MOST = 200
"""Hits of one family in one file: a file with more is data, or about nothing else."""


def find_weak_crypto(tree: SyntaxTree, path: str) -> tuple[Weakness, ...]:
    """Every weakness of a file, in the order of its lines."""
    if path.endswith(".pyi"):
        return ()
    families = families_of(tree.text)
    if not families:
        return ()
    readable = _without_long_lines(tree)
    if readable is None:
        return ()
    source = CryptoSource(readable, path)
    found: dict[tuple[str, int], Weakness] = {}
    for family in families:
        for hit in islice(_hits(family)(source), _MOST):
            weakness = _weighed(hit, source)
            if weakness is not None:
                key = (weakness.kind, weakness.line)
                held = found.get(key)
                if held is None or held.confidence < weakness.confidence:
                    found[key] = weakness
    return tuple(sorted(found.values(), key=lambda it: (it.line, it.kind, it.what)))


def _hits(family: str) -> Callable[[CryptoSource], Iterable[WeaknessHit]]:
    """A family of signatures is a module of `families`: what the text gives no reason to look for is not loaded."""
    hits: Callable[[CryptoSource], Iterable[WeaknessHit]] = import_module(
        f"leeboard.security.crypto.families.{family}"
    ).hits
    return hits


def _without_long_lines(tree: SyntaxTree) -> SyntaxTree | None:
    """Where a node lies costs the length of its line: a line that nobody wrote would cost its square."""
    lines = tree.text.split("\n")
    if max(map(len, lines)) <= _LONGEST_LINE:
        return tree
    return parse("\n".join(line if len(line) <= _LONGEST_LINE else "" for line in lines), tree.language)


def _weighed(hit: WeaknessHit, source: CryptoSource) -> Weakness | None:
    in_test = is_test_path(source.path)
    if in_test and hit.weighing in {"note", "random", "auth"}:
        return None
    around = surroundings(hit.site, source, follow=hit.weighing == "random")
    queues, confidence, log_only = _weight(hit, around, source)
    if confidence <= 0:
        return None
    if in_test:
        queues, log_only = False, log_only or "test file"
    elif queues and around.comment and around.context != "auth":
        queues, log_only = False, "chosen knowingly, with a comment"
    elif queues:
        log_only = pardon_of(hit, source)
    definition = source.definition_of(hit.site)
    return Weakness(
        kind=hit.kind,
        what=hit.what,
        line=hit.site.line,
        end=hit.site.line + source.text.count("\n", hit.site.start, min(hit.site.end, hit.site.start + 2_000)),
        confidence=confidence,
        context=around.context,
        queues=queues and not log_only,
        log_only=log_only,
        symbol=definition.name if definition is not None else "",
        fix=hit.fix,
        trace=_trace(hit, around),
    )


def _trace(hit: WeaknessHit, around: SiteSurroundings) -> tuple[str, ...]:
    signature = f"signature: {hit.kind} ({hit.what})"
    context = f"context: {around.context} (auth {around.auth}, checksum {around.checksum})"
    return (signature, context, f"comment: {around.comment}") if around.comment else (signature, context)


def _weight(hit: WeaknessHit, around: SiteSurroundings, source: CryptoSource) -> tuple[bool, float, str]:
    """Whether it queues, how sure it is, and why it is logged at most; zero confidence is nothing at all."""
    auth = around.context == "auth"
    if hit.kind == "weak hash" and not (around.nearest >= _NEAR and proves_something(hit.site, source, around.near)):
        auth = False  # the file may speak of secrets, but not where it hashes
    if hit.excuse and hit.weighing == "hash":
        return False, min(hit.sure, _NEUTRAL), hit.excuse
    if hit.weighing == "random":
        return _random_weight(hit, around, source)
    if hit.weighing == "auth" and not (auth and around.auth >= _NEAR):
        return False, 0.0, ""
    if hit.kind == "short token" and not around.nearest:
        return False, 0.0, ""  # a few random bytes for the name of a file, in code that also speaks of sessions
    if hit.weighing == "note" or (hit.weighing == "hash" and not auth):
        is_sum = hit.weighing == "hash" and around.context == "checksum"
        return False, min(hit.sure, _NEUTRAL), "checksum" if is_sum else ""
    return True, hit.sure, ""


_NEAR = 4
"""A guarded word in the statement itself, or several around it."""


def _random_weight(hit: WeaknessHit, around: SiteSurroundings, source: CryptoSource) -> tuple[bool, float, str]:
    """Only for what is guarded; a draw that nobody can place is logged where the code around it guards something."""
    if around.plays:
        return False, 0.0, ""
    guarded = around.context != "checksum" and bool(_GUARDING.search(source.text))
    if around.nearest >= _NEAR and around.context == "auth":
        return not hit.excuse, min(hit.sure, _NEUTRAL) if hit.excuse else hit.sure, hit.excuse
    if fills_a_key(hit.site, source) or (names_a_key(hit.site, source) and draws_many_bits(hit.site)):
        return True, 0.8, ""
    if guarded and names_a_key(hit.site, source):
        return around.auth >= _NEAR, 0.7, ""
    is_small = len(source.lines) < _SMALL_FILE and not hit.what.startswith(("np.", "numpy."))
    return (False, 0.5, "") if guarded and (is_small or around.auth >= _NEAR) else (False, 0.0, "")


_SMALL_FILE = 200


# Why code that spells a weakness need not have it: an option asks for it, a table lists it, a name is passed on.


ASKED = "only where an option asks for it"
LISTED = "an entry of a table of algorithms"
RENAMED = "passed on under its own name"
NAMED = "a version that a name or a setting asks for"
SERVES = "a server that asks its clients for no certificate"
BLOCK = "a block of a construction that is made of it"
READ = "only read: what others wrote that way"

_WISH = lazy(
    r"(?i)insecure|unsafe|no_?check|skip_?\w{0,12}(?:verif|check|tls|ssl)|disable_?\w{0,16}(?:verif|valid|check|tls|ssl)|"
    r"allow_?\w{0,10}(?:invalid|self)|without_?verif|self_?signed|no_?verif|trust_?all|"
    r"(?:\bnot\s|!)\s{0,3}\(?[\w.>\-]{0,40}(?:verif|check_?host|validate_?cert)"
)
_CHOICE = lazy(r"\bif\b[^\n]{1,160}\belse\b|(?<!<)\?[^\n]{1,160}:")
_ENTRIES = frozenset("pair keyed_element array_element_initializer".split())
_UP = 12
_KEY_ROOM = 80
_SHORTEST = 2
_SIGNS = lazy(r"[^a-z0-9]")
_RENAMED = lazy(r"\s*(?:[\w.]{0,40}\.)?(?P<name>[A-Za-z]\w{2,60})\s*=\s*[\w.:]{0,60}?(?P=name)\s*;?\s*\Z")
_CONNECTIONS = frozenset({"unverified connection", "old TLS"})
_OWN_OPTION = lazy(r"(?:\bself\b|\bthis\b|@)\W{0,3}\w")
_ACCEPTS = lazy(r"SSL_accept\b|SSL_set_accept_state|\w*_server_method\b")
_CONNECTS = lazy(r"SSL_connect\b|SSL_set_connect_state|\w*_client_method\b")
_BUILT = lazy(
    r"(?i)kdf|deriv|transform_?key|key_?stream|\bctr|_ctr|ctr_|counter|cmac|(?:un)?wrap|xts|eax|ccm|gcm|ofb|"
    r"(?:single|one|encrypt|raw)_?block|header_?prot"
)
_ANSWERS = lazy(r"\s*(?:case\b[^\n:]{1,80}:\s*)?(?:return\b|[?:])[^()\n]{1,120}$")
_ASKS_VERSION = lazy(r"(?i)\s*(?:case|when|\}?\s*else\s+if|elif|elsif|if)\b.{0,160}(?:tls|ssl|\b1\.[01])")


def pardon_of(hit: WeaknessHit, source: CryptoSource) -> str:
    """Why it is at most logged; empty where nothing speaks for it."""
    if hit.kind in _CONNECTIONS and _is_asked_for(hit.site, source):
        return ASKED
    if _is_listed(hit, source):
        return LISTED
    if hit.kind in _OF_KIND and (reason := _OF_KIND[hit.kind](hit, source)):
        return reason
    line = source.lines[hit.site.line - 1][:200] if hit.site.line <= len(source.lines) else ""
    return RENAMED if "=" in line and _RENAMED.match(line) else ""


def _of_old_tls(hit: WeaknessHit, source: CryptoSource) -> str:
    """`return tls.VersionTLS10` answers which version a name means; nothing is set to it here."""
    line = source.lines[hit.site.line - 1]
    above = next((text for text in reversed(source.lines[: hit.site.line - 1][-3:]) if text.strip()), "")
    is_answer = _ANSWERS.match(line) and line.count("(") == line.count(")")
    return NAMED if is_answer or _ASKS_VERSION.match(above[:200]) else ""


def _of_connection(hit: WeaknessHit, source: CryptoSource) -> str:
    if hit.what != "SSL_VERIFY_NONE" or source.language not in {"c", "cpp"}:
        return ""
    function = source.function_text(hit.site)
    accepts = _ACCEPTS.search(function) and not _CONNECTS.search(function)
    return SERVES if accepts or (_ACCEPTS.search(source.text) and not _CONNECTS.search(source.text)) else ""


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
    return READ if "decrypt" in source.lower and "encrypt" not in source.lower.replace("encrypted", "") else ""


def _of_material(hit: WeaknessHit, source: CryptoSource) -> str:
    """ECB takes no IV: what is wrong there is said of the mode."""
    return BLOCK if "IV" in hit.what and "ECB" in source.function_text(hit.site) else ""


_OF_KIND: dict[str, Callable[[WeaknessHit, CryptoSource], str]] = {
    "old TLS": _of_old_tls,
    "unverified connection": _of_connection,
    "ECB mode": _of_cipher,
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
    for ancestor in site.node.ancestors()[:_UP]:
        condition = ancestor.field("condition") or (ancestor.field("value") if "case" in ancestor.kind() else None)
        if condition is not None and _WISH.search(condition.text()[:200]):
            return True
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
