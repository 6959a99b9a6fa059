"""What reaches a sink, checked there, and told where it does harm."""

from __future__ import annotations

import msgspec

from leeboard.security.taint.doubts.answer import is_meant_to_be_sent
from leeboard.security.taint.doubts.flow_doubt import doubt
from leeboard.security.taint.harmless_place import (
    is_harmless_place,
    is_named_here,
    is_operator,
    is_passed_on,
    is_sent_as_data,
)
from leeboard.security.taint.purpose import is_meant, runs_code
from leeboard.security.taint.sink_part import part_that_counts
from leeboard.security.taint.state import Flow, State, TaintScope
from leeboard.security.taint.sureness import FlowSureness, is_unresolved, sureness_of, sureness_of_unknown, worst_origin
from leeboard.security.taint.table import HARM, Kind, Sink
from leeboard.security.taint.use import Use, applies, is_surely_given, values_at
from leeboard.security.taint.values import Val, held, is_settled
from leeboard.security.taint.way import way_of

_MOST_LABEL = 60
_SPEAKS_XML = r"(?i)xml|etree|xpath|\bdom\b|DOMDocument|nokogiri|libxml"


def is_spoken_of(state: State, sink: Sink) -> bool:
    """Whether the file says what has to stand beside it for it to be one."""
    if sink.kind == "xpath" and not state.mentions.says(_SPEAKS_XML):
        return False  # what finds something elsewhere is no tree
    return not sink.beside or state.mentions.says(sink.beside)


def check_call(state: State, scope: TaintScope, use: Use) -> None:
    for sink in state.index.sinks(use.path):
        if applies(state, sink, use):
            _check(state, scope, sink, use)


def check_assignment(state: State, scope: TaintScope, use: Use) -> None:
    """`use.args` holds the assigned value."""
    for sink in state.index.assigned(use.path):
        if applies(state, sink, use):
            _check(state, scope, sink, use)


def check_value(state: State, scope: TaintScope, kind: Kind, value: Val, use: Use) -> None:
    """A value at a place that is a sink though nothing is called there: what a handler returns."""
    sink = Sink(kind=kind, callee=use.path, least="failure" if kind == "trace" else "handler", start=kind == "redirect")
    _check_value(state, scope, sink, value, use)


def _check(state: State, scope: TaintScope, sink: Sink, use: Use) -> None:
    values = values_at(sink, use)
    if sink.always and is_meant(state, sink, use):
        return
    if sink.always and (not values or not all(is_settled(value) for value in values)):
        _report(state, scope, sink, use, FlowSureness(sink.always))
    for value in values:
        _check_value(state, scope, sink, value, use)


def _check_value(state: State, scope: TaintScope, sink: Sink, value: Val, use: Use) -> None:
    if (
        value.shape == "request"
        or (sink.kind == "html" and not sink.fills and is_sent_as_data(value))
        or (sink.read and value.opaque)
    ):
        return  # handed on as a whole, or made something else, it is no text
    value = part_that_counts(sink, value, use)
    whole = held(value)
    origin = worst_origin(scope, sink, whole)
    if sink.kind == "xpath" and not state.mentions.says(_SPEAKS_XML):
        return  # what finds something elsewhere is no tree
    if origin is not None and sink.kind == "nosql" and not is_operator(sink, value, origin):
        return
    if is_named_here(sink, value) or (origin is not None and is_passed_on(sink, value, origin)):
        return
    if origin is None:
        if is_unresolved(sink, whole) and all(is_surely_given(use, name) for name, _wanted in sink.needs):
            _report(state, scope, sink, use, sureness_of_unknown(sink, whole))
        return
    if is_harmless_place(sink, whole) or is_meant_to_be_sent(state, sink):
        return
    judged = sureness_of(state, scope, sink, whole, origin, use.line)
    if judged.confidence:
        _report(state, scope, sink, use, judged)


def _report(state: State, scope: TaintScope, sink: Sink, use: Use, judged: FlowSureness) -> None:
    origin = judged.origin
    line = origin.line if origin is not None else use.line
    by_design = sink.kind in {"code", "template"} and runs_code(state, scope.function, use.args)
    against = doubt("runs_code")
    if by_design and judged.confidence > against.at_most and not _is_within(state, line):
        judged = msgspec.structs.replace(judged, confidence=against.at_most, doubt=against.why)
    state.report(
        Flow(
            kind=sink.kind,
            confidence=judged.confidence,
            trust=origin.trust if origin is not None else None,
            source=(origin.label if origin is not None else judged.label)[:_MOST_LABEL],
            source_line=line,
            sink=use.written[:_MOST_LABEL] or use.path[:_MOST_LABEL],
            sink_line=use.line,
            function=scope.function,
            within=scope.within,
            steps=tuple(sorted({line, *judged.steps, use.line})),
            way=way_of(line, judged.steps, use.line, tuple(zip(state.active, state.called_at, strict=True))),
            advice=sink.note or HARM[sink.kind].fix,
            by_design=by_design,
            doubt=judged.doubt,
        )
    )


def _is_within(state: State, line: int) -> bool:
    """Whether the line is one of the function that is being followed."""
    return not state.active or state.active[-1].line <= line <= state.active[-1].end
