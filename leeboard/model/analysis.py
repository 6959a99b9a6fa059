"""What `code/` makes of an event, once. Its texts are redacted: they are the only texts that are kept."""

from __future__ import annotations

import msgspec

from leeboard.model.contract import Constraint
from leeboard.model.event import Event
from leeboard.model.ledger import Mention
from leeboard.model.touch import Touch


class Intent(msgspec.Struct, frozen=True, kw_only=True):
    """What a human message asks for."""

    text: str
    wanted: str = ""
    """The whole of it, but for what it rules out."""
    steers: bool = True
    """False for a nod or a remark: the goal stays as it was."""
    scope: tuple[str, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    lifts: tuple[str, ...] = ()
    """Programs, areas and globs the human now asks for or allows, which ends an earlier ban; `**`: anywhere."""
    keywords: tuple[str, ...] = ()
    areas: tuple[str, ...] = ()
    wide: bool = False
    """It asks for something everywhere."""


class Analysis(msgspec.Struct, frozen=True, kw_only=True):
    event: Event
    touches: tuple[Touch, ...] = ()
    """Spelled relative to the work tree."""
    opaque: bool = False
    unsure: bool = False
    """Of a call: it may change files nobody can name, for all that anybody knows. Opaque ones are among them."""
    programs: tuple[str, ...] = ()
    mentions: tuple[Mention, ...] = ()
    words: tuple[str, ...] = ()
    """Distinctive identifiers of an edit."""
    subjects: tuple[str, ...] = ()
    """Ledger terms of what the changed paths and the edit speak of."""
    digest: str = ""
    """Of the edit, or of a failing output: equal digests are the same thing again."""
    reverse: str = ""
    """Digest the edit that takes this one back would have."""
    command: str = ""
    text: str = ""
    unread: int = 0
    """Characters of the call that were not analysed, since it has too many."""
    intent: Intent | None = None

    @property
    def modified(self) -> tuple[str, ...]:
        """Paths that are changed or removed. Giving a file back an older state is no new work."""
        return tuple(dict.fromkeys(touch.path for touch in self.touches if touch.kind in {"write", "delete"}))
