"""The `*** Begin Patch` text that Codex writes files with."""

from __future__ import annotations

import msgspec

from leeboard.model.event import TextEdit
from leeboard.model.pattern import lazy

BEGIN = "*** Begin Patch"
_END = "*** End Patch"
_FILE_LINE = lazy(r"\*\*\* (?:Add File|Update File|Delete File|Move to): ?(.*)")
_LEAD = lazy(r"(?:cd (?P<folder>\S+) && )?(?:apply_patch|applypatch)(?: ?<<-? ?['\"]?(?P<word>\w+)['\"]?)? ?['\"]?")


class Patch(msgspec.Struct, frozen=True):
    paths: tuple[str, ...] = ()
    edits: tuple[TextEdit, ...] = ()


class ShellPatch(msgspec.Struct, frozen=True):
    """A patch found in a shell line."""

    patch: Patch
    alone: bool
    """The line does nothing besides applying it."""


def parse_patch(text: str) -> Patch:
    """Paths and hunks of a patch. A hunk holds the removed and the added lines, not the context."""
    paths: list[str] = []
    edits: list[TextEdit] = []
    old: list[str] = []
    new: list[str] = []
    for line in text.split("\n"):
        if line.startswith("-"):
            old.append(line[1:])
        elif line.startswith("+"):
            new.append(line[1:])
        elif line.startswith(("@@", "***")):
            _close_hunk(edits, old, new)
            named = _FILE_LINE.match(line)
            if named and (path := named[1].strip()):
                paths.append(path)
    _close_hunk(edits, old, new)
    return Patch(tuple(dict.fromkeys(paths)), tuple(edits))


def _close_hunk(edits: list[TextEdit], old: list[str], new: list[str]) -> None:
    if old or new:
        edits.append(TextEdit("\n".join(old), "\n".join(new)))
        old.clear()
        new.clear()


def find_shell_patch(command: str) -> ShellPatch | None:
    """The patch a shell line feeds to `apply_patch`, with the folder of a leading `cd` put before its paths."""
    begin = command.find(BEGIN)
    if begin < 0 or "apply" not in command[:begin]:
        return None
    end = command.rfind(_END)
    stop = end + len(_END) if end > begin else len(command)
    patch = parse_patch(command[begin:stop])
    lead = _LEAD.fullmatch(" ".join(command[:begin].split()))
    if lead is None:
        return ShellPatch(patch, alone=False)
    rest = command[stop:].strip().strip("'\"").strip()
    return ShellPatch(_inside(patch, lead["folder"] or ""), alone=rest in ("", lead["word"]))


def _inside(patch: Patch, folder: str) -> Patch:
    if not folder:
        return patch
    base = folder.strip("'\"").rstrip("/")
    return Patch(tuple(path if path.startswith("/") else f"{base}/{path}" for path in patch.paths), patch.edits)
