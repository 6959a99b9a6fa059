"""Quality gates, really run, and how they ended over which tree: `stages/{stage}/gate-runs.json`.

A result counts for the tree it was made on and for no other. Files that git does not know and that a run leaves behind
do not make another tree of it, nor do knowledge and artifacts that it writes itself; a change of a file that git keeps
does, whoever made it. The results are signed: what somebody
else wrote there is as good as not run.
"""

from __future__ import annotations

import hmac
import os
from collections.abc import Iterable
from posixpath import abspath, isdir, join

import msgspec
from msgspec.structs import replace

from leeboard.errors import StateError
from leeboard.io.acceptance import SECONDS, run_one
from leeboard.io.plan import layout
from leeboard.io.plan._programs import missing_after, missing_program
from leeboard.io.plan._surface_state import surface_state
from leeboard.io.plan._tree_state import TreeState, state_of
from leeboard.io.plan.folder import Folder
from leeboard.io.plan.trusted import settings_text
from leeboard.io.secret_key import secret_key
from leeboard.model.digest import digest
from leeboard.model.gate import GateRun
from leeboard.model.studio import GateCommand
from leeboard.model.surface import STAGE_FOLDERS
from leeboard.wire.plan_files import parse_settings

_SIZE = 32
_MOST_KEPT = 100
_MOST_TREES = 4
"""Of how many trees the runs of one gate are kept."""


class GatesKept(msgspec.Struct, frozen=True, kw_only=True):
    runs: tuple[GateRun, ...] = ()
    mac: str = ""


def time_limit(folder: Folder) -> float:
    """How long each gate may take, in seconds: `gate_timeout` of the project's settings."""
    return parse_settings(settings_text(folder)).gate_timeout or SECONDS


def run_gates(
    commands: Iterable[GateCommand], root: str, slug: str, *, git: bool, unit: str = "", seconds: float = SECONDS
) -> tuple[GateRun, ...]:
    """One command in one folder is run once. All of them run, whatever the first ones said."""
    wanted = {(gate.command, gate.dir): gate for gate in commands}
    before = _tree_of(root, slug, git=git)
    ended = [_run(gate, root, unit, seconds) for gate in wanted.values()]
    after = _tree_of(root, slug, git=git)
    tree = after.digest if after.tracked == before.tracked else before.digest
    return tuple(replace(run, tree=tree) for run in ended)


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


def keep_runs(folder: Folder, slug: str, stage: str, runs: Iterable[GateRun]) -> None:
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


def known_runs(folder: Folder, slug: str, stage: str, places: dict[str, str], *, git: bool) -> tuple[GateRun, ...]:
    """What was run over the trees as they are now. `places` are the units' trees; the unit "" is the primary one."""
    kept = _read(folder, slug, stage).runs
    asked = {run.unit for run in kept} & places.keys()
    trees = {unit: _tree_of(places[unit], slug, git=git).digest for unit in sorted(asked)}
    return tuple(run for run in kept if run.unit in trees and run.tree == trees[run.unit])


def _tree_of(root: str, slug: str, *, git: bool) -> TreeState:
    """With the knowledge and the artifacts of the intent as they lie there: a gate may look at those alone."""
    folder, state = Folder(root), state_of(root, git=git)
    top = f"{layout.intent_folder(slug)}/stages"
    stages = [name for name in folder.names(top) if not STAGE_FOLDERS.keys().isdisjoint(folder.names(f"{top}/{name}"))]
    return replace(state, digest=digest(repr([state.digest, surface_state(folder, slug, stages)]), _SIZE))


def _key(run: GateRun) -> tuple[str, str, str, str]:
    return run.command, run.dir, run.unit, run.tree


def _path(slug: str, stage: str) -> str:
    return f"{layout.stage_folder(slug, stage)}/gate-runs.json"


def _read(folder: Folder, slug: str, stage: str) -> GatesKept:
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
