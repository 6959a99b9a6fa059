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


def test_squashed_and_the_same_file_went_on(worked: GitRepository) -> None:
    """The tree shows nothing any more; the patch does."""
    worked.write("new.py", "new = 1\n" + "".join(f"line_{number} = {number}\n" for number in range(40)))
    worked.commit("a longer file")
    on_main(worked, "merge", "-q", "haiku/x/main", "--squash")
    worked.run("switch", "-q", "main")
    worked.write("new.py", (worked.path / "new.py").read_text().replace("line_39 = 39", "line_39 = 40"))
    worked.commit("later work on it")
    worked.run("switch", "-q", "haiku/x/main")
    assert merged(worked)
    worked.write("new.py", "new = 3\n")
    worked.commit("more work here")
    assert not merged(worked)


def test_a_base_that_is_called_like_no_trunk(worked: GitRepository) -> None:
    worked.run("update-ref", "refs/remotes/origin/release-2", "HEAD")
    assert not merged(worked)
    assert merged_elsewhere(find(worked.root), "x", "release-2")
