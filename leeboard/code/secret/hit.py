"""A place in a text where a secret stands, before and after its line is known."""

from __future__ import annotations

import msgspec


class Hit(msgspec.Struct, frozen=True, kw_only=True):
    """`start` is the value's place in the text. What is heard of it is weighed later, by file and line."""

    kind: str
    value: str
    start: int
    confidence: float
    name: str = ""
    note: str = ""
    """Why it may stand: `placeholder`."""

    @property
    def end(self) -> int:
        return self.start + len(self.value)


class Secret(msgspec.Struct, frozen=True, kw_only=True):
    """A secret with its line. `value` lives in memory only: whoever keeps or shows anything takes a keyed digest."""

    kind: str
    name: str
    """The variable, key, header or option in front of it; empty where there is none."""
    value: str
    line: int
    column: int
    """Both count from one."""
    confidence: float
    note: str = ""
    """Why it is at most logged: `placeholder`, `test fixture`, `allowed by a comment`."""
