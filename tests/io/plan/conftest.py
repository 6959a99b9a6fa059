"""A machine of its own for every test: no key, no settings and no identity of the one it runs on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.git_repository import ENVIRONMENT, GitRepository
from tests.trusting import in_trust

SMALL = {
    "STUDIO.md": "---\nname: small\nslug: small\nstages: [shape, build]\n---\n",
    "stages/shape/STAGE.md": "---\nname: shape\nhats: [worker]\nreview: auto\nelaboration: autonomous\n---\n",
    "stages/shape/hats/worker.md": "Do it.\n",
    "stages/build/STAGE.md": "---\nname: build\nhats: [worker, checker]\nreview: auto\nelaboration: autonomous\n---\n",
    "stages/build/hats/worker.md": "Do it.\n",
    "stages/build/hats/checker.md": "Check it.\n",
}


trusting = pytest.fixture(autouse=True)(in_trust)


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def repository(tmp_path: Path) -> GitRepository:
    """With one commit, and a studio of two stages."""
    made = GitRepository(tmp_path / "project")
    made.write("app.py", "first = 1\n")
    for path, text in SMALL.items():
        made.write(f".haiku/studios/small/{path}", text)
    made.commit("begin")
    return made
