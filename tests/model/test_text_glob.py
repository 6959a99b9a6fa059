"""The one matcher for paths."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.model.text import matches

GIVEN = [
    ("src/auth/token.ts", "src/auth/"),
    ("src/auth/token.ts", "src/auth"),
    ("src/auth/token.ts", "src/auth/token.ts"),
    ("src/auth/token.ts", "./src/auth"),
    ("src/auth/token.ts", "src/*/token.ts"),
    ("src/auth/deep/token.ts", "src/**/token.ts"),
    ("src/token.ts", "src/**/token.ts"),
    ("src/.env", "src/*"),
    ("a/b/c.py", "**/*.py"),
    ("c.py", "**/*.py"),
    ("f1.py", "f[0-9].py"),
]
REFUSED = [
    ("src/author.ts", "src/auth/"),
    ("src/author.ts", "src/auth"),
    ("lib/src/auth/token.ts", "src/auth"),
    ("src/auth/deep/token.ts", "src/*/token.ts"),
    ("src/a{b,c}.ts", "src/a{b}.ts"),
    ("src/auth/token.ts", ""),
]


@pytest.mark.parametrize(("path", "pattern"), GIVEN)
def test_gives(path: str, pattern: str) -> None:
    assert matches(path, (pattern,))


@pytest.mark.parametrize(("path", "pattern"), REFUSED)
def test_gives_not(path: str, pattern: str) -> None:
    """AD-29: whole components count, so src/auth/ does not speak of src/author.ts."""
    assert not matches(path, (pattern,))


def test_the_last_pattern_that_speaks_wins() -> None:
    assert not matches("src/a.py", ("src/", "!src/a.py"))
    assert matches("src/a.py", ("src/", "!src/a.py", "src/a.py"))
    assert matches("src/b.py", ("src/", "!src/a.py"))


def test_no_pattern_gives_nothing() -> None:
    assert not matches("src/a.py", ())


def test_many_stars_do_not_explode() -> None:
    """A pattern from a prompt must not be able to hang the hook."""
    assert not matches("/".join(["a"] * 60), ("/".join(["**", "a"] * 60) + "/b",))


@given(st.text(alphabet="ab/*?[]!.{}\\", max_size=24), st.text(alphabet="ab/.", max_size=24))
def test_any_pattern_is_answered(pattern: str, path: str) -> None:
    assert matches(path, (pattern,)) in {True, False}


@given(st.lists(st.from_regex(r"[a-z]{1,5}", fullmatch=True), min_size=1, max_size=6))
def test_a_path_and_the_folders_above_it_give_it(parts: list[str]) -> None:
    path = "/".join(parts)
    assert all(matches(path, ("/".join(parts[:length]),)) for length in range(1, len(parts) + 1))
