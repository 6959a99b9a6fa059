"""Each client is told of the proxy in its own way, and keeps the upstream that it has."""

from __future__ import annotations

import json
import tomllib
from itertools import pairwise
from pathlib import Path

import pytest

from leeboard.errors import ConfigError
from leeboard.surfaces.proxy.launch import ANTHROPIC, CHATGPT, OPENAI, Launch, plan_launch


def proxied(upstream: str) -> str:
    return f"proxy/{upstream}"


class Home:
    """A person's home and a project, with the settings that a test puts there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.env = {"HOME": str(folder / "home")}

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def plan(self, *words: str, **env: str) -> Launch:
        return plan_launch(words, {**self.env, **env}, str(self.folder / "repo"), proxied)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


@pytest.mark.parametrize(
    "words", [("claude",), ("/usr/local/bin/claude", "-p"), ("npx", "-y", "@anthropic-ai/claude-code@2.1.0", "-p")]
)
def test_claude_code_reads_a_variable(home: Home, words: tuple[str, ...]) -> None:
    assert home.plan(*words) == Launch(words, {"ANTHROPIC_BASE_URL": proxied(ANTHROPIC)})
    told = home.plan(*words, ANTHROPIC_BASE_URL="https://gate.example/x")
    assert told.env == {"ANTHROPIC_BASE_URL": proxied("https://gate.example/x")}


@pytest.mark.parametrize(
    "place", ["home/.claude/settings.json", "repo/.claude/settings.json", "repo/.claude/settings.local.json"]
)
def test_a_settings_file_that_would_outdo_the_variable_is_outdone(home: Home, place: str) -> None:
    home.write(place, json.dumps({"env": {"ANTHROPIC_BASE_URL": "https://gate.example"}}))
    told = home.plan("claude", "-p", "x")
    url = proxied("https://gate.example")
    assert told.env == {"ANTHROPIC_BASE_URL": url}
    assert told.words[:2] == ("claude", "--settings")
    assert json.loads(told.words[2]) == {"env": {"ANTHROPIC_BASE_URL": url}}
    assert told.words[3:] == ("-p", "x")
    (note,) = home.plan("claude", "--settings", "mine.json").notes
    assert "past the proxy" in note


def test_a_client_that_goes_elsewhere_is_told_of(home: Home) -> None:
    (note,) = home.plan("claude", CLAUDE_CODE_USE_BEDROCK="1").notes
    assert "Amazon Bedrock" in note


def settings_in(words: tuple[str, ...]) -> dict[str, object]:
    """What Codex makes of its `-c` arguments."""
    found: dict[str, object] = {}
    for flag, value in pairwise(words):
        if flag == "-c":
            name, _, told = value.partition("=")
            found[name] = tomllib.loads(f"x = {told}")["x"]
    return found


def test_codex_gets_a_provider_that_stands_in_for_its_own(home: Home) -> None:
    told = home.plan("codex", "exec", "x", OPENAI_API_KEY="k")
    assert (told.words[0], told.words[-2:], told.env) == ("codex", ("exec", "x"), {})
    provider = {"name": "OpenAI", "base_url": proxied(OPENAI), "wire_api": "responses"}
    provider |= {"supports_websockets": False, "env_key": "OPENAI_API_KEY"}  # type: ignore[dict-item] # TOML has both
    assert settings_in(told.words) == {"model_provider": "leeboard", "model_providers.leeboard": provider}


def test_codex_logged_in_with_chatgpt_goes_where_that_leads(home: Home) -> None:
    home.write("home/.codex/auth.json", json.dumps({"OPENAI_API_KEY": None, "tokens": {"id_token": "x"}}))
    provider = settings_in(home.plan("codex").words)["model_providers.leeboard"]
    assert isinstance(provider, dict)
    assert (provider["base_url"], provider["requires_openai_auth"]) == (proxied(CHATGPT), True)
    assert "env_key" not in provider


def test_codex_keeps_the_provider_of_its_settings(home: Home) -> None:
    home.write(
        "home/.codex/config.toml",
        'model_provider = "mine"\n[model_providers.mine]\nname = "m"\nbase_url = "http://localhost:9/v1"\nenv_key = "K"\n',
    )
    assert settings_in(home.plan("codex").words) == {
        "model_providers.mine.base_url": proxied("http://localhost:9/v1"),
        "model_providers.mine.supports_websockets": False,
    }


def test_settings_of_codex_that_are_broken_are_named(home: Home) -> None:
    home.write("home/.codex/config.toml", "model = \n")
    with pytest.raises(ConfigError, match=r"config\.toml: is no TOML"):
        home.plan("codex")


def test_opencode_gets_settings_in_a_variable(home: Home) -> None:
    told = home.plan("opencode", "run", "x")
    assert told.words == ("opencode", "run", "x")
    providers = json.loads(told.env["OPENCODE_CONFIG_CONTENT"])["provider"]
    assert providers["anthropic"]["options"]["baseURL"] == proxied(f"{ANTHROPIC}/v1")
    assert providers["openai"]["options"]["baseURL"] == proxied(OPENAI)


def test_opencode_keeps_what_it_was_told_otherwise(home: Home) -> None:
    home.write(
        "repo/opencode.json", json.dumps({"provider": {"mine": {"options": {"baseURL": "http://localhost:9/v1"}}}})
    )
    given = {"model": "mine/x", "provider": {"anthropic": {"options": {"apiKey": "k"}}}}
    told = json.loads(home.plan("opencode", OPENCODE_CONFIG_CONTENT=json.dumps(given)).env["OPENCODE_CONFIG_CONTENT"])
    assert told["model"] == "mine/x"
    assert told["provider"]["anthropic"]["options"] == {"apiKey": "k", "baseURL": proxied(f"{ANTHROPIC}/v1")}
    assert told["provider"]["mine"]["options"]["baseURL"] == proxied("http://localhost:9/v1")


def test_settings_that_name_an_address_in_no_json_are_refused(home: Home) -> None:
    home.write("repo/opencode.jsonc", '{"provider": {"x": {"options": {"baseURL": "http://a"}}}, // mine\n}')
    with pytest.raises(ConfigError, match="seems to name a base URL"):
        home.plan("opencode")
    home.write("repo/opencode.jsonc", '{"model": "x", // mine\n}')
    assert home.plan("opencode").env


def test_another_program_is_given_the_usual_variables(home: Home) -> None:
    told = home.plan("aider", "--model", "claude", OPENAI_API_BASE="http://localhost:9")
    assert told.words == ("aider", "--model", "claude")
    assert told.env["ANTHROPIC_BASE_URL"] == proxied(ANTHROPIC)
    assert told.env["OPENAI_BASE_URL"] == told.env["OPENAI_API_BASE"] == proxied("http://localhost:9")
    assert "no client that is known here" in told.notes[0]
