from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leeboard.text.ignore_lines import is_ignored, read_lines, says
from tests.git_repository import GitRepository

FILES = (
    "a.py",
    "b.log",
    "#x",
    "!x",
    "sp ",
    "[x]",
    "a\\b",
    "-",
    "é.py",
    "src/a.py",
    "src/b.log",
    "src/build/x.o",
    "src/deep/er/a.py",
    "build/x.o",
    "build/keep/x.o",
    "doc/a.txt",
    "doc/in/a.txt",
    ".env",
    ".cache/x",
    "A1",
    "b2",
)
SMALL = ("b", "ab", "a/a", "a/b", "bb/a/b", "ba/b", "a-b", "-")
TEXTS = (
    "*.py",
    "*.log\n!src/b.log",
    "build",
    "build/",
    "/build",
    "src/build",
    "src/*",
    "src/*\n!src/deep",
    "src/**",
    "src/**/a.py",
    "**/a.py",
    "**/build/**",
    "**",
    "*",
    "*\n!*.py\n!*/",
    "/*\n!/src",
    "!a.py",
    "a.py\n!a.py",
    "# a.py\n\n   \n",
    "\\#x",
    "\\!x",
    "!\\!x\n\\!x",
    "a.py   ",
    "sp\\ ",
    "sp ",
    "a.py\r",
    "[a-b].*",
    "[!a].*",
    "[^a].*",
    "\\[x\\]",
    "[[]x[]]",
    "[]x]",
    "[x",
    "[",
    "a\\\\b",
    "a\\",
    "?.py",
    "???",
    "d*c/*.txt",
    "doc/**/a.txt",
    "/**/a.py",
    "[[:upper:]]*",
    "[[:lower:][:digit:]]?",
    "[[:alpha:]][[:digit:]]",
    "[a-]",
    "[-]",
    "[\\-]",
    "é*",
    "?.py\n",
    ".*",
    "/",
    "//",
    "doc//a.txt",
    "./a.py",
    "src/deep/**/",
    "b*d/**/x.o",
    "build/*\n!build/keep/",
)


def tree(folder: Path, files: tuple[str, ...]) -> GitRepository:
    git = GitRepository(folder / "repo")
    for file in files:
        git.write(file, "x")
    return git


@pytest.fixture(scope="module")
def git(tmp_path_factory: pytest.TempPathFactory) -> GitRepository:
    return tree(tmp_path_factory.mktemp("ignore"), FILES)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> GitRepository:
    return tree(tmp_path_factory.mktemp("small"), SMALL)


def left_by_git(git: GitRepository, text: str) -> set[str]:
    git.write(".git/info/exclude", text + "\n")
    return {file for file in git.run("ls-files", "--others", "--exclude-standard", "-z").split("\0") if file}


@pytest.mark.parametrize("text", TEXTS)
def test_the_files_are_those_that_git_itself_ignores(git: GitRepository, text: str) -> None:
    lines = read_lines(text.split("\n"))
    assert {file for file in FILES if not is_ignored(lines, file)} == left_by_git(git, text)


def is_settled(line: str) -> bool:
    """Two stars beside something else are one by git's manual, and by chance to some releases of git; a slash in
    brackets is none by that manual, and means something to git all the same.
    """
    return re.search(r"[^/!]\*\*|\*\*[^/]|\[.*/", line) is None


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text("ab/*?[]!^-\\# ", max_size=9).filter(is_settled), min_size=1, max_size=3))
def test_any_lines_mean_what_they_mean_to_git(small: GitRepository, written: list[str]) -> None:
    lines = read_lines(written)
    assert {file for file in SMALL if not is_ignored(lines, file)} == left_by_git(small, "\n".join(written))


def test_where_no_line_speaks_another_file_may() -> None:
    lines = read_lines(["*.log", "!keep.log"])
    assert says(lines, "a.log", is_folder=False) is True
    assert says(lines, "keep.log", is_folder=False) is False
    assert says(lines, "a.py", is_folder=False) is None


def test_a_line_made_to_take_long_does_not() -> None:
    """Stars that each could stand for anything: a matcher that tries all ways would not come back."""
    hostile = read_lines(["*a" * 200 + "b", "**/a/" * 100 + "b"])
    assert not is_ignored(hostile, "a" * 250)
    assert not is_ignored(hostile, "a/" * 500 + "c")
