"""A machine of its own for every test, and projects at several points of a run: made once, copied for each test."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from leeboard.app.plan.engine import Engine
from tests.git_repository import ENVIRONMENT
from tests.mcp_agent import Agent, make_project
from tests.trusting import in_trust, trust_all

trusting = pytest.fixture(autouse=True)(in_trust)


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("LEEBOARD_GATE_SECONDS", "0")
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)


def made(base: Path, begin: Callable[[Agent], None]) -> Iterator[Path]:
    """A folder with a project and the state it was made with."""
    before = os.environ.copy()
    os.environ.update(ENVIRONMENT | {"LEEBOARD_STATE_DIR": str(base / "state"), "LEEBOARD_GATE_SECONDS": "0"})
    try:
        make_project(base / "project")
        begin(Agent(base / "project"))
    finally:
        os.environ.clear()
        os.environ.update(before)
    yield base


@pytest.fixture(scope="session")
def fresh_project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    yield from made(tmp_path_factory.mktemp("fresh"), lambda _agent: None)


@pytest.fixture(scope="session")
def built_project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    yield from made(tmp_path_factory.mktemp("built"), lambda agent: agent.through_shape())


def copied(base: Path, to: Path) -> Agent:
    for part in ("project", "state"):
        if (base / part).exists():
            shutil.copytree(base / part, to / part, symlinks=True, dirs_exist_ok=True)
    engine = Engine(str(to / "project"))
    for slug in engine.slugs():
        engine.reseal(slug)  # it lies at another place now
    trust_all(to / "project")
    return Agent(to / "project")


@pytest.fixture
def agent(fresh_project: Path, tmp_path: Path) -> Agent:
    """In a project without an intent."""
    return copied(fresh_project, tmp_path)


@pytest.fixture
def builder(built_project: Path, tmp_path: Path) -> Agent:
    """In a project whose intent `thing` has just begun its second stage, `build`."""
    return copied(built_project, tmp_path)
