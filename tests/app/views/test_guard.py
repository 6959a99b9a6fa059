from __future__ import annotations

import socket
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

from leeboard.app.install.hook_files import SettingsPlace
from leeboard.app.views.guard import DoctorCheck, check_view, health_of, hooks_at, resident_answers
from leeboard.io.clock import ago, span
from leeboard.io.places import socket_path
from leeboard.model.lookup import Receipt
from leeboard.store.sqlite import open_store

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk


def test_what_the_store_knows_of_this_project(monkeypatch: pytest.MonkeyPatch, drifted: Desk) -> None:
    for name, value in drifted.env.items():
        monkeypatch.setenv(name, value)
    health = health_of(str(drifted.repo))
    assert health.installed
    assert health.stored.session is not None
    assert health.stored.receipts[0].event == "Stop"
    assert health_of("/elsewhere").stored.receipts == ()


def test_what_went_wrong_elsewhere_is_not_told_here(monkeypatch: pytest.MonkeyPatch, desk: Desk) -> None:
    """Neither hooks that went unanswered nor what was refused to an agent."""
    other = desk.repo.with_name("other")
    other.mkdir()
    desk.execute(("git", "init", "-q"), cwd=other)
    desk.ok("hook", stdin=b"garbage", cwd=other)
    for env in ({"CLAUDECODE": "1"}, {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s1"}):
        assert desk.run("scope", "widen", "src/", "--reason", "x", cwd=other, env=env).code == 2
    for name, value in desk.env.items():
        monkeypatch.setenv(name, value)
    here, there = health_of(str(desk.repo)), health_of(str(other))
    assert (len(here.misses), len(here.stored.refused)) == (0, 0)
    assert (len(there.misses), len(there.stored.refused)) == (1, 2)
    assert "\t" not in there.misses[0]


def test_what_was_refused_to_a_session_is_told_where_it_works(monkeypatch: pytest.MonkeyPatch, desk: Desk) -> None:
    """Wherever it tried, and also where the receipt is of a version that kept no place."""
    desk.ok("init", "-q")
    desk.hook("UserPromptSubmit", prompt="fix app.py")
    other = desk.repo.with_name("other")
    other.mkdir()
    agent = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "session-1"}
    assert desk.run("uninstall", cwd=other, env=agent).code == 2
    store = open_store(str(desk.state / "leeboard.db"))
    store.receipt(Receipt(ts=1.0, event="cli", outcome="self_allowance", session="session-1", note="older"))
    store.receipt(Receipt(ts=2.0, event="cli", outcome="self_allowance", note="of nobody"))
    store.close()
    for name, value in desk.env.items():
        monkeypatch.setenv(name, value)
    assert len(health_of(str(desk.repo)).stored.refused) == 3
    assert [one.note for one in health_of(str(other)).stored.refused][:1] == ["of nobody"]
    assert [one.note for one in health_of("/elsewhere").stored.refused] == ["of nobody"]


def test_a_resident_is_one_that_accepts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path))
    monkeypatch.setenv("LEEBOARD_RUNTIME_DIR", str(tmp_path / "run"))
    assert not resident_answers()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(socket_path())
        listener.listen()
        assert resident_answers()
    assert not resident_answers()


def test_settings_that_can_not_be_read_are_a_problem_not_a_crash(tmp_path: Path) -> None:
    broken = tmp_path / "settings.json"
    broken.write_text("{")
    assert "settings.json: line 1" in hooks_at(SettingsPlace("local", str(broken))).problem


def test_a_store_that_can_not_be_read_is_a_problem_not_a_crash(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path))
    (tmp_path / "leeboard.db").write_bytes(b"no database" * 200)
    assert "damaged" in health_of(str(tmp_path)).stored.problem


def test_programs_learn_whether_a_check_can_be_repaired() -> None:
    assert check_view(DoctorCheck(about="x", repair=str)).fixable
    assert msgspec.to_builtins(check_view(DoctorCheck(about="x", state="failed", detail="y"))) == {
        "kind": "check",
        "about": "x",
        "state": "failed",
        "detail": "y",
        "fixable": False,
    }


@pytest.mark.parametrize(
    ("seconds", "told"), [(0, "0 s"), (90, "90 s"), (180, "3 min"), (7200, "2 h"), (86_400 * 3, "3 d")]
)
def test_a_span_is_told_in_the_largest_unit_that_fits(seconds: float, told: str) -> None:
    assert span(seconds) == told
    assert ago(1000.0, 1000.0 + seconds) == f"{told} ago"
