from __future__ import annotations

import pytest

from leeboard.model.text import matches
from leeboard.speech.limits.object import TEST_GLOBS, asked_kind, kind_of
from leeboard.text.language import is_test


@pytest.mark.parametrize(
    ("words", "inside", "outside"),
    [
        ("the schema", "db/schema.sql", "src/schematic.py"),
        ("the database", "db/migrations/001.py", "src/database_client.py"),
        ("the db", "dump.sql", "db/client.py"),
        ("migrations", "alembic/x.py", "src/migrator.py"),
        ("lock files", "web/package-lock.json", "package.json"),
        ("the stylesheets", "a/b.scss", "a/b.ts"),
        ("our docs", "docs/a.txt", "src/docs.py"),
        ("the readme", "README.md", "docs/a.md"),
        ("the legacy folder", "src/legacy/a.py", "src/legacy.py"),
    ],
)
def test_a_kind_is_told_by_its_paths(words: str, inside: str, outside: str) -> None:
    globs, areas = kind_of(words)
    assert not areas
    assert matches(inside, globs)
    assert not matches(outside, globs)


@pytest.mark.parametrize(
    "words", ["a users migration", "the failing login tests", "test coverage", "two new tests", "the API docs", "tests"]
)
def test_one_of_a_kind_may_be_asked_for(words: str) -> None:
    assert asked_kind(words) != ((), ())


@pytest.mark.parametrize(
    "words",
    [
        "the schema loader",
        "run tests",
        "the code reading the schema",
        "check the docs",
        "the database password",
        "this folder",
    ],
)
def test_what_goes_with_a_kind_is_another_thing(words: str) -> None:
    assert asked_kind(words) == ((), ())


def test_the_globs_of_tests_are_of_tests() -> None:
    for path in ("tests/a.py", "web/__tests__/a.ts", "src/a.spec.ts", "pkg/a_test.go", "test_a.py"):
        assert is_test(path)
        assert matches(path, TEST_GLOBS)
