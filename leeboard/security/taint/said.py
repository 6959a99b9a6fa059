"""A flow in words, as an agent is told of it."""

from __future__ import annotations

from leeboard.model.text import as_sentence
from leeboard.security.taint.doubts.only_logged import SENT
from leeboard.security.taint.state import Flow
from leeboard.security.taint.table import HARM, confidence_of

_CHECKED = frozenset({"fields", "path", "url", "redirect"})
"""Kinds of sinks that escaping does not help: the value has to be one of those that may be."""


def said_of(flow: Flow) -> str:
    """What is wrong, without the place of the sink."""
    noun = HARM[flow.kind].noun
    if flow.trust is None and flow.kind == "trace":
        return f"A stack trace is sent in {noun}"
    if flow.trust is None:
        return f"{as_sentence(flow.source)} reaches {noun}" if flow.source else f"{flow.sink}() is unsafe"
    place = f"{flow.source} (line {flow.source_line})"
    if flow.trust == "failure":
        return f"{as_sentence(place)} is sent in {noun}"
    if flow.trust in SENT:
        return f"User input from {place} reaches {noun} {'unchecked' if flow.kind in _CHECKED else 'unescaped'}"
    if flow.trust == "parameter":
        return f"Unchecked {place} reaches {noun}"
    return f"{as_sentence(place)} reaches {noun} unchecked"


def why_queued(flow: Flow, doubt: str, refused_above: float) -> str:
    """What speaks against a refusal of what a request brings: the doubt, or that no flow of its kind is refused."""
    if doubt or flow.trust not in SENT or confidence_of(flow.kind, flow.trust) > refused_above:
        return doubt
    return "what is of this kind is queued, however sure it is"
