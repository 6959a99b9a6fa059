from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.errors import ConfigError, EffectError
from leeboard.io.git.comparison import EMPTY_TREES, base_for, empty_tree
from leeboard.io.git.place import find
from tests.git_repository import GitRepository


def committed(repository: GitRepository, day: int) -> str:
    repository.write("a", f"{day}\n")
    return repository.commit(at=f"2026-01-{day:02}T12:00:00Z")


@pytest.fixture
def repository(tmp_path: Path) -> GitRepository:
    """On main: one commit on each of three days."""
    made = GitRepository(tmp_path / "repo")
    for day in (1, 2, 3):
        committed(made, day)
    return made


def named(repository: GitRepository, revision: str) -> str:
    return repository.run("rev-parse", f"{revision}^{{commit}}")


@pytest.mark.parametrize("wanted", ["main~1", "HEAD^", "v1", "HEAD@{1}"])
def test_what_a_person_names(repository: GitRepository, wanted: str) -> None:
    repository.run("tag", "-a", "-m", "x", "v1", "HEAD~1")
    assert base_for(repository.root, wanted, "2026-01-01T13:00:00Z") == named(repository, "HEAD~1")


@pytest.mark.parametrize("wanted", ["nowhere", "--all", "-1", "main..HEAD", "HEAD:a", "\0", " "])
def test_what_is_no_commit_is_wrong(repository: GitRepository, wanted: str) -> None:
    with pytest.raises(ConfigError, match=r".* names no commit here.*git log"):
        base_for(repository.root, wanted)


@pytest.mark.parametrize(
    ("started_at", "wanted"),
    [
        ("2026-01-02T12:00:00Z", "main~1"),
        ("2026-01-02T11:59:59Z", "main~2"),
        ("2026-01-02T14:30:00+02:30", "main~1"),
        ("2026-01-03T11:00:00.123456+00:00", "main~1"),
        ("2030-01-01T00:00:00Z", "main"),
    ],
)
def test_the_commit_that_was_current_then(repository: GitRepository, started_at: str, wanted: str) -> None:
    assert base_for(repository.root, "", started_at) == named(repository, wanted)


def test_a_merged_branch_was_not_current(repository: GitRepository) -> None:
    repository.run("checkout", "-q", "-b", "side", "main~2")
    repository.write("b", "1\n")
    repository.commit(at="2026-01-02T15:00:00Z")
    repository.run("checkout", "-q", "main")
    repository.run("merge", "-q", "--no-ff", "side", "-m", "merge", GIT_COMMITTER_DATE="2026-01-04T12:00:00Z")
    assert base_for(repository.root, "", "2026-01-02T16:00:00Z") == named(repository, "main~2")


def test_before_all_commits_there_was_nothing(repository: GitRepository) -> None:
    assert base_for(repository.root, "", "2025-01-01T00:00:00Z") in EMPTY_TREES


@pytest.mark.parametrize("started_at", ["yesterday", "2026-01-02T12:00:00"])
def test_what_is_no_time_is_wrong(repository: GitRepository, started_at: str) -> None:
    with pytest.raises(ConfigError, match="2026-01-31T12:00:00Z"):
        base_for(repository.root, "", started_at)


def test_without_a_commit_there_is_no_base(tmp_path: Path) -> None:
    empty = GitRepository(tmp_path)
    assert base_for(empty.root, "") == ""
    assert base_for(empty.root, "", "2026-01-01T00:00:00Z") == ""
    assert empty_tree(find(empty.root)) == EMPTY_TREES[0]


def test_on_the_default_branch_it_is_head(repository: GitRepository) -> None:
    assert base_for(repository.root, "") == repository.head


@pytest.mark.parametrize("detached", [False, True])
def test_on_another_branch_it_is_where_that_began(repository: GitRepository, *, detached: bool) -> None:
    fork = repository.head
    repository.run("checkout", "-q", "-b", "feature")
    committed(repository, 4)
    if detached:
        repository.run("checkout", "-q", "--detach")
    assert base_for(repository.root, "") == fork


def test_the_later_of_the_local_and_the_remote_copy(repository: GitRepository, tmp_path: Path) -> None:
    repository.run("branch", "-m", "develop")
    repository.run("clone", "-q", repository.root, str(tmp_path / "clone"))
    clone = GitRepository(tmp_path / "clone")
    fork = committed(clone, 4)
    clone.run("checkout", "-q", "-b", "feature")
    committed(clone, 5)
    assert base_for(clone.root, "") == fork
    clone.run("branch", "-q", "-D", "develop")
    assert base_for(clone.root, "") == repository.head


def test_without_a_default_branch_it_is_head(repository: GitRepository) -> None:
    repository.run("branch", "-m", "something")
    committed(repository, 4)
    assert base_for(repository.root, "") == repository.head


def test_unrelated_histories_have_no_fork(repository: GitRepository) -> None:
    repository.run("checkout", "-q", "--orphan", "other")
    committed(repository, 4)
    assert base_for(repository.root, "") == repository.head


def test_a_shallow_clone_says_what_is_missing(repository: GitRepository, tmp_path: Path) -> None:
    repository.run("checkout", "-q", "-b", "feature", "main~1")
    committed(repository, 4)
    repository.run("checkout", "-q", "main")
    source = f"file://{repository.root}"
    repository.run("clone", "-q", "-b", "feature", "--depth", "1", "--no-single-branch", source, str(tmp_path / "s"))
    with pytest.raises(EffectError, match=r"HEAD and refs/.* have no commit in common.*--unshallow.*another commit"):
        base_for(str(tmp_path / "s"), "")
    with pytest.raises(EffectError, match=r"shallow clone without the commit of 2026-01-01.*--unshallow"):
        base_for(str(tmp_path / "s"), "", "2026-01-01T13:00:00Z")


def test_a_shallow_clone_of_one_branch_does_not_pass_for_unchanged(repository: GitRepository, tmp_path: Path) -> None:
    """As build servers make them: HEAD is on no branch, and the default one is not there."""
    repository.run("checkout", "-q", "-b", "feature")
    committed(repository, 4)
    repository.run("clone", "-q", "--depth", "1", f"file://{repository.root}", str(tmp_path / "s"))
    clone = GitRepository(tmp_path / "s")
    clone.run("checkout", "-q", "--detach")
    clone.run("branch", "-q", "-D", "feature")
    clone.run("remote", "remove", "origin")
    with pytest.raises(EffectError, match=r"any default branch.*--unshallow"):
        base_for(clone.root, "")
