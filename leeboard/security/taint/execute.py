"""Statements: which way is taken, what is known afterwards."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import msgspec

from leeboard.model.text import lazy
from leeboard.security.taint import fold, ir, method
from leeboard.security.taint.assign import assign, bind, check_target, element_of
from leeboard.security.taint.doubts.unread_check import (
    checked_for,
    places_compared,
    raising_check,
    sounds_like_raising_check,
)
from leeboard.security.taint.guard import facts_of
from leeboard.security.taint.sink import check_value
from leeboard.security.taint.state import Facts, State, TaintScope, added
from leeboard.security.taint.table import Handlers, Kind
from leeboard.security.taint.turn import finds_the_same, seen_of
from leeboard.security.taint.use import Use
from leeboard.security.taint.values import ALL, HARMLESS, Closure, Missing, Val, constant, held, joined, stepped

_TESTS = (ir.Compare, ir.Not, ir.Bool, ir.Call)
_TAG = lazy(r"<[A-Za-z/!]")


def execute(state: State, block: ir.Block, scope: TaintScope) -> bool:
    """Run the statements; True where the block is left for good (return, raise, break, exit)."""
    for statement in block:
        state.budget -= 1
        if state.budget <= 0:
            return False
        if _HANDLERS[type(statement)](state, statement, scope):
            return True
    return False


def _assign(state: State, stmt: ir.Assign, scope: TaintScope) -> bool:
    value = state.evaluate(stmt.value, scope)
    if stmt.op:
        value = _augmented(state, stmt, value, scope)
    if stmt.annotation and state.index.safe_types.search(stmt.annotation):
        value = HARMLESS if value.taints else value
    value = stepped(value, stmt.line)
    if len(stmt.targets) == 1 and isinstance(stmt.targets[0], ir.Name):
        _remember(stmt.targets[0].id, stmt.value, scope)
    for target in stmt.targets:
        if type(target) is not ir.Name:  # most are
            check_target(state, target, value, scope, stmt.line)
        assign(state, target, value, scope)
    return False


def _remember(name: str, value: ir.Expr, scope: TaintScope) -> None:
    """`ok = name in ALLOWED`: the test is made here and asked later."""
    if isinstance(value, _TESTS):
        scope.tests = {**scope.tests, name: value}
    elif name in scope.tests:
        scope.tests = {known: test for known, test in scope.tests.items() if known != name}


def _augmented(state: State, stmt: ir.Assign, value: Val, scope: TaintScope) -> Val:
    before = state.evaluate(stmt.targets[0], scope) if stmt.targets else Val()
    known = fold.arithmetic(stmt.op, before.const, value.const)
    if not isinstance(known, Missing):
        return constant(known)
    if stmt.op in state.index.tables.numbers and not before.shape and not value.shape:
        return HARMLESS
    if stmt.op == "+" and before.shape == "list":
        return method.extend(before, value)
    if stmt.op == "%":
        return method.formatted(before, list(value.items.values()) or [value])
    return joined([before, value])


def _expression(state: State, stmt: ir.ExprStmt, scope: TaintScope) -> bool:
    state.evaluate(stmt.value, scope)
    if not isinstance(stmt.value, ir.Call):
        return False
    callee = stmt.value.callee
    if (
        isinstance(callee, ir.Attr)
        and not state.index.may_settle(callee.name)
        and not sounds_like_raising_check(callee.name)
    ):
        return False  # nothing that tests or leaves has this name
    path = state.evaluate(callee, scope).path or ir.dotted(callee)
    tables = state.index.tables
    if path in tables.exits:
        return True
    if stmt.value.args and (path in tables.demands or path in tables.refuses):
        shown = facts_of(state, scope, stmt.value.args[0], holds=path in tables.demands)
        scope.facts = added(scope.facts, shown)
    cleaner = state.index.cleaner(path)
    own = scope.find(path) is not None or path in state.functions
    kinds = ALL if cleaner is not None and cleaner.kinds is None else checked_for(state, path)
    if not own and kinds:
        _believe(state, stmt.value, scope, kinds)
    elif not own:
        scope.facts = added(scope.facts, raising_check(state, scope, stmt.value))
    if any(guard.raises for guard in state.index.guards(path)):
        scope.facts = added(scope.facts, facts_of(state, scope, stmt.value, holds=True))
    return False


def _believe(state: State, call: ir.Call, scope: TaintScope, kinds: frozenset[Kind]) -> None:
    """A check whose result is dropped raises: after it, what it was given is good."""
    for arg in call.args:
        places = {origin.place: kinds for origin in held(state.evaluate(arg, scope)).taints}
        scope.facts = added(scope.facts, places)


def _if(state: State, stmt: ir.If, scope: TaintScope) -> bool:
    around, state.operands = state.operands, {}
    known = fold.truth(state.evaluate(stmt.test, scope).const)
    if known is not None:
        state.operands = around
        return execute(state, stmt.body if known else stmt.orelse, scope)
    yes, no = scope.fork(), scope.fork()
    if state.loops and any(map(_is_flag, stmt.body)):
        state.held_against.update((state.running, label) for label in places_compared(state, scope, stmt.test))
    yes.facts = added(yes.facts, facts_of(state, scope, stmt.test, holds=True))
    no.facts = added(no.facts, facts_of(state, scope, stmt.test, holds=False))
    state.operands = around
    return _merge(scope, [(yes, execute(state, stmt.body, yes)), (no, execute(state, stmt.orelse, no))])


def _is_flag(stmt: ir.Node) -> bool:
    """`found = true`, for a test after the loop."""
    return isinstance(stmt, ir.Assign) and isinstance(stmt.value, ir.Const) and not isinstance(stmt.value.value, str)


def _merge(scope: TaintScope, ways: list[tuple[TaintScope, bool]]) -> bool:
    """Go on with the ways that do not leave; True where all of them do."""
    going = [way for way, left in ways if not left]
    if not going:
        return True
    if len(going) > 1:
        for way in going:
            _keep_facts(way)
    scope.become(going[0])
    for way in going[1:]:
        scope.join(way)
    return False


def _keep_facts(way: TaintScope) -> None:
    """What was shown on one of several ways stays with the values that come from it."""
    if not way.facts:
        return
    for name, value in [known for known in way.names.items() if known[1].taints]:
        # What a part of it was asked says nothing of the other parts.
        shown = {origin: way.cleaned(origin, by_parts=False) for origin in value.taints}
        if any(shown[origin] - done for origin, done in value.taints.items()):
            taints = {origin: done | shown[origin] for origin, done in value.taints.items()}
            way.names[name] = msgspec.structs.replace(value, taints=taints)


def _loop(state: State, stmt: ir.Loop, scope: TaintScope) -> bool:
    if stmt.test is not None and fold.truth(state.evaluate(stmt.test, scope).const) is False:
        return execute(state, stmt.orelse, scope)
    before = seen_of(state, scope)
    _turn(state, stmt, scope)
    if not finds_the_same(state, stmt, scope, before):
        _turn(state, stmt, scope)
    return execute(state, stmt.orelse, scope)


def _turn(state: State, stmt: ir.Loop, scope: TaintScope) -> None:
    inner = scope.fork()
    if stmt.iterable is not None and stmt.target is not None:
        bind(stmt.target, element_of(state.evaluate(stmt.iterable, inner)), inner)
    if stmt.test is not None:
        inner.facts = added(inner.facts, facts_of(state, inner, stmt.test, holds=True))
    state.loops.append([])
    left = execute(state, stmt.body, inner)
    for way in [*state.loops.pop(), *([] if left else [inner])]:
        _keep_facts(way)
        scope.join(way)


def _try(state: State, stmt: ir.Try, scope: TaintScope) -> bool:
    before = scope.fork()
    body = scope.fork()
    left = execute(state, stmt.body, body)
    failed = before.fork()
    failed.join(body)
    if not left:
        left = execute(state, stmt.orelse, body)
    ways = [(body, left)]
    for handler in stmt.handlers:
        way = failed.fork()
        ways.append((way, execute(state, handler, way)))
    gone = _merge(scope, ways)
    return execute(state, stmt.final, scope) or gone


def _switch(state: State, stmt: ir.Switch, scope: TaintScope) -> bool:
    subject = state.evaluate(stmt.subject, scope)
    ways: list[tuple[TaintScope, bool]] = []
    for position, case in enumerate(stmt.cases):
        match = _matches(state, subject, case, scope)
        if match is False:
            continue
        way = scope.fork()
        way.facts = added(way.facts, _case_facts(state, subject, case, scope))
        if not case.values and case.guard is None:
            ways.append((way, _run_case(state, stmt, position, way)))
            return _merge(scope, ways)
        ways.append((way, _run_case(state, stmt, position, way)))
        if match:
            return _merge(scope, ways)
    return _merge(scope, [*ways, (scope.fork(), False)])


def _run_case(state: State, stmt: ir.Switch, position: int, scope: TaintScope) -> bool:
    for case in stmt.cases[position:]:
        if execute(state, case.body, scope):
            return True
        if not case.falls:
            break
    return False


def _matches(state: State, subject: Val, case: ir.Case, scope: TaintScope) -> bool | None:
    """Whether a constant is one of the values; None where that is not known."""
    if not subject.is_const or not case.values or case.guard is not None:
        return None
    values = [state.evaluate(value, scope) for value in case.values]
    if any(value.is_const and value.const == subject.const for value in values):
        return True
    return False if all(value.is_const for value in values) else None


def _case_facts(state: State, subject: Val, case: ir.Case, scope: TaintScope) -> Facts:
    values = [state.evaluate(value, scope) for value in case.values]
    if values and all(value.is_const for value in values):
        return {origin.place: ALL for origin in held(subject).taints}
    return {}


def _return(state: State, stmt: ir.Return, scope: TaintScope) -> bool:
    value = state.evaluate(stmt.value, scope) if stmt.value is not None else constant(None)
    kept = _as_shown(value, scope)
    scope.returns.append((kept, scope.facts))
    if scope is state.globals and value.call is not None:
        state.nested.append((value.call.function, scope))  # what a file of routes or settings hands to its loader
    if scope.handler is not None and not value.opaque:
        sent = Use(line=stmt.line, path="return", written="return", receiver=None, args=(value,), keywords={})
        check_value(state, scope, "trace", value, sent)
    if scope.handler is not None and _is_page(state, scope.handler, value):
        _check_sent(state, stmt, value, scope)
    if scope.handler is not None and scope.handler.redirects:
        _check_redirect(state, stmt, value, scope)
    return True


def _as_shown(value: Val, scope: TaintScope) -> Val:
    """With what tests have shown of it on this way out; of several values that are returned together, of each."""
    taints = {origin: done | scope.cleaned(origin) for origin, done in value.taints.items()}
    kept = msgspec.structs.replace(value, taints=taints) if taints else value
    if value.shape != "list" or not value.items or not scope.facts:
        return kept
    return msgspec.structs.replace(kept, items={key: _as_shown(item, scope) for key, item in value.items.items()})


def _is_page(state: State, handler: Handlers, value: Val) -> bool:
    """Whether a browser shows what the handler returns as a page."""
    if handler.returns_html or (handler.returns_markup and _TAG.search(value.text)):
        return True
    marks = state.active[-1].decorators if handler.html_marks and state.active else ()
    given = (argument for mark in marks if isinstance(mark, ir.Call) for _name, argument in mark.keywords)
    return any(re.search(handler.html_marks, ir.dotted(argument)) for argument in given)


def _check_sent(state: State, stmt: ir.Return, value: Val, scope: TaintScope) -> None:
    """What a handler returns is the page."""
    body = value.items.get(0, value) if value.shape == "list" else value
    if body.shape or not body.taints or (body.opaque and len(body.text) == 1):
        return
    use = Use(line=stmt.line, path="return", written="return", receiver=None, args=(body,), keywords={})
    check_value(state, scope, "html", body, use)


def _check_redirect(state: State, stmt: ir.Return, value: Val, scope: TaintScope) -> None:
    """What a handler returns names the place where the browser goes next."""
    told = re.match(scope.handler.redirects, value.text) if scope.handler is not None else None
    if told is not None and value.taints:
        target = msgspec.structs.replace(value, text=value.text[told.end() :])
        use = Use(line=stmt.line, path="return", written="return", receiver=None, args=(target,), keywords={})
        check_value(state, scope, "redirect", target, use)


def _exit(state: State, stmt: ir.Exit, scope: TaintScope) -> bool:
    if stmt.value is not None:
        state.evaluate(stmt.value, scope)
    if stmt.kind in {"break", "continue"} and state.loops:
        state.loops[-1].append(scope.fork())
    return True


def _define(state: State, stmt: ir.Define, scope: TaintScope) -> bool:
    scope.names[stmt.function.name] = Val(
        call=Closure(stmt.function, scope if scope is not state.globals else None), path=stmt.function.name
    )
    if scope is not state.globals:
        state.captured.append(scope)
        state.nested.append((stmt.function, scope))
    return False


def _define_class(state: State, stmt: ir.DefineClass, scope: TaintScope) -> bool:
    state.classes.setdefault(stmt.type.name, stmt.type)
    scope.names[stmt.type.name] = Val(type=stmt.type, path=stmt.type.name)
    return False


def _bind(state: State, stmt: ir.Bind, scope: TaintScope) -> bool:
    del state
    scope.names.pop(stmt.name, None)
    if scope.parent is not None:
        scope.names[stmt.name] = Val(path=stmt.path)
    return False


_HANDLERS: dict[type[ir.Node], Callable[[State, Any, TaintScope], bool]] = {
    ir.Assign: _assign,
    ir.ExprStmt: _expression,
    ir.If: _if,
    ir.Loop: _loop,
    ir.Try: _try,
    ir.Switch: _switch,
    ir.Return: _return,
    ir.Exit: _exit,
    ir.Define: _define,
    ir.DefineClass: _define_class,
    ir.Bind: _bind,
}
