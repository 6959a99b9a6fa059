"""What speaks against a refusal at a sink: somebody may have checked the value, or nobody else is harmed by it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from leeboard.model.text import lazy
from leeboard.security.taint.doubts.before_handler import (
    is_checked_before_handler,
    is_of_one_address,
    is_one_segment,
    is_routed_elsewhere,
)
from leeboard.security.taint.doubts.checks_in_path import checks_in_path, has_marks_removed
from leeboard.security.taint.doubts.flow_doubt import TABLE, FlowDoubt, doubt
from leeboard.security.taint.removed import PATHS
from leeboard.security.taint.state import State
from leeboard.security.taint.table import Kind, Sink
from leeboard.security.taint.values import CLEAN, FOREIGN, OPEN, TaintOrigin, Val

_ADDRESSES: frozenset[Kind] = frozenset({"redirect", "url"})
_ANY_FORM: frozenset[Kind] = frozenset({"sql", "command", "code", "deserialise", "template", "nosql", "xxe", "xslt"})
"""Where a value does its harm in whatever form it is handed on."""
_LIMITED: frozenset[Kind] = frozenset({"html", "redirect", "path", "upload"})
"""Where a pattern in a route mostly leaves nothing that harms."""
_GOES_BACK: frozenset[Kind] = frozenset({"html", "redirect"})
_SENT_BY_BROWSER = lazy("|".join(TABLE.sent_by_browser))
_WRITTEN_BY_BROWSER = lazy(TABLE.written_by_browser)
_FORWARDED_HOST = lazy(TABLE.forwarded_host)
_WHOLE_FORM = lazy(TABLE.whole_form)
_REFERRER = lazy(TABLE.referrer)
_OWN_TOKEN = lazy(TABLE.own_token)
_ALL_SHOWN = lazy(TABLE.all_shown)
_LIBRARY_MERGE = lazy(TABLE.library_merge)
_TAKES_STATEMENTS = lazy(TABLE.takes_statements)
_BEGINS_STATEMENT = lazy(TABLE.begins_statement)
_BEFORE_CLAUSE = lazy(TABLE.before_clause)
_BEHIND_CLAUSE = lazy(TABLE.behind_clause)
_FIELD_OF_ADDRESS = lazy(TABLE.field_of_address)
_PAGE_ADDRESS = lazy(TABLE.page_address)
_ASKED_OF_PAGE = lazy(TABLE.asked_of_page)
_NAMED_SEGMENT = lazy(TABLE.named_segment)
_ASKED_PATH = lazy(TABLE.asked_path)
_KNOWN_PATH = lazy(TABLE.known_path)
_SENDS_FILES = lazy(TABLE.sends_files)
_JOINS_PATHS = lazy(TABLE.joins_paths)
_HAS_HOST = lazy(r"https?://[^/\x00][^\x00]*\x00")
_CUTS_PATH = lazy(TABLE.cuts_path)
_NAMED_FIELD = lazy(TABLE.named_field)
_NAMES_FILE = lazy(r"[./]")
_BEGINS_NAME = lazy(r"[\w\x01\x02][._-]$")
_FORM = lazy(TABLE.checked_form)
_SHOWS_ALL = frozenset({"print_r", "var_dump", "var_export"})
_LOADS_FILES = frozenset({"include", "require"})
_IS_TEST = lazy(TABLE.is_test)
_PART_IS_NAMED = lazy(r"^[\s(]*(?:(?:if|const|let|var|final|val)\b)?[\s({]*([\w$][\w$,\s]*?)[\s})]*:?=(?![=~])(.*)$")
_OPEN_END = lazy(r"(?i)[\w.()\[\]]*\.ends_?with\(\s*['\"][\w-]+(?:\.[\w-]+)+['\"]\s*\)")
"""`host.endswith("example.com")`, which `notexample.com` does too."""
_IS_THERE = lazy(r"[\w$]+\s*(?:[=!]==?|is(?: not)?)\s*(?:nil|null|None|undefined)\b")
_IS_LOOP = lazy(r"^\s*(?:async\s+)?for\b")
_QUOTED = lazy(r"'[^'\n]*'|\"[^\"\n]*\"")
_ERRORS = frozenset({"err", "error", "_", "ok"})


def doubt_of(state: State, sink: Sink, value: Val, origin: TaintOrigin, line: int) -> FlowDoubt | None:
    """What speaks most for a check or against a stranger; None where all of the way to this line is understood. Without
    a line the way is not walked: nothing is to be refused.
    """
    known = min(_plain(state, sink, value, origin), key=lambda one: one.at_most, default=None)
    return known if known is not None or not line else next(_walked(state, sink, value, origin, line), None)


def _plain(state: State, sink: Sink, value: Val, origin: TaintOrigin) -> Iterator[FlowDoubt]:
    """What the value, its origin and the sink tell by themselves."""
    if sink.kind == "html":
        yield from _of_page(sink, value, origin)
    kept = sink.kind in _ANY_FORM and "passed" in value.taints.get(origin, frozenset())
    if (value.opaque and not kept) or origin.label in TABLE.whole_request:
        yield doubt("unread_call")  # a request is no text
    if sink.fills:
        yield doubt("page_may_escape")
    yield from _of_sender(sink, origin)
    if sink.kind == "prototype" and _LIBRARY_MERGE.search(sink.callee):
        yield doubt("library_merge")
    if sink.kind == "nosql":
        yield from _of_operators(state, sink, value, origin)
    if sink.kind == "sql":
        yield from _of_query(state, sink, value)
    if sink.kind in _ADDRESSES:
        yield from _of_address(state, value, origin)
    yield from _of_entry(state, sink, origin)
    yield from _of_page_address(sink, origin)
    yield from _of_path(state, sink, value, origin)


def _of_sender(sink: Sink, origin: TaintOrigin) -> Iterator[FlowDoubt]:
    """What comes back to who sent it, in a page or as the address of one."""
    told = f"{origin.label}.{origin.field}".rstrip(".")
    if sink.kind in _GOES_BACK and _is_of_its_sender(sink, told):
        yield doubt("own_sender" if _WRITTEN_BY_BROWSER.search(told) else "own_header")


def _of_query(state: State, sink: Sink, value: Val) -> Iterator[FlowDoubt]:
    if _TAKES_STATEMENTS.search(sink.callee) and _is_no_statement(state, value):
        yield doubt("no_statement")
    if state.mentions.says(TABLE.database_front_end):
        yield doubt("database_front_end")
    if state.mentions.says(TABLE.manages_database):
        yield doubt("manages_database")
    if _is_whole_clause(value):
        yield doubt("whole_clause")


def _of_page(sink: Sink, value: Val, origin: TaintOrigin) -> Iterator[FlowDoubt]:
    if _is_sniffed_as_text(sink, value):
        yield doubt("plain_answer")
    if _FROM_A_FILE.match(value.path):
        yield doubt("file_content")
    if _OWN_TOKEN.search(origin.label):
        yield doubt("own_token")
    if sink.callee in _SHOWS_ALL and _ALL_SHOWN.match(origin.label):
        yield doubt("all_shown")


def _of_entry(state: State, sink: Sink, origin: TaintOrigin) -> Iterator[FlowDoubt]:
    if _FORM.search(origin.label):
        yield doubt("weak_check")
    if sink.kind in _LIMITED and is_routed_elsewhere(state, origin):
        yield doubt("route_elsewhere")


def _of_address(state: State, value: Val, origin: TaintOrigin) -> Iterator[FlowDoubt]:
    begins = value.text[:1] in {OPEN, CLEAN} or _begins_with_setting(value)
    if begins or _goes_on_behind_host(state, value, origin):
        yield doubt("address_begun")
    elif value.text.startswith(f"/{FOREIGN}/") and _NAMED_SEGMENT.search(f"{origin.label}.{origin.field}"):
        yield doubt("own_segment")
    elif state.active and _tests_a_part(text := state.mentions.text_of(state.active[-1])):
        # Whether the function that sends somebody on tests a part of an address: it is judged there, well or badly.
        yield doubt("address_judged" if _tests_a_part(_OPEN_END.sub("", text)) else "part_found")


def _begins_with_setting(value: Val) -> bool:
    """`os.environ["API"] + path`: what the machine's own people set, and the value behind it."""
    is_set = any(origin.trust == "local" for origin in value.taints)
    return is_set and value.text.startswith(FOREIGN) and FOREIGN in value.text[1:]


