"""The git repository around a plan, for changing it: one command at a time, each of them whole.

A command is started in a session of its own and writes to files, not to pipes: it ends what it began even when the
engine is killed, and it holds the intent's lock until then. No hook, no signature and no upkeep in the background: they
would run somebody's programs under the lock.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterable, Mapping
from posixpath import basename, dirname, exists, join
from typing import Any

from leeboard.errors import EffectError, StateError
from leeboard.io.git.place import GitPlace, branch_at, head_at
from leeboard.io.git.settings import started
from leeboard.io.process import NOTHING, Process, Streams, start, wait
from leeboard.plan.disk import layout

SECONDS = 120.0
_LOCKED_SECONDS = 5.0
_WORDS = 600
_KEPT = (
    *("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"),
    *("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"),
    *("GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_"),
)
"""Who commits, and where settings are read: they lead to no other repository."""
_UNDER_WAY = {
    "rebase-merge": "a rebase: end it with `git rebase --continue` or `git rebase --abort`",
    "rebase-apply/applying": "a `git am`: end it with `git am --continue` or `git am --abort`",
    "rebase-apply": "a rebase: end it with `git rebase --continue` or `git rebase --abort`",
    "MERGE_HEAD": "a merge: end it with `git commit` or `git merge --abort`",
    "CHERRY_PICK_HEAD": "a cherry-pick: end it with `git cherry-pick --continue` or `--abort`",
    "REVERT_HEAD": "a revert: end it with `git revert --continue` or `--abort`",
    "BISECT_LOG": "a bisect: end it with `git bisect reset`",
}


def under_way(place: GitPlace) -> str:
    """What somebody is in the middle of in a work tree, and how it is ended; empty: it is at rest."""
    return next((what for name, what in _UNDER_WAY.items() if exists(join(place.folder, name))), "")


class GitRefusedError(EffectError):
    """Git ran, and said no."""

    def __init__(self, message: str, code: int, words: str, printed: bytes) -> None:
        super().__init__(message)
        self.code = code
        self.words = words
        self.printed = printed


class Repository:
    """`lock` is the descriptor of the intent's lock; below zero: none is held."""

    def __init__(self, place: GitPlace, lock: int = -1) -> None:
        self.place = place
        self.root = place.root
        self._lock = lock

    def at_top(self) -> Repository:
        """The same repository, asked in the primary work tree."""
        place = layout.place_of(layout.top_of(self.root))
        return self.in_tree(place) if place is not None else self

    def in_tree(self, place: GitPlace) -> Repository:
        """The same repository, asked in another of its work trees."""
        return Repository(place, self._lock)

    def run(
        self, *arguments: str, at: str = "", given: bytes = b"", settings: Mapping[str, str] | None = None
    ) -> bytes:
        """What it printed. `at` is another work tree to run in. GitRefusedError where git says no."""
        where, until = at or self.root, time.monotonic() + _LOCKED_SECONDS
        while True:
            code, printed, words = self._run(where, arguments, given, settings or {})
            if not code:
                return printed
            if ".lock'" not in words or time.monotonic() > until:
                raise _refused(f"git {arguments[0]} failed in {where}", code, words, printed)
            time.sleep(0.05)  # somebody else's git: it holds its lock for moments

    def asks(self, *arguments: str, at: str = "") -> bool:
        """For a command that answers yes or no by its code."""
        try:
            self.run(*arguments, at=at)
        except GitRefusedError as error:
            if error.code == 1:
                return False
            raise
        return True

    def said(self, *arguments: str, at: str = "") -> str:
        return self.run(*arguments, at=at).decode("utf-8", "surrogateescape").strip()

    def has_branch(self, name: str) -> bool:
        return self.asks("show-ref", "--verify", "--quiet", f"refs/heads/{name}")

    @property
    def branch(self) -> str:
        """Checked out in the primary work tree; empty: none."""
        return branch_at(self.place).removeprefix("refs/heads/")

    @property
    def head(self) -> str:
        """Empty before the first commit."""
        return head_at(self.place)

    def at_rest(self) -> None:
        """StateError while somebody is in the middle of something that a commit or a switch would spoil."""
        if what := under_way(self.place):
            raise StateError(f"{self.root} is in the middle of {what}. Then call again: the plan waits unchanged.")
        if not self.branch:
            raise StateError(
                f"{self.root} is on no branch (HEAD is detached at {self.head[:12]}). Go back to one with"
                " `git switch <branch>`, or make one here with `git switch -c <name>`, then call again."
            )

    def known_author(self) -> None:
        """EffectError where git does not know who commits."""
        try:
            self.run("var", "GIT_COMMITTER_IDENT")
        except GitRefusedError as error:
            raise EffectError(
                f"git does not know who commits in {self.root}. Say so with `git config user.name <name>` and"
                " `git config user.email <address>`, then call again."
            ) from error

    def _run(
        self, where: str, arguments: tuple[str, ...], given: bytes, settings: Mapping[str, str]
    ) -> tuple[int, bytes, str]:
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, tempfile.TemporaryFile() as fed:
            fed.write(given)
            fed.seek(0)
            try:
                process = self._started(where, arguments, (fed if given else None, out, err), settings)
            except FileNotFoundError as error:
                raise EffectError(f"git is not on PATH, or {where} is gone. Put it right, then call again.") from error
            except OSError as error:
                raise EffectError(
                    f"git can not be asked in {where}: {error}. Put it right, then call again."
                ) from error
            code = wait(process, SECONDS)
            if code is None:
                raise EffectError(
                    f"git {arguments[0]} has not ended after {SECONDS:g} s in {where}. It goes on by itself: call again"
                    " when it is done."
                )
            out.seek(0)
            err.seek(0)
            return code, out.read(), err.read().decode("utf-8", "replace").strip()

    def _started(
        self, where: str, arguments: tuple[str, ...], files: tuple[Any, Any, Any], settings: Mapping[str, str]
    ) -> Process:
        # A repository can be told to look at, and so to write into, another folder than the one it lies in.
        also = {**_kept(), "GIT_LITERAL_PATHSPECS": "1", "GIT_WORK_TREE": where, **settings}
        streams = Streams(read=files[0] or NOTHING, written=files[1], said=files[2])
        return start(*started(where, arguments, also), streams, (self._lock,) if self._lock >= 0 else ())


