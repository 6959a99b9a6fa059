"""Files that a shell line must not change, and what may be asked of the work tree around them."""

from __future__ import annotations

import msgspec

from leeboard.model.lookup import Files


class Standing(msgspec.Struct, frozen=True):
    """`files` are whole paths, or `~/...`; they are there, as far as anybody can tell. So are folders among them."""

    root: str
    files: tuple[str, ...]
    disk: Files

    def inner(self, path: str) -> str:
        """Relative to the work tree; empty where it lies outside."""
        inside = path.removeprefix(f"{self.root.rstrip('/')}/")
        return inside if inside != path else ""

    def is_there(self, path: str) -> bool | None:
        """None where nobody knows."""
        inner = self.inner(path)
        return self.disk.exists(inner) if inner else self.disk.lies_at(path)

    def text(self, path: str) -> str | None:
        inner = self.inner(path)
        return self.disk.text(inner) if inner else None

    def is_ignored(self, path: str) -> bool:
        """Taken for so where git can not be asked."""
        inner = self.inner(path)
        return bool(inner) and self.disk.ignored(inner) is not False

    def below(self, folder: str) -> tuple[str, ...]:
        """Those files that are the folder, or lie in it."""
        return tuple(file for file in self.files if f"{file}/".startswith(f"{folder.rstrip('/')}/"))