def _goes_on_behind_host(state: State, value: Val, origin: TaintOrigin) -> bool:
    """The path that was asked for begins with a slash; one that is cut may go on with the name of the host."""
    host = _HAS_HOST.match(value.text)
    if host is None or not _ASKED_PATH.search(f"{origin.label}.{origin.field}"):
        return False
    around = state.mentions.text_of(state.active[-1]) if state.active else ""
    return value.text[host.end() - 2] == "/" or _CUTS_PATH.search(around) is None


def _of_operators(state: State, sink: Sink, value: Val, origin: TaintOrigin) -> Iterator[FlowDoubt]:
    if not (state.mentions.says(TABLE.operator_stores) or _asks_a_model(state, sink, value)):
        yield doubt("other_store")  # others have a `findOne` too
    if _IN_ADDRESS.search(origin.label):
        yield doubt("flat_address")


def _is_no_statement(state: State, value: Val) -> bool:
    """A key of a record, `"_design/" + id`; where nothing stands in front of the value, the file tells."""
    before = value.text.partition(FOREIGN)[0]
    if OPEN in before or CLEAN in before or _BEGINS_STATEMENT.match(before):
        return False
    return bool(before.strip()) or not state.mentions.says(TABLE.asks_database)


def _is_whole_clause(value: Val) -> bool:
    """Whether all that is foreign in it is: a name of a column or a value beside it is no clause."""
    around = value.text.split(FOREIGN)
    return value.text == FOREIGN or all(
        _BEFORE_CLAUSE.search(before[-_NEAR:]) and _BEHIND_CLAUSE.match(behind) for before, behind in pairwise(around)
    )


