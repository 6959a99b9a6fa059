"""What is kept of a file once an agent knows how it is now."""

from __future__ import annotations

from leeboard.model.event import Event
from leeboard.model.known import Disk, FileState, Known, Ranges

MOST_RANGES = 64


def row_of(event: Event, disk: Disk, path: str, now: FileState, seen: Ranges, *, wrote: bool) -> Known:
    """A later change that would look the same from outside must not: then the look is not kept."""
    stamp = disk.look(path) or ()
    return Known(
        session=event.session,
        agent=event.agent,
        path=path,
        root=disk.root,
        digest=now.digest,
        plain=now.plain,
        lines=now.lines,
        count=now.count,
        seen=seen[:MOST_RANGES],
        stamp=stamp if disk.settled(stamp) else (),
        time=event.time,
        wrote=wrote,
    )
