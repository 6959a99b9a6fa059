"""Whose the noted work is, and what of it is still missed: as rules ask it, beside what git tells."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cached_property
from posixpath import join
from typing import TYPE_CHECKING

from leeboard.io.git.unsaved import UnsavedWork
from leeboard.model.session import Session

if TYPE_CHECKING:
    from leeboard.app.safety_net.note import NotedFile


class Whose:
    """What the session itself made is its own to take away."""

    def __init__(self, root: str, session: Session | None) -> None:
        from leeboard.app.safety_net.note import read_pauses  # noqa: PLC0415 - only where work was noted

        self._started = session.started if session else 0.0
        self._pauses = read_pauses(root, session.id if session else "")

    def is_own(self, file: NotedFile) -> bool:
        return not file.theirs and self._made(file.times)

    def _made(self, times: tuple[float, ...]) -> bool:
        """Whether all of it came to be while the session worked."""
        if not self._started or not times:
            return False
        return all(time > self._started and not self._pauses.covers(time) for time in times)


class NotedWork(UnsavedWork):
    """What git and the disk tell, and what the safety net has noted of one work tree. The note is read when asked."""

    def __init__(self, root: str, session: Callable[[], Session | None]) -> None:
        super().__init__()
        self._root = root
        self._session = session

    def is_theirs(self, path: str) -> bool:
        return path in self._theirs

    def missed(self) -> frozenset[str] | None:
        from leeboard.app.safety_net.put_back import still_missed  # noqa: PLC0415 - only where something was lost

        return still_missed(self._root)

    @cached_property
    def _theirs(self) -> frozenset[str]:
        from leeboard.app.safety_net.note import read_note  # noqa: PLC0415 - most calls take nothing away

        note = read_note(self._root)
        if note is None:
            return frozenset()
        whose = Whose(self._root, self._session())
        return frozenset(join(self._root, os.fsdecode(file.path)) for file in note.files if not whose.is_own(file))
