"""Rounds that end when they should, and rests that do not."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from leeboard.app.tasks.monitor import Rounds
from leeboard.io import clock

LONG = 60.0


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_a_signal_ends_a_rest_and_says_how_to_exit(number: signal.Signals, code: int) -> None:
    before = signal.getsignal(number)
    with Rounds(LONG) as rounds:
        assert not rounds.is_over
        os.kill(os.getpid(), number)
        assert not rounds.rest()
        assert (rounds.is_over, rounds.code) == (True, code)
    assert signal.getsignal(number) is before


def test_a_rest_that_nobody_ends_is_over_in_its_time() -> None:
    with Rounds(0.01) as rounds:
        assert rounds.rest()
        assert rounds.rest(0.0)


def test_the_first_signal_counts() -> None:
    with Rounds(LONG) as rounds:
        for number in (signal.SIGINT, signal.SIGTERM):
            os.kill(os.getpid(), number)
        assert not rounds.rest()
        assert rounds.code == 130


def test_a_waking_signal_ends_the_rest_alone() -> None:
    began = clock.monotonic()
    with Rounds(LONG, wakes=(signal.SIGCHLD,)) as rounds:
        subprocess.run([sys.executable, "-c", ""], check=True)
        assert rounds.rest()
    assert clock.monotonic() - began < LONG


ATTACHED = """
from leeboard.app.tasks.monitor import Rounds
with Rounds(60.0, attached=True) as rounds:
    print("resting", flush=True)
    print(rounds.rest(), rounds.is_left, rounds.code)
"""


def test_it_ends_with_whom_it_is_attached_to() -> None:
    child = subprocess.Popen([sys.executable, "-c", ATTACHED], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.stdin
    assert child.stdout
    assert child.stdout.readline() == b"resting\n"
    child.stdin.write(b"what is said does not matter")
    child.stdin.flush()
    out, _ = child.communicate(timeout=30)
    assert (out, child.returncode) == (b"False True 0\n", 0)