def _kept() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name.startswith(_KEPT)}


def _refused(what: str, code: int, words: str, printed: bytes) -> GitRefusedError:
    said = words[-_WORDS:].rstrip(".") or f"it ended with {code}"
    step = "The plan is as it was: put that right and call again."
    if "index.lock'" in words:
        step = "If no other git runs there, one was killed: remove that file, then call again."
    return GitRefusedError(f"{what}: {said}. {step}", code, words, printed)


def names_in(printed: bytes) -> tuple[str, ...]:
    """Those git printed with -z; bytes that are no UTF-8 are lone surrogates."""
    return tuple(name for name in printed.decode("utf-8", "surrogateescape").split("\0") if name)


def on_hub(repository: Repository, slug: str) -> None:
    """StateError where another branch is checked out: what is written now would land on it."""
    repository.at_rest()
    hub = layout.hub(slug)
    if repository.branch != hub:
        raise StateError(
            f"{repository.root} is on {repository.branch}, and the intent {slug} lives on {hub}:"
            f" `git switch {hub}`, then call again."
        )


# Files of a plan that git does not see because a line such as `build/` was meant for something else.
#
# Stages are called what people call them, and folders of the plan `artifacts` or `outputs`: a line of a `.gitignore`
# that means the output of a build fits those names too. Such files are taken in all the same. What a line of the plan's
# own hides stays hidden, and so does what would be hidden in a stage of any other name: logs, caches, secrets, and
# whatever is of this machine alone.


_LISTED = ("ls-files", "--others", "--ignored", "--exclude-standard", "-z", "--")
_ASKED = ("check-ignore", "--no-index", "--verbose", "-z", "--stdin")
_AS_GIVEN = {"GIT_LITERAL_PATHSPECS": "0"}
"""This command knows no literal ones; it takes names as they are, and ours begin with a dot."""
_ANY_NAME = "0-any-name"
_FOLDERS = frozenset({"artifacts", "outputs", "knowledge", "discovery", "units", "feedback", "features"})
"""The plan gives them these names."""
INTENTS, STUDIOS = f"{layout.HOME}/intents", f"{layout.HOME}/studios"


def hidden(repository: Repository, below: str, at: str = "") -> tuple[str, ...]:
    """Files that git neither knows nor wants to see. `at` is another work tree to look in."""
    return names_in(repository.run(*_LISTED, below, at=at))


def swallowed(repository: Repository, names: Iterable[str], at: str = "") -> tuple[str, ...]:
    """Those of them that are hidden by mistake. Repositories inside are never taken, nor what has rules of its own."""
    found = [name for name in names if not name.endswith("/") and not layout.is_transient(name)]
    ruled = tuple(f"{dirname(name)}/" for name in found if basename(name) == ".gitignore")
    found = [name for name in found if not name.startswith(ruled or ("\0",))]
    meant = _rules(repository, found, at)
    anyway = _rules(repository, dict.fromkeys(map(_elsewhere, found)), at)
    return tuple(name for name in found if layout.HOME not in meant.get(name, "") and _elsewhere(name) not in anyway)


