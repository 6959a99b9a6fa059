"""Work of a kind the goal does not speak of: the edges."""

from __future__ import annotations

import pytest

from leeboard.testing.scenario import play

AUTH = ("@ fix auth bug", "edit src/auth/token.ts")


def evidence(*lines: str) -> list[str]:
    return [line for line in play(lines).proposed()[-1].trace if line.startswith("tangent -")]


def test_styling_in_an_auth_task() -> None:
    """AD-33."""
    (found,) = evidence(*AUTH, "edit src/styles/theme.css")
    assert "style work; the goal is about auth" in found


@pytest.mark.parametrize(
    "path",
    [
        "tests/auth/token.test.ts",
        "docs/auth.md",
        "package.json",
        ".github/workflows/ci.yml",
        "locales/de.json",
    ],
)
def test_what_goes_along_with_any_work_is_no_tangent(path: str) -> None:
    assert not evidence(*AUTH, f"edit {path}")


def test_what_a_search_found_is_no_tangent() -> None:
    assert not evidence(
        *AUTH,
        "grep token -> src/styles/theme.css:3: .token",
        "read src/styles/theme.css",
        "edit src/styles/theme.css",
    )


def test_asked_for_it_is_the_goal() -> None:
    assert not evidence(
        "@ fix the auth bug and restyle the login theme", "edit src/auth/token.ts", "edit src/styles/theme.css"
    )


def test_before_the_first_edit_it_is_never_louder_than_a_nudge() -> None:
    verdict = play(("@ fix the database migration", "edit web/styles/zebra.css")).proposed()[-1]
    assert verdict.level in {"none", "nudge"}
    assert verdict.confidence == "low"
