"""Codex takes settings as arguments. Its own provider can not be changed, so that another one stands in for it.

Tried with Codex 0.166: it reads neither `OPENAI_BASE_URL` nor `OPENAI_API_KEY`. Its login decides where it goes, and
settings of a repository are not asked. Requests of a login with ChatGPT are compressed unless it is told otherwise.
"""

from __future__ import annotations

import json
import tomllib
from typing import Any

from leeboard.surfaces.proxy.launch.start import (
    CHATGPT,
    OPENAI,
    Address,
    GivenStart,
    Launch,
    found,
    option_values,
    read_json,
    read_toml,
)

_ITS_OWN = "openai"
_READABLE = {"features.enable_request_compression": False}
_HEADLESS = {"exec", "e", "review"}
"""The subcommands that take a key from CODEX_API_KEY."""
_FLAGS_WITH_VALUE = (
    "-c",
    "--config",
    "-p",
    "--profile",
    "-m",
    "--model",
    "-C",
    "--cd",
    "-s",
    "--sandbox",
    "-i",
    "--image",
)


def launch_codex(start: GivenStart, address: Address) -> Launch:
    home = start.env.get("CODEX_HOME") or f"{start.home}/.codex"
    given = _given_settings(start)
    settings = _merged(_kept_settings(home, start), given)
    if "--oss" in start.arguments:
        return start.unchanged("--oss is given: a model on this machine is asked, and not through the proxy")
    named = str(settings.get("model_provider") or _ITS_OWN)
    if named == _ITS_OWN:
        return _stand_in(start, settings, home, address)
    provider = found(settings, "model_providers", named)
    if not isinstance(provider, dict) or not isinstance(provider.get("base_url"), str):
        return start.unchanged(f"{named}: no address is set for this provider of Codex: it does not pass the proxy")
    place = f"model_providers.{_key(named)}"
    told = {"base_url": address(provider["base_url"]), "supports_websockets": False}
    if "model_providers" in given:  # they come after ours, and would count
        start, told = _without_providers(start), {**provider, **told}
        return Launch(start.with_words(*_flags({place: told} | _READABLE)), {})
    return Launch(start.with_words(*_flags({f"{place}.{name}": value for name, value in told.items()} | _READABLE)), {})


def _stand_in(start: GivenStart, settings: dict[str, Any], home: str, address: Address) -> Launch:
    """A provider like the built-in one. It is `requires_openai_auth` that has it use the login of Codex."""
    upstream = str(settings.get("openai_base_url") or "") or _place_of_login(start, settings, home)
    if not upstream:
        return start.unchanged(
            f"codex: {home}/auth.json holds no login, so that it can not be known where it will go: it does not pass "
            "the proxy. Log in with `codex login` and start it again"
        )
    provider = {"name": "OpenAI", "base_url": address(upstream), "wire_api": "responses"}
    told = {"supports_websockets": False, "requires_openai_auth": True}
    flags = _flags({"model_provider": "leeboard", "model_providers.leeboard": {**provider, **told}} | _READABLE)
    return Launch(start.with_words(*flags), {})


def _place_of_login(start: GivenStart, settings: dict[str, Any], home: str) -> str:
    """A login with ChatGPT leads elsewhere than a key for the API; empty where it is not known which there is."""
    if start.env.get("CODEX_API_KEY") and _subcommand(start) in _HEADLESS:
        return OPENAI
    if settings.get("cli_auth_credentials_store", "file") != "file":
        return ""
    kept = read_json(f"{home}/auth.json")
    mode = str(kept.get("auth_mode") or ("apikey" if kept.get("OPENAI_API_KEY") else "chatgpt")).lower()
    if mode == "apikey":
        return OPENAI if kept.get("OPENAI_API_KEY") else ""
    return CHATGPT if mode.startswith("chatgpt") and kept.get("tokens") else ""


def _subcommand(start: GivenStart) -> str:
    """The first word that is neither an option nor the value of one."""
    taken = {at for begin, end, _ in option_values(start.arguments, *_FLAGS_WITH_VALUE) for at in range(begin, end)}
    words = (word for at, word in enumerate(start.arguments) if at not in taken and not word.startswith("-"))
    return next(words, "")


# What its files and arguments say.


def _kept_settings(home: str, start: GivenStart) -> dict[str, Any]:
    """A profile is a file of its own, laid over the other."""
    settings = read_toml(f"{home}/config.toml")
    for _, _, name in option_values(start.arguments, "-p", "--profile"):
        settings = _merged(settings, read_toml(f"{home}/{name}.config.toml"))
    return settings


def _given_settings(start: GivenStart) -> dict[str, Any]:
    settings: dict[str, Any] = {}
    for _, _, given in option_values(start.arguments, "-c", "--config"):
        name, _, value = given.partition("=")
        told: Any = _value(value)
        for part in reversed(_parts(name)):
            told = {part: told}
        settings = _merged(settings, told)
    return settings


def _without_providers(start: GivenStart) -> GivenStart:
    """The same command line without its arguments about providers."""
    first = start.at + 1
    dropped = {
        first + at
        for begin, end, given in option_values(start.arguments, "-c", "--config")
        if _parts(given.partition("=")[0])[0] == "model_providers"
        for at in range(begin, end)
    }
    words = tuple(word for at, word in enumerate(start.words) if at not in dropped)
    return GivenStart(words, start.at, start.env, start.cwd)


def _merged(lower: dict[str, Any], upper: dict[str, Any]) -> dict[str, Any]:
    merged = dict(lower)
    for name, value in upper.items():
        before = merged.get(name)
        merged[name] = _merged(before, value) if isinstance(before, dict) and isinstance(value, dict) else value
    return merged


def _parts(name: str) -> list[str]:
    return [part.strip().strip('"') for part in name.split(".")]


def _value(text: str) -> Any:
    """As Codex reads it: TOML, else the text itself."""
    try:
        return tomllib.loads(f"x = {text}")["x"]
    except (tomllib.TOMLDecodeError, RecursionError):
        return text.strip().strip("\"'")


def _flags(told: dict[str, Any]) -> list[str]:
    return [flag for name, value in told.items() for flag in ("-c", f"{name}={_toml(value)}")]


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(name)} = {_toml(each)}" for name, each in value.items()) + "}"
    return json.dumps(value)


def _key(name: str) -> str:
    plain = name.replace("-", "").replace("_", "")
    return name if plain.isascii() and plain.isalnum() else json.dumps(name)
