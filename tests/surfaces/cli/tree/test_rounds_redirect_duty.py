"""A redirect alone at its folder, round after round."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from leeboard.app.tasks.drift_actions import Wanted
from leeboard.app.tasks.monitor import Rounds
from leeboard.errors import EffectError
from leeboard.io.file import Sole
from leeboard.surfaces.cli.tree.rounds import How, RedirectDuty, TreeTeller

EVENT = b'{"event_id":"e%d","timestamp":"2026-01-01T00:00:0%dZ","score":"green","task_id":"one","tree":"%d"}\n'
LOGGED = How(wanted=Wanted(log=True))


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("WG_DIR", str(tmp_path))
    for name in ("XDG_STATE_HOME", "LEEBOARD_STATE_DIR"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "graph.jsonl").write_text('{"kind":"task","id":"one","title":"Do it","status":"in-progress"}\n')
    (tmp_path / ".speedrift").mkdir()
    (tmp_path / ".speedrift" / "events.jsonl").write_bytes(EVENT % (1, 1, 1) + EVENT % (2, 2, 2))
    return tmp_path


@pytest.fixture
def rounds() -> Iterator[Rounds]:
    with Rounds(0.0) as made:
        yield made


def test_it_acts_and_is_alone_until_it_ends(root: Path, rounds: Rounds, capsys: pytest.CaptureFixture[str]) -> None:
    duty = RedirectDuty(str(root), os.environ, LOGGED)
    assert [duty.round(rounds, TreeTeller(as_json=True)) for _ in range(2)] == [0, 0]
    assert len(capsys.readouterr().out.splitlines()) == 2
    with pytest.raises(EffectError, match="another redirect is at work"):
        RedirectDuty(str(root), os.environ, LOGGED).round(rounds, TreeTeller(as_json=True))
    duty.end()
    assert RedirectDuty(str(root), os.environ, LOGGED).round(rounds, TreeTeller(as_json=True)) == 0


def test_who_waits_can_be_ended(root: Path, rounds: Rounds, capsys: pytest.CaptureFixture[str]) -> None:
    other = Sole(str(root / ".speedrift" / "redirect.lock"))
    assert other.take()
    os.kill(os.getpid(), signal.SIGTERM)
    duty = RedirectDuty(str(root), os.environ, How(wanted=Wanted(), wait=True))
    assert duty.round(rounds, TreeTeller(as_json=True)) == 0
    assert "waiting for another redirect" in capsys.readouterr().err
    other.give_back()


def test_a_failure_is_said_once_and_tried_again(root: Path, rounds: Rounds, capsys: pytest.CaptureFixture[str]) -> None:
    graph = root / "graph.jsonl"
    whole = graph.read_text()
    graph.write_text(whole + "{broken\n")
    duty, teller = RedirectDuty(str(root), os.environ, LOGGED), TreeTeller(as_json=True)
    assert [duty.round(rounds, teller) for _ in range(3)] == [5, 5, 5]
    out, err = capsys.readouterr()
    assert (out, err.count("will be tried again")) == ("", 1)
    graph.write_text(whole)
    assert duty.round(rounds, teller) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_from_the_start_is_once(root: Path, rounds: Rounds, capsys: pytest.CaptureFixture[str]) -> None:
    first = RedirectDuty(str(root), os.environ, How(wanted=Wanted()))
    first.round(rounds, TreeTeller(as_json=True))
    first.end()
    capsys.readouterr()
    again = RedirectDuty(str(root), os.environ, How(wanted=Wanted(log=True), from_start=True))
    assert [again.round(rounds, TreeTeller(as_json=True)) for _ in range(2)] == [0, 0]
    assert len(capsys.readouterr().out.splitlines()) == 1
    assert (root / "graph.jsonl").read_text().count("Speedrift: OK") == 1


def test_tasks_that_can_not_be_found_are_said(
    tmp_path: Path, rounds: Rounds, capsys: pytest.CaptureFixture[str]
) -> None:
    duty = RedirectDuty(str(tmp_path), {"WG_DIR": str(tmp_path / "gone")}, LOGGED)
    assert duty.round(rounds, TreeTeller(as_json=True)) == 2
    assert "WG_DIR" in capsys.readouterr().err
