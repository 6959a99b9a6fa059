"""What an agent decides in its own words, and where it takes a decision up again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.speech.decision import decisions_of, same_subject, subject_of


@pytest.mark.parametrize(
    ("text", "choice", "subject"),
    [
        ("I'll use REST instead of GraphQL for the API.", "rest", {"rest", "graphql", "api"}),
        ("I'll go with Redis for the cache.", "redis", {"redis", "cach"}),
        ("I decided to use SQLite rather than Postgres.", "sqlite", {"sqlit", "postgr"}),
        (
            "We're going with TypeScript over JavaScript because of the types.",
            "typescript",
            {"typescript", "javascript"},
        ),
        ("Let's stick with Celery.", "celery", {"celery"}),
        ("I chose Vite over Webpack", "vite", {"vit", "webpack"}),
    ],
)
def test_a_decision(text: str, choice: str, subject: set[str]) -> None:
    (found,) = decisions_of(text)
    assert (found.step, found.choice, set(found.subject)) == ("decided", choice, subject)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Let me reconsider REST vs GraphQL.", False),
        ("I'm not sure about Redis.", False),
        ("Should we use Redis or Memcached?", False),
        ("Actually, let me use Redis instead of Memcached.", False),
        ("Since the test failed, let me reconsider Redis.", True),
        ("The docs rule it out. Let me reconsider Redis.", True),
    ],
)
def test_a_reopening(text: str, reason: bool) -> None:  # noqa: FBT001 - a column of the table
    found = decisions_of(text)[-1]
    assert (found.step, found.reason) == ("reopened", reason)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Let me reconsider.",
        "I'll use grep.",
        "I'll use the Edit tool.",
        "The server uses REST for everything.",
        '"I\'ll go with Redis" is what it says.',
        "```\nI'll go with Redis for the cache.\n```",
        "Actually, let me read the parser.",
        "I'm not sure whether the parser is called.",
        "word " * 200,
    ],
)
def test_neither(text: str) -> None:
    assert decisions_of(text) == ()


def test_one_question_under_other_words() -> None:
    assert same_subject(("graphql", "rest"), ("api", "graphql", "public", "rest"))
    assert same_subject(("redis",), ("cach", "redis"), "redis")
    assert not same_subject(("cach",), ("cach", "redis"), "redis")
    assert not same_subject(("graphql", "rest"), ("memcach", "redis"))
    assert not same_subject((), ("redis",))


def test_names_count_though_they_are_common_words() -> None:
    assert subject_of("rest for the server", frozenset({"rest"})) == ("rest", "serv")
    assert "rest" not in subject_of("rest for the server")


@given(st.text(max_size=400))
def test_any_text_is_fine(text: str) -> None:
    assert all(found.subject for found in decisions_of(text))
