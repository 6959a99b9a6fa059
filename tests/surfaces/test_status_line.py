"""The line in the client's status bar: a real process as the client runs it, over a real store."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from leeboard.app.pause import Pause, begin_pause
from leeboard.io import places
from leeboard.surfaces import status_line
from tests.hooked_agent import HookedAgent, run
from tests.leak import live_key

SCRIPT = str(Path(status_line.__file__).absolute())


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("LEEBOARD_CONFIG_DIR", str(tmp_path / "config"))
    place = tmp_path / "repo"
    place.mkdir()
    assert run(place, "git init -q -b main .").returncode == 0
    return place


def shown(payload: object, **env: str) -> str:
    """As the client runs it, with nothing but what it imports by itself."""
    given = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    done = subprocess.run(
        (sys.executable, "-I", "-S", SCRIPT), input=given, env={**os.environ, **env}, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    (line,) = done.stdout.decode().splitlines()
    return line


def client_json(repo: Path, session: str = "s") -> dict[str, object]:
    return {
        "session_id": session,
        "cwd": str(repo),
        "model": {"id": "m", "display_name": "M"},
        "workspace": {"current_dir": str(repo), "project_dir": str(repo)},
    }


def test_a_session_that_was_heard_is_alive_with_mode_score_and_what_was_said(repo: Path) -> None:
    agent = HookedAgent(repo)
    agent.prompt("add payments in src/pay.py")
    assert shown(client_json(repo)).endswith("NORMAL · nothing scored")
    assert agent.write("src/pay.py", "a = 1\n").words == ""
    assert agent.write("src/pay.py", f'STRIPE_API_KEY = "{live_key(1)}"\n').denied
    line = shown(client_json(repo))
    assert line.startswith("leeboard ")
    assert " s ago · NORMAL · 10/10 · 1 said, 1 refused" in line


def test_a_session_that_is_not_heard_yet_shows_the_newest_of_its_project_and_of_no_other(
    repo: Path, tmp_path: Path
) -> None:
    HookedAgent(repo).prompt("add payments in src/pay.py")
    assert "NORMAL" in shown(client_json(repo, "another"))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert shown(client_json(elsewhere, "another")) == "leeboard: not heard here yet"


@pytest.mark.parametrize("payload", [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"session_id": 3, "cwd": []}'])
def test_whatever_it_is_given_it_prints_one_line_and_ends_well(repo: Path, payload: bytes) -> None:
    assert repo
    assert shown(payload).startswith("leeboard")


def test_without_a_store_with_a_damaged_one_and_switched_off(repo: Path, tmp_path: Path) -> None:
    assert shown(client_json(repo)) == "leeboard: not heard here yet"
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "leeboard.db").write_bytes(b"no database" * 500)
    assert shown(client_json(repo)) == "leeboard: not heard here yet"
    assert shown(client_json(repo), LEEBOARD_OFF="1") == "leeboard off"


def test_it_imports_nothing_of_ours_and_not_even_json() -> None:
    probe = f"import sys, runpy; runpy.run_path({SCRIPT!r}); print(sorted(sys.modules))"
    names = subprocess.run((sys.executable, "-I", "-S", "-c", probe), capture_output=True, check=True).stdout.decode()
    assert "leeboard" not in names
    assert "'json'" not in names
    assert "'sqlite3'" not in names


@pytest.mark.parametrize(
    "env", [{"LEEBOARD_STATE_DIR": "/a/b"}, {"XDG_STATE_HOME": "/x"}, {"XDG_STATE_HOME": "relative"}, {"HOME": "/h/"}]
)
def test_it_looks_where_everything_else_does(env: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LEEBOARD_STATE_DIR", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert status_line.state_dir(os.environb.copy()) == places.state_dir()


def test_hooks_that_the_client_does_not_run_any_more_are_said_by_its_own_transcript(repo: Path, tmp_path: Path) -> None:
    agent = HookedAgent(repo)
    agent.prompt("add payments in src/pay.py")
    agent.bash("echo a")
    transcript = tmp_path / "s.jsonl"
    given = {**client_json(repo), "transcript_path": str(transcript)}

    def results(*calls: str, when: str) -> None:
        for call in calls:
            told = {"type": "tool_result", "tool_use_id": call, "content": "a"}
            line = {"type": "user", "timestamp": when, "message": {"content": [told]}}
            transcript.write_text(f"{transcript.read_text() if transcript.exists() else ''}{json.dumps(line)}\n")

    assert "NOT HEARD" not in shown(given)
    results("old1", "old2", when="2020-01-01T00:00:00.000Z")
    assert "NOT HEARD" not in shown(given), "a hook was heard after them"
    results("t-s--2", "new1", when="2099-01-01T00:00:00.000Z")
    assert "NOT HEARD" not in shown(given), "one of the last two was heard"
    results("new2", when="2099-01-01T00:00:00.000Z")
    assert shown(given).startswith("leeboard NOT HEARD: hooks do not run, the last one was ")
    transcript.write_bytes(b'\xff\n{\n"tool_result"\n')
    assert shown(given).startswith("leeboard")
    assert "NORMAL" in shown({**given, "transcript_path": "/dev/zero"})


def test_a_pause_is_shown_with_its_reason(repo: Path) -> None:
    HookedAgent(repo).prompt("add payments in src/pay.py")
    begin_pause(Pause(root=str(repo), reason="a bulk\nrename", since=0.0))
    assert shown(client_json(repo)).startswith("leeboard PAUSED: a bulk rename · heard ")
    begin_pause(Pause(root=str(repo), reason="over", since=0.0, until=1.0))
    assert "PAUSED" not in shown(client_json(repo))
