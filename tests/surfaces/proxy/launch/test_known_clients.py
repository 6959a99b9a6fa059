"""A client is known by its name, and a program that is none keeps the upstreams that it has."""

from __future__ import annotations

import pytest

from leeboard.surfaces.proxy.launch.start import ANTHROPIC, OPENAI, Launch
from tests.surfaces.proxy.launch.a_home import Home, proxied


@pytest.mark.parametrize(
    "words", [("claude",), ("/usr/local/bin/claude", "-p"), ("npx", "-y", "@anthropic-ai/claude-code@2.1.0", "-p")]
)
def test_a_client_is_known_by_its_name(home: Home, words: tuple[str, ...]) -> None:
    assert home.plan(*words) == Launch(words, {"ANTHROPIC_BASE_URL": proxied(ANTHROPIC)})


def test_another_program_is_given_the_usual_variables(home: Home) -> None:
    told = home.plan("aider", "--model", "claude")
    assert told.words == ("aider", "--model", "claude")
    assert told.env["ANTHROPIC_BASE_URL"] == proxied(ANTHROPIC)
    assert told.env["OPENAI_BASE_URL"] == told.env["OPENAI_API_BASE"] == proxied(OPENAI)
    assert "no client that is known here" in told.notes[0]


def test_a_variable_that_is_not_set_does_not_lead_elsewhere_than_the_one_that_is(home: Home) -> None:
    told = home.plan("aider", OPENAI_API_BASE="http://localhost:9").env
    assert told["OPENAI_API_BASE"] == proxied("http://localhost:9")
    assert "OPENAI_BASE_URL" not in told
    told = home.plan("aider", OPENAI_API_BASE="http://localhost:9", OPENAI_BASE_URL="http://localhost:8").env
    assert (told["OPENAI_API_BASE"], told["OPENAI_BASE_URL"]) == (
        proxied("http://localhost:9"),
        proxied("http://localhost:8"),
    )
