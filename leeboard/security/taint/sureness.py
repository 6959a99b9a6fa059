"""Which foreign value at a sink is the worst, and how sure it is that it does harm there."""

from __future__ import annotations

import re

import msgspec

from leeboard.model.text import lazy
from leeboard.security.taint import ir
from leeboard.security.taint.doubts.at_sink import doubt_of
from leeboard.security.taint.doubts.flow_doubt import TABLE, FlowDoubt, doubt
from leeboard.security.taint.removed import PATHS
from leeboard.security.taint.state import State, TaintScope
from leeboard.security.taint.table import UNREAD_CHECK, WEAK_CHECK, Kind, Sink, Trust, confidence_of
from leeboard.security.taint.values import FOREIGN, FROM_ROOT, OPEN, TaintOrigin, Val, is_settled

RANK: dict[Trust, int] = {"request": 3, "handler": 2, "archive": 2, "parameter": 1, "local": 0, "failure": 0}
"""How far from the program's own people a value comes."""
_VALUE_POSITION = lazy(
    r"(?:=|<|>|\blike|\bin\s*\(|\bbetween|\bbetween\s[^()]{1,60}\sand|\bvalues\s*\((?:[^()]{0,200},)?)\s*[bnN]?['\"]?%?$",
    2,
)
"""Where a query holds a value, which can be bound; names of columns and whole clauses stand elsewhere."""
_QUOTED_POSITION = lazy(
    r"(?:=|<|>|\bi?like|\bin\s*\(|\bvalues\s*\((?:[^()]{0,200},)?)\s*(?:\w{1,20}\(\s*)?[bnN]?['\"]%?$", 2
)
_NAMES_A_PART = lazy(
    r"(?i)(?:table|column|col|field|schema|clause|where|order(?:_?by)?|sort|direction|prefix)(?:_?names?|s)?'?$"
)
_ROOM_BEFORE = 240
_HOLE = lazy(FOREIGN)
_MOST_HOLES = 6
_BROKEN_BY: dict[Kind, re.Pattern[str]] = {
    "command": lazy(r"^\s*[\w./-]*[a-z][\w.-]*\s[^\x00]*\x00"),
    "xpath": lazy(r"['\"]\x00"),
    "ldap": lazy(r"\(\s*[\w.;-]+\s*[~<>]?=\*?\x00"),
    "nosql": lazy(r"\x00.*[=<>].*:\w|[=<>(]\s*['\"]?\x00"),
}
"""Texts in which a value stands as a word, or as what is compared: a mark in it breaks them, whoever calls."""
_READ = lazy(r"(?:^|\.)read(?:_text|_bytes|lines?|all)?\(\)$")
_NAMES_NO_VALUE = lazy(TABLE.named_as_number)
_OWN_FILE = 0.45
"""Who runs what stands in a file mostly wrote that file, or installed it."""


class FlowSureness(msgspec.Struct, frozen=True):
    """How sure it is, and which foreign value it is about."""

    confidence: float
    origin: TaintOrigin | None = None
    label: str = ""
    steps: tuple[int, ...] = ()
    doubt: str = ""


def worst_origin(scope: TaintScope, sink: Sink, value: Val) -> TaintOrigin | None:
    """The least trusted foreign value in it that nothing has made harmless for this sink."""
    is_any = sink.kind in PATHS and value.path == FROM_ROOT
    live = [
        origin
        for origin, done in value.taints.items()
        if (is_any or sink.kind not in done)
        and (origin.trust == "failure") == (sink.kind == "trace")
        and sink.kind not in scope.cleaned(origin)
        and RANK[origin.trust] >= RANK[sink.least]
    ]
    return max(live, key=lambda one: _harm_of(scope, value, one), default=None)


def _harm_of(scope: TaintScope, value: Val, origin: TaintOrigin) -> tuple[int, bool, bool]:
    """The least trusted first; of a caller's, one that is called a value rather than a column or a number."""
    named = origin.trust != "parameter" or not _NAMES_NO_VALUE.search(origin.label)
    return RANK[origin.trust], not _has_unread_check(scope, value, origin), named


def _has_unread_check(scope: TaintScope, value: Val, origin: TaintOrigin) -> bool:
    """Whether a check that nobody can read here was asked about it."""
    return bool({*UNREAD_CHECK, WEAK_CHECK} & (scope.cleaned(origin) | value.taints[origin]))


def is_unresolved(sink: Sink, value: Val) -> bool:
    """A variable nobody knows. What an object or module holds is its own, and mostly chosen by the same people."""
    if not sink.bare or value.is_foreign or is_settled(value):
        return False
    if sink.kind == "sql":
        before = value.text.partition(OPEN)[0]
        return len(value.text) > 1 and bool(_QUOTED_POSITION.search(before[-_ROOM_BEFORE:]))
    return True


