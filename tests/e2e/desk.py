"""A person's desk: an empty home, a git repository, Leeboard's commands and the real client."""

from __future__ import annotations

import fcntl
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from leeboard.model.lookup import Receipt
from leeboard.model.session import Session
from leeboard.store.sqlite import SqliteStore, open_store
from tests.e2e.client import LIMIT, Run, client_env, converse
from tests.e2e.model_script import JSON, Script
from tests.e2e.scripted_api import serving

ROOT = Path(__file__).resolve().parents[2]
PROXY = (sys.executable, "-m", "leeboard", "run", "--")
"""What stands before a client that is to speak to its model through the proxy."""


class Desk:
    def __init__(self, folder: Path, files: dict[str, str]) -> None:
        self.folder = folder
        self.home = folder / "home"
        self.repo = folder / "repo"
        self.state = self.home / ".local" / "state" / "leeboard"
        self.env = {
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "HOME": str(self.home),
            "SHELL": "/bin/bash",
            "TERM": "dumb",
            "LANG": "C.UTF-8",
            "LEEBOARD_RUNTIME_DIR": str(folder / "run"),
            "LEEBOARD_IDLE_SECONDS": "1",
        }
        self.home.mkdir()
        for name, text in files.items():
            self.write(name, text)
        for words in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-qm", "begin")):
            self._git(*words)

    @property
    def settings(self) -> Path:
        return self.repo / ".claude" / "settings.local.json"

    def write(self, name: str, text: str) -> None:
        path = self.repo / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def read(self, name: str) -> str:
        return (self.repo / name).read_text(encoding="utf-8")

    def path(self, name: str) -> str:
        return str(self.repo / name)

    def leeboard(self, *words: str, code: int = 0) -> list[JSON]:
        """Run one of our commands as a person does; the objects it printed."""
        env = {**self.env, "PYTHONPATH": str(ROOT)}
        line = (sys.executable, "-m", "leeboard", *words)
        done = subprocess.run(line, cwd=self.repo, env=env, capture_output=True, check=False, timeout=LIMIT)
        assert done.returncode == code, done.stderr.decode()
        return [json.loads(told) for told in done.stdout.splitlines()] if "--json" in words else []

    def run(
        self, prompt: str, script: Script, *options: str, then: tuple[str, ...] = (), behind_proxy: bool = False
    ) -> Run:
        """Run the client on a prompt until it ends by itself; `then` is what the user says when it has stopped."""
        before = PROXY if behind_proxy else ()
        env = {**self.env, **({"PYTHONPATH": str(ROOT)} if behind_proxy else {})}
        with serving(script) as (api, address):
            said = (prompt, *then)
            code, output = converse(said, options, str(self.repo), {**env, **client_env(address)}, before)
        return Run(code=code, output=output, requests=api.requests)

    @contextmanager
    def store(self) -> Iterator[SqliteStore]:
        store = open_store(str(self.state / "leeboard.db"))
        try:
            yield store
        finally:
            store.close()

    def session(self, name: str) -> Session:
        """What is kept of a session."""
        with self.store() as store:
            found = store.session(name)
        assert found is not None
        return found

    def receipts(self, session: str) -> list[Receipt]:
        """In the order the hooks were answered. A resident writes the last one after its answer."""
        with self.store() as store:
            return [receipt for receipt in reversed(store.receipts(1_000)) if receipt.session == session]

    def transcripts(self, session: str) -> list[Path]:
        """The files the client wrote: the main agent's, then those of its sub-agents."""
        projects = self.home / ".claude" / "projects"
        return [*projects.glob(f"*/{session}.jsonl"), *sorted(projects.glob(f"*/{session}/subagents/*.jsonl"))]

    def resident_socket(self) -> Path:
        (found,) = (self.folder / "run").glob("*.sock")
        return found

    def wait_for_resident(self) -> None:
        """Come back when none runs any more: it holds its lock for as long as it lives."""
        for lock in (self.folder / "run").glob("*.lock"):
            with suppress(FileNotFoundError), lock.open("r+b") as file:
                fcntl.flock(file, fcntl.LOCK_EX)

    def _git(self, *words: str) -> None:
        who = {
            "GIT_AUTHOR_NAME": "u",
            "GIT_AUTHOR_EMAIL": "u@e",
            "GIT_COMMITTER_NAME": "u",
            "GIT_COMMITTER_EMAIL": "u@e",
        }
        env = {**self.env, **who, "GIT_CONFIG_NOSYSTEM": "1"}
        subprocess.run(("git", *words), cwd=self.repo, env=env, check=True)
