"""Where git keeps what is a work tree's own."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from leeboard.io.git.folder import folder_of, shared_by, text_of
from tests.git_repository import GitRepository


def test_of_a_first_and_of_a_linked_work_tree(tmp_path: Path) -> None:
    repository = GitRepository(tmp_path / "first")
    repository.write("a", "1\n")
    repository.commit()
    repository.run("worktree", "add", "-q", str(tmp_path / "second"))
    own = folder_of(str(tmp_path / "second"))
    assert folder_of(repository.root) == f"{repository.root}/.git"
    assert own == f"{repository.root}/.git/worktrees/second"
    assert os.path.realpath(shared_by(own)) == os.path.realpath(folder_of(repository.root))


def test_where_there_is_none(tmp_path: Path) -> None:
    assert folder_of(str(tmp_path)) == ""
    (tmp_path / ".git").write_text("gitdir: elsewhere\n")
    assert folder_of(str(tmp_path)) == ""


def test_a_fifo_says_nothing_and_keeps_nobody_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".git")
    assert text_of(str(tmp_path / ".git")) == ""
    assert folder_of(str(tmp_path)) == ""


@pytest.mark.parametrize("name", ["gd ", "\tgd"])
def test_the_folder_is_the_one_that_git_takes_to_the_letter(tmp_path: Path, name: str) -> None:
    for each in ("gd", name):
        (tmp_path / each).mkdir()
        (tmp_path / each / "HEAD").write_text("ref: refs/heads/main\n")
        (tmp_path / each / "commondir").write_text(f"../{name}\n")
    (tmp_path / ".git").write_text(f"gitdir: {name}\n")
    assert folder_of(str(tmp_path)) == f"{tmp_path}/{name}"
    assert shared_by(str(tmp_path / "gd")) == f"{tmp_path}/gd/../{name}"
