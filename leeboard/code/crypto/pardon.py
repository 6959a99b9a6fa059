"""Why code that spells a weakness need not have it: an option asks for it, a table lists it, a name is passed on."""

from __future__ import annotations

from leeboard.code.crypto.context import statement_text
from leeboard.code.crypto.site import Site
from leeboard.code.crypto.source import Source
from leeboard.code.crypto.weakness import Hit
from leeboard.model.pattern import lazy

ASKED = "only where an option asks for it"
LISTED = "an entry of a table of algorithms"
RENAMED = "passed on under its own name"

_WISH = lazy(
    r"(?i)insecure|unsafe|no_?check|skip_?\w{0,12}(?:verif|check|tls|ssl)|disable_?\w{0,16}(?:verif|valid|check|tls|ssl)|"
    r"allow_?\w{0,10}(?:invalid|self)|self_?signed|no_?verif|trust_?all|"
    r"(?:\bnot\s|!)\s{0,3}\(?[\w.>\-]{0,40}(?:verif|check_?host|validate_?cert)"
)
_CHOICE = lazy(r"\bif\b[^\n]{1,160}\belse\b|\?[^\n]{1,160}:")
_ENTRIES = frozenset("pair keyed_element array_element_initializer".split())
_UP = 12
_KEY_ROOM = 80
_SHORTEST = 2
_SIGNS = lazy(r"[^a-z0-9]")
_RENAMED = lazy(r"\s*(?:[\w.]{0,40}\.)?(?P<name>[A-Za-z]\w{2,60})\s*=\s*[\w.:]{0,60}?(?P=name)\s*;?\s*\Z")
_CONNECTIONS = frozenset({"unverified connection", "old TLS"})


def pardon_of(hit: Hit, source: Source) -> str:
    """Why it is at most logged; empty where nothing speaks for it."""
    if hit.kind in _CONNECTIONS and _is_asked_for(hit.site, source):
        return ASKED
    if _is_listed(hit, source):
        return LISTED
    line = source.lines[hit.site.line - 1][:200] if hit.site.line <= len(source.lines) else ""
    return RENAMED if "=" in line and _RENAMED.match(line) else ""


def _is_asked_for(site: Site, source: Source) -> bool:
    """`if args.insecure:` stands around it, or it is one side of such a choice."""
    statement = statement_text(site, source)
    if _WISH.search(statement) and _CHOICE.search(statement):
        return True
    for ancestor in site.node.ancestors()[:_UP]:
        condition = ancestor.field("condition")
        if condition is not None and _WISH.search(condition.text()[:200]):
            return True
    return False


def _is_listed(hit: Hit, source: Source) -> bool:
    """`"SHA-1": hashlib.sha1`: the key says the same as the value, so nothing is chosen here."""
    spelled = source.text[hit.site.start : min(hit.site.end, hit.site.start + _KEY_ROOM)]
    wanted = [_plain(text.partition("(")[0]) for text in (hit.what, spelled)]
    for node in (hit.site.node, *hit.site.node.ancestors()[:3]):
        if node.kind() in _ENTRIES:
            key = node.field("key") or next(iter(node.children()), None)
            said = _plain(key.text()[:_KEY_ROOM]) if key is not None else ""
            return any(len(name) > _SHORTEST and name in said for name in wanted)
    return False


def _plain(text: str) -> str:
    return _SIGNS.sub("", text.lower())
