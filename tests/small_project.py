"""A project with a studio of two stages, on a machine without a key, settings or identity of the one it runs on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.git_repository import ENVIRONMENT, GitRepository

SMALL = {
    "STUDIO.md": "---\nname: small\nslug: small\nstages: [shape, build]\n---\n",
    "stages/shape/STAGE.md": "---\nname: shape\nhats: [worker]\nreview: auto\nelaboration: autonomous\n---\n",
    "stages/shape/hats/worker.md": "Do it.\n",
    "stages/build/STAGE.md": "---\nname: build\nhats: [worker, checker]\nreview: auto\nelaboration: autonomous\n---\n",
    "stages/build/hats/worker.md": "Do it.\n",
    "stages/build/hats/checker.md": "Check it.\n",
}


def own_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)


def small_project(tmp_path: Path) -> GitRepository:
    """With one commit, and a studio of two stages."""
    made = GitRepository(tmp_path / "project")
    made.write("app.py", "first = 1\n")
    for path, text in SMALL.items():
        made.write(f".haiku/studios/small/{path}", text)
    made.commit("begin")
    return made
