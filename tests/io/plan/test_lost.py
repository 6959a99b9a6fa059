"""Intents that are not in the work tree, over real repositories."""

from __future__ import annotations

import pytest

from leeboard.errors import ConfigError, StateError
from leeboard.io.plan.engine import Engine
from leeboard.io.plan.lost import lost_intents, way_back
from tests.git_repository import GitRepository

HUB = "haiku/x/main"


def begun(repository: GitRepository) -> Engine:
    engine = Engine(repository.root)
    engine.create("Count words", "Do it.", "x", "small")
    assert engine.tick("x").action == "start_stage"
    return engine


def brought_back(repository: GitRepository) -> str:
    """The command that is told, done."""
    (found,) = lost_intents(repository.root)
    repository.run(*found.command.split()[1:])
    assert lost_intents(repository.root) == ()
    assert Engine(repository.root).resolve() == "x"
    return found.command


def test_what_is_here_is_not_lost(repository: GitRepository) -> None:
    begun(repository)
    assert lost_intents(repository.root) == ()


def test_on_another_branch(repository: GitRepository) -> None:
    engine = begun(repository)
    repository.run("switch", "-q", "main")
    (found,) = lost_intents(repository.root)
    assert found.parked
    with pytest.raises(ConfigError, match=f"No intent is active.*git switch {HUB}"):
        engine.resolve()
    with pytest.raises(ConfigError, match=f"git switch {HUB}"):
        engine.resolve("x")
    with pytest.raises(StateError, match=f"git switch {HUB}"):
        engine.look("x")
    assert brought_back(repository) == f"git switch {HUB}"


@pytest.mark.parametrize("leaves", [False, True])
def test_a_hub_that_was_set_back(repository: GitRepository, *, leaves: bool) -> None:
    """The reflog still names the commit."""
    engine = begun(repository)
    tip = repository.head
    repository.run("reset", "-q", "--hard", "main")
    if leaves:
        repository.run("switch", "-q", "main")
    with pytest.raises(ConfigError, match=tip[:12]):
        engine.resolve()
    assert tip[:12] in brought_back(repository)
    assert repository.head == tip
    assert engine.tick("x").action != "error"


def test_files_that_were_removed(repository: GitRepository) -> None:
    begun(repository)
    repository.remove(".haiku/intents/x/intent.md")
    assert "git restore" in brought_back(repository)


def test_a_hub_that_was_removed(repository: GitRepository) -> None:
    """A unit's branch began there."""
    begun(repository)
    repository.run("branch", "haiku/x/unit-01-a")
    repository.run("switch", "-q", "main")
    repository.run("branch", "-q", "-D", HUB)
    assert brought_back(repository).startswith(f"git switch -C {HUB}")


def test_nothing_that_could_be_brought_back(
    repository: GitRepository, tmp_path_factory: pytest.TempPathFactory
) -> None:
    repository.write(".haiku/intents/y/intent-tick.json", "{}")
    (found,) = lost_intents(repository.root)
    assert (found.command, way_back(repository.root, "y")) == ("", "")
    assert "only traces" in found.text
    assert lost_intents(str(tmp_path_factory.mktemp("bare"))) == ()
