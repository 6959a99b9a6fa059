"""opencode merges settings from a variable over those of its files.

Tried with opencode 1.18: where no file names the address of Anthropic or OpenAI, their variables are read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from leeboard.errors import ConfigError
from leeboard.surfaces.proxy.launch.start import (
    ANTHROPIC,
    OPENAI,
    Address,
    GivenStart,
    Launch,
    found,
    parse_json,
    read_json,
)

_GIVEN = "OPENCODE_CONFIG_CONTENT"
_VARIABLES = {"anthropic": ("ANTHROPIC_BASE_URL", f"{ANTHROPIC}/v1"), "openai": ("OPENAI_BASE_URL", OPENAI)}
_NAMES = ("opencode.jsonc", "opencode.json")
"""Where a folder has both, the second counts."""
_VARIABLE = re.compile(r"\{env:([^{}]*)\}")


def launch_opencode(start: GivenStart, address: Address) -> Launch:
    given = start.env.get(_GIVEN, "")
    settings = parse_json(given, _GIVEN) if given else {}
    own = {name: start.env.get(variable) or upstream for name, (variable, upstream) in _VARIABLES.items()}
    for file in _own_files(start):
        own |= {name: url for name, url, _ in _named(read_json(file), file, start)}
    stated = {name: url for name, url, _ in _named(settings, _GIVEN, start)}
    for file in _repository_files(start):
        for name, url, has_key in _named(read_json(file), file, start):
            if not has_key and name not in stated and own.get(name) != url:
                raise ConfigError(
                    f"{file}: sends provider {name} to {url}, with credentials of yours. A repository does not decide "
                    f"that: name the place in your own opencode.json, or in {_GIVEN}"
                )
            own[name] = url
    providers = settings.setdefault("provider", {})
    for name, upstream in (own | stated).items():
        providers.setdefault(name, {}).setdefault("options", {})["baseURL"] = address(upstream)
    return Launch(start.words, {_GIVEN: json.dumps(settings)})


def _named(settings: dict[str, Any], place: str, start: GivenStart) -> Iterator[tuple[str, str, bool]]:
    """Each provider with an address, and whether a key for it stands beside that."""
    providers = settings.get("provider")
    for name, provider in providers.items() if isinstance(providers, dict) else ():
        url = found(provider, "options", "baseURL")
        if not isinstance(url, str) or not url:
            continue
        url = _VARIABLE.sub(lambda match: start.env.get(match[1], ""), url)
        if not url.startswith(("http://", "https://")):
            raise ConfigError(f"{place}: the baseURL of provider {name} can not be read: write it out")
        key = found(provider, "options", "apiKey")
        yield name, url, isinstance(key, str) and bool(key) and "{" not in key


def _own_files(start: GivenStart) -> list[str]:
    """The user's, the strongest last."""
    config = Path(start.env.get("XDG_CONFIG_HOME") or f"{start.home}/.config", "opencode")
    named = start.env.get("OPENCODE_CONFIG", "")
    files = [config / "config.json", *(config / name for name in reversed(_NAMES)), *([Path(named)] if named else [])]
    folders = [Path(start.home, ".opencode"), *map(Path, filter(None, [start.env.get("OPENCODE_CONFIG_DIR", "")]))]
    return [str(file) for file in (*files, *(folder / name for folder in folders for name in _NAMES))]


def _repository_files(start: GivenStart) -> list[str]:
    """Those that lie in the folder and in those around it, up to the root of the work tree; the strongest last."""
    if start.env.get("OPENCODE_DISABLE_PROJECT_CONFIG", "") in {"1", "true"}:
        return []
    folders = [here := Path(start.cwd)]
    while not (here / ".git").exists() and here.parent != here:
        folders.append(here := here.parent)
    if not (here / ".git").exists():
        folders = folders[:1]
    own = set(_own_files(start))
    files = [folder / name for folder in reversed(folders) for name in _NAMES]
    files += [folder / ".opencode" / name for folder in reversed(folders) for name in _NAMES]
    return [str(file) for file in files if str(file) not in own]
