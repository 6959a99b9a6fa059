"""The one matcher for paths: scope, constraints, allowances and contracts all speak it.

Anchored at the repository's root and split on `/`. `*`, `?` and `[...]` match inside one segment (dot files too),
`**` any number of segments. `dir/` and a bare directory mean everything below it. A leading `./` is dropped, a leading
`!` takes away what earlier patterns gave. Braces are not special.
"""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from functools import lru_cache


def matches(path: str, patterns: Iterable[str]) -> bool:
    """True when the last pattern that speaks of `path` gives it."""
    given = False
    for pattern in patterns:
        negated = pattern.startswith("!")
        if _matches_one(tuple(path.split("/")), _segments(pattern[1:] if negated else pattern)):
            given = not negated
    return given


@lru_cache(maxsize=4096)
def _segments(pattern: str) -> tuple[str, ...]:
    while pattern.startswith("./"):
        pattern = pattern[2:]
    if pattern.endswith("/"):
        pattern += "**"
    segments = tuple(part for part in pattern.split("/") if part)
    if segments and not any(mark in segments[-1] for mark in "*?["):
        return (*segments, "**")
    return segments


def _matches_one(path: tuple[str, ...], pattern: tuple[str, ...]) -> bool:
    """Glob over segments in O(len(path) * len(pattern)): no pattern can make it explode."""
    reachable = {0}
    for part in pattern:
        if part == "**":
            reachable = set(range(min(reachable), len(path) + 1)) if reachable else set()
        else:
            reachable = {at + 1 for at in reachable if at < len(path) and _fits(path[at], part)}
    return len(path) in reachable


def _fits(name: str, part: str) -> bool:
    """A folder may really be called `[id]`."""
    return name == part or fnmatchcase(name, part)
