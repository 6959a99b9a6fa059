from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.errors import EffectError
from leeboard.io.git.place import branch_at, find, head_of
from tests.git_repository import GitRepository


@pytest.fixture
def repository(tmp_path: Path) -> GitRepository:
    made = GitRepository(tmp_path / "repo")
    made.write("a", "1\n")
    made.commit()
    return made


def test_no_process_is_needed(repository: GitRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    head = repository.head
    monkeypatch.setenv("PATH", "")
    assert head_of(repository.root) == head
    assert branch_at(find(repository.root)) == "refs/heads/main"


def test_refs_may_be_loose_or_packed_or_both(repository: GitRepository) -> None:
    repository.run("tag", "-a", "-m", "x", "annotated")
    repository.run("pack-refs", "--all")
    assert head_of(repository.root) == repository.head
    repository.write("a", "2\n")
    repository.commit()
    assert head_of(repository.root) == repository.head


def test_a_branch_with_slashes_a_symbolic_one_and_none(repository: GitRepository) -> None:
    repository.run("checkout", "-q", "-b", "feature/né")
    assert (head_of(repository.root), branch_at(find(repository.root))) == (repository.head, "refs/heads/feature/né")
    repository.run("symbolic-ref", "refs/heads/alias", "refs/heads/main")
    repository.run("symbolic-ref", "HEAD", "refs/heads/alias")
    assert head_of(repository.root) == repository.head
    repository.run("checkout", "-q", "--detach")
    assert (head_of(repository.root), branch_at(find(repository.root))) == (repository.head, "")


def test_a_branch_without_a_commit(tmp_path: Path) -> None:
    empty = GitRepository(tmp_path)
    assert head_of(empty.root) == ""
    assert branch_at(find(empty.root)) == "refs/heads/main"


def test_linked_work_trees_and_submodules(repository: GitRepository, tmp_path: Path) -> None:
    repository.run("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    side = GitRepository(tmp_path / "side")
    side.write("a", "side\n")
    side.commit()
    repository.run("pack-refs", "--all")
    assert head_of(side.root) == side.head != repository.head
    place = find(side.root)
    assert Path(place.shared).resolve() == (repository.path / ".git").resolve()
    assert Path(place.folder).resolve() == (repository.path / ".git" / "worktrees" / "side").resolve()
    outer = GitRepository(tmp_path / "outer")
    outer.run("submodule", "--quiet", "add", repository.root, "sub")
    assert head_of(str(outer.path / "sub")) == repository.head


def test_digests_of_either_length(tmp_path: Path) -> None:
    (tmp_path / "long").mkdir()
    plain = GitRepository(tmp_path / "plain")
    plain.run("init", "-q", "-b", "main", "--object-format=sha256", str(tmp_path / "long"))
    long = GitRepository(tmp_path / "long")
    long.write("a", "1\n")
    assert len(long.commit()) == 64
    assert head_of(long.root) == long.head


def test_a_folder_below_the_top(repository: GitRepository) -> None:
    repository.write("deep/er/x", "1\n")
    assert find(str(repository.path / "deep" / "er")).root == repository.root


@pytest.mark.parametrize("words", ["ref: refs/heads/.invalid\n", "nonsense\n"])
def test_a_head_only_git_can_read_is_asked_for(
    repository: GitRepository, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    (repository.path / ".git" / "HEAD").write_text(words)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(EffectError, match="PATH"):
        head_of(repository.root)


def test_shallow(repository: GitRepository, tmp_path: Path) -> None:
    repository.run("clone", "-q", "--depth", "1", f"file://{repository.root}", str(tmp_path / "s"))
    assert not find(repository.root).shallow
    repository.write("a", "2\n")
    repository.commit()
    repository.run("clone", "-q", "--depth", "1", f"file://{repository.root}", str(tmp_path / "t"))
    assert find(str(tmp_path / "t")).shallow


@pytest.mark.parametrize("text", ["", "gitdir: nowhere\n", "nonsense"])
def test_no_repository_is_an_error(tmp_path: Path, text: str) -> None:
    if text:
        (tmp_path / ".git").write_text(text)
    with pytest.raises(EffectError, match="git"):
        find(str(tmp_path))
