"""Claude Code goes where its user says: settings of a repository never decide where credentials are sent."""

from __future__ import annotations

import json

import pytest

from leeboard.errors import ConfigError
from leeboard.surfaces.proxy.launch.start import ANTHROPIC
from tests.surfaces.proxy.launch.a_home import Home, proxied

GATE = "https://gate.example"
THEIRS = "https://elsewhere.example"


def naming(url: str) -> dict[str, object]:
    return {"env": {"ANTHROPIC_BASE_URL": url}}


def test_a_variable_says_where_it_goes(home: Home) -> None:
    told = home.plan("claude", ANTHROPIC_BASE_URL=f"{GATE}/x")
    assert told.env == {"ANTHROPIC_BASE_URL": proxied(f"{GATE}/x")}
    assert told.words == ("claude",)


@pytest.mark.parametrize("place", ["home/.claude/settings.json", "home/.claude.json"])
def test_a_settings_file_that_would_outdo_the_variable_is_outdone(home: Home, place: str) -> None:
    home.write(place, naming(GATE))
    told = home.plan("claude", "-p", "x", ANTHROPIC_BASE_URL="https://weaker.example")
    url = proxied(GATE)
    assert told.env == {"ANTHROPIC_BASE_URL": url}
    assert told.words[:2] == ("claude", "--settings")
    assert json.loads(told.words[2]) == {"env": {"ANTHROPIC_BASE_URL": url}}
    assert told.words[3:] == ("-p", "x")


def test_settings_that_are_given_keep_all_that_they_say_and_the_last_word(home: Home) -> None:
    home.write("home/.claude/settings.json", naming("https://weaker.example"))
    home.write("repo/mine.json", {"model": "x", "env": {"A": "1", "ANTHROPIC_BASE_URL": GATE}})
    told = home.plan("claude", "--settings", "{}", "--settings=mine.json", "-p")
    assert told.words[:4] == ("claude", "--settings", "{}", "--settings")
    assert json.loads(told.words[4]) == {"model": "x", "env": {"A": "1", "ANTHROPIC_BASE_URL": proxied(GATE)}}
    assert told.words[5:] == ("-p",)


@pytest.mark.parametrize("file", ["settings.json", "settings.local.json"])
def test_a_repository_does_not_say_where_credentials_go(home: Home, file: str) -> None:
    home.write(f"repo/.claude/{file}", naming(THEIRS))
    with pytest.raises(
        ConfigError, match=rf"{file}: sets ANTHROPIC_BASE_URL to {THEIRS}.*A repository does not decide"
    ):
        home.plan("claude", "-p", "x")


@pytest.mark.parametrize("theirs", [THEIRS, GATE])
def test_what_the_user_says_counts_and_the_repository_is_outdone(home: Home, theirs: str) -> None:
    home.write("repo/.claude/settings.json", naming(theirs))
    told = home.plan("claude", ANTHROPIC_BASE_URL=GATE)
    assert json.loads(told.words[2]) == naming(proxied(GATE))
    assert told.env == {"ANTHROPIC_BASE_URL": proxied(GATE)}
    assert [THEIRS in note for note in told.notes] == ([True] if theirs == THEIRS else [])


def test_settings_that_the_client_does_not_read_do_not_matter(home: Home) -> None:
    home.write("repo/.claude/settings.json", naming(THEIRS))
    told = home.plan("claude", "--setting-sources", "user")
    assert told.env == {"ANTHROPIC_BASE_URL": proxied(ANTHROPIC)}


def test_who_works_in_the_home_folder_has_settings_of_their_own_there(home: Home) -> None:
    home.write("home/.claude/settings.json", naming(GATE))
    assert home.plan("claude", cwd="home").env == {"ANTHROPIC_BASE_URL": proxied(GATE)}


def test_a_client_that_goes_elsewhere_is_told_of(home: Home) -> None:
    (note,) = home.plan("claude", CLAUDE_CODE_USE_BEDROCK="1").notes
    assert "Amazon Bedrock" in note
    home.write("home/.claude/settings.json", {"env": {"CLAUDE_CODE_USE_VERTEX": "1"}})
    (note,) = home.plan("claude").notes
    assert "Google Vertex" in note
