"""What the engine carries."""

from __future__ import annotations

from leeboard.security.taint import ir
from leeboard.security.taint.index import PathIndex
from leeboard.security.taint.state import Flow, State, TaintScope, added, both
from leeboard.security.taint.table import Kind, Tables
from leeboard.security.taint.values import NONE, TaintOrigin, constant, foreign

SQL: frozenset[Kind] = frozenset({"sql"})
HTML: frozenset[Kind] = frozenset({"html"})
ORIGIN = TaintOrigin("request", "request.json['a']['b']", 1)


def flow(confidence: float) -> Flow:
    return Flow(
        kind="sql",
        confidence=confidence,
        trust="request",
        source="x",
        source_line=1,
        sink="execute",
        sink_line=2,
        function="f",
    )


def test_names_are_found_outwards() -> None:
    outer = TaintScope("outer")
    outer.names["x"] = constant(1)
    inner = TaintScope("inner", outer)
    assert inner.find("x") == constant(1)
    assert inner.find("y") is None


def test_a_fork_does_not_change_its_root() -> None:
    scope = TaintScope("f")
    scope.names["x"] = constant(1)
    fork = scope.fork()
    fork.names["x"] = foreign(ORIGIN)
    fork.returns.append((constant(2), {}))
    assert scope.names["x"].const == 1
    assert len(scope.returns) == 1
    scope.join(fork)
    assert scope.names["x"].is_foreign


def test_a_test_of_the_whole_holds_for_its_parts() -> None:
    scope = TaintScope("f")
    scope.facts = {"request.json": HTML, "request.json['a']": SQL}
    assert scope.cleaned(ORIGIN) == SQL | HTML
    assert scope.cleaned(TaintOrigin("request", "request.args", 1)) == NONE


def test_facts_meet_and_add_up() -> None:
    assert both({"a": SQL | HTML, "b": SQL}, {"a": SQL}) == {"a": SQL}
    assert added({"a": SQL}, {"a": HTML, "b": SQL}) == {"a": SQL | HTML, "b": SQL}


def test_the_surer_flow_is_kept() -> None:
    state = State(ir.Module(language="python"), PathIndex(Tables(language="python", candidates="")), 2)
    for confidence in (0.6, 0.9, 0.5):
        state.report(flow(confidence))
    assert [item.confidence for item in state.flows.values()] == [0.9]


def test_a_body_is_lowered_once() -> None:
    state = State(ir.Module(language="python"), PathIndex(Tables(language="python", candidates="")), 2)
    calls: list[int] = []

    def lower() -> ir.Block:
        calls.append(1)
        return ()

    function = ir.Function(name="f", line=1, end=2, lower=lower)
    state.body(function)
    state.body(function)
    assert calls == [1]
