"""For which of the work that is about to be called done nothing has changed since it began.

With git that is asked of the trees, what is not committed yet included; without it files go by their times. Records of
the engine and what a person said are nobody's work. What a stage brings forth below the plan is; where people write
too, in the primary tree, it has to be on record as the agent's, or as a fix that a person took in.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import chain
from posixpath import isdir, join

from leeboard.io import clock
from leeboard.io.git.place import GitPlace
from leeboard.model.plan import Plan, StageView
from leeboard.model.unit import Feedback, Unit
from leeboard.plan.disk import layout
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.repository import GitRefusedError, Repository, names_in
from leeboard.plan.disk.tree_state import content_name, files_below
from leeboard.plan.disk.truth.action_log import told
from leeboard.plan.disk.truth.surface import digest_of
from leeboard.plan.machine.findings import fix_hats, place_of, shows_work
from leeboard.plan.machine.hats import shows_work as unit_shows_work
from leeboard.plan.machine.look import PlanLook
from leeboard.plan.surface import canonical, spelled


def untouched(plan: Plan, active: StageView, home: str, place: GitPlace | None) -> tuple[str, ...]:
    """Units, and findings as `stage/FB-NN`. Only those are looked at that are about to be called done."""
    found: list[str] = []
    if active.state.phase == "execute":
        units = (unit for unit in active.units if unit_shows_work(unit, active.spec))
        found += [unit.id for unit in units if not _worked(plan, unit, home, place)]
    if active.state.phase == "review":
        found += [place_of(item) for item in _being_fixed(plan, active) if not _fixed(plan, item, home, place)]
    return tuple(found)


def work_names(plan: Plan, active: StageView, home: str, place: GitPlace | None) -> dict[str, str]:
    """A name for what was changed for each unit that a hat is done with, so that another may send it back, and for each
    finding that is being fixed.

    None where nothing was changed, or nobody can tell.
    """
    if active.state.phase == "review":
        return _fix_names(plan, active, home, place)
    if active.state.phase != "execute":
        return {}
    units = [unit for unit in active.units if unit.status == "active" and unit.passes]
    if place is None:
        written = {unit.id: chain.from_iterable(_outputs(unit, home, plan.intent.slug)) for unit in units}
        found = {unit: [(path, path) for path in paths] for unit, paths in written.items()}
    else:
        trees = {unit.id: plan.git.worktrees.get(unit.id, "") for unit in units}
        named = {unit.id: _touched(plan, unit, place) or [] for unit in units}
        found = {unit: [(name, join(trees[unit], name)) for name in names] for unit, names in named.items()}
    return {unit: content_name(files) for unit, files in found.items() if files}


def _fix_names(plan: Plan, active: StageView, home: str, place: GitPlace | None) -> dict[str, str]:
    named = {place_of(item): sorted({*(_mended(plan, item, home, place) or ())}) for item in _being_fixed(plan, active)}
    return {item: content_name((name, join(home, name)) for name in names) for item, names in named.items() if names}


def _being_fixed(plan: Plan, active: StageView) -> Iterator[Feedback]:
    look = PlanLook(plan=plan, stage=active, now="")
    return (item for item in look.feedback if shows_work(item, fix_hats(look, item)))


def _worked(plan: Plan, unit: Unit, home: str, place: GitPlace | None) -> bool:
    if place is None:
        return any(_since(files, unit.started_at) for files in _outputs(unit, home, plan.intent.slug))
    names = _touched(plan, unit, place)
    return names is None or bool(names)


def _touched(plan: Plan, unit: Unit, place: GitPlace) -> list[str] | None:
    """What differs in a unit's tree from where it began, committed or not; None where nobody can tell."""
    slug, tree = plan.intent.slug, plan.git.worktrees.get(unit.id)
    if tree is None:
        return None
    repository, hub = Repository(place), f"refs/heads/{layout.hub(slug)}"
    try:
        began = repository.said("merge-base", hub, "HEAD", at=tree)
    except GitRefusedError:  # no common past: somebody else's history
        return None
    names = {*_changed(repository, tree, began), *_unknown(repository, tree)}
    return sorted(name for name in names if not layout.is_engine_file(name, slug))


def _fixed(plan: Plan, item: Feedback, home: str, place: GitPlace | None) -> bool:
    names = _mended(plan, item, home, place)
    return names is None or next(names, None) is not None


def _mended(plan: Plan, item: Feedback, home: str, place: GitPlace | None) -> Iterator[str] | None:
    """What differs from where its fix began, as far as it is work; None where nobody can tell.

    Fixes lie in the primary tree, where files that git does not know may have lain before.
    """
    slug = plan.intent.slug
    if not item.fix_from:
        return None
    if place is None:
        paths = chain(files_below(home), files_below(join(home, layout.commit_path(slug))))
        return _work(home, slug, (path.removeprefix(f"{home}/") for path in paths if _since((path,), item.fix_from)))
    repository = Repository(place)
    try:
        names = _changed(repository, home, item.fix_from)
    except GitRefusedError:  # the commit is gone
        return None
    return _work(home, slug, (*names, *_unknown(repository, home, layout.commit_path(slug))))


def _work(home: str, slug: str, names: Iterable[str]) -> Iterator[str]:
    """Those of them that are work: beside the plan any; below it what is as the log says the agent wrote it, or as a
    person took it in as a fix. That an agent says so of somebody's change is no work.
    """
    top, folder = f"{layout.commit_path(slug)}/", PlanFolder(home)
    places: dict[str, str] = {}
    for name in names:
        if layout.is_engine_file(name, slug):
            continue
        if name.startswith(top):
            places[spelled(canonical(name.removeprefix(top)))] = name
        else:
            yield name
    for path, entries in told(folder, slug, places).entries.items():
        name, entry = places[path], entries[-1]
        is_own = entry.author_class == "agent" or entry.fixed_by
        if is_own and entry.sha == digest_of(folder, name.removeprefix(f"{layout.HOME}/")):
            yield name


def _changed(repository: Repository, tree: str, began: str) -> tuple[str, ...]:
    return names_in(repository.run("diff", "--name-only", "--no-renames", "-z", began, "--", at=tree))


def _unknown(repository: Repository, tree: str, *below: str) -> tuple[str, ...]:
    return names_in(repository.run("ls-files", "--others", "--exclude-standard", "-z", "--", *below, at=tree))


def _outputs(unit: Unit, home: str, slug: str) -> Iterator[Iterable[str]]:
    """Authors name a path from the top of the work tree, or from the intent's folder."""
    for path in unit.outputs:
        for place in (join(home, path), join(home, layout.commit_path(slug), path)):
            yield files_below(place) if isdir(place) else (place,)


def _since(paths: Iterable[str], moment: str) -> bool:
    """Whether one of them was written at that moment or later."""
    for path in paths:
        try:
            if clock.iso(os.lstat(path).st_mtime) >= moment:
                return True
        except OSError:
            continue
    return False
