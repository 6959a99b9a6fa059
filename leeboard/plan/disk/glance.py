"""A glance at a workflow: what the hooks have to know of it at every step, without git and without a lock.

What nobody trusted here is as good as not there.

Read are the intent, the state of its active stage and that stage's units; the stage's definition where somebody asks
for it. What is the same text as before is not parsed again.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import lru_cache
from posixpath import dirname, isdir, join, lexists

import msgspec
from msgspec.structs import replace

from leeboard.errors import LeeboardError
from leeboard.io.git.place import branch_at
from leeboard.io.git.tree_files import DiskFiles
from leeboard.io.system import realpath
from leeboard.model.plan import GitFacts, Intent, LastAction, Plan, StageState, StageView
from leeboard.model.studio import StageSpec
from leeboard.model.unit import Unit
from leeboard.model.workspace import INTENT_TREE, INTENTS, worktree_around
from leeboard.plan.disk import layout
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.trusted import awake_gates, is_awake
from leeboard.plan.files.files import parse_intent, parse_unit, safe_id
from leeboard.plan.files.state import parse_stage_state

_KEPT = 512
_OPEN = ("active", "blocked")


class Glance(msgspec.Struct, frozen=True, kw_only=True):
    """What a folder has to do with a workflow."""

    home: str
    """The work tree that the plan lies in."""
    plan: Plan | None = None
    """None where no intent is at work, nobody can tell which of several, or the tree is a linked one of no unit."""
    unit: Unit | None = None
    """In whose work tree the folder lies."""


def glance(root: str, cwd: str, *, defined: bool = False) -> Glance:
    """`root` is the work tree around `cwd`. `defined`: with the active stage's definition, whatever its phase."""
    folder = PlanFolder(layout.home_of(root))
    slug, unit_id = worktree_around(root) if worktree_around(root)[0] else worktree_around(cwd)
    elsewhere = not slug and root.rstrip("/") != folder.home.rstrip("/")
    intent = None if elsewhere else _chosen(folder, slug)
    if intent is None:
        return Glance(home=folder.home)
    stage = _active_stage(folder, intent)
    plan = Plan(
        intent=intent,
        stages=(_view(folder, intent, stage, defined=defined),) if stage else (),
        git=_git(folder, intent.slug),
        last=_last(folder, intent.slug),
    )
    at_work = plan.stages[0].unit(unit_id) if plan.stages and intent.slug == slug else None
    return Glance(home=folder.home, plan=plan, unit=at_work)


def home_written_to(root: str, paths: Iterable[str]) -> str:
    """The tree of another intent that all these files, given from the root of the disk, belong to; empty: none.

    Whoever works on it from elsewhere in the project is held by its plan there. Links are followed: what leads out
    of it belongs to where it leads.
    """
    real = [realpath(path) for path in paths]
    named = {worktree_around(dirname(path))[0] for path in real}
    slug = next(iter(named), "") if len(named) == 1 else ""
    here = layout.home_of(root) if slug else ""
    top = layout.top_of(here)
    home = layout.intent_home(top, slug) if slug else ""
    trees = f"{realpath(dirname(home))}/" if home not in {top, here} else ""
    return home if trees and all(path.startswith(trees) for path in real) else ""


def _chosen(folder: PlanFolder, slug: str) -> Intent | None:
    """The intent whose work tree or branch it is, else the only one at work."""
    if slug:
        return _running(folder, slug)
    of_branch = layout.slug_of_branch(_branch(folder.home))
    if of_branch and (found := _running(folder, of_branch)):
        return found
    running = [intent for name in folder.names("intents") if (intent := _running(folder, name))]
    return running[0] if len(running) == 1 else None


def _branch(home: str) -> str:
    try:
        place = layout.place_of(home)
        return branch_at(place).removeprefix("refs/heads/") if place else ""
    except LeeboardError:
        return ""


def _running(folder: PlanFolder, slug: str) -> Intent | None:
    if not safe_id(slug):
        return None
    text = folder.text(layout.intent_file(slug))
    intent = _intent(text, slug) if text is not None else None
    if intent is None or intent.status != "active" or intent.archived or not is_awake(folder.home, intent):
        return None
    gates = awake_gates(folder.home, slug, intent.quality_gates)
    return intent if gates is intent.quality_gates else replace(intent, quality_gates=gates)


def _active_stage(folder: PlanFolder, intent: Intent) -> StageState | None:
    names = folder.folders(f"{layout.intent_folder(intent.slug)}/stages")
    order = [*(name for name in intent.stages if name in names), *(name for name in names if name not in intent.stages)]
    states = [
        parse_stage_state(text, name)
        for name in order
        if safe_id(name) and (text := folder.text(layout.state_file(intent.slug, name))) is not None
    ]
    begun = [state for state in states if state.status in _OPEN]
    named = (state for state in begun if state.stage == intent.active_stage)
    return next(named, begun[0] if begun else None)


