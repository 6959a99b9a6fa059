"""Files as agents know them beside the files as they are: which of them are no longer the same."""

from __future__ import annotations

from leeboard.model.known import NO_TEXT, ChangedFile, Disk, FileState, Knowledge, Known
from leeboard.model.text import lazy
from leeboard.model.truth import ABSENT
from leeboard.truth.change import concerns
from leeboard.truth.state import state_of

MOVING = lazy(r"\.(?:log|pid|tmp|sock|swp)$|(?:^|/)\.git/")
"""What programs write all the time is nothing to tell of; only who edits such a file has to know."""
_MAY_MOVE = lazy(r"(?:^|/)(?:logs?|te?mp)/|\.(?:out|lock)$")
"""Names that programs give to such files and people to sources: git tells which it is."""


def is_moving(path: str, disk: Disk | None) -> bool:
    if MOVING.search(path):
        return True
    return disk is not None and bool(_MAY_MOVE.search(path)) and path in disk.ignored_of((path,))


def changed_file(known: Known, knowledge: Knowledge, key: bytes) -> ChangedFile | None:
    """None where it is the same, or nobody can tell. A file that looks the same from outside is not read."""
    disk = knowledge.disk
    stamp = disk.look(known.path) if disk else None
    if disk is None or stamp is None or not known.digest or (stamp and stamp == known.stamp):
        return None
    now = FileState(digest=ABSENT)
    if stamp:
        found = state_now(known.path, disk, key)
        if found is None:
            return None
        now = found
    return None if now.digest == known.digest else ChangedFile(known=known, now=now, stamp=stamp)


def state_now(path: str, disk: Disk, key: bytes) -> FileState | None:
    """Of a file that is there. None where nobody can tell."""
    text = disk.text(path)
    return state_of(text, key) if text is not None else without_text(path, disk)


def without_text(path: str, disk: Disk) -> FileState | None:
    """Of a file that has no text: what it is, and how it looks from outside, stand where a digest would."""
    kind, stamp = disk.no_text(path), disk.look(path)
    if kind is None or not stamp:
        return None
    size, modified = stamp[:2]
    return FileState(digest=f"{NO_TEXT}{kind}:{size}:{modified}", count=1)


def matters(changed: ChangedFile, *, whole_file: bool) -> bool:
    """Whether it is in what the agent saw; who writes a file anew writes over what it never saw as well."""
    known = changed.known
    return concerns(known, changed.now) or (whole_file and bool(known.seen))
