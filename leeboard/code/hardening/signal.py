"""The signs of hardening, by the names a report uses for good."""

from __future__ import annotations

import msgspec

RETRY = "retry"
FALLBACK = "fallback"
TIMEOUT = "timeout"
BROAD = "broad exception handling"
SWALLOWED = "swallowed error"
DEFAULT = "default on error"
GUARDS = "guard cluster"
FLAG = "feature flag"
GUARDRAIL = "guardrail"
"""Only where a text is read by its words: it calls itself so."""

SIGNALS = (RETRY, FALLBACK, TIMEOUT, BROAD, SWALLOWED, DEFAULT, GUARDS, FLAG, GUARDRAIL)


class Hardening(msgspec.Struct, frozen=True):
    """One sign of hardening in a text."""

    signal: str
    lines: tuple[int, ...]
    """Where it stands, from one, the line to show first: who writes one of them makes the sign."""
    what: str
    """The words it was known by, for people; nothing of a string or a comment."""

    @property
    def line(self) -> int:
        return self.lines[0]
