"""What is foreseen is what the hook answers, and what a file held before is not held against a text for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.foresee import Trial, try_out
from tests.hooked_agent import HookedAgent, run
from tests.leak import live_key

OLD = f'STRIPE_API_KEY = "{live_key(1)}"\n'


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("LEEBOARD_CONFIG_DIR", str(tmp_path / "config"))
    place = tmp_path / "repo"
    place.mkdir()
    (place / "keys.py").write_text(OLD, encoding="utf-8")
    assert run(place, "git init -q -b main . && git add -A && git commit -qm begin").returncode == 0
    return place


def tried(repo: Path, text: str) -> str:
    trial = Trial(path=str(repo / "keys.py"), text=text)
    return try_out(trial, str(repo), str(repo), {"LEEBOARD_INDEX": "0", "LEEBOARD_KEEP": "0"}).verdict


def test_the_hook_answers_what_was_foreseen(repo: Path) -> None:
    agent = HookedAgent(repo)
    agent.prompt("tidy up keys.py")
    agent.read("keys.py")
    for text in (OLD.replace("API_", ""), OLD + f'OTHER_KEY = "{live_key(2)}"\n'):
        foreseen = tried(repo, text)
        answer, _ = agent.propose("Write", {"file_path": str(repo / "keys.py"), "content": text})
        assert (foreseen == "refused") is answer.denied
    assert foreseen == "refused"


def test_a_trial_is_a_call_like_any_other() -> None:
    assert Trial(command="ls").call.action == "bash"
    assert Trial(path="/r/a.py", text="x").call.edits[0].new == "x"