def _view(folder: PlanFolder, intent: Intent, state: StageState, *, defined: bool) -> StageView:
    place = f"{layout.stage_folder(intent.slug, state.stage)}/units"
    names = (name.removesuffix(".md") for name in folder.names(place) if name.endswith(".md"))
    read = ((name, folder.text(f"{place}/{name}.md")) for name in names)
    parsed = (_unit(text, name, state.stage) for name, text in read if text is not None)
    units = tuple(_awake(folder, intent.slug, unit) for unit in parsed)
    wanted = defined or state.phase == "elaborate"
    spec = _definition(folder.home, intent.studio, state.stage) if wanted else StageSpec(name=state.stage)
    return StageView(spec=spec, state=state, units=units)


def _definition(home: str, studio: str, stage: str) -> StageSpec:
    own = isdir(join(layout.policy_home(home, "studios"), layout.HOME, "studios"))
    found = _read_definition(home, studio, stage) if own else _built_in(studio, stage)
    return found or StageSpec(name=stage)


@lru_cache(maxsize=64)
def _built_in(studio: str, stage: str) -> StageSpec | None:
    return _read_definition("", studio, stage)


def _read_definition(home: str, studio: str, stage: str) -> StageSpec | None:
    from leeboard.plan.disk.studios import load_studio  # noqa: PLC0415 - only where somebody asks

    found = load_studio(home, studio)
    return found.stage(stage) if found else None


def _git(folder: PlanFolder, slug: str) -> GitFacts:
    """Which units have a work tree of their own, and the branch of the primary one, is all that counts here."""
    names = PlanFolder(layout.top_of(folder.home)).names(f"worktrees/{slug}")
    trees = {name: layout.worktree(folder.home, slug, name) for name in names if name != INTENT_TREE}
    return GitFacts(
        available=lexists(join(folder.home, ".git")),
        primary=folder.home,
        branch=_branch(folder.home),
        hub=layout.hub(slug),
        worktrees={name: path for name, path in trees.items() if os.path.lexists(join(path, ".git"))},
    )


class _Said(msgspec.Struct, frozen=True):
    name: str = ""
    at: str = ""


def _last(folder: PlanFolder, slug: str) -> LastAction | None:
    try:
        said = msgspec.json.decode(folder.read(f"{layout.intent_folder(slug)}/.last_action.json") or b"", type=_Said)
    except (ValueError, RecursionError):
        return None
    return LastAction(name=said.name, at=said.at) if said.name else None


def _awake(folder: PlanFolder, slug: str, unit: Unit) -> Unit:
    """Without the gates that nobody trusted: they are as good as not there."""
    gates = awake_gates(folder.home, slug, unit.quality_gates)
    return unit if gates is unit.quality_gates else replace(unit, quality_gates=gates)


@lru_cache(maxsize=_KEPT)
def _unit(text: str, unit_id: str, stage: str) -> Unit:
    return parse_unit(text, unit_id, stage)


@lru_cache(maxsize=_KEPT)
def _intent(text: str, slug: str) -> Intent:
    return parse_intent(text, slug)


# The files of the work tree an agent is in, and beside them those of the tree its workflow lies in.


class PrimaryFiles:
    """Paths are relative to `root`; those below `.haiku/intents/` of `home` may be given from the root of the disk.

    Where `home` lies inside of `root` all of its files are its own: to the tree around it they are nothing git knows.
    """

    def __init__(self, root: str, home: str) -> None:
        self._own = DiskFiles(root)
        self._primary = DiskFiles(home)
        self._top = f"{home.rstrip('/')}/"
        above = f"{root.rstrip('/')}/"
        self._inside = self._top.removeprefix(above) if self._top.startswith(above) else ""

    def text(self, path: str) -> str | None:
        inner = self._of_plan(path)
        return self._primary.text(inner) if inner else self._own.text(path)

    def exists(self, path: str) -> bool | None:
        inner = self._of_plan(path)
        return self._primary.exists(inner) if inner else self._own.exists(path)

    def lies_at(self, place: str) -> bool | None:
        return self._own.lies_at(place)

    def ignored(self, path: str) -> bool | None:
        inner = self._of_plan(path)
        return self._primary.ignored(inner) if inner else self._own.ignored(path)

    def _of_plan(self, path: str) -> str:
        if self._inside and path.startswith(self._inside):
            return path.removeprefix(self._inside)
        return path.removeprefix(self._top) if path.startswith(self._top + INTENTS) else ""
