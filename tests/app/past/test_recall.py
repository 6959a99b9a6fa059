from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.past.recall import question_of, recalled
from leeboard.errors import ConfigError
from leeboard.store.recall import RecallQuestion
from leeboard.text.words import content_words


@pytest.fixture
def root(tmp_path: Path) -> str:
    (tmp_path / "src" / "auth").mkdir(parents=True)
    return str(tmp_path)


def test_a_path_is_the_projects_wherever_one_asks_from(root: str) -> None:
    below = f"{root}/src/auth"
    asked = question_of("token.py", root, below)
    assert asked.files == ("src/auth/token.py", "token.py")
    assert asked.folders == ("src/auth/",)
    assert question_of(f"{root}/src/auth/token.py", root, "/").files == ("src/auth/token.py",)
    assert question_of("src/auth", root, root).folders == ("src/auth/",)
    assert question_of("/etc/passwd", root, root).files == question_of("../x.py", root, root).files == ()


def test_a_question_has_words_and_may_name_files(root: str) -> None:
    asked = question_of("Why are tokens rotated in src/auth/token.py?", root, root)
    assert asked.files == ("src/auth/token.py",)
    assert set(asked.words) >= set(content_words("rotating token"))
    assert "tokens" in asked.keywords
    assert question_of(" ?! ", root, root) == question_of("", root, root) == RecallQuestion()


def test_nothing_to_look_for_says_what_to_give(root: str) -> None:
    with pytest.raises(ConfigError, match="give a file"):
        recalled("?", root, root)
