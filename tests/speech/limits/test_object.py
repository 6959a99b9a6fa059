from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.model.text import matches
from leeboard.speech.limits.object import (
    anchor,
    any_files,
    is_all_of_git,
    is_conditional,
    names_dependency,
    only_names_paths,
    only_places,
    pushed_to,
    resolve,
    without_waiting,
)


@pytest.mark.parametrize(
    ("what", "globs", "areas"),
    [
        ("tests/", ("**/tests/**",), ()),
        ("the files under src/legacy, please", ("**/src/legacy/**",), ()),
        ("src/a.py, src/b.py or tests", ("**/src/a.py", "**/src/b.py"), ("tests",)),
        ("the public API or tests/", ("**/tests/**",), ()),
        ("the legacy folder", ("**/legacy/**",), ()),
        ("the helper in src/a.py", (), ()),
        ("the logic from a.py and b.py", (), ()),
        ("the tests in src/", (), ()),
        ("tests/ until I say so", (), ()),
        ("src/a.py to src/b.py", (), ()),
        ("the scripts in package.json", (), ()),
        ("this folder", (), ()),
        ("anything else", (), ()),
        ("", (), ()),
    ],
)
def test_an_object_is_believed_when_nothing_is_left_over(
    what: str, globs: tuple[str, ...], areas: tuple[str, ...]
) -> None:
    assert resolve(what) == (globs, areas)


@pytest.mark.parametrize(
    ("path", "inside", "outside"),
    [
        ("tests/", "tests/a.py", "src/tests.py"),
        ("src/a.py", "packages/x/src/a.py", "src/b.py"),
        ("./src/a.py", "src/a.py", "a.py"),
        (".env", "config/.env", "env"),
        ("src/auth", "src/auth/token.ts", "src/author.ts"),
        ("Makefile", "Makefile", "Makefile.am"),
        ("*.lock", "a/b/yarn.lock", "yarn.lock.md"),
        ("src/**/*.ts", "src/a/b.ts", "lib/a/b.ts"),
    ],
)
def test_an_anchored_path_matches_what_it_names(path: str, inside: str, outside: str) -> None:
    assert matches(inside, (anchor(path),))
    assert not matches(outside, (anchor(path),))


def test_only_paths_and_nothing_else() -> None:
    assert only_names_paths("the files in src/a/ and src/b.py")
    assert not only_names_paths("src/a.py and its test")
    assert not only_names_paths("the tests")


def test_programs_are_known_by_their_object() -> None:
    assert is_all_of_git("")
    assert is_all_of_git(" anything, please")
    assert not is_all_of_git("to main")
    assert not is_all_of_git("secrets")
    assert not is_all_of_git("it yet")
    assert names_dependency("any new third-party libraries")
    assert not names_dependency("packages/web")
    assert pushed_to("anything directly to `release/1.2`") == "release/1.2"
    assert pushed_to("to main please") == "main"
    assert pushed_to("the button") == ""


def test_conditions_are_heard() -> None:
    assert is_conditional("tests/ unless needed")
    assert not is_conditional("src/notify.py")


def test_what_waits_for_a_word_is_told_from_what_stands() -> None:
    assert without_waiting("anything yet") == ("anything", True)
    assert without_waiting("src/a.py until I say so") == ("src/a.py", True)
    assert without_waiting("files without asking me first") == ("files", False)
    assert without_waiting("src/a.py while you're in there") == ("src/a.py", False)
    assert without_waiting("src/a.py until the tests pass") == ("src/a.py until the tests pass", False)


def test_anything_is_all_there_is_and_nothing_less() -> None:
    assert any_files("anything at all") == ("**",)
    assert "!**/*.md" in any_files("any code")
    assert any_files("any files", files=True) == ("**",)
    assert not any_files("anything else")
    assert not any_files("other files")
    assert not any_files("the code of the parser")


def test_the_tests_of_a_place_belong_to_it() -> None:
    globs, areas = only_places("src/parser and its tests")
    assert areas == ()
    for inside in ("src/parser/lex.py", "tests/test_parser.py", "tests/parser/test_lex.py", "web/parser.spec.ts"):
        assert matches(inside, globs), inside
    assert not matches("tests/test_printer.py", globs)


@given(st.text(max_size=200))
def test_any_object_is_read(what: str) -> None:
    globs, areas = resolve(what)
    assert all(globs)
    assert set(areas) <= {"tests"}
