"""Regular expressions that are compiled when they are first used.

Compiling is most of what importing this package would cost, and a hook process uses a handful of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import cast

_METHODS = ("search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer", "scanner")


class _Lazy:
    def __init__(self, source: str, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> object:
        """Only reached before the first use: from then on the compiled methods stand on the instance itself."""
        compiled = re.compile(self._source, self._flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def lazy(source: str, flags: int = 0) -> re.Pattern[str]:
    """As `re.compile`, only later."""
    return cast("re.Pattern[str]", _Lazy(source, flags))


def filled(source: str, parts: Mapping[str, str]) -> str:
    """The source with each `{name}` replaced by the part of that name; a part may hold parts that stand before it."""
    for name in reversed([*parts]):
        source = source.replace(f"{{{name}}}", parts[name])
    return source


# The one matcher for paths: scope, constraints, allowances and contracts all speak it.
#
# Anchored at the repository's root and split on `/`. `*`, `?` and `[...]` match inside one segment (dot files too),
# `**` any number of segments. `dir/` and a bare directory mean everything below it. A leading `./` is dropped, a
# leading `!` takes away what earlier patterns gave. Braces are not special.


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
