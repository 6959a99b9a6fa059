from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.plan.engine import Engine, look_over
from leeboard.plan.disk.folder import PlanFolder
from tests.git_repository import ENVIRONMENT
from tests.mcp_agent import make_project


def test_tracked_files_are_looked_at_where_they_are_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (ENVIRONMENT | {"LEEBOARD_STATE_DIR": str(tmp_path / "state")}).items():
        monkeypatch.setenv(name, value)
    root = make_project(tmp_path / "project").path
    engine, folder = Engine(str(root)), PlanFolder(str(root))
    engine.create("Make it", "", "thing", "small")
    engine.tick("thing")
    assert look_over(folder, "thing", truth=False, work=False).plan.truth is None
    seen = look_over(folder, "thing", truth=True, work=False).plan.truth
    assert seen is not None
    assert seen.standing["shape"] == "established"
    found = engine.look("thing", truth=True).truth
    assert found is not None
    assert (found.standing, engine.look("thing").truth) == (seen.standing, None)
    state = root / ".haiku/intents/thing/stages/shape/state.json"
    state.write_text(state.read_text().replace('"visits": 1', '"visits": 7'))
    assert look_over(folder, "thing", truth=True, work=False).plan.truth is None, "a plan changed by hand goes first"
