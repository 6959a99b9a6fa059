"""A desk with a real store below a temporary folder, and an agent whose traffic is carried."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.proxy.desk import ProxyDesk
from tests.wire_agent import WireAgent

GOAL = "fix the auth bug in src/auth/token.py, only touch src/auth"
PLACELESS = "fix the auth bug"
"""Without a limit: what leads away from it is spoken of under `advise`, and not refused."""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("LEEBOARD_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("LEEBOARD_INDEX", "0")
    monkeypatch.setenv("LEEBOARD_KEEP", "0")
    project = tmp_path / "app"
    for path in ("src/auth/token.py", "src/auth/login.py", "src/styles/theme.css", "src/ui/button.py"):
        (project / path).parent.mkdir(parents=True, exist_ok=True)
        (project / path).write_text("a = 1\n", encoding="utf-8")
    (project / ".git").mkdir()
    return project


@pytest.fixture
def agent(root: Path) -> WireAgent:
    """Under `advise`."""
    return WireAgent(ProxyDesk({}), root)


@pytest.fixture
def strict(root: Path) -> WireAgent:
    """Under `enforce`."""
    return WireAgent(ProxyDesk({"LEEBOARD_PROFILE": "enforce"}), root)
