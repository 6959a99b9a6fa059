from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.io.git import comparison as _tree_facts
from leeboard.io.git.comparison import DiffFacts, Question, gather
from leeboard.io.git.place import find
from leeboard.io.git.work_tree import collect
from tests.git_repository import GitRepository


@pytest.fixture
def repository(tmp_path: Path) -> GitRepository:
    made = GitRepository(tmp_path / "repo")
    for name in "abc":
        made.write(name, "1\n2\n3\n")
    made.commit()
    return made


def asked(repository: GitRepository, *, base: str = "", staged_only: bool = False) -> DiffFacts:
    head = repository.head
    question = Question(
        place=find(repository.root),
        base=base or head,
        head=head,
        compared=base or head,
        staged_only=staged_only,
        seconds=30,
    )
    return gather(question, left_out=lambda path: path.startswith("out/"))


def test_each_stage_is_told_by_itself(repository: GitRepository) -> None:
    base = repository.head
    repository.write("a", "committed\n")
    repository.commit()
    repository.write("b", "staged\n")
    repository.run("add", "b")
    repository.write("c", "changed\n")
    repository.write("new", "n\n")
    repository.write("out/of sight", "n\n")
    facts = asked(repository, base=base)
    assert [one.change.path for one in facts.patched] == ["a", "b", "c"]
    assert facts.committed.keys() == {"a"}
    assert facts.staged.keys() == {"a", "b"}
    assert [one.path for one in facts.untracked] == ["new"]
    assert facts.tree == repository.run("rev-parse", f"{base}^{{tree}}")
    assert (facts.commits, facts.astray) == (1, False)


def test_without_commits_since_the_base_history_is_not_asked_for(repository: GitRepository) -> None:
    facts = asked(repository)
    assert (facts.commits, facts.committed) == (0, {})


def test_what_is_staged_has_no_untracked_files(repository: GitRepository) -> None:
    repository.write("new", "n\n")
    assert asked(repository, staged_only=True).untracked == ()


@pytest.mark.parametrize("most", [100, 600, 1_500, 2_500, 3_000])
def test_a_patch_that_is_too_long_is_counted(
    repository: GitRepository, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """Wherever it is cut, names, lines and digest are the same; only the text of some is missing."""
    for name in "abc":
        repository.write(name, "".join(f"{name} {number}\n" for number in range(150)))
    repository.run("mv", "c", "d")
    whole = collect(repository.root)
    monkeypatch.setattr(_tree_facts, "MOST_PATCH", most)
    cut = collect(repository.root)
    assert [(one.path, one.old_path, one.kind, one.states) for one in cut.files] == [
        (one.path, one.old_path, one.kind, one.states) for one in whole.files
    ]
    assert [(one.added, one.deleted) for one in cut.files] == [(one.added, one.deleted) for one in whole.files]
    assert all(one.hunks == other.hunks for one, other in zip(cut.files, whole.files, strict=True) if not one.cut)
    assert all(one.hunks == () for one in cut.files if one.cut)
    assert cut.files[-1].cut
    assert cut.digest == whole.digest
    assert "only counted" in cut.notes[0]
