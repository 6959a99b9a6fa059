"""What is in front of a handler: the address that its parameters are parts of, and what is called before it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from leeboard.model.text import lazy
from leeboard.security.taint import ir
from leeboard.security.taint.doubts.flow_doubt import TABLE
from leeboard.security.taint.state import State
from leeboard.security.taint.values import CLEAN, OPEN, TaintOrigin, Val

_PARAMETER = lazy(r"parameter '(\w+)'$")
_SPLITS_FIRST = frozenset({"python", "java", "kotlin", "csharp", "php"})
"""Languages whose frameworks split an address at its slashes when all of it is decoded, or refuse an encoded one."""
_CHECKS = lazy(TABLE.checks_before_handler)
_DECODES = lazy(TABLE.decodes)
_OF_OTHER_THINGS = lazy(f"{TABLE.knows_who}|{TABLE.says_nothing_of_it.removeprefix('(?i)')}")


def is_one_segment(state: State, origin: TaintOrigin) -> bool:
    """Whether a handler's parameter is what stands between two slashes of its address."""
    named = _PARAMETER.match(origin.label) if state.module.language in _SPLITS_FIRST else None
    if named is None:
        return False
    pattern = rf"<(?:str(?:ing)?:)?{named[1]}>|\{{{named[1]}\??\}}"
    return any(re.search(pattern, route) for route in _routes(state, origin))


def is_routed_elsewhere(state: State, origin: TaintOrigin) -> bool:
    """Whether a parameter is a part of an address whose pattern stands in another file, as Django's do."""
    named = _PARAMETER.match(origin.label) if state.module.language == "python" and origin.trust == "handler" else None
    if named is None or not state.mentions.says(TABLE.routes_elsewhere):
        return False
    return not any(named[1] in route for route in _routes(state, origin))


def is_of_one_address(state: State) -> bool:
    """Whether the handler is registered for one address, in which nothing is left open, and takes it as it came. What
    is mounted (`use`) gets all that begins with it.
    """
    if any(state.routes.get(id(function), "").startswith("<use ") for function in state.active):
        return False
    if state.active and _DECODES.search(state.mentions.text_of(state.active[-1])):
        return False
    routes = [value.text for value in _registered(state) if value.text.lstrip(OPEN + CLEAN).strip("/")]
    return bool(routes) and not any(mark in route for route in routes for mark in ":*({[")


def _routes(state: State, origin: TaintOrigin) -> Iterator[str]:
    for function in state.active:
        for mark in function.decorators if function.line == origin.line else ():
            yield from (str(node.value) for node in ir.inside(mark) if isinstance(node, ir.Const))
    yield from (value.const for value in _registered(state) if isinstance(value.const, str))


def _registered(state: State) -> Iterator[Val]:
    for function in state.active:
        yield from state.registered.get(id(function), ())


def is_checked_before_handler(state: State) -> bool:
    """Whether a decorator, or what stands between a route and its handler, calls itself a check of what is sent."""
    marks = [ir.dotted(mark) for function in state.active for mark in function.decorators]
    called = (*marks, *_paths(_registered(state)))
    return any(_CHECKS.search(path) and not _OF_OTHER_THINGS.search(path) for path in called)


def _paths(values: Iterable[Val]) -> Iterator[str]:
    for value in values:
        yield value.path
        yield from _paths(value.items.values()) if value.shape == "list" else ()
