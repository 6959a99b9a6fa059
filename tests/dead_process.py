"""Waits for a process that was killed: the signal is sent at once, the kernel ends the process when it gets to it."""

from __future__ import annotations

import os
import time
from pathlib import Path

_LONGEST = 60


def wait_until_gone(pid: int) -> None:
    """A zombie counts: it only waits to be buried by whoever adopted it."""
    deadline = time.monotonic() + _LONGEST
    while not _is_gone(pid):
        assert time.monotonic() < deadline, f"process {pid} lives on"
        os.sched_yield()


def _is_gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except OSError:
        return True
