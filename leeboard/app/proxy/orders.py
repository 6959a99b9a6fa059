"""What the carrier of the traffic is told about a request, and what it tells back."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from leeboard.wire.seam import UNCHECKED, CallRuling, Insertion, Restoration


class RequestOrders(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be done with one request and with its answer."""

    insertions: tuple[Insertion, ...] = ()
    """Words to be put in. Whoever could not place one gives the rest back to `delivered`."""
    watch: bool = False
    """Whether the answer is to be read at all: its calls judged, its reasoning shown."""
    may_withhold: bool = False
    """Whether a call may be held back from the client. Otherwise every ruling is a release, and nobody need wait."""
    restored: tuple[Restoration, ...] = ()
    """Calls that were withheld before, and that the conversation is to tell of as the model wrote them."""
    unread: CallRuling = UNCHECKED
    """What becomes of a call that is too long to be read."""


class CarriedTimes(msgspec.Struct, frozen=True, kw_only=True):
    """How long a request took, in milliseconds."""

    held_ms: float = 0.0
    """How long calls waited for the judge, all of them together."""
    first_byte_ms: float = 0.0
    total_ms: float = 0.0


PASS = RequestOrders()
"""Nothing is to be done."""
TellOrders = Callable[[RequestOrders], None]


def tell_nobody(orders: RequestOrders) -> None:
    """For who waits until everything is done."""
