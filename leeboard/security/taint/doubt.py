"""What speaks against a refusal at a sink: somebody may have checked the value, or nobody else is harmed by it."""

from __future__ import annotations

import re

from leeboard.model.text import lazy
from leeboard.security.taint.state import State
from leeboard.security.taint.table import Kind, Sink
from leeboard.security.taint.values import CLEAN, FOREIGN, OPEN, TaintOrigin, Val

_DOUBTED: dict[Kind, float] = {
    "sql": 0.8,
    "command": 0.8,
    "code": 0.8,
    "deserialise": 0.8,
    "template": 0.7,
    "nosql": 0.7,
    "xxe": 0.7,
    "xslt": 0.7,
}
_DOUBTED_ELSEWHERE = 0.45
"""In well-kept code what stands in between escapes it, looks up a record by it, or builds a path of its own."""
_WHOLE_REQUEST = frozenset({"request", "req", "$request"})
_ADDRESSES: frozenset[Kind] = frozenset({"redirect", "url"})
_LOOKED_AT = 0.8
"""What stands in front of it may name the host, or somebody compares the host: worth a look, no refusal."""
_SENT_BY_BROWSER = lazy(
    r"(?:\$_SERVER|\bMETA|\benviron|\benv)\W+(?:HTTP_|REQUEST_URI)|"
    r"^(?!.*\b(?:args|forms?|values|json|query\w*|params?|body|cookies?|data|files|input|GET|POST|_GET|_POST|_REQUEST)\b)"
    r"[^\['\"]*(?i:headers?\b|user_?agent|remote_?addr)|"
    r"\breq\.(?:originalUrl|url|path)\b|[rR]equestURI\b"
)
"""Headers, and the address as it is on the wire: browsers write no mark of markup into it. What a parameter is called
makes it no header."""
_FORWARDED_HOST = lazy(r"(?i)forwarded[-_]?(?:host|server)|original[-_]host")
"""A host as a proxy names it, or whoever claims to be one: caches keep what it is answered with."""
_GOES_BACK: frozenset[Kind] = frozenset({"html", "redirect"})
_MONGO = r"(?i)mongo|nedb|\bmonk\b|documentdb|couch|collection"
_MODEL = (
    r"\b(?:const|let|var|import)\s[^;=\n]*\b[A-Z]\w*(?<!Service)(?<!Repository)(?<!Controller)(?<!Error)\b[^;\n'\"]*"
    r"['\"][.~@]"
)
"""A class of the project's own that is brought in."""
_OTHER_STORES = r"(?i)sequelize|typeorm|prisma|\bknex|objection|bookshelf|mikro-?orm|waterline"
_WHOLE_FORM = lazy(r"(?:\w+\.)*request\.(?:values|form|args|GET|POST)")
_REFERRER = lazy(r"(?i)referr?er")
_LIBRARY_MERGE = lazy(r"^(?:_|lodash|deepmerge)\b")
_TAKES_APART = (
    r"(?:urlparse|urlsplit|parse_url|\bnew URL\(|\burl\.Parse\w*\(|URI\.(?:parse|create)|\bnew Uri\(|"
    r"(?<!\br)(?<!\breq)(?<!\brequest)(?<!\bRequest)\.(?:netloc|hostname|host|Host|Hostname\(\)|getHost\(\))(?!\w))"
)
"""What yields the parts of an address, other than of the one that was asked for."""
_PART_IS_NAMED = lazy(r"^[\s(]*(?:(?:if|const|let|var|final|val)\b)?[\s({]*([\w$][\w$,\s]*?)[\s})]*:?=(?![=~])(.*)$")
_IS_TEST = lazy(
    r"(?<!\w)(?:if|elif|elsif|unless|while|assert|switch|when)\b|[=!]=|\bin\b|(?i:includes|endswith|ends_with|startswith|"
    r"contains|include\?|in_array|\bhas|\btest|\bmatch\w*|equals\w*)\??\("
)
_IS_THERE = lazy(r"[\w$]+\s*(?:[=!]==?|is(?: not)?)\s*(?:nil|null|None|undefined)\b")
_IS_LOOP = lazy(r"^\s*(?:async\s+)?for\b")
_QUOTED = lazy(r"'[^'\n]*'|\"[^\"\n]*\"")
_ERRORS = frozenset({"err", "error", "_", "ok"})


