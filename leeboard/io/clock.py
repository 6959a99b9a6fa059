"""The only place that knows what time it is."""

from __future__ import annotations

import time

_LAST_SECOND = 253_402_300_799.0  # of the year 9999: later ones have no four-digit form


def now() -> float:
    """Epoch seconds."""
    return time.time()


def iso(epoch: float) -> str:
    """UTC to the second, such as 2026-01-31T08:00:00Z. A time no calendar has becomes the nearest that one has."""
    # In this order NaN, which is neither more nor less than zero, becomes zero.
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(min(max(0.0, epoch), _LAST_SECOND)))


def stamp(epoch: float) -> str:
    """As `iso`, to the microsecond: what tells two moments of one second apart."""
    whole = min(max(0.0, epoch), _LAST_SECOND)
    return f"{iso(whole)[:-1]}.{int(whole % 1 * 1_000_000):06d}Z"


def hour(epoch: float, at: float) -> str:
    """As a clock on the wall shows it, such as 14:02; with the day before it where that is not the day of `at`."""
    then, today = time.localtime(epoch), time.localtime(at)
    form = "%H:%M" if (then.tm_year, then.tm_yday) == (today.tm_year, today.tm_yday) else "%Y-%m-%d %H:%M"
    return time.strftime(form, then)


def ago(moment: float, at: float | None = None) -> str:
    """`12 s ago`, in the largest unit that fits."""
    seconds = max(0.0, (now() if at is None else at) - moment)
    return f"{span(seconds)} ago"


def span(seconds: float) -> str:
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


def monotonic() -> float:
    """Seconds that only go forward, for deadlines."""
    return time.monotonic()
