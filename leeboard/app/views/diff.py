"""A diff taken apart: files, and lines with their numbers on both sides, so that people can speak of one of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

import msgspec

from leeboard.model.text import matches
from leeboard.model.unit import Unit

LineKind = Literal["same", "added", "removed", "hunk", "note"]
_HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@")
_KINDS: dict[str, LineKind] = {" ": "same", "+": "added", "-": "removed"}
LONGEST_LINE = 2_000
"""Characters of a line that are shown; how many more there are is said."""


class DiffLine(msgspec.Struct, frozen=True):
    kind: LineKind
    text: str
    old: int = 0
    """Number of the line before; zero where it has none."""
    new: int = 0

    @property
    def cut(self) -> int:
        return max(0, len(self.text) - LONGEST_LINE)


class FileDiff(msgspec.Struct, frozen=True, kw_only=True):
    path: str
    before: str = ""
    """What it was called; empty: the same."""
    added: int = 0
    removed: int = 0
    is_text: bool = True
    units: tuple[str, ...] = ()
    """Whose work it is, as far as somebody wrote that down."""
    lines: tuple[DiffLine, ...] = ()


def parse_diff(lines: Iterable[str]) -> tuple[FileDiff, ...]:
    """From what git prints; what can not be understood is shown as a note."""
    found: list[FileDiff] = []
    head: list[str] = []
    body: list[DiffLine] = []
    old = new = 0
    for line in lines:
        if line.startswith("diff "):
            found += _file(head, body)
            head, body, old, new = [line], [], 0, 0
        elif hunk := _HUNK.match(line):
            old, new = int(hunk[1]), int(hunk[2])
            body.append(DiffLine("hunk", line))
        elif not body:
            head.append(line)
        else:
            kind = _KINDS.get(line[:1], "note")
            body.append(
                DiffLine(
                    kind, line[1:], old if kind in {"same", "removed"} else 0, new if kind in {"same", "added"} else 0
                )
            )
            old += kind in {"same", "removed"}
            new += kind in {"same", "added"}
    found += _file(head, body)
    return tuple(found)


def _file(head: list[str], body: list[DiffLine]) -> list[FileDiff]:
    if not head:
        return []
    before, after = _named(head, "--- "), _named(head, "+++ ")
    renamed = next((line.removeprefix("rename from ") for line in head if line.startswith("rename from ")), "")
    to = next((line.removeprefix("rename to ") for line in head if line.startswith("rename to ")), "")
    path = to or after or before or _both(head[0])
    return [
        FileDiff(
            path=path,
            before=renamed,
            added=sum(line.kind == "added" for line in body),
            removed=sum(line.kind == "removed" for line in body),
            is_text=not any(line.startswith(("Binary files", "GIT binary")) for line in head),
            lines=tuple(body),
        )
    ]


def _named(head: list[str], mark: str) -> str:
    found = next((line.removeprefix(mark) for line in head if line.startswith(mark)), "")
    found = _unquoted(found.split("\t")[0])
    return "" if found == "/dev/null" else found[2:]


def _both(line: str) -> str:
    """`diff --git a/x b/x`, where nothing else names it."""
    rest = line.removeprefix("diff --git ")
    return _unquoted(rest[len(rest) // 2 + 1 :])[2:]


def _unquoted(name: str) -> str:
    """Git writes odd names like a string of C."""
    if not (name.startswith('"') and name.endswith('"')):
        return name
    try:
        return name[1:-1].encode("latin-1", "backslashreplace").decode("unicode_escape").encode("latin-1").decode()
    except UnicodeError:
        return name[1:-1]


def with_units(
    files: Iterable[FileDiff], units: Iterable[Unit], written: Mapping[str, tuple[str, ...]]
) -> Iterator[FileDiff]:
    """Each file with the units it belongs to: those that wrote it, else those that promised or may touch it."""
    known = tuple(units)
    for file in files:
        owners = tuple(unit.id for unit in known if file.path in written.get(unit.id, ()))
        owners = owners or tuple(unit.id for unit in known if _promised(unit, file.path))
        yield msgspec.structs.replace(file, units=owners)


def _promised(unit: Unit, path: str) -> bool:
    folders = (f"{each.rstrip('/')}/**" for each in unit.outputs)
    return path in unit.outputs or matches(path, (*folders, *unit.touch))
