"""Codex goes where its login or its provider leads, and nowhere else."""

from __future__ import annotations

import tomllib
from itertools import pairwise

import pytest

from leeboard.surfaces.proxy.launch.start import CHATGPT, OPENAI, Launch
from tests.surfaces.proxy.launch.a_home import Home, proxied

TOKENS = {"OPENAI_API_KEY": None, "tokens": {"id_token": "x"}}
KEY = {"OPENAI_API_KEY": "sk-kept"}
MINE = 'model_provider = "mine"\n[model_providers.mine]\nname = "m"\nbase_url = "http://localhost:9/v1"\n'


def settings_in(told: Launch) -> dict[str, object]:
    """What Codex makes of its `-c` arguments: the last one counts."""
    found: dict[str, object] = {}
    for flag, value in pairwise(told.words):
        if flag == "-c":
            name, _, text = value.partition("=")
            found[name] = tomllib.loads(f"x = {text}")["x"]
    return found


def upstream_of(told: Launch) -> str:
    provider = settings_in(told)["model_providers.leeboard"]
    assert isinstance(provider, dict)
    assert provider["requires_openai_auth"] is True
    return str(provider["base_url"])


def test_it_gets_a_provider_that_stands_in_for_its_own(home: Home) -> None:
    home.write("home/.codex/auth.json", KEY)
    told = home.plan("codex", "exec", "x")
    assert (told.words[0], told.words[-2:], told.env) == ("codex", ("exec", "x"), {})
    assert settings_in(told) == {
        "model_provider": "leeboard",
        "model_providers.leeboard": {
            "name": "OpenAI",
            "base_url": proxied(OPENAI),
            "wire_api": "responses",
            "supports_websockets": False,
            "requires_openai_auth": True,
        },
        "features.enable_request_compression": False,
    }


def test_a_variable_that_codex_does_not_read_leads_nowhere(home: Home) -> None:
    home.write("home/.codex/auth.json", KEY)
    told = home.plan("codex", OPENAI_BASE_URL="https://elsewhere.example/v1", OPENAI_API_BASE="https://e.example")
    assert upstream_of(told) == proxied(OPENAI)


@pytest.mark.parametrize(
    ("kept", "words", "env", "upstream"),
    [
        (TOKENS, ("codex",), {}, CHATGPT),
        ({**TOKENS, "auth_mode": "chatgpt"}, ("codex",), {}, CHATGPT),
        (KEY, ("codex",), {}, OPENAI),
        ({**KEY, "tokens": {"id_token": "x"}, "auth_mode": "chatgpt"}, ("codex",), {}, CHATGPT),
        (TOKENS, ("codex", "exec"), {"OPENAI_API_KEY": "sk-not-read"}, CHATGPT),
        (TOKENS, ("codex", "-m", "gpt", "exec"), {"CODEX_API_KEY": "sk-read"}, OPENAI),
        (TOKENS, ("codex", "-m", "exec"), {"CODEX_API_KEY": "sk-not-read"}, CHATGPT),
        ({}, ("codex", "e", "x"), {"CODEX_API_KEY": "sk-read"}, OPENAI),
    ],
)
def test_the_login_decides(
    home: Home, kept: dict[str, object], words: tuple[str, ...], env: dict[str, str], upstream: str
) -> None:
    home.write("home/.codex/auth.json", kept)
    assert upstream_of(home.plan(*words, **env)) == proxied(upstream)


@pytest.mark.parametrize(
    ("kept", "config"),
    [({}, ""), ({"auth_mode": "agentIdentity", "tokens": {}}, ""), (KEY, 'cli_auth_credentials_store = "keyring"')],
)
def test_a_login_that_is_not_known_is_not_guessed(home: Home, kept: dict[str, object], config: str) -> None:
    home.write("home/.codex/auth.json", kept)
    home.write("home/.codex/config.toml", config)
    told = home.plan("codex", "exec", "x", OPENAI_API_KEY="sk-x")
    assert (told.words, told.env) == (("codex", "exec", "x"), {})
    assert "does not pass the proxy" in told.notes[0]


def test_an_address_of_its_own_provider_in_its_settings_counts(home: Home) -> None:
    home.write("home/.codex/config.toml", 'openai_base_url = "https://gate.example/v1"\n')
    assert upstream_of(home.plan("codex")) == proxied("https://gate.example/v1")
    told = home.plan("codex", "-c", 'openai_base_url="https://later.example/v1"')
    assert upstream_of(told) == proxied("https://later.example/v1")


def test_it_keeps_the_provider_of_its_settings(home: Home) -> None:
    home.write("home/.codex/config.toml", MINE)
    assert settings_in(home.plan("codex")) == {
        "model_providers.mine.base_url": proxied("http://localhost:9/v1"),
        "model_providers.mine.supports_websockets": False,
        "features.enable_request_compression": False,
    }


def test_a_profile_is_a_file_that_is_laid_over_the_settings(home: Home) -> None:
    home.write("home/.codex/config.toml", MINE)
    home.write("home/.codex/work.config.toml", '[model_providers.mine]\nbase_url = "http://localhost:8/v1"\n')
    told = settings_in(home.plan("codex", "--profile", "work"))
    assert told["model_providers.mine.base_url"] == proxied("http://localhost:8/v1")


def test_arguments_about_a_provider_do_not_lead_past_the_proxy(home: Home) -> None:
    home.write("home/.codex/config.toml", MINE)
    told = home.plan("codex", "exec", "-c", 'model_providers.mine.base_url="http://localhost:7/v1"', "x")
    assert told.words[-2:] == ("exec", "x")
    assert settings_in(told)["model_providers.mine"] == {
        "name": "m",
        "base_url": proxied("http://localhost:7/v1"),
        "supports_websockets": False,
    }


@pytest.mark.parametrize("name", ["ollama", "amazon-bedrock"])
def test_a_provider_whose_address_is_not_known_is_left_alone(home: Home, name: str) -> None:
    home.write("home/.codex/auth.json", TOKENS)
    home.write("home/.codex/config.toml", f'model_provider = "{name}"\n')
    told = home.plan("codex")
    assert told.words == ("codex",)
    assert f"{name}: no address is set" in told.notes[0]


def test_a_model_on_this_machine_is_not_asked_through_the_proxy(home: Home) -> None:
    home.write("home/.codex/auth.json", TOKENS)
    told = home.plan("codex", "--oss")
    assert told.words == ("codex", "--oss")
    assert "--oss" in told.notes[0]


def test_settings_of_a_repository_are_not_asked(home: Home) -> None:
    home.write("home/.codex/auth.json", KEY)
    home.write("repo/.codex/config.toml", MINE)
    assert upstream_of(home.plan("codex")) == proxied(OPENAI)
