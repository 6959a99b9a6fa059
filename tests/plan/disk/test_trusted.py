from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.plan.engine import Engine
from leeboard.errors import ConfigError
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.studios import load_studio
from leeboard.plan.disk.trusted import plan_actors, settings_text
from leeboard.trust import record
from tests.git_repository import GitRepository


@pytest.fixture(autouse=True)
def trusting() -> None:
    """Nothing is trusted here by itself."""


@pytest.fixture
def clone(repository: GitRepository, tmp_path: Path) -> GitRepository:
    """Of a project with an intent, a studio and settings."""
    Engine(repository.root).create("Count", "Do it.", "x", "small")
    repository.write(".haiku/settings.yml", "drift_detection: false\n")
    repository.commit()
    repository.run("clone", "--quiet", repository.root, str(tmp_path / "mine"))
    return GitRepository(tmp_path / "mine")


def test_what_came_with_a_clone_sleeps(clone: GitRepository) -> None:
    engine = Engine(clone.root)
    with pytest.raises(ConfigError, match="leeboard trust"):
        engine.tick("x")
    assert load_studio(clone.root, "small") is None
    assert settings_text(PlanFolder(clone.root)) == ""
    assert [actor.part for actor in plan_actors(clone.root)] == ["plan:x", "studios", "plan settings"]
    record.grant(clone.root, plan_actors(clone.root), record.PERSON)
    assert load_studio(clone.root, "small") is not None
    assert settings_text(PlanFolder(clone.root)) == "drift_detection: false\n"
    assert Engine(clone.root).tick("x").action


def test_a_studio_that_changes_from_elsewhere_stops_the_work(clone: GitRepository, repository: GitRepository) -> None:
    record.grant(clone.root, plan_actors(clone.root), record.PERSON)
    repository.write(".haiku/studios/small/stages/build/hats/checker.md", "Check nothing.\n")
    repository.commit()
    clone.run("pull", "--quiet")
    with pytest.raises(ConfigError, match="studios"):
        Engine(clone.root).tick("x")


def test_one_s_own_never_asks(repository: GitRepository) -> None:
    engine = Engine(repository.root)
    engine.create("Count", "Do it.", "x", "small")
    assert engine.tick("x").action
    repository.write(".haiku/studios/small/stages/build/hats/checker.md", "Check more.\n")
    assert Engine(repository.root).tick("x").action
