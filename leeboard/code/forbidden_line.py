"""Files that the user ruled out, and what a shell line comes to of them without naming them."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from leeboard.code.reach import covered, reached
from leeboard.code.reach_disk import Standing
from leeboard.code.shell_effects import shell_effects
from leeboard.model.lookup import Files
from leeboard.model.workspace import Workspace


def come_to(command: str, cwd: str, patterns: tuple[str, ...], workspace: Workspace, files: Files) -> tuple[str, ...]:
    """Whole paths that the line may change; those that no pattern speaks of are among them."""
    named = tuple(posixpath.join(workspace.root, path) for path in _plain(patterns) if files.exists(path))
    standing = Standing(workspace.root, named, files)
    if not named:
        return ()
    more = [touch for touch in reached(command, cwd, standing) if touch.kind in {"write", "delete"}]
    told = shell_effects(command, cwd).touches
    return tuple(dict.fromkeys((*(touch.path for touch in more), *covered((*told, *more), standing))))


def _plain(patterns: tuple[str, ...]) -> Iterator[str]:
    """The files and folders that are meant by name."""
    for pattern in patterns:
        path = pattern.removeprefix("**/").removesuffix("/**").strip("/")
        if path and not any(mark in path for mark in "*?[!"):
            yield path
