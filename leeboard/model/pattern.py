"""Regular expressions that are compiled when they are first used.

Compiling is most of what importing this package would cost, and a hook process uses a handful of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
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
