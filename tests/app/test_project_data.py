from __future__ import annotations

import json
from pathlib import Path

import pytest

from leeboard.app.archive import opened_archive
from leeboard.app.pause import Pause, begin_pause, paused
from leeboard.app.project_data import exported, forgotten
from tests.hooked_agent import HookedAgent, run
from tests.leak import live_key


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("STATE", "CONFIG", "CACHE", "RUNTIME"):
        monkeypatch.setenv(f"LEEBOARD_{name}_DIR", str(tmp_path / name.lower()))
    monkeypatch.setenv("HOME", str(tmp_path))
    found = tmp_path / "repo"
    found.mkdir()
    assert run(found, "git init -q -b main .").returncode == 0
    return found


def test_all_that_is_kept_about_a_project_is_given_out_and_forgotten(repo: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    for place, session in ((repo, "mine"), (other, "theirs")):
        agent = HookedAgent(place, session=session)
        agent.prompt("add payments in src/pay.py")
        agent.write("src/pay.py", f'STRIPE_API_KEY = "{live_key(1)}"\n')
        agent.bash("echo a")
    begin_pause(Pause(root=str(repo), reason="x", since=1.0))
    with opened_archive() as store:
        told = [json.loads(json.dumps(each)) for each in exported(str(repo), store)]
        assert {"session_hot", "verdicts", "findings", "receipts", "heartbeats"} <= {each.get("table") for each in told}
        assert sum(each["kind"] == "file" for each in told) == 3
        assert live_key(1) not in json.dumps(told)
        assert "theirs" not in json.dumps(told)
        rows, files = forgotten(str(repo), store)
        assert (rows, files) == (sum(each["kind"] == "row" for each in told), 3)
        assert list(exported(str(repo), store)) == []
        assert list(exported(str(other), store)) != []
        assert store.session("theirs") is not None
    assert paused(str(repo), 2.0) is None
    held = [path for path in (tmp_path / "state").rglob("*") if path.is_file() and b"mine" in path.read_bytes()]
    assert [path.name for path in held if not path.name.startswith("leeboard.db")] == []
