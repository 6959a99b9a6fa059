from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

from leeboard.app.misses import note_miss
from leeboard.errors import StateError
from tests.git_repository import GitRepository

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk


def test_old_sessions_are_forgotten_and_young_ones_stay(drifted_copy: Desk) -> None:
    (kept,) = drifted_copy.ok("purge", "--older-than", "1d", "--json").objects
    assert kept["sessions"] == 0
    age(drifted_copy)
    (gone,) = drifted_copy.ok("purge", "--older-than", "1d", "--json").objects
    assert gone["sessions"] == 1
    assert drifted_copy.run("report").code == 2


def age(desk: Desk) -> None:
    """A session is as old as its last event: let that be long ago."""
    connection = sqlite3.connect(desk.state / "leeboard.db")
    connection.execute("UPDATE session_hot SET updated = 1")
    connection.commit()
    connection.close()


def test_a_span_is_needed_and_read(desk: Desk) -> None:
    ran = desk.run("purge", "--older-than", "soon")
    assert ran.code == 2
    assert "30d" in ran.err or "3d" in ran.err
    assert desk.run("purge", "--older-than", "30d").code == 2


def test_a_whole_project_is_forgotten_at_a_word(drifted_copy: Desk) -> None:
    assert drifted_copy.run("purge").code == drifted_copy.run("purge", "--project", "--older-than", "1d").code == 2
    (gone,) = drifted_copy.ok("purge", "--project", "--json").objects
    assert (gone["project"], gone["rows"] > 20) == (str(drifted_copy.repo), True)
    assert drifted_copy.ok("export").objects == []


def begin_opaque_line(desk: Desk, session: str = "session-1") -> None:
    """A shell line that nobody can foretell, whose end is never told."""
    call = {"tool_name": "Bash", "tool_input": {"command": "./tools/build.sh"}, "tool_use_id": "t1"}
    desk.hook("PreToolUse", session=session, **call)


def at_work(desk: Desk) -> None:
    """A project with all that is kept beside the database: a look, drift, a hook that failed, a judged session."""
    repository = GitRepository(desk.repo)
    repository.write("src/a.py", "a = 1\n")
    repository.run("add", "-A")
    repository.commit()
    desk.ok("init", "-q")
    repository.write("src/hidden_name.py", "b = 1\n")
    desk.hook("UserPromptSubmit", prompt="Fix src/a.py", prompt_id="p1")
    begin_opaque_line(desk)
    desk.run("check")
    note_miss(str(desk.state), "Stop", StateError("x"), str(desk.repo))
    session = desk.home / "session.jsonl"
    said = '{"type":"user","sessionId":"s","cwd":"%s","message":{"role":"user","content":"Fix src/a.py"}}\n'
    session.write_text(said % desk.repo)
    desk.ok("backtest", str(session))


def naming(desk: Desk, *words: str) -> list[str]:
    """Files of state and cache that name any of this; the database and what stays on purpose left out."""
    places = (desk.state, desk.home / ".cache" / "leeboard")
    files = [path for place in places for path in place.rglob("*") if path.is_file()]
    stays = {"backups", "trust"}
    return [
        str(path)
        for path in files
        if not path.name.startswith("leeboard.db") and not stays & set(path.parts)
        if any(word.encode() in path.read_bytes() for word in words)
    ]


def test_all_leaves_no_file_that_tells_of_a_project(desk: Desk) -> None:
    at_work(desk)
    told = desk.ok("export", "--all").out
    assert "hidden_name.py" in told
    assert '"kind":"miss"' in told.replace(" ", "")
    assert naming(desk, str(desk.repo), "hidden_name")
    assert list((desk.home / ".cache" / "leeboard" / "backtest").iterdir())
    desk.ok("purge", "--all")
    assert naming(desk, str(desk.repo), "hidden_name") == []
    left = [desk.state / name for name in ("trees", "drift")] + [desk.home / ".cache" / "leeboard" / "backtest"]
    assert [path for path in left if path.exists()] == []
    assert desk.ok("export", "--all").objects == []


def test_a_project_takes_its_files_along_and_leaves_those_of_others(desk: Desk, tmp_path: Path) -> None:
    at_work(desk)
    other = tmp_path / "other"
    other.mkdir()
    note_miss(str(desk.state), "Stop", StateError("theirs"), str(other))
    assert any((desk.state / "drift").rglob("*.json"))
    desk.ok("purge", "--project")
    assert naming(desk, str(desk.repo), "hidden_name") == []
    assert "theirs" in (desk.state / "misses.log").read_text()
    assert not any((desk.state / "drift").rglob("*.json"))


def test_the_end_of_a_session_clears_its_looks_at_the_tree(desk: Desk) -> None:
    GitRepository(desk.repo).write("a.py", "a = 1\n")
    desk.ok("init", "-q")
    begin_opaque_line(desk)
    begin_opaque_line(desk, "session-2")
    assert len(list((desk.state / "trees").iterdir())) == 2
    desk.hook("SessionEnd", reason="exit")
    (left,) = (desk.state / "trees").iterdir()
    assert "session-2" in left.read_text()
