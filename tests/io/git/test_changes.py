from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.io.git.changes import _between
from leeboard.io.git.work_tree import collect
from leeboard.model.touch import Hunk
from tests.git_repository import GitRepository


@pytest.mark.parametrize(
    ("old", "new", "hunks"),
    [
        ("", "", ()),
        ("abc", "abc", ()),
        ("abc", "axc", (Hunk(2, ("x",), ("b",)),)),
        ("abc", "ac", (Hunk(2, (), ("b",)),)),
        ("ac", "abc", (Hunk(2, ("b",)),)),
        ("aa", "aaa", (Hunk(3, ("a",)),)),
        ("", "ab", (Hunk(1, ("a", "b")),)),
        ("ab", "", (Hunk(1, (), ("a", "b")),)),
    ],
)
def test_what_lies_between_equal_ends(old: str, new: str, hunks: tuple[Hunk, ...]) -> None:
    assert _between(tuple(old), tuple(new)) == hunks


@pytest.mark.parametrize("start", ["text", "binary"])
@pytest.mark.parametrize("end", ["text", "binary"])
def test_a_file_that_was_taken_out_and_put_back(tmp_path: Path, start: str, end: str) -> None:
    contents = {"text": b"1\n2\n", "binary": b"\0"}
    repository = GitRepository(tmp_path)
    repository.write("a", contents[start])
    base = repository.commit()
    repository.run("rm", "-q", "--cached", "a")
    repository.run("commit", "-q", "-m", "out")
    repository.write("a", contents[end] + b"more\n")
    (one,) = collect(repository.root, base).files
    assert (one.kind, one.states) == ("modified", ("committed", "untracked"))
    assert one.binary == ("binary" in {start, end})
    assert (one.added, one.hunks) == ((1, (Hunk(3, ("more",)),)) if not one.binary else (one.added, ()))


def test_a_rename_that_is_edited_and_staged_in_parts(tmp_path: Path) -> None:
    repository = GitRepository(tmp_path)
    repository.write("old", "".join(f"{number}\n" for number in range(30)))
    base = repository.commit()
    repository.run("mv", "old", "new")
    repository.run("commit", "-q", "-m", "moved")
    repository.write("new", "".join(f"{number}\n" for number in range(31)))
    (one,) = collect(repository.root, base).files
    assert (one.kind, one.old_path, one.states) == ("renamed", "old", ("committed", "unstaged"))
    assert one.hunks == (Hunk(31, ("30",)),)


def test_files_are_sorted_by_path_whatever_their_state(tmp_path: Path) -> None:
    repository = GitRepository(tmp_path)
    for name in "bd":
        repository.write(name, f"{name}\n" * 9)
    base = repository.commit()
    for name in "abcde":
        repository.write(name, f"{name}\nx\n")
    repository.run("add", "c")
    assert [one.path for one in collect(repository.root, base).files] == list("abcde")


def test_minified_scripts_are_generated_however_long_their_licence_is(tmp_path: Path) -> None:
    repository = GitRepository(tmp_path)
    licence = "// words of a licence\n" * 20
    repository.write("app.js", licence + "x" * 60_000)
    base = repository.commit()
    repository.write("app.js", licence + "y" * 60_000)
    (one,) = collect(repository.root, base).files
    assert one.generated
