"""Which branch or commit a name means, where git would take a tag or a branch that somebody sent along."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.errors import ConfigError
from leeboard.io.git.comparison import base_for, parted_from
from tests.git_repository import GitRepository


@pytest.fixture
def repository(tmp_path: Path) -> GitRepository:
    """A clone in which the work is one commit further than the branch of the remote it goes to."""
    made = GitRepository(tmp_path / "repo")
    made.write("a", "1\n")
    base = made.commit()
    made.run("remote", "add", "origin", "/nowhere")
    made.run("update-ref", "refs/remotes/origin/main", base)
    made.run("update-ref", "refs/remotes/origin/release", base)
    made.run("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
    made.run("checkout", "-q", "-b", "work")
    made.write("a", "2\n")
    made.commit()
    return made


@pytest.mark.parametrize("wanted", ["origin/main", "main", "origin", "refs/remotes/origin/main"])
@pytest.mark.parametrize("kind", ["tag", "branch"])
def test_what_takes_the_name_of_the_base_is_not_it(repository: GitRepository, wanted: str, kind: str) -> None:
    if kind == "tag" or wanted != "main":
        repository.run(kind, wanted, "HEAD")
    base = repository.run("rev-parse", "HEAD~1")
    assert parted_from(repository.root, wanted) == base
    assert base_for(repository.root, wanted) == base


@pytest.mark.parametrize("wanted", ["main~0", "main^{}", "main@{0}"])
def test_with_what_stands_behind_the_name(repository: GitRepository, wanted: str) -> None:
    repository.run("tag", "main", "HEAD")
    assert base_for(repository.root, wanted) == repository.run("rev-parse", "HEAD~1")


def test_a_tag_is_meant_where_nothing_else_has_its_name(repository: GitRepository) -> None:
    repository.run("tag", "v1", "HEAD~1")
    assert base_for(repository.root, "v1") == repository.run("rev-parse", "HEAD~1")
    assert base_for(repository.root, "refs/tags/v1") == repository.run("rev-parse", "HEAD~1")


def test_a_tag_and_a_branch_that_only_the_remote_has_are_both_named(repository: GitRepository) -> None:
    repository.run("tag", "release", "HEAD")
    with pytest.raises(ConfigError, match="'release' may be refs/tags/release or refs/remotes/origin/release: name"):
        base_for(repository.root, "release")


def test_a_branch_called_head_is_not_head(repository: GitRepository) -> None:
    repository.run("update-ref", "refs/heads/HEAD", "HEAD~1")
    assert base_for(repository.root, "HEAD") == repository.run("rev-parse", "--verify", "-q", "work")


def test_a_full_name_that_was_not_fetched_is_no_tag(repository: GitRepository) -> None:
    repository.run("tag", "refs/remotes/origin/next", "HEAD")
    with pytest.raises(ConfigError, match=r"names no commit here; it was not fetched\. Run `git fetch origin next:"):
        base_for(repository.root, "refs/remotes/origin/next")
