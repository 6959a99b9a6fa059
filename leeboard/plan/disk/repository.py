"""The git repository around a plan, for changing it: one command at a time, each of them whole.

A command is started in a session of its own and writes to files, not to pipes: it ends what it began even when the
engine is killed, and it holds the intent's lock until then. No hook, no signature and no upkeep in the background: they
would run somebody's programs under the lock.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Mapping
from posixpath import exists, join
from typing import Any

from leeboard.errors import EffectError, StateError
from leeboard.io.git.place import GitPlace, branch_at, head_at
from leeboard.io.git.settings import started
from leeboard.io.process import NOTHING, Process, Streams, start, wait

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
