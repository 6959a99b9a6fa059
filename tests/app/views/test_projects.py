"""Projects stand in addresses by a key; those that are gone are not listed."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.views.projects import known_projects, project_key


def test_only_what_is_there_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    (tmp_path / "b").mkdir()
    (tmp_path / "A" / ".haiku" / "intents").mkdir(parents=True)
    found = known_projects((str(tmp_path / "b"), str(tmp_path / "A"), str(tmp_path / "gone")))
    assert [(project.name, project.has_plan) for project in found] == [("A", True), ("b", False)]
    assert found[0].key == project_key(str(tmp_path / "A"))
    assert "/" not in found[0].key
