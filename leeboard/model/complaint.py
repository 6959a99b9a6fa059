"""How a wrong value is complained of: what was found, and what may have been meant."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(found: str, names: Iterable[str], alike: float = 0.6) -> str:
    """The name that is spelled most like it; empty where none is alike enough, from 0 for any to 1 for the same."""
    import difflib  # noqa: PLC0415 - only needed where something is wrong

    return next(iter(difflib.get_close_matches(found, list(names), n=1, cutoff=alike)), "")


def in_short(found: object) -> str:
    """What was found, short enough for one line."""
    if isinstance(found, (dict, list)):
        return "a table" if isinstance(found, dict) else "a list"
    if isinstance(found, str):
        return repr(found[:40])
    return str(found).lower() if isinstance(found, bool) else str(found)[:40]
