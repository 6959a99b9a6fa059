"""Gate, classification and human write, killed at any moment: the next tick is right."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

KILLS = int(os.environ.get("LEEBOARD_DRIFT_KILLS", "100"))
ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    """In memory where there is such a place: flushing a disk is most of the time."""
    memory = Path("/dev/shm")
    made = Path(tempfile.mkdtemp(dir=memory if memory.is_dir() else tmp_path))
    yield made
    shutil.rmtree(made, ignore_errors=True)


def killed(mode: str, place: Path, kills: int = 0) -> dict[str, int]:
    command = [sys.executable, "-m", "tests.killed_drift", mode, str(place), "1", str(kills)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, int] = json.loads(done.stdout)
    return found


def test_killed_at_any_moment(place: Path) -> None:
    """FD-43: `LEEBOARD_DRIFT_KILLS` says how often; `make kills` has it often."""
    found = killed("random", place, KILLS)
    assert sum(found.values()) >= KILLS
    assert len(found) == 5


def test_killed_after_each_change_of_the_disk(place: Path) -> None:
    """FD-13, FD-24, FD-27, FD-29, FD-43: one change later each time, until it lives."""
    found = killed("each", place)
    assert min(found.values()) > 10
    assert len(found) == 6
