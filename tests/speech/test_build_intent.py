"""What an agent says it will build."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.speech.build_intent import another_intents, build_intents, telling_words

BUILDS = (
    ("I'll build a JWT handler.", ("jwt",)),
    ("I will now create a rate limiter for the API", ("rat", "limit")),
    ("Let me write the slugify function", ("slugify",)),
    ("I'm going to implement retry logic with backoff", ("retry",)),
    ("I'll add a new invoice parser.", ("invoic", "pars")),
    ("Let me create a new service for rate limiting", ("rat", "limit")),
)
NOTHING = (
    "I'll add a log line.",
    "I'll write tests for the JWT handler.",
    "I'll create the file.",
    "The team will build a JWT handler.",
    "I won't build a JWT handler.",
    "I'll create a new branch.",
    "I'll write a migration for invoices.",
    "```\nI'll build a JWT handler\n```",
    "",
)


@pytest.mark.parametrize(("text", "words"), BUILDS)
def test_what_is_built(text: str, words: tuple[str, ...]) -> None:
    found = build_intents(text)
    assert len(found) == 1
    assert set(found[0].words) == set(words)


@pytest.mark.parametrize("text", NOTHING)
def test_nothing_is_built(text: str) -> None:
    assert build_intents(text) == ()


def test_from_scratch() -> None:
    assert [one.from_scratch for one in build_intents("I'll build the rate limiter from scratch.")] == [True]
    assert [one.from_scratch for one in build_intents("I'll build the rate limiter.")] == [False]


ANOTHER = (
    ("I'll create a new version of the invoice parser.", True),
    ("I'll add a separate handler for refund edge cases.", True),
    ("I should write an alternative implementation of slugify.", True),
    ("I'll build an invoice parser.", False),
    ("I'll bump the version of slugify.", False),
)


@pytest.mark.parametrize(("text", "second"), ANOTHER)
def test_second_versions(text: str, second: bool) -> None:  # noqa: FBT001 - a column of the table
    assert bool(another_intents(text)) is second
    assert not (second and build_intents(text))


def test_telling_words_leave_out_what_every_name_has() -> None:
    assert telling_words("a new JwtHandler service") == ("jwt",)
    assert telling_words("the new function") == ()


@given(st.text(max_size=500))
def test_any_text(text: str) -> None:
    build_intents(f"I'll build {text}")
    another_intents(f"I'll create a new version of {text}")
