"""A plan that somebody else's engine moved on: handed over by push and pull, and told from one that was made up.

The seal is of one machine. What a teammate's engine wrote is taken over where git shows that it came from a remote:
each changed file is as its last commit has it, and that commit is part of the hub as it was fetched. What such a plan
claims has to be borne out by what lies beside it: a completed stage has completed units, and a stage that a person lets
through has their decision, as has a plan of it that is being built. A decision is signed with a key that nobody else
has: one that was not made on this machine counts where git brought it, in a commit that is part of the hub as it was
fetched and that no work tree here ever made, so that neither a file, nor a commit, nor a push of one's own is enough.
Who can push from elsewhere, or write git's own records, can still make up all of it at once.
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
from leeboard.plan.disk.seal import lines_of
from leeboard.plan.files.files import parse_intent
from leeboard.plan.machine.policy import STAGE_CONTEXTS
from leeboard.trust.written_here import commits_made_here

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
    fetched = _fetched(repository, slug)
    commits = {repository.said("log", "-1", "--format=%H", "HEAD", "--", path) for path in paths} - {""}
    return bool(commits) and all(any(_is_part(repository, commit, ref) for ref in fetched) for commit in commits)


def _fetched(repository: Repository, slug: str) -> list[str]:
    """The hub as it is known from each remote that is configured."""
    known = repository.said("for-each-ref", "--format=%(refname)", "refs/remotes").split()
    remotes = repository.said("remote").split()
    return [ref for ref in known if ref in {f"refs/remotes/{name}/{layout.hub(slug)}" for name in remotes}]


def _is_part(repository: Repository, commit: str, ref: str) -> bool:
    try:
        return repository.asks("merge-base", "--is-ancestor", commit, ref)
    except GitRefusedError:
        return False


def unproven(folder: PlanFolder, intent: Intent, stages: tuple[StageView, ...]) -> Iterator[str]:
    """What a plan says of itself and nothing beside it shows."""
    if _is_held_otherwise(folder, intent):
        yield "intent.md: another studio, mode or other gates than it was fetched with"
    for view in stages:
        where = f"stages/{view.spec.name}/state.json"
        asks = bool({*view.spec.review} - {"auto"})
        if view.state.status != "completed":
            if intent.status == "completed":
                yield f"intent.md: completed, and stage {view.spec.name} is not"
            if asks and view.state.phase not in {"", "elaborate"} and not _is_decided(folder, intent.slug, view):
                yield f"{where}: in phase {view.state.phase}, and no decision of a person let its plan pass"
            continue
        if not view.units or any(unit.status != "completed" for unit in view.units):
            yield f"{where}: completed, and its units are not"
        elif asks and not _is_decided(folder, intent.slug, view, STAGE_CONTEXTS):
            yield f"{where}: completed, and no decision of a person lets it through"


def _is_held_otherwise(folder: PlanFolder, intent: Intent) -> bool:
    """Whether who lets its stages through was changed since it came with git; no where it never did."""
    place = layout.place_of(folder.home)
    if place is None:
        return False
    repository, path = Repository(place), f"{layout.HOME}/{layout.intent_file(intent.slug)}"
    try:
        refs = _fetched(repository, intent.slug)
        texts = [repository.run("show", f"{ref}:{path}").decode("utf-8", "surrogateescape") for ref in refs]
    except LeeboardError:
        return False
    return bool(texts) and _holds(intent) not in {_holds(parse_intent(text, intent.slug)) for text in texts}


def _holds(intent: Intent) -> tuple[object, ...]:
    return intent.studio, intent.mode, intent.guards, intent.studio_chosen, intent.skip_stages


def _is_decided(folder: PlanFolder, slug: str, view: StageView, about: tuple[str, ...] = ()) -> bool:
    """Whether a person let it through: in a line signed here, or in one that came with git from elsewhere."""
    path = rulings_file(slug, view.spec.name)
    text = folder.text(path) or ""
    if any(_lets_through(line, about) for line in lines_of(path, text).good):
        return True
    claimed = [line for line in text.splitlines() if _lets_through(_decoded(line), about)]
    place = layout.place_of(folder.home)
    if not claimed or place is None:
        return False
    try:
        return any(_came_from_elsewhere(Repository(place), slug, f"{layout.HOME}/{path}", line) for line in claimed)
    except LeeboardError:
        return False


def _came_from_elsewhere(repository: Repository, slug: str, path: str, line: str) -> bool:
    """Whether the commit that brought the line is part of the hub as it was fetched, and was not made here."""
    begun = [repository.said("log", "--format=%H", f"-S{line}", ref, "--", path) for ref in _fetched(repository, slug)]
    brought = {found.split()[-1] for found in begun if found}
    return bool(brought) and not brought & commits_made_here(repository.root)


def _lets_through(line: dict[str, object], about: tuple[str, ...]) -> bool:
    return line.get("decision") in _LET_THROUGH and (not about or line.get("context") in about)


def _decoded(line: str) -> dict[str, object]:
    try:
        found = msgspec.json.decode(line.encode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
