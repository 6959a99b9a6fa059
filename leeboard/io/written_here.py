"""Whether something in a work tree was written here, or came with git from elsewhere.

A clone, a pull and a switch bring what others committed; what is not in the current commit at all, or stands in a
commit that was made in this repository, somebody wrote here. The log of HEAD, which no clone and no fetch carries, says
which commits were made here. Where git can not tell, it came from elsewhere.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from posixpath import isfile, join, lexists

from leeboard.io.git import run
from leeboard.io.git_place import Place, find

SECONDS = 5.0
_MOST_LOG = 4 << 20
_MADE_HERE = (b"commit:", b"commit (initial):", b"commit (amend):", b"commit (merge):")
"""How git notes a commit that is made here; all else moved HEAD to one that was there."""
_BASE = ("--literal-pathspecs",)


def files_written_here(root: str, paths: Iterable[str]) -> bool:
    """Whether each of these files, from the top, differs from the current commit or was last committed here."""
    wanted = tuple(paths)
    if not lexists(join(root, ".git")):
        return True
    if not wanted or run(root, ("rev-parse", "--verify", "--quiet", "HEAD^{commit}"), SECONDS) is None:
        return True
    committed = _names(root, ("ls-tree", "-r", "-z", "--name-only", "HEAD", "--", *wanted))
    changed = _names(root, ("diff", "--name-only", "--no-ext-diff", "--no-textconv", "-z", "HEAD", "--", *wanted))
    if committed is None or changed is None:
        return False
    own = made_here(root)
    return all(_last_commit(root, path) in own for path in committed - changed)


def text_written_here(root: str, path: str, text: str) -> bool:
    """Whether this text in a file was put there in a commit that was made here."""
    if not lexists(join(root, ".git")):
        return True
    said = run(root, (*_BASE, "log", "-1", "--format=%H", f"-S{text}", "HEAD", "--", path), SECONDS)
    return bool(said) and (said or b"").strip() in made_here(root)


def committed_text(root: str, path: str) -> str | None:
    """As the current commit has it; None where it has none, or there is no commit."""
    if not lexists(join(root, ".git")):
        return None
    said = run(root, ("cat-file", "blob", f"HEAD:{path}"), SECONDS)
    return None if said is None else said.decode("utf-8", "surrogateescape")


def made_here(root: str) -> frozenset[bytes]:
    """The commits that were made in any work tree of this repository, as far as their logs go back."""
    place = find(root)
    return frozenset(commit for path in _logs(place) for commit in _made(path))


def _logs(place: Place) -> list[str]:
    others = join(place.shared, "worktrees")
    try:
        names = os.listdir(others)  # noqa: PTH208 - names that are no valid text pass through
    except OSError:
        names = []
    found = [join(place.shared, "logs/HEAD"), *(join(others, name, "logs/HEAD") for name in names)]
    return [path for path in found if isfile(path)]


def _made(path: str) -> list[bytes]:
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - as above
            file.seek(max(0, os.fstat(file.fileno()).st_size - _MOST_LOG))
            lines = file.read(_MOST_LOG).splitlines()
    except OSError:
        return []
    parted = (line.partition(b"\t") for line in lines)
    return [head.split(b" ")[1] for head, _, said in parted if said.startswith(_MADE_HERE) and head.count(b" ") > 1]


def _names(root: str, arguments: tuple[str, ...]) -> set[str] | None:
    said = run(root, (*_BASE, *arguments), SECONDS)
    return None if said is None else {os.fsdecode(name) for name in said.split(b"\0") if name}


def _last_commit(root: str, path: str) -> bytes:
    return (run(root, (*_BASE, "log", "-1", "--format=%H", "HEAD", "--", path), SECONDS) or b"").strip()
