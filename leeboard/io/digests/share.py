"""The work of a scan cut into units, and shared with a second process where that is worth its start."""

from __future__ import annotations

from collections.abc import Sequence

from leeboard.io.digests.check import Known
from leeboard.io.digests.hashing import Hashes
from leeboard.io.digests.jobs import Answers, Job, ToCheck, ToHash, perform
from leeboard.io.digests.second_process import START, perform_shared
from leeboard.io.digests.turns import MOST
from leeboard.io.processes import processors

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
