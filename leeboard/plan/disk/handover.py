"""A plan that somebody else's engine moved on: handed over by push and pull, and told from one that was made up.

The seal is of one machine. What a teammate's engine wrote is taken over where git shows that it came from a remote:
each changed file is as its last commit has it, and that commit is part of the hub as it was fetched. What such a plan
claims has to be borne out by what lies beside it: a completed stage has completed units, and a stage that a person lets
through has their decision, as has a plan of it that is being built. Their lines are signed with a key that nobody else
has, so here they are evidence of a claim and no decision. Who can push to the remote, or write git's own record of it,
can still make up all of it at once.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from leeboard.errors import LeeboardError
from leeboard.model.plan import Intent, StageView
from leeboard.plan.disk import layout
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.read import SealedPlan
from leeboard.plan.disk.records import rulings_file
from leeboard.plan.disk.repository import GitRefusedError, Repository, names_in

_LET_THROUGH = frozenset({"approved", "external_review"})


def is_handed_over(folder: PlanFolder, seen: SealedPlan) -> bool:
    """Whether all that differs from the seal was pulled, and holds together."""
    plan = seen.plan
    place = layout.place_of(folder.home)
    if place is None or not plan.tampered or any(name not in seen.values for name in plan.tampered):
        return False
    if plan.git.branch != plan.git.hub or any(unproven(folder, plan.intent, plan.stages)):
        return False
    try:
        return _was_pulled(Repository(place), plan.intent.slug, plan.tampered)
    except LeeboardError:
        return False


def _was_pulled(repository: Repository, slug: str, names: tuple[str, ...]) -> bool:
    paths = [f"{layout.commit_path(slug)}/{name}" for name in names]
    if names_in(repository.run("diff", "--name-only", "-z", "HEAD", "--", *paths)):
        return False
    known = repository.said("for-each-ref", "--format=%(refname)", "refs/remotes").split()
    remotes = repository.said("remote").split()
    fetched = [ref for ref in known if ref in {f"refs/remotes/{name}/{layout.hub(slug)}" for name in remotes}]
    commits = {repository.said("log", "-1", "--format=%H", "HEAD", "--", path) for path in paths} - {""}
    return bool(commits) and all(any(_is_part(repository, commit, ref) for ref in fetched) for commit in commits)


def _is_part(repository: Repository, commit: str, ref: str) -> bool:
    try:
        return repository.asks("merge-base", "--is-ancestor", commit, ref)
    except GitRefusedError:
        return False


def unproven(folder: PlanFolder, intent: Intent, stages: tuple[StageView, ...]) -> Iterator[str]:
    """What a plan says of itself and nothing beside it shows."""
    for view in stages:
        where = f"stages/{view.spec.name}/state.json"
        if view.state.status != "completed":
            if intent.status == "completed":
                yield f"intent.md: completed, and stage {view.spec.name} is not"
            if _passed_plan(view) and not _is_decided(folder, intent.slug, view):
                yield f"{where}: in phase {view.state.phase}, and no decision of a person let its plan pass"
            continue
        if not view.units or any(unit.status != "completed" for unit in view.units):
            yield f"{where}: completed, and its units are not"
        elif {*view.spec.review} - {"auto"} and not _is_decided(folder, intent.slug, view):
            yield f"{where}: completed, and no decision of a person lets it through"


def _passed_plan(view: StageView) -> bool:
    return view.state.phase not in {"", "elaborate"} and bool({*view.spec.review} - {"auto"})


def _is_decided(folder: PlanFolder, slug: str, view: StageView) -> bool:
    text = folder.text(rulings_file(slug, view.spec.name)) or ""
    return any(line.get("decision") in _LET_THROUGH for line in map(_decoded, text.splitlines()))


def _decoded(line: str) -> dict[str, object]:
    try:
        found = msgspec.json.decode(line.encode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