_NEAR = 40


def _of_page_address(sink: Sink, origin: TaintOrigin) -> Iterator[FlowDoubt]:
    if not _PAGE_ADDRESS.search(origin.label):
        return
    if sink.kind == "regex":
        yield doubt("own_pattern")
    elif sink.kind in {"html", *_ADDRESSES} and not _ASKED_OF_PAGE.search(f"{origin.label}.{origin.field}"):
        yield doubt("address_shown")
    elif sink.kind in _ADDRESSES or not _NAMED_FIELD.search(origin.label):
        yield doubt("own_address")


def _of_path(state: State, sink: Sink, value: Val, origin: TaintOrigin) -> Iterator[FlowDoubt]:
    behind = value.text.rpartition(FOREIGN)[2].strip(OPEN + CLEAN)
    if sink.kind in PATHS:
        if _WHOLE_FORM.fullmatch(origin.label):
            yield doubt("computed_field")
        if _KNOWN_PATH.search(origin.label) and is_of_one_address(state):
            yield doubt("fixed_address")
        if is_one_segment(state, origin):
            yield doubt("one_segment")
        if _refuses_dots(state, sink, value):
            yield doubt("dots_refused")
        if _BEGINS_NAME.search(value.text.partition(FOREIGN)[0]):
            yield doubt("begun_name")
    if sink.kind in PATHS and _NAMES_FILE.search(behind):
        yield doubt("fixed_ending")
    elif sink.callee in _LOADS_FILES and _NAMES_FILE.search(behind):
        yield doubt("own_program" if "/" in value.text.partition(FOREIGN)[0] else "fixed_ending")


def _refuses_dots(state: State, sink: Sink, value: Val) -> bool:
    """What sends files looks for two dots in a path that it is given as it came; joined to a folder it shows none."""
    if not _SENDS_FILES.search(sink.callee) or value.text.startswith(FOREIGN):
        return False
    around = state.mentions.text_of(state.active[-1]) if state.active else ""
    return _JOINS_PATHS.search(around) is None


def _walked(state: State, sink: Sink, value: Val, origin: TaintOrigin, line: int) -> Iterator[FlowDoubt]:
    """What only a walk through the functions on the way tells."""
    if is_checked_before_handler(state):
        yield doubt("checked_before_handler")
    checked = checks_in_path(state, sink.kind, value, origin, line)
    if checked:
        yield doubt(checked)
    if has_marks_removed(state, sink.kind, value, origin, line):
        yield doubt("marks_removed")


def _asks_a_model(state: State, sink: Sink, value: Val) -> bool:
    """`User.findOne({ name: ... })`, the fields at once and not below `where`, is Mongo's way of asking."""
    keys = value.items.keys()
    asks = sink.callee.rpartition(".")[2].startswith("find") and bool(keys) and not keys & _NOT_MONGO
    return asks and state.mentions.says(TABLE.own_model) and not state.mentions.says(TABLE.other_stores)


_IN_ADDRESS = lazy(r"\.query\b")
_NOT_MONGO = frozenset({"where", "id"})
"""Mongo's own key is `_id`, and its conditions need no key in front."""


def _is_of_its_sender(sink: Sink, label: str) -> bool:
    if _REFERRER.search(label) or (sink.kind == "redirect" and _FORWARDED_HOST.search(label)):
        return False
    if _FIELD_OF_ADDRESS.search(label):
        return False  # it is decoded when it is read, and whoever wrote the link chose it
    return bool(_SENT_BY_BROWSER.search(label))


_FROM_A_FILE = lazy(r"(?:io\.|codecs\.)?(?:open|urlopen|urllib\.request\.urlopen)\(\)\.read\w*\(\)$")
_TAG = lazy(r"<[a-zA-Z/!]")


def _is_sniffed_as_text(sink: Sink, value: Val) -> bool:
    """Go's server looks at the first bytes of an answer without a type: words in front of the value make it plain."""
    words = value.text.partition(FOREIGN)[0].strip(OPEN + CLEAN + " \t\r\n")
    return sink.sniffed and bool(words) and not _TAG.search(value.text)


def _tests_a_part(text: str) -> bool:
    """A part that is only written down, or named, is no test."""
    part = TABLE.takes_apart
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
