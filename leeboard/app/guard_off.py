"""When our hooks go from a client's settings no hook runs any more: whoever still looks leaves a mark.

`leeboard status` and `doctor` begin with it, and the first hook that runs again says that nobody looked in between.
"""

from __future__ import annotations

from posixpath import join

from msgspec.structs import replace

from leeboard.app.guard_look import FOLDER, Look, keep_look, kept_looks
from leeboard.app.misses import misses_at, note_miss
from leeboard.errors import StateError
from leeboard.io import clock, places
from leeboard.io.guard_files import guard_files, look_at_guard, stands
from leeboard.io.kept_looks import KeptLooks
from leeboard.io.released import released_at

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


def _last_hook(look: Look) -> float:
    return clock.now() - KeptLooks(join(places.state_dir(), FOLDER)).age(look.session)


def _stand_now(look: Look) -> bool:
    files = guard_files(look.root, look.env)
    return stands(
        {path: look_at_guard(path, kind, None, look.root) for path, kind in files.items() if kind == "client"}
    )


def _marks() -> KeptLooks:
    return KeptLooks(join(places.state_dir(), _KEPT))
