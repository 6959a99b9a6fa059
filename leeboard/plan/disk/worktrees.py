"""The branches of an intent and the work trees its units are worked on in.

The primary work tree has the hub branch `haiku/{slug}/main` checked out; a unit has a branch and a tree of its own.
Everything here may be done twice: what a killed engine left is used, or made anew. Nothing that somebody wrote is lost:
what was not committed in a unit's tree is committed before the tree goes, and a branch goes only once it is merged.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from posixpath import dirname, exists, isdir, join

from leeboard.errors import StateError
from leeboard.io.file import read_start
from leeboard.model.workspace import TRUNK_BRANCHES
from leeboard.plan.disk import layout
from leeboard.plan.disk.folder import exclude
from leeboard.plan.disk.repository import INTENTS, GitRefusedError, Repository, hidden, swallowed, take


def ensure_branch(repository: Repository, slug: str, base: str = "", follows: str = "") -> None:
    """Have the hub checked out. What is not committed stays as it is.

    A new one begins at its base, else where the work tree is; at the hub of another intent only where it follows that.
    """
    hub = layout.hub(slug)
    exclude(repository.place)
    if repository.branch == hub:
        return
    repository.at_rest()
    target = ("--create", hub, *beginning(repository, base, follows))
    try:
        repository.run("switch", "--quiet", *((hub,) if repository.has_branch(hub) else target))
    except GitRefusedError as error:
        raise StateError(
            f"{repository.root} is on {repository.branch}, and the intent {slug} lives on {hub}, where git does not"
            f" switch: commit or stash what is changed, then `git switch {hub}`. ({error.words[-300:]})"
        ) from error


def beginning(repository: Repository, base: str, follows: str) -> tuple[str, ...]:
    """Where a hub begins; empty: at the current commit."""
    if follows and repository.has_branch(layout.hub(follows)):
        return (layout.hub(follows),)
    if not layout.slug_of_branch(repository.branch):
        return ()
    if base and repository.has_branch(base):
        return (base,)
    known = default_branch(repository) or _came_from(repository)
    if not known:
        raise StateError(
            f"{repository.root} is on {repository.branch}, which belongs to another intent, and nothing tells where"
            " that began: `git switch` to the branch that a new one is to begin at, then call again."
        )
    return (known,)


def _came_from(repository: Repository) -> str:
    """A commit to begin at beside the intent that is checked out: the newest of the branches that go on from where that
    one began, else where it began itself. Empty where it was never committed and there is no other branch.
    """
    path = layout.commit_path(layout.slug_of_branch(repository.branch))
    wrote = repository.said("log", "--format=%H %P", "HEAD", "--", path).splitlines()
    began = wrote[-1].split()[:2][-1] if wrote else ""
    wanted = f"--contains={began}" if began else "--merged=HEAD"
    listed = ("for-each-ref", "--sort=-committerdate", "--format=%(objectname) %(refname:lstrip=2)", wanted)
    for where in ("refs/heads", "refs/remotes"):
        for line in repository.said(*listed, where).splitlines():
            commit, _, name = line.partition(" ")
            if not layout.slug_of_branch(name) and not layout.slug_of_branch(name.partition("/")[2]):
                return commit
    return began


def default_branch(repository: Repository) -> str:
    """Where work comes together in this repository; empty: nobody can tell."""
    try:
        named = repository.said("symbolic-ref", "--short", "refs/remotes/origin/HEAD").removeprefix("origin/")
    except GitRefusedError:
        named = ""
    return next((name for name in (named, *TRUNK_BRANCHES) if name and repository.has_branch(name)), "")


def make_worktree(repository: Repository, slug: str, unit: str) -> str:
    """Where the unit is worked on. A tree that is there is used as it is."""
    path, branch, hub = layout.worktree(repository.root, slug, unit), layout.unit_branch(slug, unit), layout.hub(slug)
    if not repository.head:
        raise StateError(f"{repository.root} has no commit yet: make a first one, then call again.")
    refuse_links(repository.root, path)
    if is_worktree(repository, path):
        _put_on_branch(repository, path, branch)
        return path
    exclude(repository.place)
    clear_half_made(repository, path)
    if repository.has_branch(branch) and not is_merged(repository, branch, hub):
        repository.run("worktree", "add", "--quiet", path, branch)
    else:
        repository.run("worktree", "add", "--quiet", "-B", branch, path, hub)
    return path


def remove_worktree(repository: Repository, slug: str, unit: str) -> None:
    """With its branch, once that is part of the hub. What was not committed is committed on the branch first."""
    path, branch = layout.worktree(repository.root, slug, unit), layout.unit_branch(slug, unit)
    refuse_links(repository.root, path)
    if is_worktree(repository, path):
        if exists(join(git_folder(path), "MERGE_HEAD")):
            repository.run("merge", "--abort", at=path)
        commit_leftovers(repository, path, f"haiku({slug}): keep unfinished work of {unit}")
    both = repository.has_branch(branch) and repository.has_branch(layout.hub(slug))
    merged = both and is_merged(repository, branch, layout.hub(slug))
    # The branch goes first: a tree that is left is found by the next look, a branch is not.
    if merged and is_worktree(repository, path):
        repository.run("checkout", "--quiet", "--detach", at=path)
    if merged:
        repository.run("branch", "--quiet", "-D", branch)
    if is_worktree(repository, path):
        repository.run("worktree", "remove", "--force", path)
    clear_half_made(repository, path)
    drop_empty_folder(repository.root, slug)
    with contextlib.suppress(OSError):
        os.rmdir(dirname(dirname(path)))  # noqa: PTH106 - that of all intents


def drop_empty_folder(root: str, slug: str) -> None:
    """The last tree takes the folder of all of them along; where it did not live to do so, whoever comes next does."""
    with contextlib.suppress(OSError):
        os.rmdir(dirname(layout.worktree(root, slug, "any")))  # noqa: PTH106 - any name


def _put_on_branch(repository: Repository, path: str, branch: str) -> None:
    """A tree that was about to be removed is on no branch; one that somebody switched is put back."""
    if repository.said("rev-parse", "--abbrev-ref", "HEAD", at=path) == branch:
        return
    create = () if repository.has_branch(branch) else ("--create",)
    repository.run("switch", "--quiet", *create, branch, at=path)


def commit_leftovers(repository: Repository, path: str, message: str) -> None:
    """Whatever the agent left uncommitted in a unit's tree."""
    lost = swallowed(repository, hidden(repository, INTENTS, at=path), at=path)
    if lost or repository.run("status", "--porcelain", "-z", at=path):
        take(repository, lost, at=path)
        repository.run("add", "--all", at=path)
        repository.run("commit", "--quiet", "--allow-empty", "-m", message, at=path)


