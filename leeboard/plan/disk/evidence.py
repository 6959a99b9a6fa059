"""What shows how far an intent has come: what git says, what was promised and is missing, what others merged.

Branches and trees are seen without a process; the rest is asked side by side.

A look that is only to find the next step asks no more than that step can hang on: whether the work tree is clean
matters on another branch, before a merge and where the work is shown, whether a branch is merged once a unit is done.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from hashlib import sha256
from itertools import chain
from posixpath import exists, join, normpath

from leeboard.io.git.place import GitPlace, branch_at, head_at
from leeboard.io.git.run import Command, GitError, Processes, ask_one
from leeboard.model.plan import GitFacts, StageView
from leeboard.model.studio import Template
from leeboard.model.text import digest
from leeboard.model.unit import Unit
from leeboard.model.workspace import TRUNKS, is_whole
from leeboard.plan.disk import layout, worktrees
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.merge import left_marked
from leeboard.plan.disk.repository import GitRefusedError, Repository, under_way
from leeboard.plan.disk.tree_state import kept_state, surface_state
from leeboard.plan.machine.hats import has_claimed
from leeboard.plan.surface import IGNORED
from leeboard.truth.digests.cache import cache_place
from leeboard.truth.digests.scan import scan
from leeboard.truth.digests.tree import Tops

SECONDS = 30.0
MOST_DIRTY = 200
_STATUS = ("status", "--porcelain=v2", "-z", "--no-renames")
_BEFORE_PATH = {"1": 8, "u": 10, "?": 1}
_BRANCHES = ("for-each-ref", "--format=%(refname:lstrip=2)")

Entries = tuple[tuple[str, str], ...]
"""Kind and path of changed files, as git's status has them."""


def gather_facts(
    place: GitPlace | None, slug: str, units: Iterable[Unit], *, full: bool = True, shown: bool = False
) -> GitFacts:
    """Without a repository there is nothing to say, and work goes on in place. `shown`: proofs are about to be made,
    and what they are made over has to be committed.
    """
    hub = layout.hub(slug)
    if place is None:
        return GitFacts(hub=hub)
    known = {unit.id: unit for unit in units}
    trees = _trees(place, slug, known)
    branch = branch_at(place).removeprefix("refs/heads/")
    settling = [unit.id for unit in known.values() if full or has_claimed(unit)]
    watched = {unit: path for unit, path in trees.items() if full or known[unit].status == "active"}
    printed = _asked(place, slug, watched, full=full, tree=full or shown or branch != hub or bool(settling))
    states = {unit: _entries(printed[unit]) for unit in watched}
    stopped = {
        unit: _conflict(place, slug, path, states[unit], claimed=has_claimed(known[unit]))
        for unit, path in watched.items()
    }
    return GitFacts(
        available=True,
        primary=place.root,
        branch=branch,
        head=head_at(place),
        under_way=under_way(place),
        hub=hub,
        worktrees=trees,
        merged=_merged(place, slug, [known[unit] for unit in settling], states),
        conflicts={unit: tuple(dict.fromkeys(chain(*both))) for unit, both in stopped.items() if any(both)},
        marked={unit: marked for unit, (_, marked) in stopped.items() if marked},
        dirty=_dirty(_entries(printed.get(" ", b""))),
        ignored=bool(printed.get("  ")),
        moves={unit: _moved(path, states[unit], printed[unit]) for unit, path in watched.items()},
    )


def _dirty(entries: Entries) -> tuple[str, ...]:
    """Changes of tracked files: what git does not know yet is in nobody's way, and git itself refuses where it is."""
    return tuple(path for mark, path in entries if mark != "?" and not _is_ours(path))[:MOST_DIRTY]


def _trees(place: GitPlace, slug: str, units: Iterable[str]) -> dict[str, str]:
    try:
        there = set(os.listdir(layout.worktree(place.root, slug, "")))  # noqa: PTH208 - any name
    except OSError:
        return {}
    repository = Repository(place)
    paths = {unit: layout.worktree(place.root, slug, unit) for unit in sorted(units) if unit in there}
    return {unit: path for unit, path in paths.items() if worktrees.is_worktree(repository, path)}


