"""How each client is told to speak to the proxy: for one run of it, by its environment and its arguments alone."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from leeboard.errors import ConfigError
from leeboard.io.file import read_regular

ANTHROPIC, OPENAI, CHATGPT = (
    "https://api.anthropic.com",
    "https://api.openai.com/v1",
    "https://chatgpt.com/backend-api/codex",
)
_CLIENTS = {
    "claude": "claude",
    "claude-code": "claude",
    "codex": "codex",
    "opencode": "opencode",
    "opencode-ai": "opencode",
}
"""Names of programs and packages, and the client that each of them starts."""
_STARTERS = {"npx", "bunx", "pnpx", "npm", "pnpm", "yarn", "bun", "node", "env"}
_ELSEWHERE = {
    "CLAUDE_CODE_USE_BEDROCK": "Amazon Bedrock",
    "CLAUDE_CODE_USE_VERTEX": "Google Vertex",
    "CLAUDE_CODE_USE_FOUNDRY": "Microsoft Foundry",
}

Address = Callable[[str], str]
"""The address of an upstream to the address that leads there through the proxy."""


class Launch(msgspec.Struct, frozen=True):
    """A command line and the variables that it is to be run with beyond those that are set."""

    words: tuple[str, ...]
    env: dict[str, str]
    notes: tuple[str, ...] = ()
    """What a person should know before it starts."""


def plan_launch(words: Sequence[str], env: Mapping[str, str], cwd: str, address: Address) -> Launch:
    """The way to start that client so that it speaks to the proxy. `ConfigError` where its settings can not be read."""
    client, at = _client_of(words)
    if client == "claude":
        return _claude(words, at, env, cwd, address)
    if client == "codex":
        return _codex(words, at, env, address)
    if client == "opencode":
        return _opencode(words, env, cwd, address)
    openai = address(env.get("OPENAI_BASE_URL") or env.get("OPENAI_API_BASE") or OPENAI)
    told = {"ANTHROPIC_BASE_URL": address(env.get("ANTHROPIC_BASE_URL") or ANTHROPIC)}
    note = f"{words[0]}: no client that is known here: it is given ANTHROPIC_BASE_URL and OPENAI_BASE_URL"
    return Launch(tuple(words), told | {"OPENAI_BASE_URL": openai, "OPENAI_API_BASE": openai}, (note,))


def _client_of(words: Sequence[str]) -> tuple[str, int]:
    """The client that is started, and the place of its name among the words."""
    for at, word in enumerate(words):
        name = os.path.basename(word).partition("@")[0] or word.rpartition("/")[2].partition("@")[0]  # noqa: PTH119 - a word
        name = name.removesuffix(".js").removesuffix(".exe")
        if name in _CLIENTS:
            return _CLIENTS[name], at
        if at == 0 and name not in _STARTERS:
            break
    return "", 0


def _inserted(words: Sequence[str], at: int, *more: str) -> tuple[str, ...]:
    """The words with more of them right after the client's name."""
    return (*words[: at + 1], *more, *words[at + 1 :])


# Claude Code reads a variable; its settings files outdo it, and a settings argument outdoes those.


def _claude(words: Sequence[str], at: int, env: Mapping[str, str], cwd: str, address: Address) -> Launch:
    notes = [
        f"{name} is set: the model is reached by way of {place}, and not through the proxy"
        for name, place in _ELSEWHERE.items()
        if env.get(name, "") not in {"", "0", "false"}
    ]
    set_there = _claude_settings(env, cwd)
    upstream = set_there or env.get("ANTHROPIC_BASE_URL") or ANTHROPIC
    told = {"ANTHROPIC_BASE_URL": address(upstream)}
    if not set_there:
        return Launch(tuple(words), told, tuple(notes))
    if any(word == "--settings" or word.startswith("--settings=") for word in words):
        notes.append("--settings is given: an ANTHROPIC_BASE_URL in the settings files leads past the proxy")
        return Launch(tuple(words), told, tuple(notes))
    return Launch(_inserted(words, at, "--settings", json.dumps({"env": told})), told, tuple(notes))


def _claude_settings(env: Mapping[str, str], cwd: str) -> str:
    """The base URL that a settings file names, the strongest first; empty where none does."""
    home = env.get("CLAUDE_CONFIG_DIR") or f"{env.get('HOME', '')}/.claude"
    files = (f"{cwd}/.claude/settings.local.json", f"{cwd}/.claude/settings.json", f"{home}/settings.json")
    for file in files:
        named = _found(_read_json(file), "env", "ANTHROPIC_BASE_URL")
        if isinstance(named, str) and named:
            return named
    return ""


# Codex takes settings as arguments. Its own provider can not be changed, so that another one stands in for it.


