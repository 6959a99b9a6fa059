"""Claude Code reads a variable; its settings files outdo it, and a settings argument outdoes those."""

from __future__ import annotations

import json
from typing import Any

from leeboard.errors import ConfigError
from leeboard.surfaces.proxy.launch.start import (
    ANTHROPIC,
    Address,
    GivenStart,
    Launch,
    found,
    option_values,
    parse_json,
    read_json,
)

_URL = "ANTHROPIC_BASE_URL"
_ELSEWHERE = {
    "CLAUDE_CODE_USE_BEDROCK": "Amazon Bedrock",
    "CLAUDE_CODE_USE_VERTEX": "Google Vertex",
    "CLAUDE_CODE_USE_FOUNDRY": "Microsoft Foundry",
}
MANAGED = "/etc/claude-code/managed-settings.json"
"""Settings that nothing outdoes."""


def launch_claude(start: GivenStart, address: Address) -> Launch:
    """The user says where it is to go: a repository's own settings do not decide where credentials are sent."""
    settings = _Settings(start)
    notes = [*settings.led_elsewhere()]
    if managed := settings.of(read_json(MANAGED), _URL):
        notes.append(f"{MANAGED} sets {_URL} ({managed}), which can not be changed: the proxy is not used")
        return Launch(start.words, {}, tuple(notes))
    upstream, note = settings.upstream()
    told = {_URL: address(upstream)}
    words = settings.outdone(told) if settings.is_set_in_files else start.words
    return Launch(words, told, tuple((*notes, note) if note else notes))


class _Settings:
    """What the files and arguments of one start say, the user's and the repository's."""

    def __init__(self, start: GivenStart) -> None:
        self._start = start
        arguments = start.arguments
        given = option_values(arguments, "--settings")
        self._flag = given[-1] if given else None
        """The last one counts."""
        self._given = _given_settings(self._flag[2], start) if self._flag else {}
        folder = start.env.get("CLAUDE_CONFIG_DIR") or f"{start.home}/.claude"
        account = f"{start.env.get('CLAUDE_CONFIG_DIR') or start.home}/.claude.json"
        self._users = [read_json(f"{folder}/settings.json"), read_json(account)]
        sources = option_values(arguments, "--setting-sources")
        counted = sources[-1][2].split(",") if sources else ["project", "local"]
        here = f"{start.cwd}/.claude"
        files = [("local", f"{here}/settings.local.json"), ("project", f"{here}/settings.json")]
        self._repository = [] if here == folder else [path for name, path in files if name in counted]

    @staticmethod
    def of(settings: dict[str, Any], name: str) -> str:
        value = found(settings, "env", name)
        return value if isinstance(value, str) else ""

    @property
    def is_set_in_files(self) -> bool:
        known = (*self._users, self._given, *map(read_json, self._repository))
        return any(self.of(settings, _URL) for settings in known)

    def led_elsewhere(self) -> list[str]:
        known = (self._given, *map(read_json, self._repository), *self._users)
        return [
            f"{name} is set: the model is reached by way of {place}, and not through the proxy"
            for name, place in _ELSEWHERE.items()
            if any(
                value not in {"", "0", "false"}
                for value in (self._start.env.get(name, ""), *(self.of(settings, name) for settings in known))
            )
        ]

    def upstream(self) -> tuple[str, str]:
        """Where the user has it go, and what is to be said of that. `ConfigError` where only a repository says so."""
        asked = self.of(self._given, _URL)
        if asked:
            return asked, ""
        own = next(filter(None, (self.of(settings, _URL) for settings in self._users)), "")
        own = own or self._start.env.get(_URL, "")
        for file in self._repository:
            theirs = self.of(read_json(file), _URL)
            if theirs and not own:
                raise ConfigError(
                    f"{file}: sets {_URL} to {theirs}, where your credentials would go. A repository does not decide "
                    f"that: set {_URL} yourself, to that place or to {ANTHROPIC}"
                )
            if theirs:
                return own, "" if theirs == own else f"{file}: its {_URL} ({theirs}) does not count: you have set {own}"
        return own or ANTHROPIC, ""

    def outdone(self, told: dict[str, str]) -> tuple[str, ...]:
        """The command line with settings that go before those of all files."""
        env = found(self._given, "env")
        settings = json.dumps({**self._given, "env": {**(env if isinstance(env, dict) else {}), **told}})
        if self._flag is None:
            return self._start.with_words("--settings", settings)
        begin, end, _ = self._flag
        words, first = self._start.words, self._start.at + 1
        return (*words[: first + begin], "--settings", settings, *words[first + end :])


def _given_settings(value: str, start: GivenStart) -> dict[str, Any]:
    """JSON, or the name of a file."""
    if value.lstrip().startswith("{"):
        return parse_json(value, "--settings")
    return read_json(value if value.startswith("/") else f"{start.cwd}/{value}")
