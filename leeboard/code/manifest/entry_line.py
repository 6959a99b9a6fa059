"""The line of a file at which a package is named."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from leeboard.code.manifest.package import Package
from leeboard.model.tree import FileChange

_SAME = str.maketrans({"_": "-", ".": "-"})


def entry_lines(change: FileChange, text: str, entries: Iterable[Package]) -> dict[Package, int]:
    """Looked for in the added lines first; without those that stand nowhere."""
    lines = [(number, line.lower().translate(_SAME)) for number, line in _numbered(change, text)]
    found = ((entry, _first(entry, lines)) for entry in entries)
    return {entry: line for entry, line in found if line}


def _numbered(change: FileChange, text: str) -> Iterator[tuple[int, str]]:
    for hunk in change.hunks:
        yield from enumerate(hunk.added, hunk.start)
    if not change.hunks:
        yield from enumerate(text.split("\n"), 1)


def _first(entry: Package, lines: list[tuple[int, str]]) -> int:
    name = entry.name.rpartition(":")[2] if entry.ecosystem == "maven" else entry.name
    plain = name.lower().translate(_SAME)
    alone = re.compile(rf"(?<![a-z0-9]){re.escape(plain)}(?![a-z0-9]|-[a-z])")
    return next((number for number, line in lines if plain in line and alone.search(line)), 0)
