"""The red-flag phrases: each is found, and none where nobody plans it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.speech.red_flags import plain, red_flags, spoken


def ids(text: str) -> list[str]:
    return [flag.id for flag in red_flags(text)]


@pytest.mark.parametrize(
    ("flag", "text"),
    [
        ("RF-A1", "I'll build the parser from scratch."),
        ("RF-A1", "Let me write a scheduler from scratch"),
        ("RF-A2", "Let me create a new service for mails."),
        ("RF-A2", "I'm going to introduce a new caching layer."),
        ("RF-A3", "I don't see this functionality, so I'll add it."),
        ("RF-A3", "There's no retry anywhere, so I will create one."),
        ("RF-A4", "I'll implement my own LRU cache."),
        ("RF-B1", "For now, I'll hardcode the key."),
        ("RF-B1", "I will put the token in there directly."),
        ("RF-B2", "The user sends the ID directly in the query."),
        ("RF-B2", "I'll skip validation for now."),
        ("RF-B2", "No need for sanitizing here."),
        ("RF-B3", "MD5 should be fine for this."),
        ("RF-B3", "Math.random() is good enough"),
        ("RF-B4", "I'll use exec() to run it."),
        ("RF-B4", "Let me use `eval` on the expression."),
        ("RF-C1", "Let me check that file again."),
        ("RF-C1", "I'll re-read the config."),
        ("RF-C2", "I need to search for the handler."),
        ("RF-C3", "Let me reconsider the storage."),
        ("RF-C3", "Actually, let me rethink this."),
        ("RF-C3", "I'm not sure about Redis."),
        ("RF-C4", "I think I already did this."),
        ("RF-D1", "While I'm here, I'll clean up the imports."),
        ("RF-D1", "I'll also refactor the mailer."),
        ("RF-D1", "Let me tidy this up."),
        ("RF-D2", "I should also add a --json flag."),
        ("RF-D2", "I'll also include a dark mode."),
        ("RF-D3", "Let me add support for YAML."),
        ("RF-D4", "Let me explore how sessions work before I write anything."),
        ("RF-D4", "I want to understand how the pool works first."),
    ],
)
def test_each_is_found(flag: str, text: str) -> None:
    assert flag in ids(text)


def test_case_and_apostrophes() -> None:
    assert ids("FOR NOW, I’LL HARDCODE IT") == ids("for now, i will hardcode it") == ["RF-B1"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I won't hardcode the key.",
        "I'll never skip validation.",
        "We should not skip validation here.",
        "I don't need to re-read the file.",
        "Instead of building it from scratch, I'll reuse the parser.",
        'The user said "I\'ll build it from scratch".',
        "> I'll hardcode the key",
        "```\n# I'll hardcode the key\n```",
        "The old handler skips validation.",
        "It builds everything from scratch on each start.",
        "The previous author hardcoded the key.",
        "`I'll skip validation for now` is what the comment says.",
        "The new service is created on start.",
        "MD5 is broken.",
        "They use eval() for templates.",
        "SHA-256 is fine.",
        "I'll avoid using eval().",
        "The user says I should also add tests.",
        "Let me clean up the temporary files.",
        "I'll clean up the old debug logs.",
    ],
)
def test_nobody_plans_it(text: str) -> None:
    assert ids(text) == []


def test_a_flag_keeps_its_words_and_its_sentence() -> None:
    (flag,) = red_flags("First the tests. For now, I'll hardcode the key. Then the rest.")
    assert (flag.id, flag.phrase, flag.sentence) == (
        "RF-B1",
        "i will hardcode",
        "For now, I'll hardcode the key.",
    )


def test_what_is_shown_is_not_said() -> None:
    assert spoken('a `b` "c d" e') == "a b … e"
    assert spoken("x\n~~~\ncode\n~~~\ny").split() == ["x", "y"]


def test_contractions_are_written_out() -> None:
    assert plain("I’m going to, let's, can't, won't") == "i will, i will, cannot, will not"


@pytest.mark.parametrize("piece", ["i will ", "while i am here ", "'a", "`", "~~~\n", "also add new own ", "> ", '"'])
def test_hostile_text_is_read_in_no_time(piece: str) -> None:
    assert len(red_flags(piece * (1 << 20))) < 10_000


@given(st.text(max_size=500))
def test_any_text_is_fine(text: str) -> None:
    assert all(flag.id.startswith("RF-") for flag in red_flags(text))
