from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.text.language import areas_of_path, areas_of_words, is_manifest, is_test, unrelated_area


@pytest.mark.parametrize(
    ("words", "areas"),
    [
        (("auth", "bug"), ("auth",)),
        (("login", "button", "oauth"), ("auth", "ui")),
        (("use", "less", "memory"), ()),
        (("query", "string"), ()),
        (("login", "handler"), ("auth", "backend")),
        ((), ()),
    ],
)
def test_words_stand_for_areas_but_vague_ones_never_alone(words: tuple[str, ...], areas: tuple[str, ...]) -> None:
    assert areas_of_words(words) == areas


@pytest.mark.parametrize(
    ("path", "areas"),
    [
        ("src/styles/theme.css", ("style",)),
        ("src/components/Button.tsx", ("ui",)),
        ("src/auth/token.ts", ("auth",)),
        ("db/migrations/001.sql", ("data",)),
        ("package.json", ("deps",)),
        ("tests/auth/test_token.py", ("tests", "auth")),
        (".github/workflows/ci.yml", ("build",)),
        ("infra/main.tf", ("infra",)),
        ("docs/guide.md", ("docs",)),
        ("src/parser.py", ()),
        ("", ()),
    ],
)
def test_paths_stand_for_areas(path: str, areas: tuple[str, ...]) -> None:
    """AD-33: styling in an auth task is told by the path alone."""
    found = areas_of_path(path)
    assert found[: len(areas)] == areas if areas else found == ()


@pytest.mark.parametrize(
    "path",
    [
        "tests/test_a.py", "src/a_test.go", "src/a.test.ts", "src/a.spec.ts", "spec/models/user_spec.rb", "src/UserTest.java",
        "src/UserTests.cs", "src/UserSpec.scala", "app/__tests__/x.js", "conftest.py", "e2e/login.ts", "integration_tests/x.py",
        "cypress/login.js", "fixtures/a.json",
    ],
)  # fmt: skip
def test_tests_are_known_by_name(path: str) -> None:
    assert is_test(path)


@pytest.mark.parametrize(
    "path",
    ["src/latest.py", "src/contest/a.py", "api/openapi.spec.yaml", "spec/design.md", "app.spec", "src/attestation.go", "src/inspect.py", "protest.js"],
)  # fmt: skip
def test_others_are_not(path: str) -> None:
    assert not is_test(path)


def test_manifests_are_known_anywhere() -> None:
    assert is_manifest("packages/web/package.json")
    assert is_manifest("Cargo.toml")
    assert not is_manifest("src/package.ts")


@given(st.text(max_size=200))
def test_any_path_is_read(path: str) -> None:
    areas_of_path(path)
    is_test(path)
    is_manifest(path)


@pytest.mark.parametrize(
    ("path", "areas", "unrelated"),
    [
        ("src/styles/theme.css", ("auth",), "style"),
        ("src/styles/theme.css", ("ui",), ""),
        ("db/schema.sql", ("backend",), ""),
        ("src/styles/theme.css", (), ""),
        ("src/styles/theme.css", ("docs",), ""),
        ("docs/guide.md", ("auth",), ""),
        ("src/parser.py", ("auth",), ""),
    ],
)
def test_an_area_is_unrelated_where_both_sides_are_known_and_differ(
    path: str, areas: tuple[str, ...], unrelated: str
) -> None:
    """What is styled is shown, what is served is stored, and support work goes along with anything."""
    assert unrelated_area(path, areas) == unrelated
