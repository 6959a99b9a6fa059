"""An intent with a baseline, and no repository around it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_project import SMALL
from tests.truth_project import TruthProject


@pytest.fixture
def project(tmp_path: Path) -> TruthProject:
    """After its first tick: the stage `shape` is active, `build` comes later, and `knowledge/old.md` is known."""
    made = TruthProject(tmp_path / "project", SMALL)
    made.write("knowledge/old.md", "old\n")
    made.tick()
    return made
