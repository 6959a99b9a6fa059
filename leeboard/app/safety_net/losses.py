"""What of a person's work is really gone, of all that looks different: what lies there is read, the rest is looked for.

Moved, committed, stashed, gone on with and formatted is not lost. Only where something looks lost is git asked whether
it has it, all questions together within two seconds; what git can not tell in that time counts as lost.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import pairwise
from posixpath import basename, join, lexists
from typing import Literal

import msgspec

from leeboard.app.safety_net.copies import content, digest_of
from leeboard.app.safety_net.keep import blob_of, noted_refs, read_below
from leeboard.app.safety_net.note import GONE, Look, NotedFile, NotedRefs, look_at, look_at_refs
from leeboard.io import clock, system
from leeboard.io.file import open_regular, read_regular
from leeboard.io.git.ask import ended
from leeboard.io.git.place import find
from leeboard.io.git.unsaved import UnsavedWork
from leeboard.model.unsaved import LoneCommit
from leeboard.truth.remains import has_left

SECONDS = 2.0
_MOST_READ = 64 << 20
_MOST_BEFORE = 8
"""Files that are looked for in all of the history; a commit of today is found for any number of them."""
_MOST_VERSIONS = 10
_MOST_COMMITS = 200
_SLACK = 5
NO_FILE, REPLACED = "is no file any more", "holds something else"
_REWRITTEN = ("commit (amend)", "rebase", "pull --rebase", "cherry-pick", "commit (cherry-pick)")
"""How git's own record of a branch begins where its commits were made anew, and none was dropped."""


class GoneFile(msgspec.Struct, frozen=True, kw_only=True):
    file: NotedFile
    how: str
    """As the end of a sentence."""

    @property
    def in_place(self) -> bool:
        """Whether something else lies where it was."""
        return self.how in {REPLACED, NO_FILE}


class GoneRef(msgspec.Struct, frozen=True, kw_only=True):
    kind: Literal["stash", "branch", "commits"]
    """`commits`: of a branch that is still there."""
    name: str
    commit: str
    times: tuple[float, ...]
    """When what is lost with it was made."""
    how: str


