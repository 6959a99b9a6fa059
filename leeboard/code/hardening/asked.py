"""Which signs of hardening a contract asks for: what its objective or acceptance names is the work, not a drift."""

from __future__ import annotations

import re

from leeboard.code.hardening.signal import (
    BROAD,
    DEFAULT,
    FALLBACK,
    FLAG,
    GUARDRAIL,
    GUARDS,
    RETRY,
    SIGNALS,
    SWALLOWED,
    TIMEOUT,
)
from leeboard.model.pattern import lazy

_NEAR = r"\s+(?:\w+\s+){0,3}"
_CONCEPTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"harden|robust|resilien|fault[- _]?toleran|guard_?rail|defensive|reliab|never\s+crash", SIGNALS),
    (r"retr(?:y|ies|ying|ied)|back[- _]?off|re-?try|re-?connect|re-?attempt|flaky|flakiness", (RETRY,)),
    (r"fall(?:s|ing)?[- _]?back|degrad|graceful|best[- _]?effort|fail-?over|offline", (FALLBACK, DEFAULT)),
    (r"time[- _]?(?:d[- _]?)?outs?|timing\s+out|deadline|time\s+limit|hangs?\b|hanging|stall", (TIMEOUT,)),
    (
        rf"exceptions?|error[- _]?handling|handl\w{{0,4}}{_NEAR}(?:errors?|failures?)|catch(?:es|ing)?\b|crash",
        (BROAD, SWALLOWED, DEFAULT),
    ),
    (
        rf"swallow|suppress|silenc|tolera|(?:ignor|skip)\w{{0,4}}{_NEAR}(?:errors?|failures?|broken|bad|invalid|corrupt)",
        (SWALLOWED, BROAD, DEFAULT),
    ),
    (r"defaults?\b|returns?\s+(?:None|null|nil|empty|an\s+empty)", (DEFAULT,)),
    (
        rf"validat|guards?\b|type[- ]?check|sanit|null[- ]?(?:check|safe)|(?:reject|check)\w*{_NEAR}(?:input|bad|arg)",
        (GUARDS,),
    ),
    (
        r"flags?\b|toggl|legacy|switch|opt-?(?:in|out)|roll-?out|backwards?[- ]compat|configur|env\w*\s+var|setting",
        (FLAG,),
    ),
)
_PATTERNS = tuple((lazy(pattern, re.IGNORECASE), signals) for pattern, signals in _CONCEPTS)
_REFUSED = lazy(
    r"\b(?:no|not|without|never|avoid|don['’]?t|doesn['’]?t|remove|removes|removing|drop|delete|rather\s+than|instead\s+of|un)"
    r"[\s\w,/'’-]{0,40}$",
    re.IGNORECASE,
)
_LONGEST = 20_000
_BEFORE = 48


def asked_signals(objective: str, acceptance: tuple[str, ...]) -> frozenset[str]:
    """Signals the words of a contract ask for; a word that is refused ("without retries") asks for nothing."""
    text = "\n".join((objective, *acceptance))[:_LONGEST]
    found: set[str] = {GUARDRAIL} if "guardrail" in text.lower() else set()
    for pattern, signals in _PATTERNS:
        if any(not _REFUSED.search(_clause(text, match.start())) for match in pattern.finditer(text)):
            found.update(signals)
    return frozenset(found)


def _clause(text: str, at: int) -> str:
    """What stands before a word in its own sentence."""
    return re.split(r"[.;:\n(]|\bbut\b", text[max(0, at - _BEFORE) : at])[-1]
