"""When our hooks go from a client's settings no hook runs any more: whoever still looks leaves a mark.

`leeboard status` and `doctor` begin with it, and the first hook that runs again says that nobody looked in between.
"""

from __future__ import annotations

from posixpath import join

from msgspec.structs import replace

from leeboard.app.guard.look import (
    FOLDER,
    GuardLook,
    guard_files,
    guard_now,
    keep_look,
    kept_looks,
    look_at_guard,
    read_look,
    stands,
)
from leeboard.app.misses import misses_at, note_miss
from leeboard.app.tree_watch import KeptLooks
from leeboard.clients import client_named
from leeboard.clients.call import HookCall
from leeboard.errors import StateError
from leeboard.io import clock, places
from leeboard.model.text import shown_line
from leeboard.trust.released import released_at

EVENT = "guard"
_KEPT = "off"


def note_off(root: str, seen_by: str) -> None:
    """Once: until it is told that they are back."""
    marks = _marks()
    if marks.peek(root) is None:
        marks.keep(root, clock.iso(clock.now()).encode())
        what = f"Leeboard's hooks went from the client's settings, and nothing is guarded since ({seen_by})"
        failure = StateError(f"{what}; `leeboard init` puts them back")
        note_miss(places.state_dir(), EVENT, failure, root)


def told_back(root: str) -> str:
    """What is said where they are back; empty where they never were away."""
    since = _marks().take(root)
    if not since:
        return ""
    return (
        f"Leeboard's hooks were out of the client's settings from {since.decode('utf-8', 'replace')} until now: "
        "what agents did here in between, nobody looked at."
    )


def went_off(state_dir: str, root: str) -> list[str]:
    """What was noted of it in a project, oldest first."""
    return [line for line in misses_at(state_dir, root) if f" {EVENT} " in line]


def look_while_idle() -> None:
    """For a process that outlives the hooks: do they still stand where the sessions that run had them?"""
    for look in kept_looks():
        if not look.off and stands(look.guard) and not _stand_now(look):
            by_person = released_at(look.root) >= _last_hook(look)
            keep_look(replace(look, off=clock.now()))
            if not by_person:
                note_off(look.root, "seen by the process that answers hooks")


def _last_hook(look: GuardLook) -> float:
    return clock.now() - KeptLooks(join(places.state_dir(), FOLDER)).age(look.session)


def _stand_now(look: GuardLook) -> bool:
    files = guard_files(look.root, look.env)
    return stands(
        {path: look_at_guard(path, file, None, look.root) for path, file in files.items() if file.kind == "client"}
    )


def _marks() -> KeptLooks:
    return KeptLooks(join(places.state_dir(), _KEPT))


# The client has seen changed settings and asks its hooks before it takes them over: what would end the guard is held
# back.
#
# The file stays as it was changed; it is the running session that goes on with the hooks it began with. Who wants to be
# without them runs `leeboard uninstall`, which leaves a mark that only a person's command leaves.


HELD = "held back"
RECENT_SECONDS = 60.0
"""A client takes a few seconds to see what a command of the person's changed."""


def hold_back(call: HookCall) -> bytes:
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


def _stood_at_first(look: GuardLook) -> bool:
    """When the session began. The hook after the line that took them out has seen the new settings already."""
    return stands({path: replace(seen, digest=seen.first) for path, seen in look.guard.items()})