def is_merged(repository: Repository, branch: str, hub: str) -> bool:
    return repository.asks("merge-base", "--is-ancestor", f"refs/heads/{branch}", f"refs/heads/{hub}")


def is_worktree(repository: Repository, path: str) -> bool:
    """Whether it is one of this repository's, made to its end."""
    folder = git_folder(path)
    if not folder or dirname(dirname(os.path.realpath(folder))) != os.path.realpath(repository.place.shared):
        return False
    return exists(join(folder, "index")) and not exists(join(folder, "locked"))


def git_folder(path: str) -> str:
    """What git keeps of a linked work tree; empty where there is none."""
    try:
        words = read_start(join(path, ".git"), 4096).decode("utf-8", "surrogateescape")
    except OSError:
        return ""
    folder = join(path, words.removeprefix("gitdir:").strip())
    return folder if words.startswith("gitdir:") and isdir(folder) else ""


def clear_half_made(repository: Repository, path: str) -> None:
    """Take away what a killed git left of a work tree; never a folder that somebody else filled."""
    folder = git_folder(path)
    if folder and not is_worktree(repository, path):
        repository.run("worktree", "remove", "--force", "--force", path)
    repository.run("worktree", "prune", "--expire=now")
    if not isdir(path):
        return
    left = os.listdir(path)  # noqa: PTH208 - as above
    if left and left != [".git"]:
        raise StateError(f"{path} is in the way: it is no work tree of this repository. Move it, then call again.")
    shutil.rmtree(path, ignore_errors=True)


def refuse_links(root: str, path: str) -> None:
    """No part of the way below the root may lead elsewhere."""
    place = root
    for name in path.removeprefix(f"{root}/").split("/"):
        place = join(place, name)
        if os.path.islink(place):  # noqa: PTH114 - as above
            raise StateError(f"{place} is a symbolic link: put a real folder there, or remove it, then call again.")
