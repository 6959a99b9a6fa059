"""A workflow whose engine is killed, again and again, ends as one that nobody disturbed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

KILLS = int(os.environ.get("LEEBOARD_PLAN_KILLS", "20"))
POINTS = os.environ.get("LEEBOARD_PLAN_POINTS", "git")
ROOT = Path(__file__).resolve().parent.parent


def ended(mode: str, folder: Path, seed: int = 1, kills: int = 0) -> dict[str, Any]:
    return printed("tests.killed_plan", folder, mode, str(folder), str(seed), str(kills))


def printed(program: str, folder: Path, *words: str) -> dict[str, Any]:
    """One key for all: what it signs must not differ between two runs."""
    (folder / "state").mkdir(parents=True, exist_ok=True)
    (folder / "state" / "secret.key").write_bytes(b"k" * 32)
    command = [sys.executable, "-m", program, *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    run: dict[str, Any] = ended("whole", tmp_path_factory.mktemp("whole"))["runs"][0]
    return run


def test_undisturbed_it_goes_through_everything(undisturbed: dict[str, Any]) -> None:
    """SH-14, SH-15, SH-29, SH-30, SH-35: five units in three waves, a conflict, a failing gate, a review, two gates."""
    wanted = "elaborate start_unit start_units continue_units resolve_merge_conflicts fix_quality_gates review".split()
    assert set(wanted) | {"gate_review", "complete"} <= set(undisturbed["actions"])
    outcome = undisturbed["outcome"]
    assert outcome["branches"] == ["haiku/count-words/main", "main"]
    assert (outcome["status"], outcome["worktrees"], outcome["trees_left"]) == ("", 1, [])
    assert (outcome["spare"], outcome["locks"], outcome["fsck"]) == ([], [], "")


def test_killed_after_every_write_it_ends_the_same(undisturbed: dict[str, Any], tmp_path: Path) -> None:
    """SH-04, SH-06, SH-08: after each write and each git command of each call, a new engine every time."""
    found = ended("each", tmp_path)
    assert found["kills"] > 60
    assert found["runs"][0]["outcome"] == undisturbed["outcome"]
    # Which of two units of a wave is done first may differ; what git tells of them does not.
    assert sorted(found["runs"][0]["subjects"]) == sorted(undisturbed["subjects"])


def test_killed_at_any_moment_it_ends_the_same(undisturbed: dict[str, Any], tmp_path: Path) -> None:
    """SH-06: `LEEBOARD_PLAN_KILLS` says how often; `make kills` has it often."""
    found = ended("random", tmp_path, 1, KILLS)
    assert found["kills"] >= KILLS
    for run in found["runs"]:
        assert run["outcome"] == undisturbed["outcome"]


def test_killed_at_the_end_nothing_is_left(tmp_path: Path) -> None:
    """SH-08: no later work puts it right by chance. `LEEBOARD_PLAN_POINTS=all` kills after every write too."""
    ends = printed("tests.killed_at_last", tmp_path, POINTS, str(tmp_path))
    undisturbed = ends.pop("undisturbed")
    assert len(ends) > 15
    assert {name: end for name, end in ends.items() if end != undisturbed} == {}
