"""opencode goes where its user says, for each of its providers."""

from __future__ import annotations

import json

import pytest

from leeboard.errors import ConfigError
from leeboard.surfaces.proxy.launch.start import ANTHROPIC, OPENAI, Launch
from tests.surfaces.proxy.launch.a_home import Home, proxied

OWN = "home/.config/opencode/opencode.json"
GATE = "http://localhost:9/v1"
THEIRS = "https://elsewhere.example/v1"


def naming(url: str, name: str = "anthropic", **options: str) -> dict[str, object]:
    return {"provider": {name: {"options": {"baseURL": url, **options}}}}


def urls(told: Launch) -> dict[str, str]:
    providers = json.loads(told.env["OPENCODE_CONFIG_CONTENT"])["provider"]
    return {name: provider["options"]["baseURL"] for name, provider in providers.items()}


def test_it_gets_settings_in_a_variable(home: Home) -> None:
    told = home.plan("opencode", "run", "x")
    assert told.words == ("opencode", "run", "x")
    assert urls(told) == {"anthropic": proxied(f"{ANTHROPIC}/v1"), "openai": proxied(OPENAI)}


def test_the_variables_that_it_reads_count_where_no_file_names_an_address(home: Home) -> None:
    env = {"ANTHROPIC_BASE_URL": GATE, "OPENAI_BASE_URL": "http://localhost:8/v1"}
    assert urls(home.plan("opencode", **env)) == {
        "anthropic": proxied(GATE),
        "openai": proxied("http://localhost:8/v1"),
    }
    home.write(OWN, naming("http://localhost:7/v1"))
    assert urls(home.plan("opencode", **env))["anthropic"] == proxied("http://localhost:7/v1")


@pytest.mark.parametrize(
    "place", [OWN, "home/.config/opencode/config.json", "home/.opencode/opencode.jsonc", "home/given.json"]
)
def test_files_of_the_user_count(home: Home, place: str) -> None:
    home.write(place, naming("{env:GATE}/v1", "mine"))
    told = home.plan("opencode", GATE="http://localhost:9", OPENCODE_CONFIG=str(home.folder / "home/given.json"))
    assert urls(told)["mine"] == proxied(GATE)


def test_it_keeps_what_it_was_told_otherwise(home: Home) -> None:
    mine = {"options": {"baseURL": GATE}}
    given = {"model": "mine/x", "provider": {"anthropic": {"options": {"apiKey": "k"}}, "mine": mine}}
    told = home.plan("opencode", OPENCODE_CONFIG_CONTENT=json.dumps(given))
    settings = json.loads(told.env["OPENCODE_CONFIG_CONTENT"])
    assert settings["model"] == "mine/x"
    assert settings["provider"]["anthropic"]["options"] == {"apiKey": "k", "baseURL": proxied(f"{ANTHROPIC}/v1")}
    assert urls(told)["mine"] == proxied(GATE)


@pytest.mark.parametrize("place", ["repo/opencode.json", "repo/.opencode/opencode.json", "repo/sub/opencode.jsonc"])
@pytest.mark.parametrize("options", [{}, {"apiKey": "{env:ANTHROPIC_API_KEY}"}, {"apiKey": "{file:~/.key}"}])
def test_a_repository_does_not_say_where_credentials_go(home: Home, place: str, options: dict[str, str]) -> None:
    home.write("repo/sub/a", "")
    home.write(place, naming(THEIRS, **options))
    with pytest.raises(ConfigError, match=rf"sends provider anthropic to {THEIRS}"):
        home.plan("opencode", cwd="repo/sub")
    assert urls(home.plan("opencode", cwd="repo/sub", ANTHROPIC_BASE_URL=THEIRS))["anthropic"] == proxied(THEIRS)


def test_a_repository_may_name_a_place_with_a_key_of_its_own(home: Home) -> None:
    home.write("repo/opencode.json", naming(GATE, "scripted", apiKey="fake"))
    assert urls(home.plan("opencode"))["scripted"] == proxied(GATE)


def test_an_address_that_can_not_be_read_is_not_passed_over(home: Home) -> None:
    home.write(OWN, naming("{file:~/.gate}"))
    with pytest.raises(ConfigError, match="the baseURL of provider anthropic can not be read"):
        home.plan("opencode")
    home.write(OWN, '{"provider": {"x": {"options": {"baseURL": "http://a"}}}, // mine\n}')
    with pytest.raises(ConfigError, match="seems to name a base URL"):
        home.plan("opencode")
