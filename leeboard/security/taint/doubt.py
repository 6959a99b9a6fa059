"""What speaks against a refusal at a sink: somebody may have checked the value, or nobody else is harmed by it."""

from __future__ import annotations

import re

import msgspec

from leeboard.data import load
from leeboard.model.text import lazy
from leeboard.security.taint.state import State
from leeboard.security.taint.table import Kind, Sink
from leeboard.security.taint.values import CLEAN, FOREIGN, OPEN, TaintOrigin, Val


class Doubts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The table, by what its comments say."""

    doubted: dict[Kind, float]
    doubted_elsewhere: float
    whole_request: frozenset[str]
    sent_by_browser: tuple[str, ...]
    forwarded_host: str
    referrer: str
    whole_form: str
    library_merge: str
    operator_stores: str
    other_stores: str
    own_model: str
    takes_apart: str
    is_test: str
    tells_nothing: tuple[str, ...]
    asks: str
    refuses: str
    counts: str
    measures: str


DOUBTS = load("security/doubt", Doubts)
LOOKED_AT = 0.8
"""What stands in front of it may name the host, or somebody looks at it: worth a look, no refusal."""
_ADDRESSES: frozenset[Kind] = frozenset({"redirect", "url"})
_GOES_BACK: frozenset[Kind] = frozenset({"html", "redirect"})
_SENT_BY_BROWSER = lazy("|".join(DOUBTS.sent_by_browser))
_FORWARDED_HOST = lazy(DOUBTS.forwarded_host)
_WHOLE_FORM = lazy(DOUBTS.whole_form)
_REFERRER = lazy(DOUBTS.referrer)
_LIBRARY_MERGE = lazy(DOUBTS.library_merge)
_IS_TEST = lazy(DOUBTS.is_test)
_PART_IS_NAMED = lazy(r"^[\s(]*(?:(?:if|const|let|var|final|val)\b)?[\s({]*([\w$][\w$,\s]*?)[\s})]*:?=(?![=~])(.*)$")
_IS_THERE = lazy(r"[\w$]+\s*(?:[=!]==?|is(?: not)?)\s*(?:nil|null|None|undefined)\b")
_IS_LOOP = lazy(r"^\s*(?:async\s+)?for\b")
_QUOTED = lazy(r"'[^'\n]*'|\"[^\"\n]*\"")
_ERRORS = frozenset({"err", "error", "_", "ok"})


def ceiling(state: State, sink: Sink, value: Val, origin: TaintOrigin) -> float:
    """How sure it is at most, with what speaks for a check or against a stranger."""
    if sink.kind == "html" and _is_sniffed_as_text(sink, value):
        return _SNIFFED
    if sink.kind == "html" and _FROM_A_FILE.match(value.path):
        return DOUBTS.doubted_elsewhere  # what stands in a file is not the name it was opened by
    if value.opaque or origin.label in DOUBTS.whole_request:
        # An unknown call on the way may have checked it, or made something else of it; a request is no text.
        return DOUBTS.doubted.get(sink.kind, DOUBTS.doubted_elsewhere)
    return LOOKED_AT if _is_no_refusal(state, sink, value, origin) else 1.0


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
        # Other stores have a `findOne` too, and know no operators; an address holds mappings as its parser likes.
        return bool(_IN_ADDRESS.search(origin.label)) or not (
            state.mentions.says(DOUBTS.operator_stores) or _asks_a_model(state, sink, value)
        )
    is_judged = value.text[:1] in {OPEN, CLEAN} or _takes_addresses_apart(state)
    return sink.kind in _ADDRESSES and is_judged


def _asks_a_model(state: State, sink: Sink, value: Val) -> bool:
    """`User.findOne({ name: ... })`, the fields at once and not below `where`, is Mongo's way of asking."""
    keys = value.items.keys()
    asks = sink.callee.rpartition(".")[2].startswith("find") and bool(keys) and not keys & _NOT_MONGO
    return asks and state.mentions.says(DOUBTS.own_model) and not state.mentions.says(DOUBTS.other_stores)


_IN_ADDRESS = lazy(r"\.query\b")
_NOT_MONGO = frozenset({"where", "id"})
"""Mongo's own key is `_id`, and its conditions need no key in front."""


def _is_of_its_sender(sink: Sink, label: str) -> bool:
    if _REFERRER.search(label) or (sink.kind == "redirect" and _FORWARDED_HOST.search(label)):
        return False
    return bool(_SENT_BY_BROWSER.search(label))


_FROM_A_FILE = lazy(r"(?:io\.|codecs\.)?(?:open|urlopen|urllib\.request\.urlopen)\(\)\.read\w*\(\)$")
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
    part = DOUBTS.takes_apart
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
