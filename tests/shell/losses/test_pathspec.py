from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.shell.expansion import UNKNOWN
from leeboard.shell.losses.pathspec import is_ignored, is_plain, means
from tests.git_repository import GitRepository

FILES = ("top.txt", "src/a.py", "src/in/d.py", "src/in/.dot.py", "src/[x]/e.py", "db/b.sql", "db/src/c.py")
WORDS = (
    (".",),
    ("./",),
    ("./a.py",),
    ("in",),
    ("in/",),
    ("..",),
    ("../db",),
    ("../db/b.sql",),
    ("../nothing",),
    (":/",),
    (":",),
    (":(top)",),
    (":/db",),
    (":(top)db",),
    (":(top)src/a.py",),
    ("*",),
    ("*.py",),
    ("./*.py",),
    ("../*.sql",),
    ("../*/src",),
    ("../db/*",),
    (":(glob)*.py",),
    (":(glob)**/*.py",),
    (":(glob)../*/*.py",),
    (":(top,glob)*/?.py",),
    (":(literal)*.py",),
    (":(icase)A.PY",),
    (":(icase,top)SRC/*.PY",),
    (".", ":!in"),
    (".", ":(exclude)*.py"),
    (":/", ":!/src"),
    (":/", ":^in"),
    (":(top)", ":(top,exclude)src"),
    ("a.py", "../db"),
    ("a.p?",),
    ("[ab].py",),
)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> GitRepository:
    git = GitRepository(tmp_path_factory.mktemp("pathspec") / "repo")
    for path in FILES:
        git.write(path, "x\n")
    git.commit("first")
    return git


@pytest.mark.parametrize("words", WORDS, ids=" ".join)
@pytest.mark.parametrize("folder", ["src", "db", "src/in", "src/[x]"])
def test_the_files_are_those_that_git_itself_lists(
    repository: GitRepository, folder: str, words: tuple[str, ...]
) -> None:
    top = str(repository.path)
    listed = repository.run("-C", folder, "ls-files", "--full-name", "-z", "--", *words)
    meant = {path for path in FILES if means(words, f"{top}/{path}", f"{top}/{folder}", top)}
    assert meant == {path for path in listed.split("\0") if path}


@pytest.mark.parametrize("word", [":!in", ":^in", ":(exclude)in", ":(top,exclude)src/in", ":!/src/in"])
def test_with_exclusions_alone_a_checkout_is_of_all_others(tmp_path: Path, word: str) -> None:
    git = GitRepository(tmp_path / "repo")
    for path in FILES:
        git.write(path, "x\n")
    git.commit("first")
    for path in FILES:
        git.write(path, "mine\n")
    git.run("-C", "src", "checkout", "-q", "--", word)
    reset = {path for path in FILES if (git.path / path).read_text(encoding="utf-8") == "x\n"}
    top = str(git.path)
    assert {path for path in FILES if means((word,), f"{top}/{path}", f"{top}/src", top)} == reset


def test_of_a_word_that_nobody_can_tell_its_beginning_counts() -> None:
    assert means((f"in/{UNKNOWN}",), "/r/src/in/d.py", "/r/src", "/r")
    assert not means((f"in/{UNKNOWN}",), "/r/db/b.sql", "/r/src", "/r")
    assert means((UNKNOWN,), "/r/src/a.py", "/r/src", "/r")


@pytest.mark.parametrize(("word", "plain"), [("src/a.py", True), (".", True), ("*.py", False), (":/", False)])
def test_a_plain_word_names_one_place(word: str, *, plain: bool) -> None:
    assert is_plain(word) is plain


@pytest.mark.parametrize("pattern", ["u", "*.log", "ud", "src/ud", "/ud", "/src/ud/", "ud/u", "nothing"])
def test_what_is_spared_is_what_git_clean_spares(tmp_path: Path, pattern: str) -> None:
    git = GitRepository(tmp_path / "repo")
    untracked = ("src/u", "src/ud/u", "src/x.log", "db/u")
    git.write("src/a.py", "x\n")
    git.commit("first")
    for path in untracked:
        git.write(path, "x\n")
    git.run("clean", "-fdq", "-e", pattern)
    left = {path for path in untracked if (git.path / path).exists()}
    assert {path for path in untracked if is_ignored((pattern,), str(git.path / path), str(git.path))} == left
