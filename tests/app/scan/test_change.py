from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.scan.change import ChangeOptions, find_change, scan_change
from leeboard.app.scan.work import Terms
from tests.git_repository import GitRepository

WEAK = "import hashlib\ndef stored(password):\n    return hashlib.md5(password)\n"


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepository:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    made = GitRepository(tmp_path / "repo")
    made.write("a.py", WEAK)
    made.write("sub/b.py", "x = 1\n")
    made.commit()
    return made


def new(repo: GitRepository, options: ChangeOptions, path: str = "") -> list[tuple[str, int]]:
    (change,) = find_change((str(repo.path / path),), options, {})
    return [
        (Path(item.path).relative_to(repo.path).as_posix(), item.line)
        for one in scan_change(change, Terms(), 1)
        for item in one.found
    ]


def test_a_line_that_moved_is_not_new_and_one_that_came_is(repo: GitRepository) -> None:
    repo.write("a.py", f"\n\n{WEAK}")
    assert new(repo, ChangeOptions(base="main")) == []
    repo.write("a.py", f"{WEAK}{WEAK.replace('stored', 'other')}")
    assert new(repo, ChangeOptions(base="main")) == [("a.py", 6)]


def test_a_change_in_many_places_of_a_file_is_told_whole(repo: GitRepository) -> None:
    parts = [f"def stored{number}(password):\n    return hash(password)\n\n\n" for number in range(50)]
    repo.write("a.py", "".join(parts))
    repo.commit()
    repo.write("a.py", "".join(parts).replace("hash(", "hashlib.md5("))
    assert new(repo, ChangeOptions()) == [("a.py", 4 * number + 2) for number in range(50)]


def test_only_below_the_paths_that_were_given(repo: GitRepository) -> None:
    repo.write("sub/b.py", WEAK)
    repo.write("c.py", WEAK)
    assert new(repo, ChangeOptions(base="main"), "sub") == [("sub/b.py", 3)]


def test_what_is_staged_is_looked_at_as_it_is_staged(repo: GitRepository) -> None:
    repo.write("sub/b.py", WEAK)
    repo.run("add", "sub/b.py")
    repo.write("sub/b.py", "x = 2\n")
    repo.write("c.py", WEAK)
    assert new(repo, ChangeOptions(staged=True)) == [("sub/b.py", 3)]


def test_others_work_is_not_blamed_on_a_branch_that_is_behind(repo: GitRepository) -> None:
    repo.run("checkout", "-q", "-b", "work")
    repo.write("mine.py", "x = 1\n")
    repo.commit()
    repo.run("checkout", "-q", "main")
    repo.write("a.py", "x = 1\n")
    repo.commit()
    repo.run("checkout", "-q", "work")
    assert new(repo, ChangeOptions(base="main")) == []


def test_names_that_are_odd_and_files_that_are_gone(repo: GitRepository) -> None:
    repo.write("odd\nname.py", WEAK)
    repo.write("empty.py", "")
    repo.write("bin.dat", b"\0\1")
    repo.remove("a.py")
    (repo.path / "link.py").symlink_to("/etc/passwd")
    repo.commit()
    assert new(repo, ChangeOptions(base="HEAD~1")) == []