def _codex(words: Sequence[str], at: int, env: Mapping[str, str], address: Address) -> Launch:
    home = env.get("CODEX_HOME") or f"{env.get('HOME', '')}/.codex"
    settings = _read_toml(f"{home}/config.toml")
    profile = _found(settings, "profiles", str(settings.get("profile", "")))
    named = (profile if isinstance(profile, dict) else {}).get("model_provider") or settings.get("model_provider")
    provider = _found(settings, "model_providers", str(named)) if named else None
    if isinstance(provider, dict) and isinstance(provider.get("base_url"), str):
        place = f"model_providers.{named}"
        told = {f"{place}.base_url": address(provider["base_url"]), f"{place}.supports_websockets": False}
    else:
        upstream = settings.get("openai_base_url") or env.get("OPENAI_BASE_URL") or _codex_upstream(home, env)
        told = {"model_provider": "leeboard", "model_providers.leeboard": _stand_in(address(str(upstream)), home, env)}
    flags = [flag for name, value in told.items() for flag in ("-c", f"{name}={_toml(value)}")]
    return Launch(_inserted(words, at, *flags), {})


def _codex_upstream(home: str, env: Mapping[str, str]) -> str:
    """A login with ChatGPT leads elsewhere than a key for the API."""
    if env.get("OPENAI_API_KEY") or env.get("CODEX_API_KEY"):
        return OPENAI
    kept = _read_json(f"{home}/auth.json")
    return CHATGPT if kept.get("tokens") and not kept.get("OPENAI_API_KEY") else OPENAI


def _stand_in(address: str, home: str, env: Mapping[str, str]) -> dict[str, Any]:
    """A provider like the built-in one. It is `requires_openai_auth` that has it use the login that is kept."""
    logged_in = Path(home, "auth.json").exists()
    key = next((name for name in ("CODEX_API_KEY", "OPENAI_API_KEY") if env.get(name)), "OPENAI_API_KEY")
    known = {"requires_openai_auth": True} if logged_in else {"env_key": key}
    return {"name": "OpenAI", "base_url": address, "wire_api": "responses", "supports_websockets": False, **known}


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name} = {_toml(each)}" for name, each in value.items()) + "}"
    return json.dumps(value)


# opencode merges settings from a variable over those of its files.


def _opencode(words: Sequence[str], env: Mapping[str, str], cwd: str, address: Address) -> Launch:
    given = env.get("OPENCODE_CONFIG_CONTENT", "")
    settings = _parse_json(given, "OPENCODE_CONFIG_CONTENT") if given else {}
    config = env.get("XDG_CONFIG_HOME") or f"{env.get('HOME', '')}/.config"
    files = [env.get("OPENCODE_CONFIG", ""), f"{config}/opencode/opencode.json", f"{cwd}/opencode.json"]
    known = [_read_json(file) for file in (*files, *(f"{file}c" for file in files[1:])) if file]
    upstreams = {"anthropic": f"{ANTHROPIC}/v1", "openai": OPENAI}
    for read in (*known, settings):
        for name, provider in (read.get("provider") or {}).items():
            named = _found(provider, "options", "baseURL")
            if isinstance(named, str) and named.startswith("http"):
                upstreams[name] = named
    providers = settings.setdefault("provider", {})
    for name, upstream in upstreams.items():
        providers.setdefault(name, {}).setdefault("options", {})["baseURL"] = address(upstream)
    return Launch(tuple(words), {"OPENCODE_CONFIG_CONTENT": json.dumps(settings)})


# Settings files of clients, read as far as they can be.


_LONGEST = 4 << 20


def _text_of(file: str) -> str:
    return read_regular(file, _LONGEST, follow=True).decode("utf-8")


def _read_json(file: str) -> dict[str, Any]:
    try:
        return _parse_json(_text_of(file), file)
    except (OSError, UnicodeDecodeError):
        return {}


def _parse_json(text: str, place: str) -> dict[str, Any]:
    """`ConfigError` where an address may stand in what is no JSON; else what can not be read is of no interest."""
    try:
        read = json.loads(text or "{}")
    except ValueError:
        if "BASE_URL" in text or "baseURL" in text:
            raise ConfigError(
                f"{place}: is no plain JSON, and seems to name a base URL: give it in the environment"
            ) from None
        return {}
    return read if isinstance(read, dict) else {}


def _read_toml(file: str) -> dict[str, Any]:
    try:
        return tomllib.loads(_text_of(file))
    except (OSError, UnicodeDecodeError):
        return {}
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{file}: is no TOML ({error}): Codex could not read it either") from None


def _found(settings: Any, *names: str) -> Any:
    for name in names:
        settings = settings.get(name) if isinstance(settings, dict) else None
    return settings
