from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.scan.brought import scan_change
from leeboard.app.scan.change import ChangeOptions, find_change
from leeboard.app.scan.work import Terms
from tests.git_repository import GitRepository
from tests.leak import live_key

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


def test_a_second_one_is_new_though_its_line_reads_like_the_old_one(repo: GitRepository) -> None:
    old = WEAK.replace("(password)\n", "(password + SALT)\n")
    repo.write("a.py", f"{old}{WEAK.partition(chr(10))[2].replace('stored', 'other')}")
    assert new(repo, ChangeOptions(base="main")) == [("a.py", 5)]
    repo.write("a.py", WEAK.replace("stored", "other"))
    assert new(repo, ChangeOptions(base="main")) == []


@pytest.mark.parametrize("folder", [".leeboard", ".wg", ".workgraph"])
def test_code_that_lies_where_tasks_keep_their_state_is_code(repo: GitRepository, folder: str) -> None:
    repo.write(f"{folder}/more.py", WEAK)
    assert new(repo, ChangeOptions(base="main")) == [(f"{folder}/more.py", 3)]
    repo.run("add", "-A", "-f")
    assert new(repo, ChangeOptions(staged=True)) == [(f"{folder}/more.py", 3)]


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


def problems(repo: GitRepository, options: ChangeOptions) -> list[tuple[str, str]]:
    (change,) = find_change((str(repo.path),), options, {})
    return [
        (Path(one.path).relative_to(repo.path).as_posix(), one.problem)
        for one in scan_change(change, Terms(), 1)
        if one.problem
    ]


def test_one_finding_stands_elsewhere_once(repo: GitRepository) -> None:
    """Who changes its line and copies it as it was to another file has two."""
    repo.write("kept.py", WEAK)
    repo.write("a.py", WEAK.replace("(password)\n", "(password.encode())\n"))
    assert new(repo, ChangeOptions(base="main")) == [("kept.py", 3)]
    repo.write("a.py", "x = 1\n")
    assert new(repo, ChangeOptions(base="main")) == []
    repo.write("again.py", WEAK)
    assert len(new(repo, ChangeOptions(base="main"))) == 1


def test_a_secret_that_moved_under_another_name_is_the_same(repo: GitRepository) -> None:
    repo.write("keys.py", f'STRIPE_API_KEY = "{live_key(1)}"\n')
    repo.commit()
    repo.write("keys.py", "x = 1\n")
    repo.write("conf.yml", f"stripe:\n  key: {live_key(1)}\n")
    assert new(repo, ChangeOptions()) == []
    repo.write("conf.yml", f"stripe:\n  key: {live_key(2)}\n")
    assert new(repo, ChangeOptions()) == [("conf.yml", 2)]


def test_what_of_a_change_nobody_could_read_is_told_and_links_are_not_followed(repo: GitRepository) -> None:
    repo.write("wide.cs", b"\0\1\2" * 9)
    repo.write("long.py", "x = 1\n" * 400_000)
    (repo.path / "link.py").symlink_to("/nowhere/else")
    told = [("long.py", "larger than 2 MB"), ("wide.cs", "binary")]
    assert problems(repo, ChangeOptions(base="main")) == told
    repo.run("add", "-A")
    repo.write("long.py", "x = 1\n")
    assert problems(repo, ChangeOptions(staged=True)) == told


COMMENT = "    # leeboard: allow LB-B301 the old server knows no other\n"
SUPPRESSED = WEAK.replace("    return", f"{COMMENT}    return")


def test_a_comment_counts_for_the_line_it_stood_at(repo: GitRepository) -> None:
    repo.write("a.py", SUPPRESSED)
    repo.commit()
    repo.write("a.py", SUPPRESSED.replace("hashlib.md5(password)", "hashlib.sha1(password)"))
    assert new(repo, ChangeOptions(base="main")) == [("a.py", 4)]
    assert new(repo, ChangeOptions(base="main", reviewed=True)) == []
    repo.write("a.py", SUPPRESSED.replace("def stored", "def kept").replace("    ", "\t"))
    assert new(repo, ChangeOptions(base="main")) == []


def test_a_comment_that_moved_with_its_code_decides_nothing(repo: GitRepository) -> None:
    repo.write("a.py", SUPPRESSED)
    repo.commit()
    repo.write("a.py", "x = 1\n")
    repo.write("split.py", f"import json\n{SUPPRESSED}")
    (change,) = find_change((str(repo.path),), ChangeOptions(), {})
    assert (new(repo, ChangeOptions()), change.decided) == ([], ())
    repo.write("other.py", SUPPRESSED)
    (change,) = find_change((str(repo.path),), ChangeOptions(), {})
    assert [item.name for item in change.decided] == ["split.py"], "one comment moved, and one is new"
