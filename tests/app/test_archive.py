from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from leeboard.app.archive import find_session, known_archive, opened_archive
from leeboard.errors import ConfigError

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk


def test_asking_leaves_no_trace(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    with pytest.raises(ConfigError, match="nothing was recorded yet"), known_archive():
        pass
    assert not (tmp_path / "state").exists()


def test_a_session_is_found_by_the_start_of_its_id(monkeypatch: pytest.MonkeyPatch, drifted: Desk) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(drifted.state))
    with opened_archive() as store:
        assert find_session(store, "", str(drifted.repo)).id == "session-1"
        assert find_session(store, "sess", "/elsewhere").id == "session-1"
        with pytest.raises(ConfigError, match="no session starts with 'x'"):
            find_session(store, "x", str(drifted.repo))
        with pytest.raises(ConfigError, match="no session was recorded in /elsewhere"):
            find_session(store, "", "/elsewhere")
