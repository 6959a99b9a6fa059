from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.text.words import content_words, split_name, stem


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("getUserToken", ("get", "user", "token")),
        ("get_user_token", ("get", "user", "token")),
        ("get-user-token", ("get", "user", "token")),
        ("HTTPServer", ("http", "server")),
        ("_private", ("private",)),
        ("utf8", ("utf8",)),
        ("x", ("x",)),
        ("__", ()),
        ("", ()),
    ],
)
def test_names_are_split_at_case_and_signs(name: str, words: tuple[str, ...]) -> None:
    assert split_name(name) == words


@pytest.mark.parametrize(
    "family",
    [
        "validate validates validated validating validation validator validators",
        "parse parses parsed parsing parser parsers",
        "format formats formatted formatting formatter",
        "create creates created creating creation creator",
        "configure configured configures configuration",
        "tokenize tokenizer tokenizing tokenization",
        "query queries queried querying",
        "process processes processed processing",
        "control controls controller controllers",
        "cancel cancels cancelled cancelling",
        "install installs installed installing installer",
        "cache caches cached caching",
        "deploy deploys deployed deployment",
        "address addresses addressed",
        "update updates updated updating updater",
        "retry retries retried retrying",
        "user users",
        "string strings",
    ],
)
def test_a_family_of_words_has_one_stem(family: str) -> None:
    assert len({stem(word) for word in family.split()}) == 1, {word: stem(word) for word in family.split()}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("format", "form"),
        ("user", "use"),
        ("string", "strict"),
        ("float", "flow"),
        ("status", "state"),
        ("class", "claim"),
    ],
)
def test_words_of_other_families_stay_apart(one: str, other: str) -> None:
    assert stem(one) != stem(other)


@pytest.mark.parametrize("word", ["bus", "datenbank", "größe", "v2", "", "мир"])
def test_short_and_foreign_words_are_left_alone(word: str) -> None:
    assert stem(word) == word


def test_content_words_leave_out_the_common_ones() -> None:
    assert content_words("Please add email validation to the signup form, and validate emails") == (
        "email",
        "valid",
        "signup",
        "form",
    )


@given(st.text(max_size=100))
def test_stems_are_lower_case_and_never_longer(text: str) -> None:
    assert len(stem(text)) <= len(text.lower()) + 2
    for word in (*split_name(text), *content_words(text)):
        assert word
        assert word == word.lower()
