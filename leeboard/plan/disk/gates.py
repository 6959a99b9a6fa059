"""Quality gates, really run, and how they ended over which tree: `stages/{stage}/gate-runs.json`.

A result counts for the tree it was made on and for no other. Files that git does not know and that a run leaves behind
do not make another tree of it, nor do knowledge and artifacts that it writes itself; a change of a file that git keeps
does, whoever made it. The results are signed: what somebody
else wrote there is as good as not run.
"""

from __future__ import annotations

import contextlib
import hmac
import os
import shlex
import shutil
from collections.abc import Iterable, Iterator
from posixpath import dirname, exists, isdir, join

import msgspec
from msgspec.structs import replace

from leeboard.contracts.disk.acceptance import SECONDS, run_one
from leeboard.errors import StateError
from leeboard.io.git.place import find
from leeboard.io.places import secret_key
from leeboard.io.system import abspath
from leeboard.model.studio import GateCommand
from leeboard.model.text import digest, lazy
from leeboard.model.unit import GateRun
from leeboard.model.workspace import is_whole
from leeboard.plan.disk import layout
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.repository import Repository, names_in
from leeboard.plan.disk.tree_state import TreeState, state_of, surface_state
from leeboard.plan.disk.trusted import settings_text
from leeboard.plan.disk.worktrees import git_folder
from leeboard.plan.files.files import parse_settings
from leeboard.plan.surface import STAGE_FOLDERS

_SIZE = 32
RUNS_FILE = "gate-runs.json"
_MOST_KEPT = 100
_MOST_TREES = 4
"""The number of trees of which the runs of one gate are kept."""


class GatesKept(msgspec.Struct, frozen=True, kw_only=True):
    runs: tuple[GateRun, ...] = ()
    mac: str = ""


def time_limit(folder: PlanFolder) -> float:
    """How long each gate may take, in seconds: `gate_timeout` of the project's settings."""
    return parse_settings(settings_text(folder)).gate_timeout or SECONDS


def run_gates(
    commands: Iterable[GateCommand], root: str, slug: str, *, git: bool, unit: str = "", seconds: float = SECONDS
) -> tuple[GateRun, ...]:
    """One command in one folder is run once. All of them run, whatever the first ones said. What they leave behind in a
    unit's work tree is set aside.
    """
    wanted = {(gate.command, gate.dir): gate for gate in commands}
    before = _tree_of(root, slug, git=git)
    with _cleared(root) if git and unit and git_folder(root) else contextlib.nullcontext():
        ended = [_run(gate, root, unit, seconds) for gate in wanted.values()]
    after = _tree_of(root, slug, git=git)
    tree = after.digest if after.tracked == before.tracked else before.digest
    return tuple(replace(run, tree=tree) for run in ended)


@contextlib.contextmanager
def _cleared(tree: str) -> Iterator[None]:
    repository = Repository(find(tree))
    before = unknown_files(repository, tree)
    try:
        yield
    finally:
        set_aside(repository, tree, before)


def _run(gate: GateCommand, root: str, unit: str, seconds: float) -> GateRun:
    folder = abspath(join(root, gate.dir))
    blank = GateRun(name=gate.name, command=gate.command, dir=gate.dir, unit=unit)
    if folder != root and not folder.startswith(f"{root}/"):
        return replace(blank, tail=f"{gate.dir} leads out of {root}: it was not run")
    if not isdir(folder):
        return replace(blank, tail=f"{folder} is no folder: it was not run")
    if program := missing_program(gate.command, os.environ.get("PATH", os.defpath)):
        return replace(blank, missing=program)
    done = run_one(gate.command, folder, "", seconds)
    absent = "" if done.passed else missing_after(gate.command, done.code, done.tail)
    return replace(blank, passed=done.passed, code=done.code, seconds=done.seconds, tail=done.tail, missing=absent)


def keep_runs(folder: PlanFolder, slug: str, stage: str, runs: Iterable[GateRun]) -> None:
    """Beside those of other gates and other trees; the oldest go."""
    new = tuple(runs)
    done = {_key(run) for run in new}
    old = [run for run in _read(folder, slug, stage).runs if _key(run) not in done]
    names = {(run.command, run.dir, run.unit) for run in new}
    same = [run for run in old if (run.command, run.dir, run.unit) in names]
    dropped = {_key(run) for run in same[: max(0, len(same) - len(names) * (_MOST_TREES - 1))]}
    kept = (*(run for run in old if _key(run) not in dropped), *new)[-_MOST_KEPT:]
    data = msgspec.json.format(msgspec.json.encode(GatesKept(runs=kept, mac=_mac(slug, stage, kept))), indent=2)
    folder.write(_path(slug, stage), data + b"\n")


def known_runs(folder: PlanFolder, slug: str, stage: str, places: dict[str, str], *, git: bool) -> tuple[GateRun, ...]:
    """What was run over the trees as they are now. `places` are the units' trees; the unit "" is the primary one."""
    kept = _read(folder, slug, stage).runs
    asked = {run.unit for run in kept} & places.keys()
    trees = {unit: _tree_of(places[unit], slug, git=git).digest for unit in sorted(asked)}
    return tuple(run for run in kept if run.unit in trees and run.tree == trees[run.unit])


