from __future__ import annotations

import json
from pathlib import Path

import pytest

from leeboard.app.actors import actors, asleep_line, sleeping
from leeboard.trust import record

TASK = {"kind": "task", "id": "t", "title": "T", "status": "open", "description": "```wg-contract\nverify = ['x']\n```"}


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("STATE", "CONFIG"):
        monkeypatch.setenv(f"LEEBOARD_{name}_DIR", str(tmp_path / name.lower()))
    (tmp_path / "repo").mkdir()
    return tmp_path / "repo"


def test_nothing_of_ours_is_nothing_to_trust(root: Path, tmp_path: Path) -> None:
    assert actors(str(root), {}) == sleeping(str(root), {}) == ()
    assert asleep_line(()) == ""
    assert not (tmp_path / "state").exists(), "looking leaves no trace"


def test_each_kind_is_found(root: Path) -> None:
    (root / "leeboard.toml").write_text('profile = "observe"\n')
    (root / ".haiku/intents/x").mkdir(parents=True)
    (root / ".haiku/intents/x/intent.md").write_text("---\ntitle: X\nquality_gates:\n  - command: make\n---\n")
    (root / ".wg").mkdir()
    (root / ".wg/graph.jsonl").write_text(json.dumps(TASK) + "\n")
    found = sleeping(str(root), {})
    assert [actor.part for actor in found] == [
        "settings:leeboard.toml",
        "plan:x",
        "gates:x",
        "tasks:.wg",
        "acceptance:t",
    ]
    assert "`leeboard trust`" in asleep_line(found)
    record.grant(str(root), found, record.PERSON)
    assert sleeping(str(root), {}) == ()
