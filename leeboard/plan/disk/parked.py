"""Several intents in one project: each on a branch of its own, and one of them in the primary work tree.

Whoever works on another one has it checked out again. What is left behind was committed on its own branch, and nothing
that anybody has changed is taken along or lost.
"""

from __future__ import annotations

from leeboard.errors import ConfigError
from leeboard.plan.disk import layout, worktrees
from leeboard.plan.disk.folder import PlanFolder, hold
from leeboard.plan.disk.lost_intents import lost_intents
from leeboard.plan.disk.repository import Repository, commit_plan, names_in


def bring_back(folder: PlanFolder, slug: str) -> bool:
    """Whether the intent lay on its own branch, and is in the primary work tree now. ConfigError where work that is not
    committed is in the way.
    """
    place = layout.place_of(folder.home)
    if place is None or not any(each.slug == slug and each.parked for each in lost_intents(folder.home)):
        return False
    with hold(folder, slug) as lock:
        repository = Repository(place, lock)
        repository.at_rest()
        park(repository, slug)
        _refuse_dirty(repository, slug)
        worktrees.ensure_branch(repository, slug)
    return True


def park(repository: Repository, slug: str) -> None:
    """What another intent has written on its branch is committed there before the branch is left."""
    other = layout.slug_of_branch(repository.branch)
    if other and other != slug and repository.branch == layout.hub(other):
        commit_plan(repository, other, f"haiku({other}): as it was left for {slug}")


def _refuse_dirty(repository: Repository, slug: str) -> None:
    changed = names_in(repository.run("diff", "--name-only", "-z", "HEAD"))
    if changed:
        raise ConfigError(
            f"The intent {slug} lives on {layout.hub(slug)}, and {repository.branch or 'the work tree'} has changes "
            f"that are not committed: {', '.join(changed[:5])}. Commit or stash them, then call again."
        )
