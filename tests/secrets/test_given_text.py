from __future__ import annotations

import pytest

from leeboard.secrets.given_text import each_text, holds_secret
from tests.planted_secrets import Planted, planted


@pytest.mark.parametrize("one", planted(45), ids=lambda one: one.name)
def test_a_secret_is_seen_in_whatever_has_to_stay_as_it_is(one: Planted) -> None:
    assert holds_secret(one.assigned)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "src/auth/token_refresh.py",
            "src/**/*.py",
            "unit-01-token-check",
            "haiku/login/main",
            "FB-01",
            "v3f9a8b2c1d55",
        ),
        *("123e4567-e89b-12d3-a456-426614174000", "5fdeeea170afc63be7b74880901f7ab03a9aaaaa", "pytest -q tests/x.py"),
        *("sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "make check TOKEN=abc"),
        *("API_KEY=$API_KEY pytest", "https://github.com/a/b/pull/12", "fix the token: it expires too early"),
    ],
)
def test_names_ids_and_ordinary_lines_are_let_through(text: str) -> None:
    assert not holds_secret(text)


def test_every_text_is_changed_and_nothing_else() -> None:
    assert each_text({"a": ["b", 1, None], "c": ("d",)}, str.upper) == {"A": ["B", 1, None], "C": ["D"]}
