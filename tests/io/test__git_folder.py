"""Where git keeps what is a work tree's own."""

from __future__ import annotations

import os
from pathlib import Path

from leeboard.io._git_folder import folder_of, shared_by, text_of
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
