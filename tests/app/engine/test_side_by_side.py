"""Several processes: in order, and none that is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from leeboard.app.engine.side_by_side import side_by_side
from leeboard.errors import EffectError
from tests.dead_process import wait_until_gone

_WAITING = """
import os, sys, time
from leeboard.app.engine.side_by_side import side_by_side

def wait(number):
    os.write(1, f"{os.getpid()}\\n".encode())
    time.sleep(600)

list(side_by_side(wait, (1, 2), 2))
"""


def _doubled(number: int) -> int:
    return 2 * number


def _ended(_number: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_results_come_in_the_order_of_the_items() -> None:
    assert list(side_by_side(_doubled, range(9), 2)) == [*range(0, 18, 2)]


def test_a_process_that_is_ended_from_outside_is_told_of_with_what_helps() -> None:
    with pytest.raises(EffectError, match=r"ended from outside.*-j 1 needs less"):
        list(side_by_side(_ended, (1, 2), 2, "-j 1 needs less"))


def test_none_outlives_the_process_that_started_them() -> None:
    with subprocess.Popen([sys.executable, "-c", _WAITING], stdout=subprocess.PIPE) as ran:
        assert ran.stdout is not None
        workers = [int(ran.stdout.readline()) for _ in range(2)]
        ran.kill()
        for worker in workers:
            wait_until_gone(worker)
