from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.io.written_here import committed_text, files_written_here, text_written_here
from tests.git_repository import GitRepository


@pytest.fixture
def clone(tmp_path: Path) -> GitRepository:
    theirs = GitRepository(tmp_path / "theirs")
    theirs.write("a.md", "run: theirs\n")
    theirs.commit()
    theirs.run("clone", "--quiet", theirs.root, str(tmp_path / "mine"))
    return GitRepository(tmp_path / "mine")


def test_what_a_clone_brought_was_not(clone: GitRepository) -> None:
    assert not files_written_here(clone.root, ["a.md"])
    assert not text_written_here(clone.root, "a.md", "run: theirs")
    assert committed_text(clone.root, "a.md") == "run: theirs\n"


def test_what_somebody_wrote_was(clone: GitRepository) -> None:
    clone.write("b.md", "run: mine\n")
    assert files_written_here(clone.root, ["b.md"])
    assert committed_text(clone.root, "b.md") is None
    clone.commit()
    assert files_written_here(clone.root, ["b.md"])
    assert text_written_here(clone.root, "b.md", "run: mine")
    assert not files_written_here(clone.root, ["a.md", "b.md"])


def test_a_change_beside_it_makes_nothing_ours(clone: GitRepository) -> None:
    clone.write("a.md", "run: theirs\nand: mine\n")
    clone.commit()
    assert text_written_here(clone.root, "a.md", "and: mine")
    assert not text_written_here(clone.root, "a.md", "run: theirs")


def test_a_pull_brings_what_others_wrote(clone: GitRepository, tmp_path: Path) -> None:
    theirs = GitRepository(tmp_path / "theirs")
    theirs.write("c.md", "run: late\n")
    theirs.commit()
    clone.run("pull", "--quiet")
    assert not files_written_here(clone.root, ["c.md"])


def test_without_git_nothing_came_with_it(tmp_path: Path) -> None:
    assert files_written_here(str(tmp_path), ["a.md"])
