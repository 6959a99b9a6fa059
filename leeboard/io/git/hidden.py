"""Files that git was told not to speak of: by flags in its index, and by patterns that were written just now.

`ask` starts git in the work tree and gives what it prints, None where it fails.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from posixpath import isdir, join

from leeboard.io.file import read_regular
from leeboard.io.git.folder import folder_of, shared_by, text_of
from leeboard.model.text import lazy
from leeboard.model.unsaved import UnsavedFile

Ask = Callable[..., bytes | None]

MOST_FLAGGED = 50
MOST_IGNORED = 200
_MOST_BYTES = 16 << 20
_ROW = lazy(r"(?P<source>[^:]{1,500}):\d{1,9}:(?P<pattern>[^\t]{0,1000})\t(?P<name>.{1,4000})")
_ELSEWHERE = lazy(r"(?im)^\s*(?:bare\s*=\s*(?:true|yes|on|1)|worktree\s*=)")


def is_led_elsewhere(top: str) -> bool:
    """Whether the configuration says that the repository has no work tree, or another one."""
    folder = folder_of(top)
    return bool(folder) and _ELSEWHERE.search(text_of(join(shared_by(folder), "config"))) is not None


def flagged(top: str, ask: Ask) -> Iterator[UnsavedFile]:
    """Changed files that `git update-index --assume-unchanged` or `--skip-worktree` keeps out of git's sight."""
    listed = ask("ls-files", "-v", "-z") or b""
    names = [row[2:] for row in listed.split(b"\0") if row[:1].islower() or row[:1] == b"S"]
    there = [name for name in names if os.path.lexists(join(top, os.fsdecode(name)))][:MOST_FLAGGED]
    rows = (ask("ls-files", "-s", "-z", "--", *map(os.fsdecode, there)) or b"") if there else b""
    for row in rows.split(b"\0"):
        words, _, name = row.partition(b"\t")
        place, blob = join(top, os.fsdecode(name)), words.split(b" ")[1:2]
        if blob and _differs(place, blob[0].decode("ascii", "replace")):
            yield UnsavedFile(
                path=place, state="changed", blobs=(blob[0].decode("ascii", "replace"),), time=_time(place)
            )


def _differs(place: str, blob: str) -> bool:
    try:
        data = read_regular(place, _MOST_BYTES)
    except OSError:
        return False
    return hashlib.sha1(b"blob %d\0%s" % (len(data), data), usedforsecurity=False).hexdigest() != blob


def newly_ignored(top: str, since: float, ask: Ask) -> Iterator[UnsavedFile]:
    """Files that git ignores by a pattern which no commit has and which is younger than `since`."""
    listed = ask("ls-files", "-o", "-i", "--exclude-standard", "--directory", "-z") or b""
    names = [os.fsdecode(name) for name in listed.split(b"\0") if name][:MOST_IGNORED]
    told = (ask("check-ignore", "-v", "--", *names) or b"") if names else b""
    committed: dict[str, frozenset[str]] = {}
    for row in filter(None, map(_ROW.fullmatch, os.fsdecode(told).split("\n"))):
        source, pattern, name = row.group("source", "pattern", "name")
        if source not in committed:
            text = ask("show", f"HEAD:{source}") if source.endswith(".gitignore") else None
            committed[source] = frozenset((text or b"").decode("utf-8", "replace").split("\n"))
        if pattern not in committed[source] and _time(join(top, source)) >= since:
            yield from _below(join(top, name.rstrip("/")))


def _below(place: str) -> Iterator[UnsavedFile]:
    if not isdir(place):
        yield UnsavedFile(path=place, state="untracked", time=_time(place), lies_there=_time(place) > 0)
        return
    count = 0
    for folder, _folders, names in os.walk(place):
        for name in names:
            count += 1
            yield UnsavedFile(path=join(folder, name), state="untracked", time=_time(join(folder, name)))
        if count > MOST_IGNORED:
            return


def _time(place: str) -> float:
    try:
        return os.lstat(place).st_mtime
    except (OSError, ValueError):
        return 0.0
