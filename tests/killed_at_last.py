"""The end of a scripted intent, again and again from the same moment: killed once, at each point there is. A program.

From the last hat of the last unit on, nothing comes after that would put right by chance what a killed engine left
behind. `python -m tests.killed_at_last POINTS FOLDER` prints how each of them ended as JSON. POINTS is `git`, for after
every git command, or `all`, for after every write too.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from leeboard.app.plan.engine import Engine
from tests.git_repository import ENVIRONMENT, GitRepository
from tests.killed_plan import Agent, Caller, outcome, project

LAST = "unit-04-tell checker 1"
"""The call the end begins with."""


class Ending(Caller):
    """Kills the call of this number, counted from the last hat on, after `point` changes. Number 0: none."""

    def __init__(self, root: str, number: int, point: int, begin: Callable[[], None] = lambda: None) -> None:
        super().__init__(root, "each", 1, 0)
        self._number, self._point = number, point
        self._begin = begin
        self._calls = 0

    def __call__(self, work: Callable[[Engine], Any], name: str) -> Any:
        if name == LAST and not self._calls:
            self._begin()
        self._calls += bool(self._calls or name == LAST)
        hit = self._calls == self._number and not self.kills
        self._spared = not hit
        self._attempts[name] = self._point - 1
        return super().__call__(work, name)

    @property
    def calls(self) -> int:
        return self._calls


def main(points: str, folder: str) -> None:
    Ending.files = points == "all"
    os.environ.update(ENVIRONMENT)
    os.environ["LEEBOARD_STATE_DIR"] = str(Path(folder) / "state")
    world, kept = Path(folder), Path(folder) / "kept"
    repository = project(world / "project")
    whole = Ending(repository.root, 0, 0, lambda: _copy(world, kept))
    Agent(repository, whole).run()
    ends = {"undisturbed": outcome(repository)}
    for number in range(1, whole.calls + 1):
        ends |= _killed_in(number, world, kept, repository)
    sys.stdout.write(json.dumps(ends))


def _killed_in(number: int, world: Path, kept: Path, repository: GitRepository) -> dict[str, Any]:
    """One call, killed after its first change, its second, and so on until it lives to answer."""
    ends: dict[str, Any] = {}
    while True:
        _copy(kept, world)
        caller = Ending(repository.root, number, len(ends) + 1)
        Agent(repository, caller).run()
        if not caller.kills:
            return ends
        ends[f"call {number}, change {len(ends) + 1}"] = outcome(repository)


def _copy(source: Path, target: Path) -> None:
    for name in ("project", "state"):
        shutil.rmtree(target / name, ignore_errors=True)
        shutil.copytree(source / name, target / name, symlinks=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
