from __future__ import annotations

import pytest

from leeboard.io.git.place import find
from leeboard.plan.disk import worktrees
from leeboard.plan.disk.evidence import merged_elsewhere
from leeboard.plan.disk.repository import Repository
from tests.git_repository import GitRepository

PLAN = ".haiku/intents/x"


@pytest.fixture
def worked(repository: GitRepository) -> GitRepository:
    """An intent with work on its hub."""
    worktrees.ensure_branch(Repository(find(repository.root)), "x")
    repository.write(f"{PLAN}/intent.md", "x\n")
    repository.commit("begin")
    repository.write("new.py", "new = 1\n")
    repository.commit("work")
    return repository


def merged(repository: GitRepository) -> bool:
    return merged_elsewhere(find(repository.root), "x")


def on_main(repository: GitRepository, *arguments: str) -> None:
    repository.run("switch", "-q", "main")
    repository.run(*arguments)
    if arguments[-1] == "--squash":
        repository.run("commit", "-q", "-m", "squashed")
    repository.run("switch", "-q", "haiku/x/main")


def test_work_that_nobody_merged(worked: GitRepository) -> None:
    assert not merged(worked)


def test_an_intent_that_merely_began(repository: GitRepository) -> None:
    worktrees.ensure_branch(Repository(find(repository.root)), "x")
    repository.write(f"{PLAN}/intent.md", "x\n")
    repository.commit("begin")
    assert not merged(repository)


@pytest.mark.parametrize("how", [("--no-ff", "-q", "--no-edit"), ("-q", "--ff-only"), ("-q", "--squash")])
def test_merged_in_any_way(worked: GitRepository, how: tuple[str, ...]) -> None:
    """SH-39: also when the records of the engine moved on meanwhile."""
    on_main(worked, "merge", "haiku/x/main", *how)
    assert merged(worked)
    worked.write(f"{PLAN}/intent.md", "moved on\n")
    worked.write(f"{PLAN}/stages/build/state.json", "{}\n")
    worked.commit("records")
    assert merged(worked)
    worked.write("new.py", "new = 2\n")
    worked.commit("more work")
    assert not merged(worked)


def test_a_trunk_that_went_on(worked: GitRepository) -> None:
    on_main(worked, "merge", "-q", "haiku/x/main", "--squash")
    worked.run("switch", "-q", "main")
    worked.write("other.py", "other = 1\n")
    worked.commit("other work")
    worked.run("switch", "-q", "haiku/x/main")
    assert merged(worked)


def test_on_a_remote(worked: GitRepository) -> None:
    worked.run("update-ref", "refs/remotes/origin/haiku/x/main", "HEAD")
    assert not merged(worked), "pushed is not merged"
    worked.run("update-ref", "refs/remotes/origin/main", "HEAD")
    assert merged(worked)


def test_where_git_can_not_tell_it_is_not_merged(repository: GitRepository) -> None:
    assert not merged(repository)
