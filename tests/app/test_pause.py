"""A pause by a person: nothing is said or refused, everything is recorded, and it ends by itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from leeboard.app.archive import opened_archive
from leeboard.app.pause import Pause, begin_pause, end_pause, may_be_loud, pause_file, paused
from leeboard.io import clock
from leeboard.io.places import database
from tests.hooked_agent import HookedAgent, run
from tests.leak import live_key


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("LEEBOARD_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("HOME", str(tmp_path))
    found = tmp_path / "repo"
    found.mkdir()
    assert run(found, "git init -q -b main .").returncode == 0
    return found


def begin(repo: Path, until: float = 0.0) -> None:
    begin_pause(Pause(root=str(repo), reason="I look myself", since=clock.now(), until=until, by="kim"))


def test_while_it_holds_a_running_session_is_let_pass_and_recorded_and_then_guarded_again(repo: Path) -> None:
    agent = HookedAgent(repo, profile="enforce")
    agent.prompt("add payments in src/pay.py")
    key = f'STRIPE_API_KEY = "{live_key(1)}"\n'
    assert agent.write("src/pay.py", key).denied
    begin(repo)
    answer = agent.write("src/pay.py", key)
    assert (answer.denied, answer.words) == (False, "")
    with opened_archive() as store:
        receipts = [one for one in store.receipts(20) if one.event == "PreToolUse"]
        assert "paused until `leeboard resume` by kim: I look myself" in receipts[0].note
        assert store.session("s") is not None
    assert end_pause(str(repo))
    assert not end_pause(str(repo))
    assert agent.write("src/other.py", key).denied


def test_it_ends_at_its_time(repo: Path) -> None:
    begin(repo, until=clock.now() + 60)
    found = paused(str(repo), clock.now())
    assert found is not None
    assert paused(str(repo), clock.now() + 61) is None


def test_it_holds_in_its_own_project_alone(repo: Path) -> None:
    begin(repo)
    assert paused(str(repo.parent), clock.now()) is None


def test_each_session_that_starts_tells_the_person(repo: Path) -> None:
    begin(repo)
    answer = json.loads(HookedAgent(repo).answer("SessionStart", source="startup"))
    assert answer["systemMessage"].startswith("Leeboard: paused until `leeboard resume` by kim")


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b'{"root": 3}', b"\xff" * 80, b'{"root":"/x","reason":"","since":1}']
)
def test_what_is_no_pause_holds_nothing(repo: Path, content: bytes) -> None:
    path = Path(pause_file(str(repo)))
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    assert paused(str(repo), clock.now()) is None


def test_one_that_a_line_of_the_agent_made_is_told_to_the_person(repo: Path) -> None:
    agent = HookedAgent(repo)
    agent.prompt("tidy up")
    answer, call = agent.propose("Bash", {"command": "python3 tidy.py"})
    assert not answer.denied
    begin(repo)
    end_of = {"tool_response": {"stdout": "", "stderr": ""}}
    told = agent.answer("PostToolUse", **call, **end_of)
    end_pause(str(repo))
    agent.answer("PostToolBatch", tool_calls=[])
    with opened_archive() as store:
        notes = " ".join(one.note for one in store.receipts(20))
    assert "was made while `python3 tidy.py` ran" in notes or b"was made while" in told


def test_only_a_pause_or_a_store_has_anything_to_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    root = str(tmp_path)
    assert not may_be_loud(root)
    begin_pause(Pause(root=root, reason="a bulk rename", since=1.0))
    assert may_be_loud(root)
    assert end_pause(root)
    Path(database()).write_bytes(b"")
    assert may_be_loud(root)


def test_what_happened_meanwhile_is_held_against_nobody_afterwards(repo: Path) -> None:
    agent = HookedAgent(repo)
    agent.prompt("Fix the login in app/auth.py. Don't touch db/schema.sql.")
    agent.write("app/auth.py", "def login():\n    return 1\n")
    begin(repo)
    for path in ("db/schema.sql", "web/theme.css", "docs/notes.md", "db/schema.sql"):
        assert agent.write(path, f"/* {path} */\n").words == ""
    agent.write("src/pay.py", f'STRIPE_API_KEY = "{live_key(1)}"\n')
    assert end_pause(str(repo))
    with opened_archive() as store:
        session = store.session("s")
        verdicts = [one for one in store.verdicts("s") if one.in_pause]
        assert not [one for one in store.corrections("s") if one.state == "waiting"]
        assert {one.state for one in store.signals("s")} == {"logged"}
    assert session is not None
    assert (session.mode, session.escalation, session.drifted, session.halts) == ("NORMAL", 0, 0, 0)
    assert not any(state.waiting or state.pending or state.strays for state in session.agents)
    assert session.paused == 5
    assert {path for one in verdicts for path in one.paths} >= {"db/schema.sql", "web/theme.css"}
    assert {(one.score, one.level, one.message) for one in verdicts} == {(0, "none", "")}
    assert agent.bash("ls").words + agent.prompt("go on") == ""
    assert agent.hook("Stop").words == ""
    assert agent.write("db/schema.sql", "-- again\n").denied
