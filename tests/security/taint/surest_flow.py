"""How sure the engine is of the worst that a text does: above 0.85 a call is refused for it."""

from __future__ import annotations

from leeboard.security.taint.flow import find_flows
from leeboard.source.syntax import parse

_ADVICE = frozenset({"log", "header"})
"""Kinds of flow that are told and never refused."""


def surest(text: str, language: str) -> float:
    tree = parse(text, language)
    assert tree is not None
    return max((flow.confidence for flow in find_flows(tree) if flow.kind not in _ADVICE), default=0.0)
