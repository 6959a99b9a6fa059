"""What a run read, built, fetched and was told: rows by term, looked up by index, never loaded whole.

A term is a path relative to the work tree, a directory with a trailing slash, a file name, or a word prefixed with `#`.
Each row remembers the ways in which the session met the term, as flags that only ever accumulate.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec


class Met:
    """How a session met a term: flags in an int. An IntFlag would cost a third of a replay's time."""

    NAMED = 1  # by the human
    READ = 2
    EXPLORED = 4  # read before the exchange's first edit
    EDITED = 8  # changed by an action that was on course
    FOUND = 16  # in the answer to a search, in a traceback, in a failing run
    LISTED = 32  # in a mere listing of names
    SAID = 64  # by the agent, in text, thought or plan
    IMPORTED = 128  # by a file that was read or edited
    WORD = 256  # a word of the human's
    WROTE = 512  # an identifier in an edit that was on course
    STRAYED = 1024  # changed by an action that was off course
    PLANNED = 2048  # in a plan or a document that was read
    PINNED = 4096  # found in an answer that names but a few files
    FAILED = 8192  # found in what a failing run printed


class Mention(msgspec.Struct, frozen=True):
    term: str
    met: int


Rows = Mapping[str, int]
"""Term to flags; a term without a row was never met."""


# What a run read, built, fetched, decided and said: the context registry. Rows are added and never changed.
#
# Each row has its turn and place, so that a rule can ask what came before. Texts are redacted.


Kind = Literal[
    "read",
    "built",
    "fetched",
    "decided",
    "flag",
    "plan",
    "todo",
    "change",
    "error",
    "feature",
    "research",
    "signal",
    "sketch",
    "run",
    "claim",
    "unindexed",
    "stood",
    "committing",
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
    """The digest of the content, where equality of content matters."""
    text: str = ""
    """The sentence, the signature, the choice."""
    data: str = ""
    """Whatever else the kind needs, as text: a function's fingerprint, a result's state."""
