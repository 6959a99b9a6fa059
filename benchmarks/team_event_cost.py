"""What an event costs with a team configured, beside one without: the same events, in two processes that take turns.

Each process keeps its store open, as the resident does, and judges edits, shell lines and reads in its own project.
What is compared is processor time, round by round, so that others on the machine change little: the median of rounds.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

from benchmarks.measure import Ratio, milliseconds
from leeboard.app.kept_store import keep_open
from leeboard.io import places
from leeboard.store.sqlite import open_store
from leeboard.store.team import outbox
from tests.hooked_agent import HookedAgent, run

ROUNDS, CALLS = 200, 6
SAME = 1.02
"""The scatter of this measure is about one in a hundred."""
_OWN = "idle_minutes = 30\n"
_TEAM = '[team]\nurl = "postgresql://kim@/leeboard?host=/nowhere"\n[team.projects]\nshop = "{root}"\n'


def measure() -> Iterator[Ratio]:
    ways, taken = {"with a team": True, "without": False}, dict[str, list[float]]()
    with tempfile.TemporaryDirectory(prefix="lb") as folder:
        processes = {name: _Judging(Path(folder, name.split()[0]), has_team=has) for name, has in ways.items()}
        for number in range(ROUNDS + 5):
            for name in sorted(processes, reverse=bool(number % 2)):
                taken.setdefault(name, []).append(processes[name].round())
        for process in processes.values():
            process.end()
    rounds = zip(taken["with a team"][5:], taken["without"][5:], strict=True)
    each = {name: milliseconds(statistics.median(some) / CALLS) for name, some in taken.items()}
    detail = ", ".join(f"{name} {told}" for name, told in each.items()) + " of processor time a call, of three events"
    ratio = statistics.median(some / none for some, none in rounds)
    yield Ratio(name="an event with a team / without", ratio=ratio, aim=SAME, detail=detail)


class _Judging:
    """A process that judges some calls when it is told to."""

    def __init__(self, folder: Path, *, has_team: bool) -> None:
        context = get_context("spawn")
        self._connection, other = context.Pipe()
        self._process = context.Process(target=_judge, args=(other, str(folder), has_team), daemon=True)
        self._process.start()

    def round(self) -> float:
        self._connection.send(CALLS)
        return float(self._connection.recv())

    def end(self) -> None:
        self._connection.send(0)
        self._process.join()


def _judge(told: Connection, name: str, has_team: bool) -> None:  # noqa: FBT001 - handed over by position
    folder, repo = Path(name), Path(name, "shop")
    for part in ("STATE", "CONFIG", "CACHE", "RUNTIME"):
        os.environ[f"LEEBOARD_{part}_DIR"] = str(folder / part.lower())
    (repo / "src").mkdir(parents=True)
    (folder / "config").mkdir()
    run(repo, "git init -q -b main . && echo a > src/basket.py")
    (folder / "config" / "leeboard.toml").write_text(_OWN + _TEAM.format(root=repo) * has_team)
    if has_team:
        places.make_private_dir(places.state_dir())
        with closing(open_store(places.database())) as store:
            outbox.open_outbox(store.pages)
    keep_open()
    agent = HookedAgent(repo, session="s")
    agent.prompt("fix the basket in src/basket.py")
    number = 0
    while calls := told.recv():
        began = time.process_time()
        for _ in range(calls):
            number += 1
            _call(agent, number)
        told.send(time.process_time() - began)


def _call(agent: HookedAgent, number: int) -> None:
    if number % 3 == 0:
        agent.read("src/basket.py")
    elif number % 3 == 1:
        agent.write("src/basket.py", f"total = {number}\n")
    else:
        agent.bash(f"cat src/basket.py # {number}")
