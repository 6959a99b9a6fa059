"""The memory of the process that answers hooks, over a day of work: twenty repositories, five hundred sessions."""

from __future__ import annotations

import gc
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.contention import environment
from benchmarks.measure import Ratio
from benchmarks.store_cost import NAMES, answer, events
from leeboard.app.kept_store import keep_open, let_go
from leeboard.surfaces import edge
from tests.hook_process import prompt

REPOSITORIES, SESSIONS, EARLY = 20, 500, 100
MOST_MB = 150.0
FLAT = 1.1
_PAGE = os.sysconf("SC_PAGE_SIZE")


def measure() -> Iterator[Ratio]:
    edge.load_everything()
    keep_open()
    with tempfile.TemporaryDirectory(prefix="lb") as folder:
        roots = [Path(folder, f"repo{number}") for number in range(REPOSITORIES)]
        for root in roots:
            (root / "src").mkdir(parents=True)
            subprocess.run(("git", "init", "-q", str(root)), check=True)
        env = {"LEEBOARD_STATE_DIR": f"{folder}/state", "LEEBOARD_INDEX": "0", "LEEBOARD_KEEP": "0", "HOME": folder}
        with environment(env):
            early = 0.0
            for number in range(SESSIONS):
                _session(roots[number % REPOSITORIES], f"s{number}")
                early = megabytes() if number == EARLY else early
            late = megabytes()
            let_go()
    told = f"{early:.0f} MB after {EARLY} sessions, {late:.0f} MB after {SESSIONS}"
    yield Ratio(name=f"memory after {SESSIONS} sessions / {MOST_MB:g} MB", ratio=late / MOST_MB, aim=1.0, detail=told)
    yield Ratio(name=f"memory after {SESSIONS} sessions / after {EARLY}", ratio=late / early, aim=FLAT, detail=told)


def _session(root: Path, name: str) -> None:
    answer(prompt("fix the parser in src", session_id=name, cwd=str(root)))
    for payload in events(root, name, len(NAMES)):
        answer(payload.replace(b'"session_id":"s"', f'"session_id":"{name}"'.encode()))


def megabytes() -> float:
    gc.collect()
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * _PAGE / 1_000_000