def _tree_of(root: str, slug: str, *, git: bool) -> TreeState:
    """With the knowledge and the artifacts of the intent as they lie there: a gate may look at those alone."""
    folder, state = PlanFolder(root), state_of(root, git=git)
    top = f"{layout.intent_folder(slug)}/stages"
    stages = [
        name for name in folder.folders(top) if not STAGE_FOLDERS.keys().isdisjoint(folder.names(f"{top}/{name}"))
    ]
    return replace(state, digest=digest(repr([state.digest, surface_state(folder, slug, stages)]), _SIZE))


def _key(run: GateRun) -> tuple[str, str, str, str]:
    return run.command, run.dir, run.unit, run.tree


def _path(slug: str, stage: str) -> str:
    return f"{layout.stage_folder(slug, stage)}/{RUNS_FILE}"


def _read(folder: PlanFolder, slug: str, stage: str) -> GatesKept:
    """What can not be read is as good as not run."""
    try:
        data = folder.read(_path(slug, stage))
        if not data:
            return GatesKept()
        found = msgspec.json.decode(data, type=GatesKept)
    except (ValueError, RecursionError, StateError):
        return GatesKept()
    return found if found.mac == _mac(slug, stage, found.runs) else GatesKept()


def _mac(slug: str, stage: str, runs: tuple[GateRun, ...]) -> str:
    """Empty where no key can be had: then they are not signed."""
    key = secret_key()
    text = msgspec.json.encode([slug, stage, runs], order="deterministic")
    return hmac.new(key, text, "sha256").hexdigest() if key else ""


# Which program a command needs that is not there: known before it runs where that is plain, else from how it ended.


NOT_FOUND = 127
_ASSIGNMENT = lazy(r"[A-Za-z_][A-Za-z0-9_]*=.*")
_PLAIN = lazy(r"[A-Za-z0-9_./+-]+")
_ABSENT_WORD = lazy(r"^.{0,200}?([A-Za-z0-9_./+-]{1,100}): (?:command )?not found$")
_ABSENT_MODULE = lazy(r"No module named '?([A-Za-z0-9_.-]{1,100})'?$")
_OF_THE_SHELL = frozenset(
    "! . : [ [[ { } ( alias break case cd command continue do done echo elif else esac eval exec exit export false fi"
    " for function getopts hash if in local printf pwd read readonly return set shift source test then time"
    " times trap true type ulimit umask unset until wait while".split()
)
_STEPS = frozenset({"&&", ";", "|", "||", "&"})


def missing_program(command: str, path: str) -> str:
    """The first program of the command that nobody can find; empty where all are there, or nobody can tell.

    Only commands that run whatever happens are looked at: what stands behind `||` is there for the case.
    """
    try:
        lexer = shlex.shlex(command, posix=True, punctuation_chars=True)
        lexer.whitespace_split = True
        words = list(lexer)
    except ValueError:
        return ""
    if "||" in words or any(word in _OF_THE_SHELL for word in words[:1]):
        return ""
    firsts, at_start = [], True
    for word in words:
        if at_start and not _ASSIGNMENT.fullmatch(word):
            firsts.append(word)
            at_start = False
        at_start = at_start or word in _STEPS
        if word == "cd":
            break  # what follows is looked for in another folder
    return next((word for word in firsts if not _is_there(word, path)), "")


def missing_after(command: str, code: int | None, tail: str) -> str:
    """What a command that has failed says it could not find; empty where it failed of itself."""
    last = tail.rstrip().rpartition("\n")[2]
    if code == NOT_FOUND and (found := _ABSENT_WORD.search(last)) and "/" not in found[1]:
        return found[1]
    module = _ABSENT_MODULE.search(last)
    return module[1] if module and code and f"-m {module[1]}" in command else ""


def _is_there(word: str, path: str) -> bool:
    if word in _OF_THE_SHELL or not _PLAIN.fullmatch(word):
        return True
    if "/" in word:
        return not is_whole(word) or exists(word)  # what belongs to the work and is not there has failed
    return shutil.which(word, path=path) is not None


# What a quality gate leaves behind in a unit's work tree: caches, logs, reports of a run. It is not the unit's work.
#
# Files that git neither knew nor ignores and that were not there before the gate are set aside, in git's own folder of
# the work tree, so that nothing is lost and nothing of it is committed. They go with the work tree.

ASIDE = "gate-leavings"


def unknown_files(repository: Repository, tree: str) -> frozenset[str]:
    """What git neither keeps nor ignores there."""
    return frozenset(names_in(repository.run("ls-files", "--others", "--exclude-standard", "-z", at=tree)))


def set_aside(repository: Repository, tree: str, before: frozenset[str]) -> tuple[str, ...]:
    """All that came since; their names."""
    made = sorted(unknown_files(repository, tree) - before)
    for name in made:
        kept = join(git_folder(tree), ASIDE, name)
        with contextlib.suppress(OSError):  # it is gone by itself, or lies on another disk: then it stays
            os.makedirs(dirname(kept), exist_ok=True)  # noqa: PTH103 - names of any bytes pass through as they are
            os.replace(join(tree, name), kept)  # noqa: PTH105 - as above
            _drop_empty(tree, dirname(name))
    return tuple(made)


def _drop_empty(tree: str, folder: str) -> None:
    with contextlib.suppress(OSError):
        while folder:
            os.rmdir(join(tree, folder))  # noqa: PTH106 - as above
            folder = dirname(folder)
