from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from leeboard.plan.disk.truth.surface import MOST, WATCHES, Watches
from tests.small_project import SMALL
from tests.truth_project import TruthProject


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[TruthProject]:
    """Where folders can be watched, if there is such a place; elsewhere everything is looked at, with the same end."""
    memory = Path("/dev/shm")
    made = Path(tempfile.mkdtemp(dir=memory if memory.is_dir() else tmp_path))
    WATCHES.begin()
    yield TruthProject(made / "project", SMALL)
    WATCHES.end()
    shutil.rmtree(made, ignore_errors=True)


def test_a_process_that_ends_watches_nothing() -> None:
    watches = Watches()
    assert watches.of("a") is None
    watches.begin()
    first = watches.of("a")
    assert first is not None
    assert watches.of("a") is first
    for number in range(MOST):
        watches.of(str(number))
    assert watches.of("a") is not first, "it made room"
    watches.end()
    assert watches.of("a") is None


def test_nothing_is_missed(watched: TruthProject) -> None:
    """FD-03: one tick after another, in one process that lives on."""
    watched.write("knowledge/a.md", "a\n")
    assert watched.findings() == {}
    watched.write("knowledge/a.md", "b\n")
    watched.write("stages/shape/artifacts/deep/new.md", "new\n")
    assert watched.findings() == {
        "knowledge/a.md": ("modified", "human-implicit"),
        "stages/shape/artifacts/deep/new.md": ("new-file-detected", "human-implicit"),
    }
    watched.classify("ignore")
    assert watched.findings() == {}
    watched.agent_writes("knowledge/a.md", "c\n")
    assert watched.findings() == {}
    (watched.top / "knowledge/a.md").unlink()
    (watched.top / "stages/shape/artifacts/deep").rename(watched.top / "stages/shape/artifacts/moved")
    assert watched.findings() == {
        "knowledge/a.md": ("file-removed", "human-implicit"),
        "stages/shape/artifacts/deep/new.md": ("file-removed", "human-implicit"),
        "stages/shape/artifacts/moved/new.md": ("new-file-detected", "human-implicit"),
    }
    (watched.top / "baseline.json").write_text("{}")
    assert watched.tick().is_error
