"""Effects done to the world, in their order, under the intent's lock.

Whatever can be known beforehand is checked before the first of them: a merge in progress, the wrong branch, no
identity. Killed between two of them, the next look derives what is left.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping
from itertools import groupby
from posixpath import join

from leeboard.errors import StateError
from leeboard.plan.disk import layout, worktrees
from leeboard.plan.disk.folder import PlanFolder, steady
from leeboard.plan.disk.journal import Due, forget_step, note_step, noted_step, step_name
from leeboard.plan.disk.lost import hidden, swallowed, take
from leeboard.plan.disk.merge import merge_unit
from leeboard.plan.disk.read import SealedPlan, look_at
from leeboard.plan.disk.repository import GitRefusedError, Repository
from leeboard.plan.disk.truth.agent_writes import log_merge
from leeboard.plan.disk.truth.effects import roll_forward
from leeboard.plan.disk.write import FILE_EFFECTS, FileEffect, PlanWriter
from leeboard.plan.effect import Commit, Effect, EnsureBranch, MakeWorktree, MergeUnit, RemoveWorktree, RunGates


class Performance:
    """Of the effects of one step. Without git, work goes on in place and there is nothing for git to do."""

    def __init__(self, folder: PlanFolder, seen: SealedPlan, lock: int) -> None:
        self._folder = folder
        self._slug = seen.plan.intent.slug
        place = layout.place_of(folder.home)
        self._repository = Repository(place, lock) if place else None
        self._writer = PlanWriter(folder, seen.plan, seen.seal)
        self._sealed = seen.plan.sealed
        self._now = ""
        self.left_out: dict[str, tuple[str, ...]] = {}
        """Unit to what of its work a merge left out."""

    def perform(self, effects: tuple[Effect, ...], now: str) -> RunGates | None:
        """Quality gates are not for under a lock: the first ones that are met are given back, and end it."""
        self._now = now
        doable, gates = _until_gates(effects)
        if doable:
            self._ready(doable)
        message = next((each.message for each in doable if isinstance(each, Commit)), "") if self._repository else ""
        for is_file, group in groupby(doable, lambda effect: isinstance(effect, FILE_EFFECTS)):
            if is_file:
                self._write(tuple(each for each in group if isinstance(each, FILE_EFFECTS)), now, message)
            else:
                for effect in group:
                    self.one(effect)
        if message:
            forget_step(self._folder, self._slug)
        return gates

    def _write(self, effects: tuple[FileEffect, ...], now: str, message: str) -> None:
        step = ""
        if message or len(effects) > 1:
            step = note_step(self._folder, self._slug, Due(now=now, effects=effects, message=message))
        self._writer.perform(effects, now, step)
        if not message and len(effects) > 1:
            forget_step(self._folder, self._slug)

    def one(self, effect: Effect) -> None:
        repository = self._repository
        if repository is None:
            return
        match effect:
            case EnsureBranch(base=base, follows=follows):
                self._park(repository)
                worktrees.ensure_branch(repository, self._slug, base, follows)
            case MakeWorktree(unit=unit):
                worktrees.make_worktree(repository, self._slug, unit)
            case MergeUnit(unit=unit, message=message):
                commit_artifacts(repository, self._slug, f"haiku({self._slug}): artifacts before {unit} is merged")
                if left_out := merge_unit(repository, self._slug, unit, message, self._landing):
                    self.left_out[unit] = left_out
            case RemoveWorktree(unit=unit):
                worktrees.remove_worktree(repository, self._slug, unit)
            case Commit(message=message):
                commit_plan(repository, self._slug, message)
            case _:
                raise StateError(f"nobody knows how to do {effect}")

    def _park(self, repository: Repository) -> None:
        """What another intent has written on its branch is committed there before the branch is left."""
        other = layout.slug_of_branch(repository.branch)
        if other and other != self._slug and repository.branch == layout.hub(other):
            commit_plan(repository, other, f"haiku({other}): as it was left for {self._slug}")

    def _landing(self, tree: str) -> None:
        if self._repository is not None:
            log_merge(self._folder, self._repository, self._slug, tree, self._now)

    def _ready(self, effects: Iterable[Effect]) -> None:
        if not self._sealed:
            raise StateError(f"The plan of {self._slug} was changed by hand: `leeboard flow repair` looks at it.")
        repository = self._repository
        if repository is None:
            return
        repository.at_rest()
        hub = layout.hub(self._slug)
        switches = any(isinstance(effect, EnsureBranch) for effect in effects)
        if not switches and repository.branch != hub and repository.has_branch(hub):
            worktrees.on_hub(repository, self._slug)
        if any(isinstance(effect, Commit | MergeUnit) for effect in effects):
            repository.known_author()


def _until_gates(effects: tuple[Effect, ...]) -> tuple[tuple[Effect, ...], RunGates | None]:
    for at, effect in enumerate(effects):
        if isinstance(effect, RunGates):
            return effects[:at], effect
    return effects, None


def recover(folder: PlanFolder, slug: str, lock: int) -> None:
    """Do to its end what a killed engine had begun to write, where nobody changed the plan by hand since."""
    worktrees.drop_empty_folder(folder.home, slug)
    with steady(folder) as held:
        held.remove(layout.spare_file(slug))
        roll_forward(held, slug)
        due = noted_step(held, slug)
        if due is None:
            forget_step(held, slug)
            return
    seen = look_at(folder, slug)
    if not seen.plan.sealed:
        return
    commits = (Commit(message=due.message),) if due.message else ()
    if seen.seal.is_at(step_name(due)):
        Performance(folder, seen, lock).perform((*due.effects, *commits), due.now)
    forget_step(folder, slug)


# The plan's own commits: of its folder alone, whatever else is staged or changed.
#
# What a `.gitignore` hides by mistake is part of it. What git does not take, such as a file that became a repository,
# is left out: it holds no step of a workflow up.


def commit_plan(repository: Repository, slug: str, message: str) -> bool:
    """Whether there was something to commit. Nothing is, before the intent has its branch or where git ignores it."""
    path = layout.commit_path(slug)
    if not repository.has_branch(layout.hub(slug)) and repository.branch != layout.hub(slug):
        return False
    worktrees.on_hub(repository, slug)
    unseen = hidden(repository, path)
    if is_ignored(unseen, slug):
        return False
    lost = swallowed(repository, unseen)
    if not lost and not repository.run("status", "--porcelain", "-z", "-uall", "--", path):
        return False
    repository.known_author()
    take(repository, lost)
    try:
        repository.run("add", "--all", "--", path)
        repository.run("commit", "--quiet", "--only", "-m", message, "--", path)
    except GitRefusedError as error:
        if ".lock'" in error.words:
            raise
        return _commit_the_rest(repository, path, message, lost)
    return True


def _commit_the_rest(repository: Repository, path: str, message: str, lost: tuple[str, ...]) -> bool:
    """All that git takes. Made beside the index: `commit --only` wants to add what is in the way once more."""
    _add(repository, path, {})
    head = repository.head
    with tempfile.TemporaryDirectory() as folder:
        settings = {"GIT_INDEX_FILE": join(folder, "index")}
        if head:
            repository.run("read-tree", head, settings=settings)
        _add(repository, path, settings)
        take(repository, lost, settings=settings)
        tree = repository.run("write-tree", settings=settings).decode("ascii").strip()
    if head and tree == repository.said("rev-parse", f"{head}^{{tree}}"):
        return False
    commit = repository.said("commit-tree", tree, *(("-p", head) if head else ()), "-m", message)
    repository.run("update-ref", "-m", message, "HEAD", commit, head or "0" * len(commit))
    return True


def _add(repository: Repository, path: str, settings: Mapping[str, str]) -> None:
    try:
        repository.run("add", "--all", "--ignore-errors", "--", path, settings=settings)
    except GitRefusedError as error:
        if error.code != 1:  # 1: some of it was not taken
            raise


def commit_artifacts(repository: Repository, slug: str, message: str) -> None:
    """Where something of the plan that a unit may have written too is not committed: a merge would trip over it."""
    printed = repository.run("status", "--porcelain", "-z", "-uall", "--no-renames", "--", layout.commit_path(slug))
    names = [record[3:].decode("utf-8", "surrogateescape") for record in printed.split(b"\0") if record]
    names += swallowed(repository, hidden(repository, layout.commit_path(slug)))
    if any(not layout.is_engine_file(name, slug) for name in names):
        commit_plan(repository, slug, message)


def is_ignored(unseen: tuple[str, ...], slug: str) -> bool:
    """Whether git is not to see the plan at all."""
    return f"{layout.commit_path(slug)}/intent.md" in unseen
