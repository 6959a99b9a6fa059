from __future__ import annotations

import time
from pathlib import Path

import pytest

from leeboard.trust.released import release, released_at


def test_a_release_concerns_its_project_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    assert released_at(str(tmp_path)) == 0.0
    before = time.time() - 1
    release(str(tmp_path))
    assert released_at(str(tmp_path)) > before
    assert released_at("/elsewhere") == 0.0
    assert released_at(str(tmp_path), "hooks") == 0.0
