"""Where a work tree keeps what git knows of it, and which commit is current there: read without a process.

A hook asks when a session begins, so it gets by without pathlib, and starts git only where refs are kept in tables.
"""

from __future__ import annotations

from posixpath import exists, isdir, join

import msgspec

from leeboard.errors import EffectError
from leeboard.io.git.folder import folder_of, shared_by, text_of
from leeboard.io.system import abspath, realpath
from leeboard.model.text import lazy

SECONDS = 10.0
_ID = lazy(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_LINKS = 5
_ELSEWHERE = "refs/heads/.invalid"
"""What HEAD names where refs are kept in tables, which only git reads."""


class GitPlace(msgspec.Struct, frozen=True, kw_only=True):
    """A work tree."""

    root: str
    """The top of it."""
    folder: str
    """What is its own: HEAD and the index."""
    shared: str
    """What all work trees of a repository have in common; the same folder in the first of them."""

    @property
    def shallow(self) -> bool:
        return exists(join(self.shared, "shallow"))


def find(root: str) -> GitPlace:
    """The work tree around a folder. EffectError where there is none, or only a bare repository."""
    top = abspath(root)
    found = folder_of(top)
    if not found:
        from leeboard.io.git.run import run_one  # noqa: PLC0415 - starts processes, which a hook rarely needs

        words = run_one(root, ("rev-parse", "--show-toplevel"), SECONDS)
        top = words.decode("utf-8", "surrogateescape").removesuffix("\n")
        found = folder_of(top)
    if not found:
        raise EffectError(f"{root} is in a work tree whose repository lies elsewhere. Name the folder that has a .git.")
    return GitPlace(root=top, folder=found, shared=shared_by(found))


def is_own(place: GitPlace, path: str) -> bool:
    """Whether a repository inside the work tree is another work tree of the same one."""
    found = folder_of(join(place.root, path))
    if not found or realpath(shared_by(found)) != realpath(place.shared):
        return False
    back = text_of(join(found, "gitdir")).strip()
    return bool(back) and realpath(back) == realpath(join(place.root, path, ".git"))


def head_of(root: str) -> str:
    """The current commit; empty where there is none yet."""
    return head_at(find(root))


def head_at(place: GitPlace) -> str:
    name = "HEAD"
    for _ in range(_LINKS):
        value = _loose(place, name) or _packed(place).get(name, "")
        if not value.startswith("ref:"):
            return value if _ID.fullmatch(value) else _unborn(name, value, place)
        name = value.removeprefix("ref:").strip()
        if name == _ELSEWHERE:
            break
    return _asked(place)


def has_remotes(place: GitPlace) -> bool:
    """Whether anything is known of a branch elsewhere; yes where refs are kept in tables."""
    known = isdir(join(place.shared, "refs", "remotes")) or "refs/remotes/" in text_of(
        join(place.shared, "packed-refs")
    )
    return known or isdir(join(place.shared, "reftable"))


def branch_at(place: GitPlace) -> str:
    """The full name of the branch that HEAD is on; empty when it is on none."""
    value = _loose(place, "HEAD")
    if value == f"ref: {_ELSEWHERE}":
        return _said(place, ("symbolic-ref", "--quiet", "HEAD"))
    return value.removeprefix("ref:").strip() if value.startswith("ref:") else ""


def _unborn(name: str, value: str, place: GitPlace) -> str:
    """A branch without a commit has no ref at all; anything else that is no id is for git to explain."""
    return "" if name != "HEAD" and not value else _asked(place)


def _asked(place: GitPlace) -> str:
    return _said(place, ("rev-parse", "--verify", "--quiet", "HEAD^{commit}"))


def _said(place: GitPlace, arguments: tuple[str, ...]) -> str:
    """Empty where git quietly says no."""
    from leeboard.io.git.run import GitError, run_one  # noqa: PLC0415 - as above

    try:
        return run_one(place.root, arguments, SECONDS).decode("ascii", "replace").strip()
    except GitError as error:
        if error.code == 1:
            return ""
        raise


def _loose(place: GitPlace, name: str) -> str:
    own = not name.startswith("refs/") or name.startswith(("refs/bisect/", "refs/worktree/", "refs/rewritten/"))
    return text_of(join(place.folder if own else place.shared, name)).strip()


def _packed(place: GitPlace) -> dict[str, str]:
    lines = text_of(join(place.shared, "packed-refs")).splitlines()
    pairs = (line.partition(" ") for line in lines if line[:1] not in {"#", "^"})
    return {name: value for value, _, name in pairs}
