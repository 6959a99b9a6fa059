"""Intents that are not in the work tree, over real repositories."""

from __future__ import annotations

import pytest

from leeboard.app.plan.engine import Engine
from leeboard.errors import ConfigError, StateError
from leeboard.plan.disk.lost_intents import lost_intents, way_back
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


def removed(repository: GitRepository) -> str:
    """Gone on from where a unit began, then left and taken away: the last commit of it."""
    begun(repository)
    repository.run("branch", "haiku/x/unit-01-a")
    repository.write("merged.txt", "merged\n")
    repository.commit("what was merged since")
    tip = repository.head
    repository.run("switch", "-q", "main")
    repository.run("branch", "-q", "-D", HUB)
    return tip


def test_a_hub_that_was_removed(repository: GitRepository) -> None:
    """Where it was when it was left, not where a unit began."""
    tip = removed(repository)
    repository.run("switch", "-q", "haiku/x/unit-01-a")
    repository.write("newer.txt", "newer\n")
    repository.commit("newer than the hub, and not what it had come to")
    repository.run("switch", "-q", "main")
    assert brought_back(repository) == f"git switch -C {HUB} {tip[:12]}"


def test_a_hub_that_was_removed_and_made_anew_elsewhere(repository: GitRepository) -> None:
    """The new branch has a log of its own, which says nothing of the old one."""
    tip = removed(repository)
    repository.run("branch", HUB, "main")
    assert brought_back(repository) == f"git switch -C {HUB} {tip[:12]}"


def test_a_hub_that_was_set_back_before_it_was_removed(repository: GitRepository) -> None:
    begun(repository)
    tip = repository.head
    repository.run("reset", "-q", "--hard", "main")
    repository.run("switch", "-q", "--detach", "main")
    repository.run("branch", "-q", "-D", HUB)
    assert brought_back(repository) == f"git switch -C {HUB} {tip[:12]}"


def test_a_hub_that_was_removed_and_that_no_log_remembers(repository: GitRepository) -> None:
    """A unit's branch began there: what came after is not in it, and that is said."""
    removed(repository)
    repository.run("reflog", "expire", "--expire=all", "--all")
    (found,) = lost_intents(repository.root)
    assert "may lack what was merged since" in found.text
    assert brought_back(repository).startswith(f"git switch -C {HUB}")


def test_nothing_that_could_be_brought_back(
    repository: GitRepository, tmp_path_factory: pytest.TempPathFactory
) -> None:
    repository.write(".haiku/intents/y/intent-tick.json", "{}")
    (found,) = lost_intents(repository.root)
    assert (found.command, way_back(repository.root, "y")) == ("", "")
    assert "only traces" in found.text
    assert lost_intents(str(tmp_path_factory.mktemp("bare"))) == ()
