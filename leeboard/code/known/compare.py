"""Files as agents know them beside the files as they are: which of them are no longer the same."""

from __future__ import annotations

from leeboard.code.known.change import concerns
from leeboard.code.known.state import state_of
from leeboard.model.known import Changed, FileState, Knowledge, Known
from leeboard.model.pattern import lazy
from leeboard.model.truth import ABSENT

MOVING = lazy(r"\.(?:log|out|pid|tmp|lock|sock|swp)$|(?:^|/)(?:logs?|tmp|\.git)/")
"""What programs write all the time is nothing to tell of; only who edits such a file has to know."""


def changed_file(known: Known, knowledge: Knowledge, key: bytes) -> Changed | None:
    """None where it is the same, or nobody can tell. A file that looks the same from outside is not read."""
    disk = knowledge.disk
    stamp = disk.look(known.path) if disk else None
    if disk is None or stamp is None or not known.digest or (stamp and stamp == known.stamp):
        return None
    now = FileState(digest=ABSENT)
    if stamp:
        text = disk.text(known.path)
        if text is None:
            return None
        now = state_of(text, key)
    return None if now.digest == known.digest else Changed(known=known, now=now, stamp=stamp)


def matters(changed: Changed, *, whole_file: bool) -> bool:
    """Whether it is in what the agent saw; who writes a file anew writes over what it never saw as well."""
    known = changed.known
    return concerns(known, changed.now) or (whole_file and bool(known.seen))