def _asked(place: GitPlace, slug: str, trees: dict[str, str], *, full: bool, tree: bool) -> dict[str, bytes]:
    """The state of each unit's tree by its name, of the primary one by " "; by "  " the plan, where it is ignored."""
    asked = {unit: Command(arguments=("-C", path, *_STATUS, "--branch")) for unit, path in trees.items()}
    if tree:
        asked[" "] = Command(arguments=(*_STATUS, "--untracked-files=normal"))
    if full:
        asked["  "] = Command(arguments=layout.ignored_question(slug))
    if not asked:
        return {}
    with Processes(place.root, asked, SECONDS) as running:
        return {name: running.output(name).text for name in asked}


def _merged(place: GitPlace, slug: str, units: list[Unit], states: dict[str, Entries]) -> tuple[str, ...]:
    """Units whose work is part of the hub, all of it; so is that of one that was begun and has nothing any more."""
    if not units:
        return ()
    family, hub = f"refs/heads/haiku/{slug}", layout.hub(slug)
    branches = _names(place, family)
    inside = _names(place, f"--merged=refs/heads/{hub}", family) if hub in branches and len(branches) > 1 else set()
    found = set()
    for unit in units:
        branch = layout.unit_branch(slug, unit.id)
        gone = branch not in branches and unit.id not in states and (unit.status != "pending" or unit.started_at)
        if gone or (branch in inside and not states.get(unit.id)):
            found.add(unit.id)
    return tuple(sorted(found))


def _names(place: GitPlace, *which: str) -> set[str]:
    with Processes(place.root, {"": Command(arguments=(*_BRANCHES, *which))}, SECONDS) as running:
        return set(running.output("").text.decode("utf-8", "surrogateescape").split())


