"""The files of a unit's work tree, and beside them those of the workflow in the primary tree it belongs to."""

from __future__ import annotations

from leeboard.io.files import DiskFiles
from leeboard.model.plan_place import INTENTS


class PrimaryFiles:
    """Paths are relative to `root`; those below `.haiku/intents/` of `home` may be given from the root of the disk."""

    def __init__(self, root: str, home: str) -> None:
        self._own = DiskFiles(root)
        self._primary = DiskFiles(home)
        self._top = f"{home.rstrip('/')}/"

    def text(self, path: str) -> str | None:
        inner = self._of_plan(path)
        return self._primary.text(inner) if inner else self._own.text(path)

    def exists(self, path: str) -> bool | None:
        inner = self._of_plan(path)
        return self._primary.exists(inner) if inner else self._own.exists(path)

    def lies_at(self, place: str) -> bool | None:
        return self._own.lies_at(place)

    def ignored(self, path: str) -> bool | None:
        inner = self._of_plan(path)
        return self._primary.ignored(inner) if inner else self._own.ignored(path)

    def _of_plan(self, path: str) -> str:
        return path.removeprefix(self._top) if path.startswith(self._top + INTENTS) else ""
