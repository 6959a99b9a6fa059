from __future__ import annotations

import json
from pathlib import Path

import pytest

from leeboard.app.actors import acceptance_actor, folder_actor, sleeping_acceptance, tasks_count
from leeboard.model.task import Task
from leeboard.trust import record

TASK = Task(id="t", title="T")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    (tmp_path / "repo/.wg").mkdir(parents=True)
    (tmp_path / "repo/.wg/graph.jsonl").write_text(json.dumps({"kind": "task", "id": "t", "title": "T"}) + "\n")
    return tmp_path / "repo"


def test_a_folder_is_trusted_once_and_its_commands_one_by_one(root: Path) -> None:
    folder = str(root / ".wg")
    assert not tasks_count(str(root), {})
    record.grant(str(root), [folder_actor(folder)], record.PERSON)
    assert tasks_count(str(root), {})
    assert sleeping_acceptance(str(root), TASK, ("make",)) == ("make",)
    record.grant(str(root), [acceptance_actor(folder, TASK, ("make",))], record.PERSON)
    assert sleeping_acceptance(str(root), TASK, ("make",)) == ()
    assert sleeping_acceptance(str(root), TASK, ("make", "evil")) == ("make", "evil")


def test_only_a_folder_elsewhere_is_the_users_own_word(root: Path, tmp_path: Path) -> None:
    assert not tasks_count(str(root), {"WG_DIR": str(root / ".wg")})
    assert tasks_count(str(tmp_path / "elsewhere"), {"WG_DIR": str(root / ".wg")})
