"""Which commit a work tree is compared with."""

from __future__ import annotations

from datetime import datetime

from leeboard.errors import ConfigError, EffectError
from leeboard.io._git_processes import GitError, ask_one
from leeboard.io.git_place import SECONDS, Place, branch_at, find, has_remotes, head_at

_USUAL = ("main", "master", "trunk")
EMPTY_TREES = (
    "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
)
"""The id of a tree without files, by SHA-1 and by SHA-256."""
_DEEPEN = "Run `git fetch --unshallow`, or name a commit with --base."


def base_for(root: str, wanted: str, started_at: str = "") -> str:
    """The commit that was asked for; else the one that was current then; else where this branch left the default one.

    Empty where there is no commit yet, and git's empty tree where all commits are younger than `started_at`.
    """
    place = find(root)
    if wanted:
        return resolve(place, wanted)
    head = head_at(place)
    if not head:
        return ""
    return _current_at(place, head, started_at) if started_at else _fork_of(place, head)


def resolve(place: Place, wanted: str) -> str:
    """The id of what a person named, or what was recorded; git's empty tree stands for the time before any commit."""
    if wanted in EMPTY_TREES:
        return wanted
    try:
        return _said(place, "rev-parse", "--verify", "--end-of-options", f"{wanted}^{{commit}}")
    except (EffectError, ValueError) as error:
        step = f" This clone is shallow. {_DEEPEN}" if place.shallow else " `git log --oneline` lists what there is."
        raise ConfigError(f"--base {wanted!r} names no commit here: {error}{step}") from error


def empty_tree(place: Place) -> str:
    """By whichever digest this repository uses."""
    return _said(place, "hash-object", "-t", "tree", "--stdin")


def _current_at(place: Place, head: str, started_at: str) -> str:
    try:
        then = datetime.fromisoformat(started_at)
    except ValueError as error:
        raise ConfigError(f"{started_at!r} is no time like 2026-01-31T12:00:00Z. Name a commit with --base.") from error
    if then.tzinfo is None:
        raise ConfigError(f"{started_at!r} has no time zone: write it like 2026-01-31T12:00:00Z, or use --base.")
    before = f"--before=@{int(then.timestamp())} +0000"
    found = _said(place, "rev-list", "-1", "--first-parent", before, head, "--")
    if not found and place.shallow:
        raise EffectError(f"{place.root} is a shallow clone without the commit of {started_at}. {_DEEPEN}")
    return found or empty_tree(place)


def _fork_of(place: Place, head: str) -> str:
    """Where the branch left the default one, in whichever of its local and remote copies it is the later."""
    branch = branch_at(place)
    refs = _default_refs(place)
    if branch in refs or not (refs or place.shallow):
        return head
    try:
        if refs:
            return _said(place, "merge-base", head, *refs.values()).split("\n", 1)[0]
    except GitError as error:
        if error.code != 1:
            raise
        if not place.shallow:
            return head
    names = ", ".join(refs) or "any default branch"
    raise EffectError(f"{place.root} is a shallow clone in which HEAD and {names} have no commit in common. {_DEEPEN}")


def landed_since(root: str, base: str) -> str:
    """Where work that began at `base` stands now, once the default branch of a remote was merged in or rebased onto.

    What others landed there meanwhile is no part of this work. On the default branch itself nobody can tell whose a
    commit is: there, and where nothing came in, it is `base`.
    """
    place = find(root)
    head = head_at(place)
    if not head or not base or base in EMPTY_TREES or not has_remotes(place):
        return base
    refs = _default_refs(place)
    remote = [commit for name, commit in refs.items() if name.startswith("refs/remotes/")]
    if not remote or branch_at(place) in refs:
        return base
    try:
        met = _said(place, "merge-base", head, *remote).split("\n", 1)[0]
        _said(place, "merge-base", "--is-ancestor", base, met)
    except GitError:
        return base
    return met


def _default_refs(place: Place) -> dict[str, str]:
    """Names and commits of the default branch, here and on remotes."""
    pointed = _said(place, "for-each-ref", "--format=%(symref)", "refs/remotes/*/HEAD").splitlines()
    names = tuple(dict.fromkeys((*(target.split("/", 3)[-1] for target in pointed if target), *_USUAL)))
    patterns = (pattern for name in names for pattern in (f"refs/heads/{name}", f"refs/remotes/*/{name}"))
    lines = _said(place, "for-each-ref", "--format=%(objectname) %(refname)", *patterns).splitlines()
    refs = {name: commit for commit, _, name in (line.partition(" ") for line in lines)}
    of_names = ({ref: commit for ref, commit in refs.items() if _short(ref) == name} for name in names)
    return next((found for found in of_names if found), {})


def _short(ref: str) -> str:
    """The name of a branch, without where its copy is."""
    return ref.split("/", 2 if ref.startswith("refs/heads/") else 3)[-1]


def _said(place: Place, *arguments: str) -> str:
    return ask_one(place.root, arguments, SECONDS)
