"""What a session was promised and told not to do, as the store last knew it: for the hooks that find no store.

It is written anew when it has changed and at no other time. The store's own texts are redacted, and so is this.
"""

from __future__ import annotations

import msgspec

from leeboard.app.missing_store import spare
from leeboard.model.contract import Allowance
from leeboard.model.session import SHAPE, Session
from leeboard.model.text import digest

KEPT, KEPT_SECONDS = 100, 30 * 86_400.0
"""Copies, and how long one is kept that is not renewed."""
_ENDING = ".session"


class LastCopy(msgspec.Struct, frozen=True, kw_only=True):
    session: Session
    allowances: tuple[Allowance, ...] = ()


def keep_copy(session: Session, allowances: tuple[Allowance, ...]) -> None:
    """Costs a look at the old one where nothing has changed."""
    data = msgspec.json.encode(LastCopy(session=_promised(session), allowances=allowances))
    name = _name(session.id)
    if spare.read(name) != data:
        spare.write(name, data)


def read_copy(session_id: str) -> LastCopy | None:
    """None where there is none that this version can read."""
    try:
        copy = msgspec.json.decode(spare.read(_name(session_id)), type=LastCopy)
    except (msgspec.MsgspecError, ValueError):
        return None
    return copy if copy.session.id == session_id and copy.session.shape <= SHAPE else None


def forget_old_copies() -> None:
    spare.prune(_ENDING, KEPT, KEPT_SECONDS)


def _promised(session: Session) -> Session:
    """All that a limit is judged by, and nothing that moves with every event."""
    return Session(
        id=session.id,
        root=session.root,
        live=session.live,
        goals=session.goals,
        contract=session.contract,
        given_scope=session.given_scope,
        lifted=session.lifted,
        pin=session.pin,
    )


def _name(session_id: str) -> str:
    return digest(session_id, 12) + _ENDING
