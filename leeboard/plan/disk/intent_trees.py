"""Several intents in one project: the first in the primary work tree, each further one in a tree of its own.

A branch that somebody has checked out stays where it is. An intent that begins while another one is at work in the
primary tree, or whose branch was left there, gets a linked work tree next to those of its units. Everything here may be
done twice: what a killed engine left is used, or done to its end, under the intent's lock.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from posixpath import isdir

from leeboard.errors import StateError
from leeboard.io.git.place import GitPlace
from leeboard.plan.disk import layout, worktrees
from leeboard.plan.disk.folder import PlanFolder, exclude, hold
from leeboard.plan.disk.repository import Repository, commit_plan, names_in
from leeboard.plan.files.files import parse_intent

_STEPS = "tmp"
MOST_BYTES = 1 << 30


def home_for_work(top: str, slug: str) -> str:
    """Where an intent is worked on, made where it has to be; empty where there is no such intent."""
    place = layout.place_of(top)
    if place is None:
        return top
    if layout.intent_home(top, slug) == top:
        if not _needs_tree(top, place, slug):
            return top if _has(top, slug) else ""
    elif not _left_behind(top, slug):
        return layout.intent_home(top, slug)
    with hold(PlanFolder(top), slug) as lock:
        repository = Repository(place, lock)
        if layout.intent_home(top, slug) == top and _needs_tree(top, place, slug):
            _make(repository, slug)
        _carry(top, layout.intent_tree(top, slug), slug)
    return layout.intent_home(top, slug)


def leave_tree(repository: Repository, slug: str) -> bool:
    """Whether the intent had a tree of its own, which is gone now. StateError where something in it is not committed.

    `repository` is asked in the primary tree. What belongs to this machine alone goes back there, where it lies while a
    branch is left.
    """
    top = repository.root
    tree = layout.intent_tree(top, slug)
    if not layout.is_whole_tree(top, tree):
        return False
    if changed := unsaved(repository, slug):
        said = f"{tree} has what is not committed: {', '.join(changed[:5])}"
        raise StateError(f"{said}. Commit or remove it, then call again.")
    if (own := layout.place_of(tree)) is not None:
        commit_plan(repository.in_tree(own), slug, f"haiku({slug}): as it was left")
    _carry(tree, top, slug)
    repository.run("worktree", "remove", tree)
    worktrees.drop_empty_folder(top, slug)
    return True


def unsaved(repository: Repository, slug: str) -> tuple[str, ...]:
    """What lies in the intent's own tree and in no commit."""
    tree = layout.intent_tree(repository.root, slug)
    if not layout.is_whole_tree(repository.root, tree):
        return ()
    own = f"{layout.commit_path(slug)}/"
    printed = repository.run("status", "--porcelain", "-z", "-uall", "--no-renames", at=tree)
    return tuple(name[3:] for name in names_in(printed) if not name[3:].startswith(own))


def _left_behind(top: str, slug: str) -> bool:
    """Whether what belongs to this machine alone still lies in the primary tree: whoever made the other was killed."""
    return isdir(PlanFolder(top).spelled(layout.intent_folder(slug))) and not _has(top, slug)


def _has(top: str, slug: str) -> bool:
    return PlanFolder(top).read(layout.intent_file(slug)) is not None


def _needs_tree(top: str, place: GitPlace, slug: str) -> bool:
    """Whether it can not be worked on in the primary tree: it is not there, or another one is and keeps it."""
    repository = Repository(place)
    hub = layout.hub(slug)
    if repository.branch == hub:
        return False
    if not _has(top, slug):
        return repository.has_branch(hub) and _has_on_hub(repository, slug)
    return _is_taken(top, repository.branch, slug)


def _has_on_hub(repository: Repository, slug: str) -> bool:
    path = f"{layout.commit_path(slug)}/intent.md"
    return bool(repository.run("ls-tree", "--full-tree", layout.hub(slug), "--", path))


def _is_taken(top: str, branch: str, slug: str) -> bool:
    """Whether another intent is at work there."""
    other = layout.slug_of_branch(branch)
    text = PlanFolder(top).text(layout.intent_file(other)) if other and other != slug else None
    if text is None:
        return False
    intent = parse_intent(text, other)
    return intent.status == "active" and not intent.archived


def _make(repository: Repository, slug: str) -> None:
    """The tree on the intent's branch, which begins with it where there is none, and what was written of it so far."""
    top, hub = repository.root, layout.hub(slug)
    tree = layout.intent_tree(top, slug)
    if not repository.head:
        raise StateError(f"{top} has no commit yet: make a first one, then call again.")
    exclude(repository.place)
    worktrees.refuse_links(top, tree)
    if not layout.is_whole_tree(top, tree):
        worktrees.clear_half_made(repository, tree)
        if repository.has_branch(hub):
            repository.run("worktree", "add", "--quiet", tree, hub)
        else:
            intent = parse_intent(PlanFolder(top).text(layout.intent_file(slug)) or "", slug)
            begins = worktrees.beginning(repository, intent.base, intent.follows)
            repository.run("worktree", "add", "--quiet", "-b", hub, tree, *begins)
    own = PlanFolder(tree)
    if own.read(layout.intent_file(slug)) is not None:
        return
    if repository.run("ls-files", "-z", "--", layout.commit_path(slug)):
        there = f"{layout.commit_path(slug)} is committed on {repository.branch}, and not on {hub}"
        raise StateError(f"{there}: `git switch` to the branch that {slug} is to begin at, then call again.")
    _take_studio(PlanFolder(top), own, slug)
    with PlanFolder(top).opened("intents") as old, own.opened("intents", make=True) as new:
        os.rename(slug, slug, src_dir_fd=old, dst_dir_fd=new)


def _take_studio(before: PlanFolder, after: PlanFolder, slug: str) -> None:
    """A studio that somebody wrote and has not committed goes along with the work that was begun with it."""
    studio = parse_intent(before.text(layout.intent_file(slug)) or "", slug).studio
    path = f"studios/{studio}"
    if not studio or not after.names("studios") or after.names(path):
        return  # there are none of its own, so that those of the primary tree count; or it has this one
    for file in _files(before, path):
        after.write(file, before.read(file) or b"")


def _carry(before: str, after: str, slug: str) -> None:
    """What git does not keep of an intent, from one tree to the other. What lies there already is newer.

    In a primary tree whose branch was left that is all that still lies there: units that nobody committed yet, seals.
    """
    is_own = layout.top_of(before) != before
    if not is_own and _has(before, slug):
        return  # it was merged there: those files are of that branch
    old, new = PlanFolder(before), PlanFolder(after)
    for path in (*_files(old, layout.intent_folder(slug)), f"{_STEPS}/{slug}.step"):
        is_transient = layout.is_transient(f"{layout.HOME}/{path}")
        if is_own and not is_transient:
            continue
        data = old.read(path, MOST_BYTES)
        if data is not None:
            if (there := new.read(path, MOST_BYTES)) is None:
                new.write(path, data)
            if there in {None, data} or is_transient:
                old.remove(path)
    if not is_own:
        _drop_empty(old.spelled(layout.intent_folder(slug)))


def _files(folder: PlanFolder, path: str) -> Iterator[str]:
    folders = folder.folders(path)
    for name in folder.names(path):
        if name in folders:
            yield from _files(folder, f"{path}/{name}")
        else:
            yield f"{path}/{name}"


def _drop_empty(path: str) -> None:
    """Folders of which nothing is left, the innermost first."""
    for folder, _, _ in os.walk(path, topdown=False):
        with contextlib.suppress(OSError):
            os.rmdir(folder)  # noqa: PTH106 - the names as the system gives them
