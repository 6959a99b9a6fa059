from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.contracts.non_goal import read_non_goal


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("no changes to the database schema", "db/migrations/0001.sql"),
        ("Database schema changes", "prisma/schema.prisma"),
        ("don't touch src/billing", "src/billing/tax.py"),
        ("src/billing", "src/billing/tax.py"),
        ("- src/billing/**", "src/billing/tax.py"),
        ("anything in docs/", "docs/a/b.md"),
        ("*.sql files", "db/a.sql"),
        ("touching the docs", "README.md"),
        ("No test changes", "tests/test_a.py"),
        ("Changing existing tests", "src/a.spec.ts"),
        ("No CSS changes", "web/a.scss"),
        ("No edits outside src/", "lib/a.py"),
        ("changes to src/core or src/db", "src/db/x.py"),
        ("CI workflows", ".github/workflows/ci.yml"),
        ("no docker changes", "deploy/Dockerfile.prod"),
        ("No changes to the auth module", "src/auth/token.py"),
        ("No billing changes", "src/billing/a.go"),
        ("Do not modify package.json", "web/package.json"),
        ("keep src/api unchanged", "src/api/v1.py"),
    ],
)
def test_it_rules_out_a_path(text: str, path: str) -> None:
    goal = read_non_goal(text)
    assert goal is not None
    assert goal.rules_out(path)
    assert not goal.rules_out("src/other/place.py")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "No API changes",
        "public API",
        "No new features",
        "No breaking changes",
        "No change of behaviour",
        "No fallbacks, retries or guardrails unless acceptance needs them",
        "Do not touch src/billing unless the tests need it",
        "refactoring",
        "refactor src/legacy/**",
        "performance work",
        "Support Windows",
        "redesign of the auth flow",
        "the helper in src/a.py",
    ],
)
def test_what_a_tree_can_not_show_is_not_checked(text: str) -> None:
    assert read_non_goal(text) is None


@pytest.mark.parametrize("text", ["No new dependencies", "new dependencies", "adding packages", "extra npm packages"])
def test_new_packages(text: str) -> None:
    goal = read_non_goal(text)
    assert goal is not None
    assert goal.rules_out_packages
    assert not goal.rules_out("package.json")


def test_what_is_new_does_not_break_what_exists() -> None:
    goal = read_non_goal("Changing existing tests")
    assert goal is not None
    assert goal.is_about_existing


@given(st.text(max_size=200))
def test_garbage_never_raises(text: str) -> None:
    goal = read_non_goal(text)
    assert goal is None or goal.limit.checkable
