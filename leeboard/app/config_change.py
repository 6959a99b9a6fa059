"""The client has seen changed settings and asks its hooks before it takes them over: what would end the guard is held
back.

The file stays as it was changed; it is the running session that goes on with the hooks it began with. Who wants to be
without them runs `leeboard uninstall`, which leaves a mark that only a person's command leaves.
"""

from __future__ import annotations

from msgspec.structs import replace

from leeboard.app.guard_look import Look, guard_now, read_look
from leeboard.clients import client_named
from leeboard.clients.call import Call
from leeboard.io import clock
from leeboard.io.guard_files import stands
from leeboard.io.released import released_at
from leeboard.model.shown import shown_line

HELD = "held back"
RECENT_SECONDS = 60.0
"""A client takes a few seconds to see what a command of the person's changed."""


def hold_back(call: Call) -> bytes:
    """The answer that keeps the session's hooks; empty where the guard stands as before, or a person took it down."""
    look = read_look(call.session)
    if look is None or not _stood_at_first(look) or stands(guard_now(look)):
        return b""
    if clock.now() - released_at(look.root, "hooks") < RECENT_SECONDS:
        return b""
    place = call.changed_settings or "the client's settings"
    words = (
        f"Leeboard: {shown_line(place)} no longer names Leeboard's hooks, or switches hooks off. This session goes on "
        "with those it began with; a new one would be without. `leeboard init` puts them back, `leeboard uninstall` "
        "takes them out for good; both in a terminal of your own."
    )
    return client_named(call.client).refuse_settings(words)


def _stood_at_first(look: Look) -> bool:
    """When the session began. The hook after the line that took them out has seen the new settings already."""
    return stands({path: replace(seen, digest=seen.first) for path, seen in look.guard.items()})
