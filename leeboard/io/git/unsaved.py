"""Work that is in one place alone, as git and the disk tell it: for lines that may take it away.

Every question is asked once and remembered, also where the same call is judged again. All questions of one call
together have a time limit; past it nobody knows, which is said. Nothing here raises.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from posixpath import dirname, isdir, join, lexists
from typing import TypeVar

from leeboard.errors import LeeboardError
from leeboard.io import clock
from leeboard.io.places import project_root
from leeboard.model.text import lazy, matches
from leeboard.model.unsaved import (
    FileState,
    LoneCommit,
    PlaceKind,
    Refs,
    Stash,
    UnsavedFile,
    UnsavedTree,
    unsaved_names,
)
from leeboard.model.workspace import is_whole

SECONDS = 2.0
MOST_FILES = 5_000
MOST_NARROW = 20
_MERGE_SECONDS = 1.0
MOST_COMMITS = 50
MOST_STASHES = 20
_STATUS = ("status", "--porcelain=v2", "-z", "--untracked-files=all", "--ignored=matching", "--no-renames")
_FIELDS = {b"1": 8, b"u": 10, b"?": 1, b"!": 1}
_NAME = lazy(r"(?!-)[\w./@{}~^+#%-]{1,300}")
"""What may be handed to git as the name of a commit: no option, and nothing that git reads as a range."""
_ALL = {"branches": "--branches", "remotes": "--remotes", "tags": "--tags", "reflog": "--reflog"}
_PREFIX = lazy(r"^refs/(?:heads|remotes|tags)/")
_KINDS: tuple[tuple[Callable[[int], bool], PlaceKind], ...] = (
    (stat.S_ISLNK, "link"),
    (stat.S_ISDIR, "folder"),
    (stat.S_ISREG, "file"),
)

Answer = TypeVar("Answer")


class UnsavedWork:
    """What `leeboard.model.unsaved.Unsaved` asks for, of real work trees."""

    def __init__(self, seconds: float | None = None) -> None:
        self._answers: dict[tuple[object, ...], object] = {}
        self._left = SECONDS if seconds is None else seconds
        self._late: set[tuple[object, ...]] = set()
        """Questions that git was too slow for."""
        self._is_cut = False
        self.gave_up = False

    def tree(self, folder: str, within: tuple[str, ...] = ()) -> UnsavedTree | None:
        top = self.top_of(folder)
        tree = self._once(("tree", top), lambda: self._tree(top)) if top else None
        if tree is not None or not within or not top or not self.gave_up:
            return tree
        return self._once(("tree", top, within), lambda: self._narrow_tree(top, within))

    def refs(self, folder: str) -> Refs | None:
        top = self.top_of(folder)
        return self._once(("refs", top), lambda: self._refs(top)) if top else None

    def settings(self, folder: str) -> Mapping[str, str]:
        top = self.top_of(folder)
        return self._once(("settings", top), lambda: self._settings(top)) or {} if top else {}

    def commits(self, folder: str, tips: tuple[str, ...], kept: tuple[str, ...]) -> tuple[LoneCommit, ...] | None:
        top = self.top_of(folder)
        return self._once(("commits", top, tips, kept), lambda: self._commits(top, tips, kept)) if top else None

    def holds(self, folder: str, commit: str, other: str) -> bool | None:
        top = self.top_of(folder)
        return self._once(("holds", top, commit, other), lambda: self._holds(top, commit, other)) if top else None

    def stashes(self, folder: str) -> tuple[Stash, ...] | None:
        top = self.top_of(folder)
        return self._once(("stashes", top), lambda: self._stashes(top)) if top else None

    def lies_at(self, path: str) -> PlaceKind | None:
        place = self.spelled(path)
        if not is_whole(place) or "\0" in place:
            return None
        try:
            mode = os.lstat(place).st_mode
        except FileNotFoundError:
            return ""
        except (OSError, ValueError):
            return None
        return next((kind for is_kind, kind in _KINDS if is_kind(mode)), "device")

    def changed_at(self, path: str) -> float:
        place = self.spelled(path)
        return _changed_at(place) if is_whole(place) else 0.0

    def is_theirs(self, path: str) -> bool:  # noqa: ARG002 - git can not tell
        return False

    def missed(self) -> frozenset[str] | None:
        return None

    def brought(self, folder: str, commits: tuple[str, ...]) -> tuple[UnsavedFile, ...] | None:
        top = self.top_of(folder)
        return self._once(("brought", top, commits), lambda: self._brought(top, commits)) if top else None

    def names_in(self, path: str) -> tuple[str, ...] | None:
        from leeboard.io.named_in import names_in  # noqa: PLC0415 - few lines read a list or unpack an archive

        place = self.spelled(path)
        return self._once(("names", place), lambda: names_in(place)) if is_whole(place) else None

    def spelled(self, path: str) -> str:
        return os.path.expanduser(path)  # noqa: PTH111 - hooks import no pathlib

    def top_of(self, path: str) -> str | None:
        place = self.spelled(path)
        if not is_whole(place) or "\0" in place:
            return None
        folder = place if isdir(place) else dirname(place)
        while folder != dirname(folder) and not lexists(folder):
            folder = dirname(folder)
        top = project_root(folder)
        return top if lexists(join(top, ".git")) else ""

    def _once(self, key: tuple[object, ...], ask: Callable[[], Answer | None]) -> Answer | None:
        if key not in self._answers:
            self._is_cut = False
            try:
                self._answers[key] = ask()
            except (LeeboardError, OSError, ValueError):
                self._answers[key] = None
            self._late.update((key,) if self._is_cut else ())
        self.gave_up = key in self._late
        answer: Answer | None = self._answers[key]  # type: ignore[assignment]  # the key says which question it answers
        return answer

    def _git(self, top: str, *arguments: str, fails_with: frozenset[int] = frozenset()) -> bytes | None:
        from leeboard.io.git.ask import ended  # noqa: PLC0415 - costs a hook process a third of its start, and few ask
        from leeboard.io.git.hidden import is_led_elsewhere  # noqa: PLC0415 - as below

        if self._left <= 0:
            self._is_cut = True
            return None
        if self._once(("elsewhere", top), lambda: is_led_elsewhere(top)):
            arguments = (f"--work-tree={top}", *arguments)
        began = clock.monotonic()
        done = ended(top, arguments, self._left)
        self._left -= clock.monotonic() - began
        self._is_cut = self._is_cut or self._left <= 0
        return done.out if done is not None and done.code is not None and done.code in {0, *fails_with} else None

    def newly_ignored(self, folder: str, since: float) -> tuple[UnsavedFile, ...]:
        from leeboard.io.git.hidden import newly_ignored  # noqa: PLC0415 - few sessions change what git ignores

        top = self.top_of(folder) or ""
        ask = lambda *words: self._git(top, *words, fails_with=frozenset({1}))  # noqa: E731 - one line is all of it
        found = self._once(("newly", top, since), lambda: tuple(newly_ignored(top, since, ask))) if top else None
        return found or ()

    def _tree(self, top: str) -> UnsavedTree | None:
        from leeboard.io.git.hidden import flagged  # noqa: PLC0415 - as above

        output = self._git(top, *_STATUS)
        if output is None:
            return None
        hidden = flagged(top, lambda *words: self._git(top, *words))
        return UnsavedTree(top=top, files=(*self._records(top, output), *hidden))

    def _narrow_tree(self, top: str, within: tuple[str, ...]) -> UnsavedTree | None:
        """In a tree of very many files git still tells of a few of them at once. It gets as long again."""
        self._left = SECONDS
        inner = [path.removeprefix(f"{top}/") for path in within[:MOST_NARROW] if path.startswith(f"{top}/")]
        output = self._git(top, "--literal-pathspecs", *_STATUS, "--", *inner) if len(inner) == len(within) else None
        return None if output is None else UnsavedTree(top=top, files=tuple(self._records(top, output)))

    def _records(self, top: str, output: bytes) -> Iterator[UnsavedFile]:
        merged_at = _merged_at(top)
        for record in output.split(b"\0", MOST_FILES)[:MOST_FILES]:
            before_path = _FIELDS.get(record[:1], 0)
            fields = record.split(b" ", before_path)
            if not before_path or len(fields) != before_path + 1:
                continue
            path = os.fsdecode(fields[-1])
            state = _state(fields)
            if state == "ignored" and not matches(path, unsaved_names().kept_though_ignored):
                continue
            blobs = tuple(field.decode("ascii", "replace") for field in fields[6:8]) if fields[0] == b"1" else ()
            place = join(top, path.rstrip("/"))
            time = _changed_at(place)
            if merged_at and time <= merged_at and (state == "staged" or fields[0] == b"u"):
                continue  # git itself wrote it, and both sides of the merge are in commits
            yield UnsavedFile(path=place, state=state, blobs=blobs, time=time, lies_there=time > 0)

    def _refs(self, top: str) -> Refs | None:
        from leeboard.io.git.place import branch_at, find, head_at  # noqa: PLC0415 - as above

        form = "--format=%(refname)%00%(objectname)%00%(upstream)%00%(symref)"
        output = self._git(top, "for-each-ref", form, "refs/heads", "refs/remotes", "refs/tags")
        names = self._git(top, "remote")
        owner = self._git(top, "config", "--get", "user.email", fails_with=frozenset({1}))
        if output is None or names is None:
            return None
        place = find(top)
        rows = [line.split("\0") for line in os.fsdecode(output).splitlines() if line.count("\0") == 3]
        return Refs(
            head=branch_at(place),
            commit=head_at(place),
            tips={name: commit for name, commit, _, aimed in rows if not aimed},
            trunks=frozenset(aimed for _, _, _, aimed in rows if aimed),
            upstream={name: followed for name, _, followed, _ in rows if followed},
            remotes=tuple(os.fsdecode(names).split()),
            owner=os.fsdecode(owner or b"").strip(),
        )

    def _settings(self, top: str) -> dict[str, str] | None:
        wanted = r"^(alias|remote|clean)\."
        output = self._git(top, "config", "-z", "--get-regexp", wanted, fails_with=frozenset({1}))
        found: dict[str, str] = {}
        for row in (output or b"").split(b"\0"):
            name, _, value = os.fsdecode(row).partition("\n")
            if key := name.lower():
                found[key] = f"{found[key]}\n{value}" if key in found and key.endswith(".push") else value
        return found

    def _commits(self, top: str, tips: tuple[str, ...], kept: tuple[str, ...]) -> tuple[LoneCommit, ...] | None:
        wanted, spared = tuple(map(_words, tips)), tuple(map(_words, kept))
        if not all((*wanted, *spared)):
            return None
        form = "--format=%H%x00%ct%x00%ae%x00%P%x00%s"
        asked = (*chain(*wanted), "--not", *chain(*spared), "--")
        output = self._git(top, "log", form, f"--max-count={MOST_COMMITS}", *asked)
        if output is None:
            return None
        rows = (line.split("\0", 4) for line in output.decode("utf-8", "replace").splitlines())
        return tuple(
            LoneCommit(id=row[0], time=float(row[1]), author=row[2], parents=tuple(row[3].split()), subject=row[4])
            for row in rows
            if len(row) == 5
        )

    def _brought(self, top: str, commits: tuple[str, ...]) -> tuple[UnsavedFile, ...] | None:
        asked = ("--no-walk", "--raw", "--no-abbrev", "-M", "-z", "--format=", *commits, "--")
        output = self._git(top, "log", *asked) if all(map(_words, commits)) else None
        if output is None:
            return None
        fields = iter(os.fsdecode(output).split("\0"))
        found: list[UnsavedFile] = []
        for field in fields:
            words = field.lstrip("\n").split(" ")
            if not field.lstrip("\n").startswith(":") or len(words) != 5:
                continue
            old, kind = words[2], words[4]
            path = next(fields, "")
            path = next(fields, "") if kind[:1] in {"R", "C"} else path
            place = join(top, path)
            if kind[:1] != "D" and kind != "R100":
                time, is_added = _changed_at(place), not old.strip("0")
                found.append(
                    UnsavedFile(
                        path=place,
                        state="committed",
                        blobs=(old,),
                        time=time,
                        lies_there=time > 0,
                        is_added=is_added,
                    )
                )
        return tuple(found)

    def _holds(self, top: str, commit: str, other: str) -> bool | None:
        """Merging the other would change nothing; a merge that conflicts would change something."""
        if not (_words(commit) and _words(other)):
            return None
        merged = self._git(top, "merge-tree", "--write-tree", commit, other, fails_with=frozenset({1}))
        own = self._git(top, "rev-parse", "--verify", "--quiet", f"{commit}^{{tree}}")
        return None if merged is None or own is None else merged.split(b"\n", 1)[0].strip() == own.strip()

    def _stashes(self, top: str) -> tuple[Stash, ...] | None:
        from leeboard.io.git.place import find  # noqa: PLC0415 - as above

        if not lexists(join(find(top).shared, "logs", "refs", "stash")):
            return ()
        output = self._git(top, "stash", "list", "--format=%H%x00%ct%x00%gs")
        if output is None:
            return None
        rows = [line.split("\0", 2) for line in output.decode("utf-8", "replace").splitlines()]
        return tuple(
            Stash(time=float(time), subject=subject, files=self._only_stashed(top, commit))
            for commit, time, subject in rows[:MOST_STASHES]
        )

    def _only_stashed(self, top: str, commit: str) -> tuple[str, ...]:
        """What it changed and the work tree does not have so. Where git can not tell, the whole tree."""
        changed = self._git(top, "diff", "--name-only", "-z", f"{commit}^1", commit)
        now = self._git(top, "diff", "--name-only", "-z", commit)
        if changed is None or now is None:
            return (top,)
        untracked = self._git(top, "ls-tree", "-r", "-z", "--name-only", f"{commit}^3", fails_with=frozenset({128}))
        lost = [name for name in changed.split(b"\0") if name and name in {*now.split(b"\0")}]
        kept_apart = [os.fsdecode(name) for name in (untracked or b"").split(b"\0") if name]
        lost_apart = [join(top, name) for name in kept_apart if not lexists(join(top, name))]
        return (*(join(top, os.fsdecode(name)) for name in lost), *lost_apart)


def _state(fields: list[bytes]) -> FileState:
    if fields[0] in {b"?", b"!"}:
        return "untracked" if fields[0] == b"?" else "ignored"
    return "staged" if fields[0] == b"1" and fields[1][1:] == b"." else "changed"


def _merged_at(top: str) -> float:
    """When a merge was begun that is not finished; with it git has filled the index, which was empty of changes."""
    from leeboard.io.git.place import find  # noqa: PLC0415 - as above

    begun = _changed_at(join(find(top).folder, "MERGE_HEAD"))
    return begun + _MERGE_SECONDS if begun else 0.0


def _changed_at(place: str) -> float:
    try:
        return os.lstat(place).st_mtime
    except (OSError, ValueError):
        return 0.0


def _words(name: str) -> tuple[str, ...]:
    """As git is told of it; none where it may be no name at all."""
    kind, _, spared = name.partition(" but ")
    if kind in _ALL:
        pattern = _PREFIX.sub("", spared)
        return (f"--exclude={pattern}", _ALL[kind]) if spared else (_ALL[kind],)
    return (name,) if _NAME.fullmatch(name) and ".." not in name else ()
