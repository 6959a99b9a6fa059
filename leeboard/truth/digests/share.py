"""The work of a scan cut into units, and shared with a second process where that is worth its start."""

from __future__ import annotations

import contextlib
import marshal
import os
import sys
import tempfile
from collections.abc import Sequence
from time import monotonic
from typing import BinaryIO

from leeboard.io.parents import processors
from leeboard.io.process import NOTHING, Process, Streams, end, start, wait
from leeboard.truth.digests import _worker
from leeboard.truth.digests.check import Known
from leeboard.truth.digests.hashing import Hashes
from leeboard.truth.digests.jobs import Answers, Job, ToCheck, ToHash, perform
from leeboard.truth.digests.turns import MOST, offered, taken

LOOKED_AT = 0.000_002
"""Seconds for each file that is looked at."""
OPENED, READ = 0.000_007, 0.000_000_001_4
"""Seconds for each file that is read, and for each byte of it."""
LIKELY = 4096
"""Bytes of a file whose size nobody looked at."""
TOGETHER = 2048
"""Files that are checked in one unit."""


def check_folders(tops: Sequence[int], folders: Sequence[Sequence[Known]], deadline: float) -> list[list[int]]:
    """For each top the numbers of its folders that are not as remembered, or were not looked at in time."""
    counts = [[names.count(b"\0") + 4 for _, _, names, _ in some] for some in folders]
    total = sum(map(sum, counts))
    units: list[ToCheck] = []
    for top, (some, sizes) in enumerate(zip(folders, counts, strict=True)):
        units += [(top, list(some[start:end])) for start, end in _cuts(sizes, max(TOGETHER, total // MOST * 2))]
    answers = _performed(("check", list(units), deadline, 0), tops, total * LOOKED_AT / 1.6)
    found: list[list[int]] = [[] for _ in tops]
    seen = [0 for _ in tops]
    for number, (top, some) in enumerate(units):
        found[top] += [seen[top] + each for each in answers[number] if isinstance(each, int)]
        seen[top] += len(some)
    return found


def hash_units(
    tops: Sequence[int], units: Sequence[ToHash], weight: int | None, deadline: float, offset: int
) -> list[Hashes]:
    """For each unit its files in order. `weight`: bytes in all, if that is known."""
    files = sum(unit[2].count(b"\0") + 1 for unit in units)
    cost = files * OPENED + (files * LIKELY if weight is None else weight) * READ
    answers = _performed(("hash", list(units), deadline, offset), tops, cost)
    return [answer for number in range(len(units)) if isinstance(answer := answers[number], tuple)]


def _performed(job: Job, tops: Sequence[int], cost: float) -> Answers:
    shared = cost > 3 * START and 1 < len(job[1]) <= MOST and processors() > 1
    return perform_shared(job, tops) if shared else perform(job, tops, range(len(job[1])))


def _cuts(sizes: Sequence[int], most: int) -> list[tuple[int, int]]:
    """Where to cut so that no unit is much larger than `most`."""
    cuts, start, size = [], 0, 0
    for number, each in enumerate(sizes, 1):
        size += each
        if size >= most or number == len(sizes):
            cuts.append((start, number))
            start, size = number, 0
    return cuts


# A job shared with a second process: both take the next unit until none is left.


START = 0.025
"""Seconds until it does its first work: what takes less than a few times that is done sooner without it."""
GRACE = 1.0
"""Seconds over the deadline, which it looks at itself."""
_LONGEST = 86_400.0


def perform_shared(job: Job, tops: Sequence[int]) -> Answers:
    """Of all units. What the second process took and did not bring back is done here."""
    count = len(job[1])
    turns = offered(count)
    try:
        second = _Second(job, tops, turns)
        try:
            found = perform(job, tops, taken(turns))
            found |= second.answer()
        finally:
            second.close()
    finally:
        os.close(turns)
    missing = [number for number in range(count) if number not in found]
    return found | perform(job, tops, missing) if missing else found


class _Second:
    """Whatever goes wrong with it, its answer is empty."""

    def __init__(self, job: Job, tops: Sequence[int], turns: int) -> None:
        self._job, self._answer = _unnamed(), _unnamed()
        self._deadline = job[2]
        marshal.dump(job, self._job)
        self._job.flush()
        files = (self._job.fileno(), self._answer.fileno(), turns, *tops)
        command = (sys.executable, "-I", "-S", "-B", _worker.__file__, *map(str, files))
        self._process: Process | None = None
        with contextlib.suppress(OSError):
            self._process = start(command, "/", os.environ, Streams(NOTHING, NOTHING, NOTHING), files)

    def answer(self) -> Answers:
        """Waits for it."""
        patience = _LONGEST if self._deadline == float("inf") else max(0.0, self._deadline - monotonic()) + GRACE
        try:
            if self._process is None or wait(self._process, patience) != 0:
                return {}
            self._answer.seek(0)
            found: Answers = marshal.load(self._answer)  # noqa: S302 - our own process wrote it
        except (EOFError, ValueError, TypeError):
            return {}
        return found

    def close(self) -> None:
        """Ends it where it still runs."""
        if self._process is not None:
            end(self._process)
        self._job.close()
        self._answer.close()


def _unnamed() -> BinaryIO:
    """In memory where the system can."""
    if hasattr(os, "memfd_create"):
        return open(os.memfd_create("digests"), "w+b")  # noqa: PTH123 - a descriptor, not a path
    return tempfile.TemporaryFile()
