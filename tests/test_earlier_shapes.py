"""What earlier versions left behind opens: databases, settings and plan trees that their own code wrote, one per shape.

Each was made by installing that version, running one short session through its hooks and keeping what lay there then.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from leeboard.app.plan.engine import Engine
from leeboard.app.views.guard import health_of
from leeboard.clients.claude_code.hook_settings import HOOK_EVENTS, install, read_state, remove
from leeboard.store.database import VERSION
from leeboard.store.sqlite import open_store
from leeboard.surfaces import edge
from tests.hook_process import edit, hook_payload
from tests.leak import live_key

SHAPES = Path(__file__).parent / "fixtures" / "shapes"
DATABASES = sorted(SHAPES.glob("v*/database.sql"))
SESSION, ROOT = "s-old", "/home/kim/repo"


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    found = tmp_path / "state"
    found.mkdir()
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(found))
    monkeypatch.setenv("LEEBOARD_RUNTIME_DIR", str(tmp_path / "run"))
    monkeypatch.setenv("LEEBOARD_INDEX", "0")
    monkeypatch.setenv("LEEBOARD_KEEP", "0")
    monkeypatch.setenv("HOME", str(tmp_path))
    return found


def restored(state: Path, dump: Path) -> Path:
    path = state / "leeboard.db"
    with closing(sqlite3.connect(path)) as made:
        made.executescript(dump.read_text(encoding="utf-8"))
        made.execute("PRAGMA journal_mode = WAL")
    return path


def test_there_is_one_of_every_version_before_this() -> None:
    assert [path.parent.name for path in DATABASES] == [f"v{number}" for number in range(1, VERSION)]


@pytest.mark.parametrize("dump", DATABASES, ids=lambda path: path.parent.name)
def test_a_database_of_an_earlier_version_opens_with_all_that_it_holds(state: Path, dump: Path) -> None:
    path = restored(state, dump)
    with closing(open_store(str(path))) as store:
        (session,) = store.sessions(ROOT, 9)
        assert (session.id, session.events, session.goals[0].text.split(".")[0]) == (
            SESSION,
            8,
            "Fix the login bug in src/auth",
        )
        verdicts = store.verdicts(SESSION)
        assert len(verdicts) >= 8
        assert any(store.findings(verdict.id) for verdict in verdicts)
        assert [step.action_type for step in store.steps(SESSION)][:2] == ["edit", "write"]
        assert len(store.receipts(99)) >= 8
        store.corrections(SESSION)
        store.signals(SESSION)
        assert store.answered(SESSION, "call:t3") is not None
    with closing(sqlite3.connect(path)) as made:
        assert made.execute("PRAGMA user_version").fetchone() == (VERSION,)
        assert made.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.parametrize("dump", DATABASES, ids=lambda path: path.parent.name)
def test_a_session_that_an_earlier_version_began_goes_on(state: Path, dump: Path) -> None:
    path = restored(state, dump)
    given = {"file_path": f"{ROOT}/src/pay.py", "content": f'KEY = "{live_key(3)}"\n'}
    key = hook_payload(
        "PreToolUse", session_id=SESSION, cwd=ROOT, tool_name="Write", tool_input=given, tool_use_id="t9"
    )
    assert b'"permissionDecision":"deny"' in edge.answer(key, {})
    assert edge.answer(edit("t8", f"{ROOT}/src/auth.py", session_id=SESSION, cwd=ROOT), {}) == b""
    with closing(open_store(str(path))) as store:
        session = store.session(SESSION)
        assert session is not None
        assert session.events == 10
    assert not (state / "misses.log").exists()
    assert health_of(ROOT).stored.problem == ""


@pytest.mark.parametrize("file", sorted(SHAPES.glob("v*/settings.local.json")), ids=lambda path: path.parent.name)
def test_settings_that_an_earlier_version_wrote_are_known_renewed_and_given_back(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert {event for event, _ in read_state(text).hooks} <= set(HOOK_EVENTS)
    assert read_state(text).asked_first
    line = "/usr/bin/python3 -I -S /x/leeboard/surfaces/hook.py 2>/dev/null || :"
    renewed = install(text, line)
    assert {command for _, command in read_state(renewed).hooks} == {line}
    assert tuple(json.loads(renewed)["hooks"]) == HOOK_EVENTS
    assert remove(text) == remove(renewed) == ""


@pytest.mark.parametrize("tree", sorted(SHAPES.glob("v*/haiku")), ids=lambda path: path.parent.name)
def test_a_plan_that_an_earlier_version_began_goes_on(tmp_path: Path, state: Path, tree: Path) -> None:
    assert state
    repo = tmp_path / "repo"
    (repo / ".git").mkdir(parents=True)
    shutil.copytree(tree, repo / ".haiku")
    engine = Engine(str(repo))
    assert engine.slugs() == ("add-payments",) or list(engine.slugs()) == ["add-payments"]
    engine.resolve("add-payments")


def test_a_process_that_meets_a_newer_shape_never_writes_says_so_once_and_still_refuses(state: Path) -> None:
    path = restored(state, DATABASES[-1])
    with closing(sqlite3.connect(path)) as made:
        made.execute(f"PRAGMA user_version = {VERSION + 1}")
        made.execute("CREATE TABLE later (x)")
    before = path.read_bytes()
    start = hook_payload("SessionStart", session_id="s2", cwd=ROOT, source="startup")
    assert b"was written by a newer Leeboard" in edge.answer(start, {})
    assert edge.met_newer_state()
    assert edge.answer(start, {}) == b""
    given = {"file_path": f"{ROOT}/src/pay.py", "content": f'KEY = "{live_key(3)}"\n'}
    told = {"tool_name": "Write", "tool_input": given, "tool_use_id": "t9", "session_id": "s2", "cwd": ROOT}
    assert b'"permissionDecision":"deny"' in edge.answer(hook_payload("PreToolUse", **told), {})
    assert path.read_bytes() == before
    assert not Path(f"{path}-wal").exists() or Path(f"{path}-wal").stat().st_size == 0
