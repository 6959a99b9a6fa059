"""The only place that knows what time it is."""

from __future__ import annotations

import time

_LAST_SECOND = 253_402_300_799.0  # of the year 9999: later ones have no four-digit form


def now() -> float:
    """Epoch seconds."""
    return time.time()


def iso(epoch: float) -> str:
    """UTC to the second, such as 2026-01-31T08:00:00Z. A time no calendar has becomes the nearest that one has."""
    known = epoch if epoch == epoch else 0.0  # noqa: PLR0124 - only NaN differs from itself; math is not worth importing
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(min(max(known, 0.0), _LAST_SECOND)))
