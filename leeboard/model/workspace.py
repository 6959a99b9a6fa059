"""The work tree an agent runs in: gives each path one spelling."""

from __future__ import annotations

import posixpath

import msgspec


class Workspace(msgspec.Struct, frozen=True):
    """`root` is absolute, or empty when nothing is known about where the agent runs."""

    root: str = ""

    def spell(self, path: str, cwd: str = "") -> str:
        """The path relative to the root; absolute (or `~/...`) when it lies outside."""
        cleaned = path.replace("\x00", "").replace("\\", "/") if "\\" in path or "\x00" in path else path
        if cleaned.startswith("~"):
            return cleaned
        if not cleaned.startswith("/") and not _has_drive(cleaned):
            cleaned = posixpath.join(cwd or self.root, cleaned)
        cleaned = posixpath.normpath(cleaned)
        root = self.root.rstrip("/")
        if _has_drive(root):
            cleaned, root = _one_drive(cleaned), _one_drive(root)
        if root and cleaned == root:
            return "."
        if root and cleaned.startswith(root + "/"):
            return cleaned[len(root) + 1 :]
        return cleaned

    def holds(self, spelled: str) -> bool:
        """True for a path that `spell` found inside the work tree."""
        return is_inside(spelled)


def is_inside(spelled: str) -> bool:
    """Whether a path as `spell` gives it lies inside the work tree."""
    return not spelled.startswith(("/", "~", "..")) and not _has_drive(spelled)


def _one_drive(path: str) -> str:
    """One spelling of a drive: `c:/x` and `/c/x` are `C:/x`."""
    if len(path) > 2 and path[0] == path[2] == "/" and path[1].isalpha():
        path = f"{path[1]}:{path[2:]}"
    return path[:1].upper() + path[1:]


def _has_drive(path: str) -> bool:
    return len(path) > 1 and path[1] == ":" and path[0].isalpha()
