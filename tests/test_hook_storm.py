"""No call is lost, answered wrongly or let pass because the resident died or hangs; `make storm` does it with thousands."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.hook_process import HookProcess
from tests.hook_storm import Disturbance, lost_calls, storm

CALLS, AT_ONCE = 24, 6


@pytest.mark.parametrize(("strike", "after_each"), [(signal.SIGKILL, 4), (signal.SIGSTOP, 8)])
def test_every_call_is_answered_and_recorded_whatever_becomes_of_the_resident(
    tmp_path: Path, strike: signal.Signals, after_each: int
) -> None:
    process = HookProcess(folder=str(tmp_path))
    disturbance = Disturbance(process, strike)

    def answered(count: int) -> None:
        if count % after_each == 0:
            disturbance.strike()

    try:
        came = storm(process, CALLS, AT_ONCE, answered)
    finally:
        disturbance.end()
    assert (came.wrong, lost_calls(process, CALLS)) == ((), ())
    assert disturbance.struck, "nobody was there to be disturbed"
