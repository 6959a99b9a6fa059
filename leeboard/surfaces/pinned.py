"""Which settings count in a session: those it began under, and what became stricter since.

A file that is deleted or edited, a branch without it, a variable that a client's settings set: none of them loosens a
session that runs. A person does, by a command that proves them; new sessions go by what they find.
"""

from __future__ import annotations

import msgspec

from leeboard.io import clock
from leeboard.io.released import released_at
from leeboard.model.pin import Pin, loosened, stricter
from leeboard.model.policy import Policy
from leeboard.model.session import Session
from leeboard.wire.leeboard_toml import Settings


class Counting(msgspec.Struct, frozen=True, kw_only=True):
    """What counts, and what the settings say beside it."""

    policy: Policy
    enabled: bool
    pin: Pin | None
    """As the session keeps it from here on."""
    looser: tuple[str, ...] = ()
    """What the settings would loosen, in words: it does not count."""


def counting(settings: Settings, session: Session | None, root: str) -> Counting:
    """`root` is the tree whose settings these are: that of another tree binds its own agent, and no other."""
    policy, enabled = settings.policy, settings.enabled
    anew = Counting(policy=policy, enabled=enabled, pin=Pin(policy=policy, at=clock.now()))
    pin = session.pin if session else None
    if session is None or pin is None:
        return anew
    if enabled and policy == pin.policy:
        return Counting(policy=policy, enabled=True, pin=pin)
    looser = loosened(pin, policy, enabled=enabled)
    if looser and released_at(session.root) > pin.at:
        return anew
    held = stricter(pin, policy)
    return Counting(policy=held.policy, enabled=True, pin=held if root == session.root else pin, looser=looser)
