"""Keeps the settings that are for one person alone out of git's sight, without touching a file that is shared.

Where git does not ignore them already, a line goes into the repository's own `info/exclude`, which is never committed.
A linked work tree shares that file with its repository, so git is asked where it lies.
"""

from __future__ import annotations

import os

from leeboard.io import git
from leeboard.surfaces.cli._hook_place import Change
from leeboard.surfaces.cli._kept_file import put_back, read_bytes, read_record, unchanged, write_kept

LOCAL_SETTINGS = ".claude/settings.local.json"
_LINE = LOCAL_SETTINGS.encode()
_GIT_SECONDS = 5.0


def plan_exclude(root: str) -> Change | None:
    """The exclude file with our line; None where git ignores the settings already, tracks them or knows nothing."""
    path = exclude_file(root)
    if not path or is_tracked(root) or _git(root, "check-ignore", "-q", LOCAL_SETTINGS) is not None:
        return None
    before = read_bytes(path)
    start = before or b""
    gap = b"" if not start or start.endswith(b"\n") else b"\n"
    return Change(path=path, before=before, after=start + gap + _LINE + b"\n")


def write_exclude(change: Change) -> None:
    write_kept(change.path, change.after or b"", change.before)


def plan_exclude_removal(path: str) -> Change | None:
    """As it was before `init`; only our line goes where others were added since. None where we wrote nothing."""
    record, before = (read_record(path), read_bytes(path)) if path else (None, None)
    if record is None or before is None:
        return None
    if unchanged(record):
        return Change(path=path, before=before, after=record.original)
    lines = before.splitlines(keepends=True)
    ours = next((line for line in lines if line.rstrip(b"\r\n") == _LINE), None)
    if ours is not None:
        lines.remove(ours)
    return Change(path=path, before=before, after=b"".join(lines))


def remove_exclude(change: Change) -> None:
    put_back(change.path, change.after)


def exclude_file(root: str) -> str:
    """Empty where there is no repository, or no git."""
    told = _git(root, "rev-parse", "--git-path", "info/exclude")
    return os.path.normpath(os.path.join(root, told)) if told else ""  # noqa: PTH118 - git may answer relative to root


def is_tracked(root: str) -> bool:
    return bool(_git(root, "ls-files", "--", LOCAL_SETTINGS))


def _git(root: str, *arguments: str) -> str | None:
    """What git printed; None when it failed, or said no."""
    printed = git.run(root, arguments, _GIT_SECONDS)
    return None if printed is None else os.fsdecode(printed).rstrip("\n")
