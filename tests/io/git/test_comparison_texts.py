from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from leeboard.errors import EffectError
from leeboard.io.git.comparison import BaseTexts
from leeboard.io.git.tree_files import LARGEST
from leeboard.model.lookup import BaseFiles
from tests.git_repository import GitRepository

TEXTS = {
    "a.txt": "one\ntwo",
    "empty": "",
    "src/with space": "x blob 5\n",
    "new\nline": "n\n",
    "né": "é\n",
    "\udcff": "b\n",
    "-dash": "d\n",
    "a missing": "here\n",
}


@pytest.fixture
def repository(tmp_path: Path) -> GitRepository:
    made = GitRepository(tmp_path / "repo")
    for path, text in TEXTS.items():
        made.write(path, text)
    made.write("bin", b"a\0b")
    made.write("large", "x" * (LARGEST + 1))
    made.write("latin", b"caf\xe9\n")
    made.commit()
    for path in TEXTS:
        made.write(path, "changed\n")
    return made


@pytest.fixture
def texts(repository: GitRepository) -> Iterator[BaseTexts]:
    made = BaseTexts(repository.root, repository.head)
    yield made
    made.close()


def test_texts_are_those_of_the_commit(texts: BaseTexts) -> None:
    files: BaseFiles = texts
    assert {path: files.text(path) for path in TEXTS} == TEXTS
    assert all(files.exists(path) for path in TEXTS)
    assert files.text("latin") == "caf�\n"


def test_what_is_no_text_is_there_without_one(texts: BaseTexts) -> None:
    for path in ("bin", "large", "src"):
        assert (texts.text(path), texts.exists(path)) == (None, True)
    assert texts.text("a.txt") == TEXTS["a.txt"]


@pytest.mark.parametrize(
    "path", ["absent", "", "/etc/passwd", "../x", "./a.txt", "src/absent", "nul\0", "no\nne", "a.txt/x"]
)
def test_what_is_not_there(texts: BaseTexts, path: str) -> None:
    assert (texts.text(path), texts.exists(path), texts.ignored(path)) == (None, False, None)


def test_without_a_commit_nothing_exists(repository: GitRepository) -> None:
    texts = BaseTexts(repository.root, "")
    assert (texts.text("a.txt"), texts.exists("a.txt")) == (None, False)
    texts.close()


def test_a_commit_that_is_not_here_is_an_error(repository: GitRepository) -> None:
    texts = BaseTexts(repository.root, "1" * 40)
    for _ in range(2):
        with pytest.raises(EffectError, match=r"the commit is not here.*--unshallow"):
            texts.text("a.txt")


def test_a_process_that_ended_is_an_error_and_the_next_question_starts_another(texts: BaseTexts) -> None:
    assert texts.exists("a.txt")
    assert texts._process is not None
    texts._process.kill()
    texts._process.wait()
    with pytest.raises(EffectError, match="cat-file"):
        texts.text("né")
    assert texts.text("né") == TEXTS["né"]


def test_closed_twice_and_asked_again(texts: BaseTexts) -> None:
    assert texts.text("a.txt") == TEXTS["a.txt"]
    texts.close()
    texts.close()
    assert texts.text("empty") == ""