def take(repository: Repository, names: Iterable[str], at: str = "", settings: Mapping[str, str] | None = None) -> None:
    """Into the index, whatever git was told of them. A file that can not be read is left out."""
    found = tuple(names)
    if not found:
        return
    given = _bytes("".join(f"{name}\0" for name in found))
    try:
        repository.run("update-index", "--add", "--remove", "-z", "--stdin", at=at, given=given, settings=settings)
    except GitRefusedError as error:
        if ".lock'" in error.words:
            raise
        for name in found if len(found) > 1 else ():
            take(repository, (name,), at, settings)


def _rules(repository: Repository, names: Iterable[str], at: str) -> dict[str, str]:
    """The line of a .gitignore that hides each of these files, by the file's name."""
    given = "".join(f"{name}\0" for name in names)
    if not given:
        return {}
    try:
        printed = repository.run(*_ASKED, at=at, given=_bytes(given), settings=_AS_GIVEN)
    except GitRefusedError as error:
        if error.code == 1:  # none of them is hidden
            return {}
        raise
    fields = printed.decode("utf-8", "surrogateescape").split("\0")
    quads = zip(fields[2::4], fields[3::4], strict=False)
    return {name: rule for rule, name in quads if not rule.startswith("!")}


def _elsewhere(name: str) -> str:
    """What it would be called in a stage, and a folder, of no particular name."""
    parts = name.split("/")
    if len(parts) > 5 and parts[3] == "stages":
        parts[4] = _ANY_NAME
        if len(parts) > 6 and parts[5] in _FOLDERS:
            parts[5] = _ANY_NAME
    elif len(parts) > 4 and parts[3] in _FOLDERS:
        parts[3] = _ANY_NAME
    return "/".join(parts)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


# The plan's own commits: of its folder alone, whatever else is staged or changed.
#
# What a `.gitignore` hides by mistake is part of it. What git does not take, such as a file that became a repository,
# is left out: it holds no step of a workflow up.


def commit_plan(repository: Repository, slug: str, message: str) -> bool:
    """Whether there was something to commit. Nothing is, before the intent has its branch or where git ignores it."""
    path = layout.commit_path(slug)
    if not repository.has_branch(layout.hub(slug)) and repository.branch != layout.hub(slug):
        return False
    on_hub(repository, slug)
    unseen = hidden(repository, path)
    if is_ignored(unseen, slug):
        return False
    lost = swallowed(repository, unseen)
    if not lost and not repository.run("status", "--porcelain", "-z", "-uall", "--", path):
        return False
    repository.known_author()
    take(repository, lost)
    try:
        repository.run("add", "--all", "--", path)
        repository.run("commit", "--quiet", "--only", "-m", message, "--", path)
    except GitRefusedError as error:
        if ".lock'" in error.words:
            raise
        return _commit_the_rest(repository, path, message, lost)
    return True


def _commit_the_rest(repository: Repository, path: str, message: str, lost: tuple[str, ...]) -> bool:
    """All that git takes. Made beside the index: `commit --only` wants to add what is in the way once more."""
    _add(repository, path, {})
    head = repository.head
    with tempfile.TemporaryDirectory() as folder:
        settings = {"GIT_INDEX_FILE": join(folder, "index")}
        if head:
            repository.run("read-tree", head, settings=settings)
        _add(repository, path, settings)
        take(repository, lost, settings=settings)
        tree = repository.run("write-tree", settings=settings).decode("ascii").strip()
    if head and tree == repository.said("rev-parse", f"{head}^{{tree}}"):
        return False
    commit = repository.said("commit-tree", tree, *(("-p", head) if head else ()), "-m", message)
    repository.run("update-ref", "-m", message, "HEAD", commit, head or "0" * len(commit))
    return True


def _add(repository: Repository, path: str, settings: Mapping[str, str]) -> None:
    try:
        repository.run("add", "--all", "--ignore-errors", "--", path, settings=settings)
    except GitRefusedError as error:
        if error.code != 1:  # 1: some of it was not taken
            raise


def commit_artifacts(repository: Repository, slug: str, message: str) -> None:
    """Where something of the plan that a unit may have written too is not committed: a merge would trip over it."""
    printed = repository.run("status", "--porcelain", "-z", "-uall", "--no-renames", "--", layout.commit_path(slug))
    names = [record[3:].decode("utf-8", "surrogateescape") for record in printed.split(b"\0") if record]
    names += swallowed(repository, hidden(repository, layout.commit_path(slug)))
    if any(not layout.is_engine_file(name, slug) for name in names):
        commit_plan(repository, slug, message)


def is_ignored(unseen: tuple[str, ...], slug: str) -> bool:
    """Whether git is not to see the plan at all."""
    return f"{layout.commit_path(slug)}/intent.md" in unseen