def sureness_of_unknown(sink: Sink, value: Val) -> FlowSureness:
    sure = min(sink.bare, _OWN_FILE) if _READ.search(value.path) else sink.bare
    return FlowSureness(sure, label="a value of unknown origin")


def sureness_of(
    state: State, scope: TaintScope, sink: Sink, value: Val, origin: TaintOrigin, line: int
) -> FlowSureness:
    sure = confidence_of(sink.kind, origin.trust)
    if origin.trust == "parameter":
        sure = _of_parameter(sink, value, sink.parameter or sure, is_given=origin.label.startswith("parameter"))
        in_page = sink.kind == "html" and state.module.language in _SERVES_PAGES and not value.opaque
        typed = in_page and _IN_ELEMENT.search(value.text) is not None and (_is_typed(value) or _is_filter(state))
        sure = _TYPED_IN if typed else sure
        return FlowSureness(sure, origin, steps=value.steps)
    if sink.kind == "code" and _PROMPTED.match(origin.label):
        return FlowSureness(_TYPED_CODE, origin, steps=value.steps)
    check = _check_of(state, scope, value, origin)
    is_walked = sure > doubt("checked_in_path").at_most and check is None
    against = doubt_of(state, sink, value, origin, line if is_walked else 0)
    if check is not None and (against is None or against.at_most > check.at_most):
        against = check
    if against is None or against.at_most >= sure:
        return FlowSureness(sure, origin, steps=value.steps)
    return FlowSureness(against.at_most, origin, steps=value.steps, doubt=against.why)


def _check_of(state: State, scope: TaintScope, value: Val, origin: TaintOrigin) -> FlowDoubt | None:
    """The check that nobody can read here and that it passed; or a class or a weak check, which tell less."""
    shown = scope.cleaned(origin)
    if shown & UNREAD_CHECK or (state.running, origin.place) in state.held_against:
        return doubt("unread_check")
    return doubt("weak_check") if WEAK_CHECK in shown or value.taints[origin] & UNREAD_CHECK else None


_TYPED_IN = 0.62
"""What somebody typed into a field, set between two tags: surer than what its name alone speaks for."""
_SERVES_PAGES = frozenset({"python", "ruby"})
"""Languages in which such a page is made on a server, of what others have typed."""
_IN_ELEMENT = lazy(r">[^<>\x00]{0,120}\x00[^<>]{0,120}<")
_FREE_TEXT = lazy(TABLE.free_text)


def _is_typed(value: Val) -> bool:
    """`f"<b>{user.display_name}</b>"` that is called safe: whoever chose the name writes markup."""
    return any(_FREE_TEXT.search(one.field or _QUOTED.sub(r"\1", one.label)) for one in value.taints)


def _is_filter(state: State) -> bool:
    """What a template's filter is given stands in a page, and is what the page shows of somebody's."""
    marks = state.active[-1].decorators if state.active else ()
    return any(_FILTER.search(ir.dotted(mark).removesuffix("()")) for mark in marks)


_QUOTED = lazy(r"^parameter '(.*)'$")
_FILTER = lazy(r"(?:^|\.)(?:register\.(?:filter|simple_tag)|(?:app_)?template_(?:filter|global))$")
_PROMPTED = lazy(r"(?:raw_)?input\(\)")
_TYPED_CODE = 0.7
"""What is asked for as a number or a word, and run as code: surer than what the machine's own people give elsewhere."""


def _of_parameter(sink: Sink, value: Val, sure: float, *, is_given: bool) -> float:
    """`is_given`: by a caller, and not by a file or the environment."""
    if sink.kind in {"sql", "xpath"} and value.text == FOREIGN:
        return 0.0  # a wrapper that is given its statement
    if sink.kind == "sql":
        holes = [hole.start() for hole in _HOLE.finditer(value.text)][:_MOST_HOLES]
        before = [value.text[max(0, hole - _ROOM_BEFORE) : hole] for hole in holes]
        is_value = bool(before) and _VALUE_POSITION.search(before[0]) is not None
        is_value = is_value and not all(_NAMES_A_PART.search(origin.label) for origin in value.taints)
        is_value = is_value or any(_QUOTED_POSITION.search(each) for each in before)  # whatever it is called
        return sure if is_value and not value.opaque else min(sure, 0.6)
    is_broken = is_given and not value.opaque
    if sink.kind in _BROKEN_BY and not (is_broken and _BROKEN_BY[sink.kind].search(value.text)):
        sure = min(sure, 0.6)
    sure = max(sure, sink.bare)
    return min(sure, 0.55) if value.opaque else sure
