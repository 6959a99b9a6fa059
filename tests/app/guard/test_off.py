from __future__ import annotations

import sys
from pathlib import Path

import pytest

from leeboard.app.guard.look import first_look, keep_look
from leeboard.app.guard.off import look_while_idle, told_back, went_off
from leeboard.app.install.hook_files import hook_command
from leeboard.clients.claude_code.hook_settings import install
from leeboard.io import places
from leeboard.trust.released import release
from tests.hook_process import SCRIPT


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    place = tmp_path / "repo/.claude/settings.json"
    place.parent.mkdir(parents=True)
    place.write_text(install("", hook_command(sys.executable, SCRIPT)), encoding="utf-8")
    keep_look(first_look("s", str(tmp_path / "repo"), {}))
    return tmp_path / "repo"


def noted(root: Path) -> list[str]:
    return went_off(places.state_dir(), str(root))


def test_hooks_that_go_while_nobody_asks_are_noted_once(root: Path) -> None:
    look_while_idle()
    assert noted(root) == []
    (root / ".claude/settings.json").unlink()
    look_while_idle()
    look_while_idle()
    (line,) = noted(root)
    assert "nothing is guarded" in line
    assert "until now" in told_back(str(root))
    assert told_back(str(root)) == ""


def test_a_person_who_took_them_out_is_not_told_so(root: Path) -> None:
    (root / ".claude/settings.json").unlink()
    release(str(root))
    look_while_idle()
    assert noted(root) == []
