"""In the middle of a session of the real client the resident dies, hangs or talks nonsense, or the package is gone.

What must not pass is refused all the same, the agent is told nothing false, and where nobody guards any more it is the
person who is told.
"""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from os import kill
from pathlib import Path

import pytest

from tests.e2e.desk import Desk
from tests.e2e.model_script import Script, bash, edit, read, say, use, use_after
from tests.e2e.test_no_lockout import PACKAGE, move_hooks

pytestmark = pytest.mark.e2e

PROMPT = "Fix add() in app.py. Don't modify the schema."
NONSENSE = """
import os, socket, sys
path = sys.argv[1]
os.unlink(path)
listener = socket.socket(socket.AF_UNIX)
listener.bind(path)
listener.listen(64)
listener.settimeout(20)
if os.fork():
    os._exit(0)
os.close(1)
try:
    while True:
        connection, _ = listener.accept()
        connection.recv(65536)
        connection.sendall(b'7\\n{"permissionDecision": "allow"} and more of it')
        connection.close()
except TimeoutError:
    pass
"""
LOCK = "$(head -c 20 {run}/*.sock.lock)"
HARMS = {
    "dies": f"kill -9 {LOCK}",
    "hangs": f"kill -STOP {LOCK}",
    "talks nonsense": f"kill -9 {LOCK}; {sys.executable} {{run}}/nonsense.py {{run}}/*.sock",
}


@pytest.mark.parametrize("harm", HARMS)
def test_a_resident_that_is_harmed_in_mid_session_changes_no_answer(desk: Desk, harm: str) -> None:
    desk.env |= {"LEEBOARD_PROFILE": "enforce", "LEEBOARD_IDLE_SECONDS": "4"}
    run_dir = desk.folder / "run"
    run_dir.mkdir(mode=0o700, exist_ok=True)
    (run_dir / "nonsense.py").write_text(NONSENSE, encoding="utf-8")
    schema, app, before = desk.path("db/schema.sql"), desk.path("app.py"), desk.read("db/schema.sql")
    script = Script(
        main=(
            use(read(schema), read(app)),
            use(bash("echo before")),
            use_after(HARMS[harm].format(run=run_dir), edit(schema, "users", "people")),
            use(edit(app, "a - b", "a + b")),
            use(bash("echo after")),
            say("add() adds now."),
        )
    )
    try:
        run = desk.run(PROMPT, script)
        (refused,) = run.main[3].results
        assert refused["is_error"] is True
        assert "db/schema.sql" in refused["content"]
        assert desk.read("db/schema.sql") == before
        assert "return a + b" in desk.read("app.py")
        assert run.code == 0
        told = " ".join(words for request in run.main for words in request.our_words)
        assert "resident" not in told
    finally:
        for lock in run_dir.glob("*.lock"):
            with suppress(OSError, ValueError):
                kill(int(lock.read_text()[:20]), signal.SIGKILL)
    desk.wait_for_resident()
    (status,) = desk.leeboard("status", "--json")
    assert status["silences"] == []
    heard = {hook["event"]: hook["count"] for hook in status["observed"]}
    assert heard["PreToolUse"] >= 6


def test_a_package_that_is_gone_in_mid_session_is_said_to_the_person_by_whatever_runs_next(desk: Desk) -> None:
    package = desk.folder / "venv" / "leeboard"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    move_hooks(desk, package)
    script = Script(
        main=(
            use(bash("echo one")),
            use_after(f"rm -rf {package}", bash("echo two")),
            use(bash("echo three")),
            say("Done."),
        )
    )
    run = desk.run("Say one, two and three.", script)
    assert run.code == 0
    assert [request.our_words for request in run.main] == [[]] * len(run.main), "the agent is told nothing"
    assert len([one for one in desk.receipts(run.session) if one.event == "PreToolUse"]) == 1
    (status,) = desk.leeboard("status", "--json", code=1)
    assert "which does not exist: no hook of Claude Code is answered" in status["silences"][0]
    line = (sys.executable, "-m", "leeboard", "rules", "--json")
    env = {**desk.env, "PYTHONPATH": str(Path(PACKAGE).parent), "COLUMNS": "400"}
    said = subprocess.run(line, cwd=desk.repo, env=env, capture_output=True, check=True)
    assert b"no hook of Claude Code is answered" in said.stderr
