from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from leeboard.truth.digests.hashing import Job, perform
from leeboard.truth.digests.scan import perform_shared

NEVER = float("inf")


@pytest.fixture
def top(tmp_path: Path) -> int:
    for number in range(60):
        (tmp_path / f"{number}").mkdir()
        for name in range(20):
            (tmp_path / f"{number}" / f"{name}").write_text(f"{number} {name}")
    return os.open(tmp_path, os.O_RDONLY)


def job(deadline: float = NEVER) -> Job:
    names = b"\0".join(b"%d" % name for name in range(20))
    return "hash", [(0, b"%d" % number, names, "any", None) for number in range(60)], deadline, 10**12


def test_two_find_what_one_finds(top: int) -> None:
    assert perform_shared(job(), [top]) == perform(job(), [top], range(60))
    assert set(perform_shared(job(-1.0), [top])) == set(range(60))
    os.close(top)


@pytest.mark.parametrize("program", ["/bin/false", "/bin/true", "/nowhere", "/bin/echo"])
def test_one_that_fails_leaves_nothing_undone(top: int, monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    monkeypatch.setattr(sys, "executable", program)
    assert perform_shared(job(), [top]) == perform(job(), [top], range(60))
    os.close(top)
