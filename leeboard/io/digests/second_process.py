"""A job shared with a second process: both take the next unit until none is left."""

from __future__ import annotations

import contextlib
import marshal
import os
import sys
import tempfile
from collections.abc import Sequence
from time import monotonic
from typing import BinaryIO

from leeboard.io.child import NOTHING, Process, Streams, end, start, wait
from leeboard.io.digests import _worker
from leeboard.io.digests.jobs import Answers, Job, perform
from leeboard.io.digests.turns import offered, taken

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
