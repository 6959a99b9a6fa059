"""What is kept of the traffic that the proxy carries: figures, and the words that it put in. Never a body."""

from __future__ import annotations

from typing import Literal

import msgspec

CarriedOutcome = Literal["answered", "refused", "cut", "gone"]
"""How a request ended: the provider answered to the end, refused it, broke off, or the client went away."""
InsertionState = Literal["withheld", "waiting", "placed", "delivered", "dropped"]
"""The life of an insertion: it is why a call was withheld, and may be told otherwise; no request had room for it yet;
one carries it; a provider has accepted that one."""


class CarriedRequest(msgspec.Struct, frozen=True, kw_only=True):
    """One request of an agent and its answer, as they were carried."""

    ts: float
    """Epoch seconds."""
    session: str
    agent: str = ""
    project: str = ""
    api: str = ""
    client: str = ""
    outcome: CarriedOutcome = "answered"
    calls: int = 0
    """Tool calls in the answer: each was held until it was judged."""
    withheld: int = 0
    """Those of them that the client never saw."""
    inserted: int = 0
    """Corrections that were put into the request."""
    unchecked: int = 0
    """Calls that passed although nobody had judged them."""
    senses: bool = False
    """It only looked on, since the client's hooks refuse what must not pass."""
    held_ms: float = 0.0
    """How long calls waited for the judge."""
    first_byte_ms: float = 0.0
    total_ms: float = 0.0
    cache_read: int = 0
    cache_creation: int = 0
    note: str = ""

    @property
    def is_changed(self) -> bool:
        """Whether anything but the original bytes went either way."""
        return bool(self.withheld or self.inserted)


class InsertedCorrection(msgspec.Struct, frozen=True, kw_only=True):
    """Words that go into a request of an agent, right after what the anchor names."""

    session: str
    id: str
    """That of the verdict which said it."""
    agent: str = ""
    anchor: str = ""
    """Empty while it waits for a place."""
    text: str
    state: InsertionState = "waiting"
    updated: float = 0.0
