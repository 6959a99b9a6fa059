from __future__ import annotations

import os
from pathlib import Path

import pytest

from leeboard.app.check import CheckOptions
from leeboard.app.tasks.drift_actions import Wanted
from leeboard.app.views.tree import check_page, contract_page
from tests.hooked_agent import run

CONTRACT = '[contract]\nobjective = "fix it"\ntouch = ["src/**"]\n'


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    place = tmp_path / "repo"
    place.mkdir()
    (place / "leeboard.toml").write_text(CONTRACT)
    run(place, "git init -q -b main . && git add -A && git commit -qm begin")
    (place / "other.py").write_text("x = 1\n")
    return place


def test_a_check_without_a_task_says_that_nothing_can_be_written_onto_one(repo: Path) -> None:
    page = check_page(str(repo), os.environ, "", CheckOptions(), Wanted(log=True, followups=False))
    assert page.report.score != "green"
    assert "there is no task to write to: this contract belongs to none" in page.notes


def test_a_look_at_the_index_alone_is_not_remembered(repo: Path) -> None:
    wanted = Wanted(log=False, followups=False)
    assert check_page(str(repo), os.environ, "", CheckOptions(staged=True), wanted).recorded is None
    assert check_page(str(repo), os.environ, "", CheckOptions(), wanted).recorded is not None


def test_the_contract_that_holds_without_a_task(repo: Path) -> None:
    page = contract_page(str(repo), os.environ)
    assert (page.task_id, page.base_commit) == ("", "")
    assert page.held is not None
    assert page.held.contract.objective == "fix it"
