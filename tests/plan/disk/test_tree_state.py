from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.plan.disk.tree_state import content_name, state_of
from tests.git_repository import GitRepository


def test_committing_the_same_content_changes_nothing(repository: GitRepository) -> None:
    clean = state_of(repository.root, git=True)
    repository.write("app.py", "changed = 1\n")
    repository.write("deep/new.py", "new = 1\n")
    dirty = state_of(repository.root, git=True)
    repository.run("add", "app.py")
    assert state_of(repository.root, git=True) == dirty
    repository.commit("all of it")
    after = state_of(repository.root, git=True)
    assert clean.digest != dirty.digest == after.digest
    repository.run("revert", "--no-edit", "HEAD")
    assert state_of(repository.root, git=True) == clean


def test_the_plan_is_no_part_of_it(repository: GitRepository) -> None:
    before = state_of(repository.root, git=True)
    repository.write(".haiku/intents/x/intent.md", "x\n")
    assert state_of(repository.root, git=True) == before
    repository.commit("plan")
    assert state_of(repository.root, git=True) == before


@pytest.mark.parametrize(
    ("path", "text", "tracked"),
    [("app.py", "another = 1\n", True), ("left.over", "x\n", False), ("ignored", "x\n", None)],
)
def test_what_changes_it(repository: GitRepository, path: str, text: str, *, tracked: bool | None) -> None:
    Path(repository.root, ".git/info/exclude").write_text("ignored\n")
    before = state_of(repository.root, git=True)
    repository.write(path, text)
    after = state_of(repository.root, git=True)
    assert (before.digest != after.digest) is (tracked is not None)
    assert (before.tracked != after.tracked) is (tracked is True)


def test_nothing_is_left_in_the_repository(repository: GitRepository) -> None:
    repository.write("loose.py", "loose = 1\n")
    before = repository.run("count-objects")
    state_of(repository.root, git=True)
    assert repository.run("count-objects") == before
    assert repository.run("status", "--porcelain") == "?? loose.py"


def test_before_the_first_commit(tmp_path: Path) -> None:
    empty = GitRepository(tmp_path / "empty")
    assert state_of(empty.root, git=True) == state_of(empty.root, git=True)


def test_without_git(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("a")
    before = state_of(str(tmp_path), git=False)
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "a.pyc").write_text("a")
    (tmp_path / ".haiku").mkdir()
    (tmp_path / ".haiku" / "x").write_text("a")
    assert state_of(str(tmp_path), git=False) == before
    (tmp_path / "a.py").write_text("ab")
    assert state_of(str(tmp_path), git=False) != before


def test_a_name_for_what_files_hold(tmp_path: Path) -> None:
    file, link, folder = tmp_path / "a", tmp_path / "b", tmp_path / "c"
    files = [(each.name, str(each)) for each in (file, link, folder)]
    names = [content_name(files)]
    file.write_text("one\n")
    names.append(content_name(files))
    file.write_text("two\n")
    names.append(content_name(files))
    file.chmod(0o755)
    names.append(content_name(files))
    link.symlink_to("a")
    names.append(content_name(files))
    folder.mkdir()
    names.append(content_name(files))
    assert len({*names}) == len(names)
    link.unlink()
    link.symlink_to("a")
    assert content_name(files) == names[-1], "the same content is the same name"
