"""What git says of an intent. Branches and trees are seen without a process; the rest is asked side by side.

A look that is only to find the next step asks no more than that step can hang on: whether the work tree is clean
matters on another branch, before a merge and where the work is shown, whether a branch is merged once a unit is done.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from hashlib import sha256
from itertools import chain
from posixpath import exists, join

from leeboard.io._git_processes import Command, Processes
from leeboard.io.git_place import Place, branch_at, head_at
from leeboard.io.plan import layout, worktrees
from leeboard.io.plan._merge import left_marked
from leeboard.io.plan.repository import GitRefusedError, Repository, under_way
from leeboard.model.plan import GitFacts
from leeboard.model.unit import Unit
from leeboard.workflow.hats import has_claimed

SECONDS = 30.0
MOST_DIRTY = 200
_STATUS = ("status", "--porcelain=v2", "-z", "--no-renames")
_BEFORE_PATH = {"1": 8, "u": 10, "?": 1}
_BRANCHES = ("for-each-ref", "--format=%(refname:lstrip=2)")

Entries = tuple[tuple[str, str], ...]
"""Kind and path of changed files, as git's status has them."""


def gather_facts(
    place: Place | None, slug: str, units: Iterable[Unit], *, full: bool = True, shown: bool = False
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


def _trees(place: Place, slug: str, units: Iterable[str]) -> dict[str, str]:
    try:
        there = set(os.listdir(layout.worktree(place.root, slug, "")))  # noqa: PTH208 - any name
    except OSError:
        return {}
    repository = Repository(place)
    paths = {unit: layout.worktree(place.root, slug, unit) for unit in sorted(units) if unit in there}
    return {unit: path for unit, path in paths.items() if worktrees.is_worktree(repository, path)}


def _asked(place: Place, slug: str, trees: dict[str, str], *, full: bool, tree: bool) -> dict[str, bytes]:
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


def _merged(place: Place, slug: str, units: list[Unit], states: dict[str, Entries]) -> tuple[str, ...]:
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


def _names(place: Place, *which: str) -> set[str]:
    with Processes(place.root, {"": Command(arguments=(*_BRANCHES, *which))}, SECONDS) as running:
        return set(running.output("").text.decode("utf-8", "surrogateescape").split())


def _conflict(
    place: Place, slug: str, path: str, entries: Entries, *, claimed: bool
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