def ceiling(state: State, sink: Sink, value: Val, origin: TaintOrigin) -> float:
    """How sure it is at most, with what speaks for a check or against a stranger."""
    if sink.kind == "html" and _is_sniffed_as_text(sink, value):
        return _SNIFFED
    if value.opaque or origin.label in _WHOLE_REQUEST:
        # An unknown call on the way may have checked it, or made something else of it; a request is no text.
        return _DOUBTED.get(sink.kind, _DOUBTED_ELSEWHERE)
    return _LOOKED_AT if _is_no_refusal(state, sink, value, origin) else 1.0


def _is_no_refusal(state: State, sink: Sink, value: Val, origin: TaintOrigin) -> bool:
    """What makes it worth a look and no more."""
    if sink.fills:
        return True  # the page may escape it
    if sink.kind in _GOES_BACK and _is_of_its_sender(sink, origin.label):
        return True  # nobody makes another's browser send a header: what is written goes back to its sender
    if sink.kind == "path" and _WHOLE_FORM.fullmatch(origin.label):
        return True  # a field whose name is computed: what stands in front of the server may set it
    if sink.kind == "prototype":
        return bool(_LIBRARY_MERGE.search(sink.callee))  # today's releases leave the prototype out
    if sink.kind == "nosql":
        # Other stores have a `findOne` too, and know no operators.
        return not (state.mentions.says(_MONGO) or _asks_a_model(state, sink, value))
    is_judged = value.text[:1] in {OPEN, CLEAN} or _takes_addresses_apart(state)
    return sink.kind in _ADDRESSES and is_judged


def _asks_a_model(state: State, sink: Sink, value: Val) -> bool:
    """`User.findOne({ name: ... })`, the fields at once and not below `where`, is Mongo's way of asking."""
    asks = sink.callee.rpartition(".")[2].startswith("find") and bool(value.items) and "where" not in value.items
    return asks and state.mentions.says(_MODEL) and not state.mentions.says(_OTHER_STORES)


def _is_of_its_sender(sink: Sink, label: str) -> bool:
    if _REFERRER.search(label) or (sink.kind == "redirect" and _FORWARDED_HOST.search(label)):
        return False
    return bool(_SENT_BY_BROWSER.search(label))


_TAG = lazy(r"<[a-zA-Z/!]")
_SNIFFED = 0.45


def _is_sniffed_as_text(sink: Sink, value: Val) -> bool:
    """Go's server looks at the first bytes of an answer without a type: words in front of the value make it plain."""
    words = value.text.partition(FOREIGN)[0].strip(OPEN + CLEAN + " \t\r\n")
    return sink.sniffed and bool(words) and not _TAG.search(value.text)


def _takes_addresses_apart(state: State) -> bool:
    """Whether the function that sends somebody on tests a part of an address: it is judged there, well or badly."""
    return bool(state.active) and _tests_a_part(state.mentions.text_of(state.active[-1]))


def _tests_a_part(text: str) -> bool:
    """A part that is only written down, or named, is no test."""
    part = _TAKES_APART
    for statement in re.split(r"[\n;]", _QUOTED.sub("''", text)):
        named = _PART_IS_NAMED.match(statement)
        tested = named.group(2) if named else statement
        if not re.search(part, tested) or _IS_LOOP.match(statement):
            continue
        if _IS_TEST.search(_IS_THERE.sub("", tested)) and re.search(part, _IS_THERE.sub("", tested)):
            return True
        names = set(re.findall(r"[\w$]+", named.group(1))) - _ERRORS if named else set[str]()
        part = "|".join([part, *[rf"(?<![\w$.]){re.escape(name)}(?![\w$])" for name in sorted(names)]])
    return False
