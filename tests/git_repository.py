"""A real repository for tests: a fixed identity and clock, and nothing of this machine's own git settings."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

EMPTY = os.devnull
ENVIRONMENT = {
    "GIT_CONFIG_GLOBAL": EMPTY,
    "GIT_CONFIG_SYSTEM": EMPTY,
    "GIT_AUTHOR_NAME": "kim",
    "GIT_AUTHOR_EMAIL": "kim@example.invalid",
    "GIT_COMMITTER_NAME": "kim",
    "GIT_COMMITTER_EMAIL": "kim@example.invalid",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}


class GitRepository:
    """Made by `GitRepository(path)` where there is none yet; on the branch `main`, without a commit."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self.root = str(path)
        self.path.mkdir(parents=True, exist_ok=True)
        if not (self.path / ".git").exists():
            self.run("init", "-q", "-b", "main")

    def run(self, *arguments: str, **environment: str) -> str:
        """What git said, without the last newline; bytes that are no UTF-8 become lone surrogates."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        settings = ("-c", "protocol.file.allow=always", "-c", "gc.auto=0", "-c", "core.fsync=none")
        command = ["git", *settings, *arguments]
        done = subprocess.run(
            command, cwd=self.path, env=kept | ENVIRONMENT | environment, capture_output=True, check=False
        )
        assert done.returncode == 0, f"{' '.join(command)}: {done.stderr.decode('utf-8', 'replace')}"
        return done.stdout.decode("utf-8", "surrogateescape").removesuffix("\n")

    def write(self, path: str, text: str | bytes) -> Path:
        """Folders on the way are made; lone surrogates stand for bytes that are no UTF-8."""
        place = self.path / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape"))
        return place

    def remove(self, path: str) -> None:
        (self.path / path).unlink()

    def commit(self, message: str = "x", *, at: str = "") -> str:
        """Everything, also what was untracked; `at` is the time of it. The id of the commit."""
        when = {"GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at} if at else {}
        self.run("add", "--all")
        self.run("commit", "--quiet", "--allow-empty", "--no-verify", "-m", message, **when)
        return self.head

    @property
    def head(self) -> str:
        return self.run("rev-parse", "HEAD")
