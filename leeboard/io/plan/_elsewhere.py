"""Whether the work of an intent was merged by somebody else: into the trunk, here or on a remote."""

from __future__ import annotations

from leeboard.io._git_processes import GitError, ask_one
from leeboard.io.git_place import Place
from leeboard.io.plan import layout
from leeboard.model.plan_place import TRUNKS

SECONDS = 30.0
_RECORDS = ("state.json", "intent.md")


def merged_elsewhere(place: Place, slug: str) -> bool:
    """The last commit of the work is part of another branch, or a trunk holds the same files: it was squashed.

    Records of the engine aside: while the work is reviewed elsewhere they move on here.
    """
    hub = f"refs/heads/{layout.hub(slug)}"
    try:
        others = _others(place, hub)
        return any(_holds(place, slug, ref, hub) for ref in others)
    except GitError:
        return False


def _others(place: Place, hub: str) -> list[str]:
    printed = _said(place, "for-each-ref", "--format=%(refname)", "refs/heads", "refs/remotes")
    family = hub.removesuffix("/main").removeprefix("refs/heads/")
    refs = [ref for ref in printed.split() if f"/{family}/" not in ref]
    return [ref for ref in refs if ref.rpartition("/")[2] in TRUNKS]


def _holds(place: Place, slug: str, ref: str, hub: str) -> bool:
    """Nothing that the hub changed since the two parted is different in the other one."""
    changed = _names(place, _said(place, "merge-base", ref, hub), hub)
    if changed:
        return not changed & _names(place, ref, hub)
    return _has_plan(place, slug, ref) or not _has_plan(place, slug, hub)


def _has_plan(place: Place, slug: str, ref: str) -> bool:
    """A branch that the intent merely began on has nothing of it."""
    return bool(_said(place, "ls-tree", "-z", "--full-tree", ref, "--", f"{layout.commit_path(slug)}/intent.md"))


def _names(place: Place, one: str, other: str) -> set[str]:
    names = _said(place, "diff-tree", "-r", "-z", "--no-renames", "--name-only", one, other).split("\0")
    return {name for name in names if name and name.rpartition("/")[2] not in _RECORDS}


def _said(place: Place, *arguments: str) -> str:
    return ask_one(place.root, arguments, SECONDS)
