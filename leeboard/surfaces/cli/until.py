"""How people say how long: `90m`, `2h`, `3d`, `2w`, or a date."""

from __future__ import annotations

import re
from datetime import datetime

from leeboard.errors import ConfigError

_SPAN = re.compile(r"(\d{1,6})\s*([smhdw])[a-z]*", re.IGNORECASE)
_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}
_LONGEST = 10 * 366 * 86_400


def parse_span(text: str) -> int:
    """Seconds in a text such as `2h`; ConfigError naming the forms there are."""
    found = _SPAN.fullmatch(text.strip())
    seconds = int(found[1]) * _SECONDS[found[2].lower()] if found else 0
    if not 0 < seconds <= _LONGEST:
        raise ConfigError(f"{text!r} is no length of time; write 90m, 2h, 3d or 2w")
    return seconds


def parse_until(text: str, now: float) -> float:
    """Epoch seconds of the end that a text such as `2h` or `2026-12-24T18:00` gives; zero for an empty one."""
    if not text:
        return 0.0
    if _SPAN.fullmatch(text.strip()):
        return now + parse_span(text)
    try:
        end = datetime.fromisoformat(text.strip()).astimezone().timestamp()
    except (ValueError, OverflowError, OSError) as error:
        raise ConfigError(f"--until {text!r} is no time; write 2h, 3d or a date such as 2026-12-24T18:00") from error
    if end <= now:
        raise ConfigError(f"--until {text!r} is over already")
    return end
