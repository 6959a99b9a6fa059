"""Shows what a command did to a file, or would do."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from leeboard.app.install.hook_files import FileEdit, short_path
from leeboard.surfaces.cli.screen import words

if TYPE_CHECKING:
    from rich.console import Console

_STYLES = {"+": "green", "-": "red", "@": "cyan"}


def difference(change: FileEdit) -> tuple[str, ...]:
    """A unified diff; empty when nothing changes."""
    before, after = (_lines(content) for content in (change.before, change.after))
    old = "/dev/null" if change.before is None else short_path(change.path)
    new = "/dev/null" if change.after is None else short_path(change.path)
    return tuple(line.rstrip("\n") for line in difflib.unified_diff(before, after, old, new, n=1))


def counts(change: FileEdit) -> tuple[int, int]:
    """Lines that come and lines that go."""
    body = difference(change)[2:]
    return sum(line.startswith("+") for line in body), sum(line.startswith("-") for line in body)


def print_difference(change: FileEdit, console: Console) -> None:
    for line in difference(change):
        console.print(words((line, _STYLES.get(line[:1], ""))))


def print_summary(change: FileEdit, console: Console) -> None:
    """One line: the file, and how many lines come and go."""
    more, fewer = counts(change)
    fate = "made" if change.before is None else "removed" if change.after is None else "changed"
    console.print(
        words("  ", (fate, "bold"), f" {short_path(change.path)} ", (f"+{more}", "green"), (f" -{fewer}", "red"))
    )


def change_object(change: FileEdit) -> dict[str, object]:
    return {"file": change.path, "changed": change.changes, "diff": "\n".join(difference(change))}


def _lines(content: bytes | None) -> list[str]:
    return (content or b"").decode("utf-8", "replace").splitlines(keepends=True)
