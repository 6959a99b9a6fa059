"""A desk: a person with an empty home and a repository, who runs real commands."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from leeboard.app.install.hook_files import hook_command
from tests.hook_process import SCRIPT
from tests.trusting import trust_all
from tests.warm_command import WARM, run_command

ROOT = Path(__file__).resolve().parents[3]
COMMAND = (sys.executable, "-m", "leeboard")
HOOK_LINE = hook_command(sys.executable, SCRIPT)


class Ran:
    def __init__(self, done: subprocess.CompletedProcess[bytes]) -> None:
        self.code = done.returncode
        self.out = done.stdout.decode()
        self.err = done.stderr.decode()

    @property
    def objects(self) -> list[dict[str, Any]]:
        """What was printed under --json."""
        return [json.loads(line) for line in self.out.splitlines()]


class Desk:
    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.repo = folder / "repo"
        self.state = self.home / ".local" / "state" / "leeboard"
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "PYTHONPATH": str(ROOT),
            "LEEBOARD_RESIDENT": "0",
            "LEEBOARD_INDEX": "0",
            "LEEBOARD_KEEP": "0",
            "LEEBOARD_RUNTIME_DIR": str(folder / "run"),
            "GIT_CONFIG_NOSYSTEM": "1",
        }
        self.home.mkdir()
        self.repo.mkdir()
        subprocess.run(("git", "init", "-q", str(self.repo)), check=True, env=self.env)

    @property
    def local(self) -> Path:
        return self.repo / ".claude" / "settings.local.json"

    @property
    def project(self) -> Path:
        return self.repo / ".claude" / "settings.json"

    def run(self, *words: str, stdin: bytes = b"", cwd: Path | None = None, env: dict[str, str] | None = None) -> Ran:
        return self.execute((*COMMAND, *words), stdin, cwd, env)

    def execute(
        self, words: tuple[str, ...], stdin: bytes = b"", cwd: Path | None = None, env: dict[str, str] | None = None
    ) -> Ran:
        where, environment = cwd or self.repo, self.env | (env or {})
        if words[: len(COMMAND)] == COMMAND:
            return Ran(run_command(words[len(COMMAND) :], where, environment, stdin))
        done = subprocess.run(
            words, input=stdin, cwd=where, env=environment, capture_output=True, check=False, timeout=60
        )
        return Ran(done)

    def trust(self, state: Path | None = None) -> None:
        """The person has looked at what the repository brings, as it is now."""
        trust_all(self.repo, state or self.state)

    def ok(self, *words: str, **how: Any) -> Ran:
        ran = self.run(*words, **how)
        assert ran.code == 0, ran.err
        assert "Traceback" not in ran.err
        return ran

    def hook(self, name: str, session: str = "session-1", **fields: object) -> str:
        """Send a hook through the installed line, as the client does; what it answered."""
        line = json.loads(self.local.read_text())["hooks"][name][0]["hooks"][0]["command"]
        payload = {"session_id": session, "cwd": str(self.repo), "hook_event_name": name, **fields}
        told = json.dumps(payload).encode()
        if line == HOOK_LINE:
            ran = Ran(WARM.run(SCRIPT, (), told, self.repo, self.env))
        else:
            ran = self.execute(("/bin/sh", "-c", line), told)
        assert ran.code == 0
        return ran.out

    def edit(self, path: str, call: str) -> str:
        """One edit of the agent, before and after; what the agent heard after it."""
        edit = {"file_path": str(self.repo / path), "old_string": "a", "new_string": "b"}
        self.hook("PreToolUse", tool_name="Edit", tool_input=edit, tool_use_id=call)
        return self.hook("PostToolUse", tool_name="Edit", tool_input=edit, tool_use_id=call, tool_response={})

    def drift(self) -> None:
        """A short live session: asked for src/auth/token.ts, went on to the style sheet."""
        self.ok("init", "-q")
        self.hook("SessionStart", source="startup")
        self.hook("UserPromptSubmit", prompt="Fix the auth bug in src/auth/token.ts. Don't modify the schema.")
        self.edit("src/auth/token.ts", "toolu_1")
        self.edit("src/styles/theme.css", "toolu_2")
        self.hook("Stop", stop_hook_active=False, last_assistant_message="done")


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.fixture(scope="session")
def _drifted(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    made = Desk(tmp_path_factory.mktemp("drifted"))
    made.drift()
    return made


@pytest.fixture
def drifted(_drifted: Desk) -> Desk:
    """A desk after a session with drift. It is shared: only look."""
    return _drifted


@pytest.fixture
def drifted_copy(_drifted: Desk, tmp_path: Path) -> Desk:
    """The same with a store of its own, to change."""
    desk = Desk(tmp_path)
    desk.repo = _drifted.repo
    shutil.copytree(_drifted.state, desk.state)
    return desk
