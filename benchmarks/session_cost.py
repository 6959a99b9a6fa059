"""What judging one event costs over real sessions: `make bench sessions DIR=<folder of sessions>`, in processor time.

Without a folder the recordings of the tests are played. The slowest in a hundred is what an agent notices.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from benchmarks.measure import Ratio
from leeboard.app.replay import play
from leeboard.model.event import Event
from leeboard.model.session import Session
from leeboard.model.verdict import Verdict

OWN = Path(__file__).parents[1] / "tests" / "fixtures" / "transcripts"
MOST = 40
"""Sessions, taken evenly from all that are there."""
AIM = 10.0
"""Milliseconds."""


def measure() -> Iterator[Ratio]:
    folder = Path(os.environ.get("DIR") or OWN)
    files = sorted(folder.rglob("*.jsonl"))
    taken = sorted(seconds for path in files[:: max(len(files) // MOST, 1)] for seconds in _seconds(path))
    if not taken:
        print(f"sessions: nothing to play in {folder}", flush=True)
        return
    median, p99, slowest = (taken[int(share * (len(taken) - 1))] * 1000 for share in (0.5, 0.99, 1.0))
    detail = f"ms: {median:.2f} median, {p99:.2f} p99, {slowest:.1f} slowest of {len(taken)} events of {folder.name}"
    yield Ratio(name=f"judging an event, p99 / {AIM:g} ms", ratio=p99 / AIM, aim=1.0, detail=detail)


def _seconds(path: Path) -> list[float]:
    """Between the ends of two events; the first, which has the reading of the file in it, is none."""
    ends: list[float] = []

    def note(_event: Event, _verdict: Verdict | None, _session: Session) -> None:
        ends.append(time.process_time())

    play(path.read_bytes(), observer=note)
    return [after - before for before, after in pairwise(ends)]
