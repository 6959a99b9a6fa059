"""Work that a person gives up: put away with what was done, or taken off the disk.

Nothing is lost without being named: whoever gives work up is told which branch or commit still has it, and the command
that brings it back.
"""

from __future__ import annotations

import shutil

import msgspec

from leeboard.app.person.answer import say
from leeboard.app.person.gate import note
from leeboard.app.plan.engine import Engine
from leeboard.errors import StateError
from leeboard.model.plan import Plan
from leeboard.plan.disk import layout, worktrees
from leeboard.plan.disk.folder import PlanFolder, hold
from leeboard.plan.disk.intent_trees import leave_tree, unsaved
from leeboard.plan.disk.repository import GitRefusedError, Repository
from leeboard.plan.effect import Refusal
from leeboard.plan.machine.moves import archive
from leeboard.plan.machine.refusal import refuse


class EndedWork(msgspec.Struct, frozen=True, kw_only=True):
    """What is gone, and what is kept with the way back to it."""

    intent: str
    gone: tuple[str, ...]
    kept: tuple[str, ...]


def abandon(engine: Engine, slug: str, reason: str) -> EndedWork | Refusal:
    """The work ends here: it is archived with the reason, its trees are gone, and its branch stays."""
    plan = engine.look(slug)
    if refusal := _unready(engine, plan):
        return refusal
    if plan.intent.status != "completed":
        heard = say(engine, slug, f"Abandoned: {reason}")
        if isinstance(heard, Refusal):
            return heard
    refusal = note(engine, slug, archive)
    if refusal is not None and refusal.code != "noop":
        return refusal
    place = layout.place_of(engine.home)
    if place is None:
        return EndedWork(intent=slug, gone=(), kept=(f"{layout.HOME}/{layout.intent_folder(slug)}, archived",))
    with hold(PlanFolder(engine.top), slug) as lock:
        repository = Repository(place, lock)
        gone = _without_trees(repository, plan)
        hub = layout.hub(slug)
        repository, left = _left(repository, plan)
        unmerged = tuple(name for name in _branches(repository, slug) if name != hub)
        gone = (*gone, *left)
        kept = [f"branch {hub} with everything that was merged into it: `git switch {hub}`"]
        kept += [f"branch {name} with work that was not merged" for name in unmerged]
    undo = f"`leeboard flow archive {slug} --undo` there takes it up again"
    return EndedWork(intent=slug, gone=gone, kept=(*kept, undo) if repository.has_branch(hub) else (undo,))


def delete(engine: Engine, slug: str) -> EndedWork | Refusal:
    """Off the disk, with every branch and tree of it. What git still has is named by its commit."""
    plan = engine.look(slug)
    if refusal := _unready(engine, plan):
        return refusal
    place = layout.place_of(engine.home)
    folder = PlanFolder(engine.top)
    with hold(folder, slug) as lock:
        gone: tuple[str, ...] = ()
        kept: list[str] = []
        if place is not None:
            repository = Repository(place, lock)
            gone = _without_trees(repository, plan)
            repository, left = _left(repository, plan)
            gone = (*gone, *left)
            for name in _branches(repository, slug):
                kept.append(_way_back(repository, name))
                repository.run("branch", "--quiet", "-D", name)
                gone = (*gone, f"branch {name}")
            kept += _elsewhere(repository, slug)
        shutil.rmtree(folder.spelled(layout.intent_folder(slug)), ignore_errors=True)
        shutil.rmtree(layout.worktree(engine.top, slug, ""), ignore_errors=True)
        gone = (*gone, f"{layout.HOME}/{layout.intent_folder(slug)}")
    return EndedWork(intent=slug, gone=gone, kept=tuple(kept))


def _unready(engine: Engine, plan: Plan) -> Refusal | None:
    """Nobody's unsaved work is in the way."""
    git = plan.git
    if git.under_way:
        why = f"The primary work tree is in the middle of {git.under_way}."
        return refuse("git_busy", why, "End that first.")
    place = layout.place_of(engine.top)
    beside = unsaved(Repository(place), plan.intent.slug) if place else ()
    dirty = beside or (git.dirty if git.available and git.branch == git.hub else ())
    if dirty:
        why = f"Changes are not committed on {git.hub}: {', '.join(dirty[:5])}."
        return refuse("uncommitted_changes", why, "Commit or stash them first.", dirty_files=list(dirty))
    return None


def _without_trees(repository: Repository, plan: Plan) -> tuple[str, ...]:
    """What was not committed in them is committed on their branches first."""
    units = sorted(plan.git.worktrees)
    for unit in units:
        worktrees.remove_worktree(repository, plan.intent.slug, unit)
    return tuple(f"work tree of {unit}" for unit in units)


def _left(repository: Repository, plan: Plan) -> tuple[Repository, tuple[str, ...]]:
    """The intent's own branch is no longer checked out, and the tree it had for itself is gone: where git is asked from
    now on, and what is said of it. StateError where there is no other branch to go to.
    """
    slug, hub = plan.intent.slug, layout.hub(plan.intent.slug)
    tree = layout.intent_tree(layout.top_of(repository.root), slug)
    top = repository.at_top()
    if leave_tree(top, slug):
        return top, (f"work tree {tree}",)
    if repository.branch != hub:
        return repository, ()
    base = plan.intent.base if repository.has_branch(plan.intent.base or "-") else worktrees.default_branch(repository)
    if not base:
        raise StateError(f"{hub} is checked out, and nobody can tell where to go instead: `git switch BRANCH` first.")
    repository.run("switch", "--quiet", base)
    return repository, (f"{hub} is no longer checked out: {base} is",)


def _branches(repository: Repository, slug: str) -> tuple[str, ...]:
    found = repository.said("for-each-ref", "--format=%(refname:short)", f"refs/heads/haiku/{slug}/")
    return tuple(found.split())


def _way_back(repository: Repository, name: str) -> str:
    commit = repository.said("rev-parse", "--short=12", f"refs/heads/{name}")
    return f"commit {commit} of {name}, as long as git keeps it: `git branch {name} {commit}` brings it back"


def _elsewhere(repository: Repository, slug: str) -> list[str]:
    """What was pushed, and what was merged: neither is ours to take away."""
    pushed = repository.said("for-each-ref", "--format=%(refname:lstrip=2)", f"refs/remotes/*/haiku/{slug}/*")
    kept = [
        f"{name} on the remote: `git push {name.partition('/')[0]} --delete {name.partition('/')[2]}` takes it away"
        for name in pushed.split()
    ]
    try:
        repository.run("cat-file", "-e", f"HEAD:{layout.commit_path(slug)}/intent.md")
    except GitRefusedError:
        return kept
    return [*kept, f"its record in the history of {repository.branch or 'HEAD'}: it was merged there"]
