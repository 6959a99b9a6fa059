"""Quality gates at the moment an agent ends: run once for a tree, by a process that outlives the hook.

The hook waits as long as a client lets it. What takes longer runs to its end in the background and is on record by the
next time; nobody runs it a second time over the same tree.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from time import sleep

import msgspec

from leeboard.io import clock
from leeboard.io.detached import fork, leave
from leeboard.io.plan.folder import Folder
from leeboard.io.plan.gates import keep_runs, known_runs, run_gates, time_limit
from leeboard.io.plan.lock import hold_gates
from leeboard.model.gate import GateRun
from leeboard.model.studio import GateCommand
from leeboard.model.unit import Unit

SECONDS = 100.0
"""Less than a client gives its stop hooks."""
_STEP = 0.05


class Gated(msgspec.Struct, frozen=True, kw_only=True):
    """The gates of one unit, and the tree they are for."""

    home: str
    slug: str
    unit: Unit
    place: str
    commands: tuple[GateCommand, ...]
    git: bool

    def known(self) -> tuple[GateRun, ...]:
        """What was run over the tree as it is now."""
        kept = known_runs(Folder(self.home), self.slug, self.unit.stage, {self.unit.id: self.place}, git=self.git)
        wanted = {(gate.command, gate.dir) for gate in self.commands}
        return tuple(run for run in kept if (run.command, run.dir) in wanted)

    def run(self) -> None:
        """Whoever waited for the lock finds the results of the one before."""
        folder = Folder(self.home)
        with hold_gates(folder, self.slug):
            done = {(run.command, run.dir) for run in self.known() if not run.missing}
            left = [gate for gate in self.commands if (gate.command, gate.dir) not in done]
            if left:
                limit = time_limit(folder)
                runs = run_gates(left, self.place, self.slug, git=self.git, unit=self.unit.id, seconds=limit)
                keep_runs(folder, self.slug, self.unit.stage, runs)


def gates_at_stop(gated: Gated, seconds: float = SECONDS) -> tuple[GateRun, ...]:
    """How the gates ended; only those that were done in time."""
    known = gated.known()
    if len({(run.command, run.dir) for run in known if not run.missing}) < len(gated.commands):
        _wait(_detached(gated.run), clock.monotonic() + seconds)
        known = gated.known()
    return known


def _detached(work: Callable[[], None]) -> int:
    """A child of its own session, deaf and mute: the client waits until nobody holds the hook's output any more."""

    def deaf() -> None:
        leave()
        work()

    return fork(deaf)


def _wait(child: int, deadline: float) -> None:
    while clock.monotonic() < deadline:
        ended, _status = os.waitpid(child, os.WNOHANG)
        if ended:
            return
        sleep(_STEP)