class LossSearch:
    """Over one hook call, in one work tree. Nothing here raises for what lies on the disk."""

    def __init__(self, root: str, since: float, moved_to: Iterable[str] = ()) -> None:
        self._root = root
        self._since = int(since) - _SLACK
        self._moved_to = tuple(moved_to)
        self._end = clock.monotonic() + SECONDS
        self._searched = 0

    def gone_files(self, changed: Iterable[tuple[NotedFile, Look]]) -> tuple[GoneFile, ...]:
        """Those that are lost, of the files that look different."""
        found = ((file, self._how(file, look)) for file, look in changed if file.look != GONE and file.look[1])
        return tuple(GoneFile(file=file, how=how) for file, how in found if how and not self._is_elsewhere(file))

    def _how(self, file: NotedFile, look: Look) -> str:
        """What became of it, as far as the file itself tells; empty where it is still there."""
        if look == GONE:
            return NO_FILE if lexists(file.place(self._root)) else "is gone"
        if not look[1]:
            return "is empty"
        try:
            data = read_below(self._root, file.path, _MOST_READ)[0] if file.digest else b""
        except (OSError, ValueError):
            return ""
        if not data or digest_of(data) == file.digest:
            return ""
        if blob_of(data, file) in file.base:
            return "is back at what git has"
        return REPLACED if self._is_replaced(file, data) else ""

    def _is_replaced(self, file: NotedFile, data: bytes) -> bool:
        if not data.strip(data[:1]):
            return True
        before = content(self._root, file.digest)
        if before is None or b"\0" in before[:8_192]:
            return False
        base = self._blob(file.base[0]) if file.base else b""
        return not has_left(_text(before), _text(base), _text(data))

    def _is_elsewhere(self, file: NotedFile) -> bool:
        return self._is_moved(file) or self._is_committed(file)

    def _is_moved(self, file: NotedFile) -> bool:
        """The same file or the same content, under another name."""
        name = basename(file.name)
        told = [place for path in self._moved_to for place in (path, join(path, name))]
        for place in (*told, *self._others):
            look = look_at(os.fsencode(place))
            if look[1] != file.look[1] or os.fsencode(place) == file.place(self._root):
                continue
            if look[2] == file.look[2] or self._digest(place) == file.digest:
                return True
        return False

    @cached_property
    def _others(self) -> tuple[str, ...]:
        """What lies in the work tree and in no commit now."""
        tree = UnsavedWork(max(0.1, self._end - clock.monotonic())).tree(self._root)
        return tuple(file.path for file in tree.files if file.lies_there) if tree else ()

    def _digest(self, place: str) -> str:
        try:
            if not place.startswith(f"{self._root}/"):
                return digest_of(read_regular(place, _MOST_READ))
            return digest_of(read_below(self._root, os.fsencode(place.removeprefix(f"{self._root}/")), _MOST_READ)[0])
        except (OSError, ValueError):
            return ""

    def _is_committed(self, file: NotedFile) -> bool:
        """Whether a commit or a stash has it, or has it gone on with."""
        if not file.blob:
            return False
        if any(file.blob in blobs for blobs in self._committed.values()):
            return True
        newer = self._committed.get(file.name, ())
        before = content(self._root, file.digest) if newer else None
        if before is not None:
            base = _text(self._blob(file.base[0])) if file.base else ""
            if any(has_left(_text(before), base, _text(self._blob(blob))) for blob in newer[:_MOST_VERSIONS]):
                return True
        self._searched += 1
        if self._searched > _MOST_BEFORE:
            return False
        return bool(self._git("log", "--all", *self._stashed, "-m", f"--find-object={file.blob}", "-1", "--format=%H"))

    @cached_property
    def _stashed(self) -> tuple[str, ...]:
        return tuple((self._git("stash", "list", "--format=%H") or b"").decode("ascii", "replace").split())

    @cached_property
    def _committed(self) -> dict[str, tuple[str, ...]]:
        """What commits and stashes since then have put where."""
        listed = ("--format=", "--raw", "--no-abbrev", "-z", "--no-renames", f"--since=@{self._since}")
        output = self._git("log", "--all", *self._stashed, "-m", f"--max-count={_MOST_COMMITS}", *listed) or b""
        found: dict[str, tuple[str, ...]] = {}
        parts = output.split(b"\0")
        for about, path in pairwise(parts):
            fields = about.lstrip(b"\n").split(b" ")
            if len(fields) == 5 and fields[0].startswith(b":"):
                name = os.fsdecode(path)
                found[name] = (*found.get(name, ()), fields[3].decode("ascii", "replace"))
        return found

    def _blob(self, blob: str) -> bytes:
        return self._git("cat-file", "blob", blob) or b""

    def _git(self, *arguments: str) -> bytes | None:
        left = self._end - clock.monotonic()
        done = ended(self._root, arguments, left) if left > 0 else None
        return done.out if done is not None and done.code == 0 else None

    def gone_refs(self, before: NotedRefs) -> tuple[NotedRefs, tuple[GoneRef, ...]]:
        """Branches and stashes as they are now, and what of them is lost."""
        now = noted_refs(self._root, look_at_refs(self._root))
        return now, (*self._gone_stashes(before, now), *self._gone_tips(before, now))

    def _gone_stashes(self, before: NotedRefs, now: NotedRefs) -> Iterator[GoneRef]:
        left = {commit for commit, _ in now.stashes}
        for commit, subject in before.stashes:
            if commit not in left and not self._is_applied(commit):
                how = "was dropped, and no file has what was in it"
                yield GoneRef(kind="stash", name=subject, commit=commit, times=self._times(commit), how=how)

    def _is_applied(self, stash: str) -> bool:
        """Whether the work tree has what was in it, as after `git stash pop`."""
        changed = self._git("diff", "--name-only", "-z", f"{stash}^1", stash)
        now = self._git("diff", "--name-only", "-z", stash)
        if changed is None or now is None:
            return False
        differ = {*now.split(b"\0")}
        names = [os.fsdecode(name) for name in changed.split(b"\0") if name and name in differ]
        apart = self._git("ls-tree", "-r", "-z", "--name-only", f"{stash}^3") or b""
        lost = [name for name in apart.split(b"\0") if name and look_at(os.fsencode(self._root) + b"/" + name) == GONE]
        return not lost and all(self._has_stashed(stash, name) for name in names[:_MOST_VERSIONS])

    def _has_stashed(self, stash: str, name: str) -> bool:
        try:
            data, _ = read_below(self._root, os.fsencode(name), _MOST_READ)
        except (OSError, ValueError):
            return False
        return has_left(_text(self._blob(f"{stash}:{name}")), _text(self._blob(f"{stash}^1:{name}")), _text(data))

    def _gone_tips(self, before: NotedRefs, now: NotedRefs) -> Iterator[GoneRef]:
        for name, tip in before.tips.items():
            moved = now.tips.get(name, "")
            if moved == tip or tip in now.tips.values() or (moved and self._is_rewritten(name)):
                continue
            alone = self._alone(tip)
            if alone:
                short = name.removeprefix("refs/heads/")
                count = f"{len(alone)} commit{'s' if len(alone) > 1 else ''}"
                how = f"{'has lost' if moved else 'is gone, with'} {count} that nothing else leads to"
                times = tuple(one.time for one in alone)
                yield GoneRef(kind="commits" if moved else "branch", name=short, commit=tip, times=times, how=how)

    def _alone(self, tip: str) -> tuple[LoneCommit, ...]:
        git = UnsavedWork(max(0.1, self._end - clock.monotonic()))
        return git.commits(self._root, (tip,), ("branches", "remotes", "tags")) or ()

    def _is_rewritten(self, name: str) -> bool:
        record = join(find(self._root).shared, "logs", name)
        try:
            file = open_regular(record)
        except OSError:
            return False
        try:
            last = system.read_at(file, 4_096, max(0, os.fstat(file).st_size - 4_096)).splitlines()[-1:]
        finally:
            os.close(file)
        said = last[0].partition(b"\t")[2].decode("utf-8", "replace") if last else ""
        return said.startswith(_REWRITTEN)

    def _times(self, commit: str) -> tuple[float, ...]:
        told = (self._git("show", "-s", "--format=%ct", commit) or b"").strip()
        return (float(told),) if told.isdigit() else ()


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
