"""Names that may become folders and branches."""

from __future__ import annotations

from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.plan.files.files import feedback_id, safe_id, slug_of, unit_number


@pytest.mark.parametrize(
    ("text", "kind", "safe"),
    [
        ("add-login", "slug", True),
        ("unit-01-a", "unit", True),
        ("Stage_2.1", "stage", True),
        ("main", "slug", True),
        ("main", "stage", False),
        ("main", "unit", False),
        ("", "slug", False),
        (".", "slug", False),
        ("..", "slug", False),
        ("a..b", "slug", False),
        ("a/b", "slug", False),
        ("a\\b", "slug", False),
        (".hidden", "slug", False),
        ("-x", "slug", False),
        ("a b", "slug", False),
        ("a\n", "slug", False),
        ("a\x00", "slug", False),
        ("a.lock", "slug", False),
        ("a.", "slug", False),
        ("é", "slug", False),
        ("a" * 101, "slug", False),
    ],
)
def test_safe_ids(text: str, kind: Literal["slug", "stage", "unit"], *, safe: bool) -> None:
    assert safe_id(text, kind) is safe


@given(st.text(max_size=120))
def test_a_slug_is_safe_or_empty(title: str) -> None:
    slug = slug_of(title)
    assert not slug or (safe_id(slug) and len(slug) <= 50 and slug == slug_of(slug))


def test_slugs_read_like_their_titles() -> None:
    assert slug_of("Add a Login Page!") == "add-a-login-page"
    assert slug_of("Größe & Maß") == "groe-ma"
    assert slug_of("登录") == ""
    assert slug_of("x" * 49 + " y") == "x" * 49


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("unit-01-login", 1),
        ("unit-123-a-b2", 123),
        ("unit-1-login", None),
        ("unit-01-", None),
        ("unit-01-Login", None),
        ("unit-01-a--b", None),
        ("unit-01", None),
        ("unit-01-a\n", None),
        ("other", None),
    ],
)
def test_unit_numbers(name: str, number: int | None) -> None:
    """SH-24"""
    assert unit_number(name) == number


def test_feedback_ids() -> None:
    names = ["01-broken.md", "feedback/12-x.md", "FB-07", "3.md", "note.md", ""]
    assert [feedback_id(name) for name in names] == ["FB-01", "FB-12", "FB-07", "FB-03", "", ""]
