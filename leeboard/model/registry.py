"""What a run read, built, fetched, decided and said: the context registry. Rows are added and never changed.

Each row has its turn and place, so that a rule can ask what came before. Texts are redacted.
"""

from __future__ import annotations

from typing import Literal

import msgspec

Kind = Literal[
    "read", "built", "fetched", "decided", "flag", "plan", "todo", "change", "error", "feature", "research", "signal"
]


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """`key` is what it is looked up by: a path, a symbol, a query, a subject."""

    kind: Kind
    key: str
    turn: int
    agent: str = ""
    call: str = ""
    """The tool call that brought it; empty for words."""
    path: str = ""
    line: int = 0
    amount: int = 0
    """Lines changed, times seen, the last line of a range: what the kind counts."""
    digest: str = ""
    """Of the content, where equality of content matters."""
    text: str = ""
    """The sentence, the signature, the choice."""
    data: str = ""
    """Whatever else the kind needs, as text: a function's fingerprint, a result's state."""
