"""A real repository."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.io import clock
from leeboard.io.git.ask import committed, head_moved, ignored_of
from tests.hooked_agent import run


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    place = tmp_path / "repo"
    (place / "src").mkdir(parents=True)
    (place / ".gitignore").write_text("dist/\n*.log\n")
    (place / "src" / "a.py").write_text("one\n")
    (place / "b [1].py").write_text("one\n")
    run(place, "git init -q -b main . && git add -A && git commit -qm begin")
    return place


def test_what_git_ignores(repo: Path) -> None:
    paths = ("dist/x.js", "a.log", "src/a.py", "new.py", "odd\nname.log")
    assert ignored_of(str(repo), paths) == {"dist/x.js", "a.log", "odd\nname.log"}
    assert ignored_of(str(repo), ()) == frozenset()
    assert ignored_of("", paths) == frozenset()


def test_files_that_are_as_in_the_commit(repo: Path) -> None:
    head = run(repo, "git rev-parse HEAD").stdout.decode()[:8]
    paths = ("src/a.py", "b [1].py", "new.py")
    assert committed(str(repo), paths, 0.0) == {"src/a.py": head, "b [1].py": head}
    (repo / "src" / "a.py").write_text("two\n")
    assert committed(str(repo), paths, 0.0) == {"b [1].py": head}
    run(repo, "git add -A")
    assert committed(str(repo), ("src/a.py",), 0.0) == {}, "staged is not committed"


def test_where_git_did_nothing_since_nothing_is_put_down_to_it(repo: Path) -> None:
    assert committed(str(repo), ("src/a.py",), clock.now() + 60) == {}


def test_a_repository_of_the_longer_ids(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("one\n")
    run(tmp_path, "git init -q --object-format=sha256 . && git add -A && git commit -qm begin")
    assert set(committed(str(tmp_path), ("a.py",), 0.0)) == {"a.py"}


@pytest.mark.parametrize("line", ["true", "git init -q ."])
def test_without_a_commit_nothing_is_known(tmp_path: Path, line: str) -> None:
    (tmp_path / "a.py").write_text("one\n")
    run(tmp_path, line)
    assert committed(str(tmp_path), ("a.py",), 0.0) == {}


def test_the_index_is_no_sign_that_git_went_elsewhere(repo: Path) -> None:
    moved = max((repo / ".git" / name).stat().st_ctime for name in ("HEAD", "logs/HEAD"))
    (repo / "src" / "a.py").write_text("two\n")
    run(repo, "git add -A")
    assert not head_moved(str(repo), moved)
    run(repo, "git commit -qm two")
    assert head_moved(str(repo), moved)
    assert not head_moved(str(repo.parent), 0.0)
