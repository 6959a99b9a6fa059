"""Whether something in a work tree was written here, or came with git from elsewhere.

A clone, a pull, a merge and a switch bring what others committed. What is not in the current commit at all somebody
wrote here, and likewise what a commit by hand (`git commit`, also `--amend`) put there in this repository. The log of
HEAD, which no clone and no fetch carries, tells of those.

A rebase, a cherry-pick and a revert make commits here too, but of what somebody committed before, perhaps a stranger,
whose name and address anybody can write. So they are not believed for themselves: what they carry was written here
where a commit by hand had put the very same there before. A merge is believed in nothing. Where git can not tell, it
came from elsewhere.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from posixpath import isfile, join, lexists

import msgspec

from leeboard.io.git.ask import ended, run
from leeboard.io.git.place import GitPlace, find

SECONDS = 5.0
_MOST_LOG = 4 << 20
_MOST_TEXTS = 200
"""Commits by hand whose text of one file is read, the newest first."""
_BY_HAND = (b"commit:", b"commit (initial):", b"commit (amend):")
"""How git notes a commit that somebody made of what lay there; all else took over what was committed before."""
_TAKEN_OVER = (b"clone:", b"pull", b"merge ", b"fetch", b"checkout:", b"reset:", b"branch:")
"""How git notes that HEAD went to a commit that was there."""
_BASE = ("--literal-pathspecs",)
_RAW = ("log", "--no-walk=unsorted", "--ignore-missing", "--stdin", "--root", "--raw", "--no-abbrev", "--no-renames")

Has = Callable[[str], bool]


class ByHand(msgspec.Struct, frozen=True):
    """HEAD before and after a commit by hand: what differs between both was written here."""

    before: str
    """What was amended, or the parent; zeros where there was none."""
    after: str


def files_written_here(root: str, paths: Iterable[str]) -> bool:
    """Whether each of these files, from the top, differs from the current commit or was committed by hand as it is."""
    wanted = tuple(paths)
    if not lexists(join(root, ".git")):
        return True
    if not wanted or run(root, ("rev-parse", "--verify", "--quiet", "HEAD^{commit}"), SECONDS) is None:
        return True
    listed = run(root, (*_BASE, "ls-tree", "-r", "-z", "HEAD", "--", *wanted), SECONDS)
    changed = _names(root, ("diff", "--name-only", "--no-ext-diff", "--no-textconv", "-z", "HEAD", "--", *wanted))
    if listed is None or changed is None:
        return False
    committed = dict(_entry(line) for line in listed.split(b"\0") if line)
    left = {path: blob for path, blob in committed.items() if path not in changed}
    return not left or _all_by_hand(root, left)


def text_written_here(root: str, path: str, has: Has) -> bool:
    """Whether a commit by hand put something into this file: its text `has` it after that commit, and not before."""
    if not lexists(join(root, ".git")):
        return True
    touching = {commit for commit, name, _ in _changes(root, commits_by_hand(root), (path,)) if name == path}
    found = [each for each in reversed(commits_by_hand(root)) if each.after in touching][:_MOST_TEXTS]
    return any(
        _is_there(root, each.before) and _has(root, each.after, path, has) and not _has(root, each.before, path, has)
        for each in found
    )


def committed_text(root: str, path: str, commit: str = "HEAD") -> str | None:
    """The file as a commit has it; None where it has none, or there is no commit."""
    if not lexists(join(root, ".git")):
        return None
    said = run(root, ("cat-file", "blob", f"{commit}:{path}"), SECONDS)
    return None if said is None else said.decode("utf-8", "surrogateescape")


def commits_by_hand(root: str) -> tuple[ByHand, ...]:
    """In any work tree of this repository, the oldest first, as far as their logs go back."""
    return tuple(dict.fromkeys(each for path in _logs(find(root)) for each in _noted(path)))


def commits_made_here(root: str) -> frozenset[str]:
    """What any work tree of this repository came to by more than going to a commit that was there, or was fetched."""
    return frozenset(each.after for path in _logs(find(root)) for each in _noted(path, other_than=_TAKEN_OVER))


def _all_by_hand(root: str, left: dict[str, str]) -> bool:
    """Whether each path was put to this blob by a commit by hand."""
    made = commits_by_hand(root)
    brought = {(commit, name) for commit, name, blob in _changes(root, made, tuple(left)) if left.get(name) == blob}
    own: set[str] = set()
    for each in made:
        names = {name for commit, name in brought if commit == each.after} - own
        if names and _is_there(root, each.before):
            own |= {name for name in names if _blob(root, each.before, name) != left[name]}
    return own == left.keys()


def _changes(root: str, made: tuple[ByHand, ...], paths: tuple[str, ...]) -> list[tuple[str, str, str]]:
    """Which of these commits changed one of these paths, and the blob it then was; merges are none."""
    if not made:
        return []
    given = "".join(f"{each.after}\n" for each in made).encode()
    done = ended(root, (*_BASE, *_RAW, "-z", "--format=%H", "--", *paths), SECONDS, given)
    found: list[tuple[str, str, str]] = []
    if done is None or done.code != 0:
        return found
    commit, blob = "", ""
    for part in done.out.split(b"\0"):
        word = part.strip(b"\n")
        if blob:
            found.append((commit, os.fsdecode(part), blob))
            blob = ""
        elif word.startswith(b":"):
            blob = word.split(b" ")[3].decode()
        elif word:
            commit = word.decode("ascii", "replace")
    return found


def _has(root: str, commit: str, path: str, has: Has) -> bool:
    text = committed_text(root, path, commit)
    return text is not None and has(text)


def _blob(root: str, commit: str, path: str) -> str:
    return (run(root, ("rev-parse", "--verify", "--quiet", f"{commit}:{path}"), SECONDS) or b"").strip().decode()


def _is_there(root: str, commit: str) -> bool:
    """What git has cleared away may have held anything."""
    return not commit.strip("0") or run(root, ("cat-file", "-e", f"{commit}^{{commit}}"), SECONDS) is not None


def _entry(line: bytes) -> tuple[str, str]:
    """Path and blob of a line of `ls-tree`."""
    head, _, path = line.partition(b"\t")
    return os.fsdecode(path), head.split(b" ")[2].decode()


def _logs(place: GitPlace) -> list[str]:
    others = join(place.shared, "worktrees")
    try:
        names = os.listdir(others)  # noqa: PTH208 - names that are no valid text pass through
    except OSError:
        names = []
    found = [join(place.shared, "logs/HEAD"), *(join(others, name, "logs/HEAD") for name in names)]
    return [path for path in found if isfile(path)]


def _noted(path: str, other_than: tuple[bytes, ...] = ()) -> list[ByHand]:
    """Commits by hand; or whatever is not noted in one of these ways."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - as above
            file.seek(max(0, os.fstat(file.fileno()).st_size - _MOST_LOG))
            lines = file.read(_MOST_LOG).splitlines()
    except OSError:
        return []
    parted = ((line.partition(b"\t")[2], line.split(b" ", 2)) for line in lines)
    return [
        ByHand(words[0].decode("ascii", "replace"), words[1].decode("ascii", "replace"))
        for said, words in parted
        if said.startswith(other_than or _BY_HAND) is not bool(other_than) and len(words) == 3
    ]


def _names(root: str, arguments: tuple[str, ...]) -> set[str] | None:
    said = run(root, (*_BASE, *arguments), SECONDS)
    return None if said is None else {os.fsdecode(name) for name in said.split(b"\0") if name}