def _conflict(
    place: GitPlace, slug: str, path: str, entries: Entries, *, claimed: bool
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Files that a merge in a unit's tree stopped on, and those that were called resolved with the conflict in them."""
    stopped = exists(join(worktrees.git_folder(path), "MERGE_HEAD"))
    if not stopped and not claimed:
        return (), ()
    unmerged = tuple(name for kind, name in entries if kind == "u") if stopped else ()
    try:
        marked = left_marked(Repository(place), slug, path)
    except GitRefusedError:  # the hub is gone, or was never made: there is nothing to merge with
        marked = ()
    return unmerged, marked


def _moved(path: str, entries: Entries, printed: bytes) -> str:
    """A digest of where a unit's tree stands: it changes whenever somebody works there."""
    digest = sha256(printed.split(b"\0", 1)[0])  # the commit it is at
    for kind, name in entries:
        try:
            seen = os.lstat(join(path, name))
            digest.update(f"\0{kind} {name}\0{seen.st_size} {seen.st_mtime_ns}".encode("utf-8", "surrogateescape"))
        except OSError:
            digest.update(f"\0{kind} {name}".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()[:16]


def _is_ours(path: str) -> bool:
    return path.startswith(f"{layout.HOME}/")


def _entries(printed: bytes) -> Entries:
    found = []
    for record in printed.decode("utf-8", "surrogateescape").split("\0"):
        fields = record.split(" ", _BEFORE_PATH.get(record[:1], 0))
        if len(fields) > 1 and len(fields) == _BEFORE_PATH[record[0]] + 1:
            found.append((record[0], fields[-1]))
    return tuple(found)


# Which of the things that a stage or a unit promised are not there.


_NOT_COUNTED = frozenset({".gitkeep", ".DS_Store"})


def missing_templates(templates: Iterable[Template], home: str, slug: str) -> tuple[Template, ...]:
    """Required ones without their artifact. What stands in brackets can not be verified."""
    return tuple(each for each in templates if each.required and not _made(each, home, slug))


def _made(template: Template, home: str, slug: str) -> bool:
    location = template.place(slug).strip()
    return not location or location.startswith("(") or is_there(location, home)


def missing_inputs(units: Iterable[Unit], home: str, slug: str) -> tuple[tuple[str, str], ...]:
    """Unit and input that neither lies in the work tree nor is made by a unit it depends on, near or far."""
    by_id = {unit.id: unit for unit in units}
    there: dict[str, bool] = {}  # many units start from the same files
    found = []
    for unit in by_id.values():
        for path in unit.inputs if unit.status != "completed" else ():
            if path not in there:
                there[path] = _in_plan_or_tree(path, home, slug)
            if not there[path] and not _is_promised(path, unit, by_id):
                found.append((unit.id, path))
    return tuple(found)


def _is_promised(path: str, unit: Unit, by_id: dict[str, Unit]) -> bool:
    outputs = (output for each in _before(unit, by_id) for output in by_id[each].outputs)
    return _spelled(path) in map(_spelled, outputs)


def missing_unit_outputs(
    units: Iterable[Unit], trees: dict[str, str], home: str, slug: str
) -> tuple[tuple[str, str], ...]:
    """Active unit and output that is not in the tree it is worked on in."""
    return tuple(
        (unit.id, path)
        for unit in units
        if unit.status == "active"
        for path in unit.outputs
        if not _in_plan_or_tree(path, trees.get(unit.id, home), slug)
    )


def _in_plan_or_tree(path: str, top: str, slug: str) -> bool:
    """Authors name a path from the top of the work tree, or from the intent's folder."""
    return is_there(path, top) or is_there(f"{layout.commit_path(slug)}/{path}", top)


def is_there(path: str, top: str) -> bool:
    """A file that holds something, or a folder with one in it; never outside of the tree."""
    spelled = normpath(path)
    if is_whole(path) or spelled == ".." or spelled.startswith("../") or "\0" in path:
        return False
    place = join(top, spelled)
    try:
        mode = os.stat(place).st_mode  # noqa: PTH116 - pathlib costs the hook process its import
    except (OSError, ValueError):
        return False
    if path.endswith("/") or stat.S_ISDIR(mode):
        return any(name not in _NOT_COUNTED for _, _, files in os.walk(place) for name in files)
    return stat.S_ISREG(mode)


def _before(unit: Unit, by_id: dict[str, Unit]) -> set[str]:
    """The units it depends on, and those they depend on."""
    seen: set[str] = set()
    waiting = list(unit.depends_on)
    while waiting:
        name = waiting.pop()
        if name in by_id and name not in seen:
            seen.add(name)
            waiting += by_id[name].depends_on
    return seen


def _spelled(path: str) -> str:
    return normpath(path)


# Whether the work of an intent was merged by somebody else: into the trunk, here or on a remote.


MERGED_SECONDS = 30.0
_MOST_COMMITS = 500
"""How far back another branch is looked through for the work."""
_MOST_DIFF = 64 << 20
_RECORDS = ("state.json", "intent.md")


def merged_elsewhere(place: GitPlace, slug: str, base: str = "") -> bool:
    """The last commit of the work is part of another branch, or a trunk holds the same files: it was squashed.

    Records of the engine aside: while the work is reviewed elsewhere they move on here. `base` is the branch the work
    began at, where it is called like no trunk. Where there is a remote, what it has counts and no branch of this clone.
    """
    hub = f"refs/heads/{layout.hub(slug)}"
    try:
        others = _others(place, hub, base)
        return any(_holds(place, slug, ref, hub) or _has_patch(place, ref, hub) for ref in others)
    except GitError:
        return False


def _others(place: GitPlace, hub: str, base: str) -> list[str]:
    printed = _said(place, "for-each-ref", "--format=%(refname)", "refs/heads", "refs/remotes")
    family = hub.removesuffix("/main").removeprefix("refs/heads/")
    refs = [ref for ref in printed.split() if f"/{family}/" not in ref]
    named = {f"refs/heads/{base}", *(ref for ref in refs if base and ref.endswith(f"/{base}") and "/remotes/" in ref)}
    found = [ref for ref in refs if ref.rpartition("/")[2] in TRUNKS or ref in named]
    return [ref for ref in found if ref.startswith("refs/remotes/")] or found


def _holds(place: GitPlace, slug: str, ref: str, hub: str) -> bool:
    """Nothing that the hub changed since the two parted is different in the other one."""
    changed = _trunk_names(place, _said(place, "merge-base", ref, hub), hub)
    if changed:
        return not changed & _trunk_names(place, ref, hub)
    return _has_plan(place, slug, ref) or not _has_plan(place, slug, hub)


def _has_patch(place: GitPlace, ref: str, hub: str) -> bool:
    """One commit of the other branch changed what all of the work changed, whatever has come after it there."""
    parted = _said(place, "merge-base", ref, hub)
    whole = _patches(place, _diff(place, "diff-tree", "-r", "-p", parted, hub))
    if not whole:
        return False
    most = ("--no-merges", f"--max-count={_MOST_COMMITS}", "-p", "--format=commit %H", f"{parted}..{ref}")
    return bool(whole & _patches(place, _diff(place, "log", *most)))


def _diff(place: GitPlace, *arguments: str) -> bytes:
    """The diff of the work alone, without what the engine keeps of it."""
    words = ("--no-literal-pathspecs", *arguments, "--", ":(top)", f":(top,exclude){layout.HOME}")
    with Processes(place.root, {"": Command(arguments=words, most=_MOST_DIFF)}, MERGED_SECONDS) as running:
        found = running.output("")
        return b"" if found.cut else found.text


def _patches(place: GitPlace, diff: bytes) -> set[str]:
    """What git calls a change, wherever its lines have moved to."""
    if not diff.strip():
        return set()
    asked = Command(arguments=("patch-id", "--stable"), given=diff)
    with Processes(place.root, {"": asked}, MERGED_SECONDS) as running:
        lines = running.output("").text.decode("ascii", "replace").splitlines()
    return {line.partition(" ")[0] for line in lines}


def _has_plan(place: GitPlace, slug: str, ref: str) -> bool:
    """A branch that the intent merely began on has nothing of it."""
    return bool(_said(place, "ls-tree", "-z", "--full-tree", ref, "--", f"{layout.commit_path(slug)}/intent.md"))


def _trunk_names(place: GitPlace, one: str, other: str) -> set[str]:
    names = _said(place, "diff-tree", "-r", "-z", "--no-renames", "--name-only", one, other).split("\0")
    return {name for name in names if name and name.rpartition("/")[2] not in _RECORDS}


def _said(place: GitPlace, *arguments: str) -> str:
    return ask_one(place.root, arguments, MERGED_SECONDS)


# A name for the work of a stage as it stands at its gate: what a person approves there, and nothing that came after.
#
# What git keeps is named by git, and without it what the units brought forth by content; the tracked files of the stage
# and the knowledge of the intent count either way, since the work of many a stage lies there.


_SIZE = 32


def stage_work(folder: PlanFolder, slug: str, stage: StageView, *, git: bool) -> str:
    work = kept_state(folder.home) if git else _work_made(folder.home, stage)
    return digest(repr([work, surface_state(folder, slug, (stage.spec.name,))]), _SIZE)


def reviewed_work(folder: PlanFolder, slug: str, stage: StageView, *, git: bool) -> str:
    """The same for those who review it: what people say meanwhile makes no other work of it."""
    work = kept_state(folder.home) if git else _work_made(folder.home, stage)
    return digest(repr([work, surface_state(folder, slug, (stage.spec.name,), knowledge=False)]), _SIZE)


def _work_made(home: str, stage: StageView) -> str:
    """The state of what the units declare to bring forth, as far as it lies outside of the plan."""
    names = _apart(path for unit in stage.units for path in unit.outputs)
    tops = Tops(names=names, below=home, ignore=IGNORED)
    return scan(tops, cache_place(f"{home}\0outputs")).fingerprint(*names)


def _apart(paths: Iterable[str]) -> tuple[str, ...]:
    """Below the tree, none within another."""
    found: list[str] = []
    for path in sorted({normpath(path) for path in paths if path and "\0" not in path}):
        outside = is_whole(path) or path.split("/", 1)[0] in {".", "..", layout.HOME}
        if not outside and not any(path.startswith(f"{each}/") for each in found):
            found.append(path)
    return tuple(found)
