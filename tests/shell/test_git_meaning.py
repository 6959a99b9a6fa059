"""What a git command means in a real repository: the user's aliases, and pushes that name no branch."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.io.git.unsaved import UnsavedWork
from leeboard.shell.effects import shell_effects
from leeboard.shell.git_meaning import may_be_alias, pushed_branches, unaliased
from tests.git_repository import GitRepository


@pytest.fixture
def git(tmp_path: Path) -> GitRepository:
    repo = GitRepository(tmp_path / "repo")
    repo.write("a.py", "x\n")
    repo.commit("first")
    repo.run("branch", "--move", "topic")
    repo.run("branch", "main")
    repo.run("update-ref", "refs/remotes/origin/main", "HEAD")
    repo.run("config", "remote.origin.url", str(tmp_path / "elsewhere"))
    repo.run("config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*")
    repo.run("branch", "--set-upstream-to", "origin/main", "topic")
    for name, meaning in (("wipe", "reset --hard"), ("ship", "!git push origin"), ("odd", "log '")):
        repo.run("config", f"alias.{name}", meaning)
    return repo


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("git wipe HEAD~1", ("git", "reset", "--hard", "HEAD~1")),
        ("git WIPE", ("git", "reset", "--hard")),
        ("git ship topic", ("git", "push", "origin", "topic")),
    ],
)
def test_an_alias_is_read_as_what_it_stands_for(git: GitRepository, line: str, meant: tuple[str, ...]) -> None:
    effects = shell_effects(line, git.root)
    assert may_be_alias(effects.programs)
    assert meant in [one.words for one in unaliased(effects, git.root, UnsavedWork()).started]


@pytest.mark.parametrize("line", ["git nobody-knows-it", "git odd", "git status", "wipe"])
def test_what_stands_for_nothing_is_left_as_it_is(git: GitRepository, line: str) -> None:
    effects = shell_effects(line, git.root)
    assert unaliased(effects, git.root, UnsavedWork()) == effects


@pytest.mark.parametrize(
    ("line", "branches"),
    [
        ("git push", ["topic", "main"]),
        ("git push origin", ["topic", "main"]),
        ("git push origin HEAD", ["topic"]),
        ("git push -u origin @", ["topic"]),
        ("git push --all", ["main", "topic"]),
        ("git push --dry-run", []),
        ("git push --tags", []),
        ("git push origin HEAD:other", []),
        ("git pull", []),
    ],
)
def test_a_push_that_names_no_branch_goes_where_git_sends_it(
    git: GitRepository, line: str, branches: list[str]
) -> None:
    assert list(pushed_branches(shell_effects(line, git.root), git.root, UnsavedWork())) == branches
