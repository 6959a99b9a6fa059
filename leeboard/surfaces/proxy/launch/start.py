"""What every client is started with, and the settings files in which they keep where their models are."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from leeboard.errors import ConfigError
from leeboard.io.file import read_regular

ANTHROPIC, OPENAI, CHATGPT = (
    "https://api.anthropic.com",
    "https://api.openai.com/v1",
    "https://chatgpt.com/backend-api/codex",
)
_LONGEST = 4 << 20

Address = Callable[[str], str]
"""The address of an upstream to the address that leads there through the proxy."""


class Launch(msgspec.Struct, frozen=True):
    """A command line and the variables that it is to be run with beyond those that are set."""

    words: tuple[str, ...]
    env: dict[str, str]
    notes: tuple[str, ...] = ()
    """What a person should know before it starts."""


class GivenStart(msgspec.Struct, frozen=True):
    """A command line as it was given, and where."""

    words: tuple[str, ...]
    at: int
    """The place of the client's name among the words."""
    env: Mapping[str, str]
    cwd: str

    @property
    def arguments(self) -> tuple[str, ...]:
        """What follows the name, up to what is no option any more."""
        words = self.words[self.at + 1 :]
        return words[: words.index("--")] if "--" in words else words

    @property
    def home(self) -> str:
        return self.env.get("HOME", "")

    def with_words(self, *more: str) -> tuple[str, ...]:
        """The command line with more words right after the client's name."""
        return (*self.words[: self.at + 1], *more, *self.words[self.at + 1 :])

    def unchanged(self, note: str) -> Launch:
        """To be started as it was given, since nobody knows where it leads."""
        return Launch(self.words, {}, (note,))


def option_values(words: Sequence[str], *names: str) -> list[tuple[int, int, str]]:
    """Each use of an option: the place where it begins, the one where it ends, and its value."""
    found, at = [], 0
    while at < len(words):
        word = words[at]
        if word in names and at + 1 < len(words):
            found.append((at, at + 2, words[at + 1]))
            at += 1
        else:
            name = next((name for name in names if word.startswith(_attached(name)) and word != name), "")
            if name:
                found.append((at, at + 1, word[len(_attached(name)) :]))
        at += 1
    return found


def _attached(name: str) -> str:
    return f"{name}=" if name.startswith("--") else name


def read_json(file: str) -> dict[str, Any]:
    """What a settings file says; nothing where it can not be opened."""
    try:
        return parse_json(_text_of(file), file)
    except (OSError, UnicodeDecodeError):
        return {}


def parse_json(text: str, place: str) -> dict[str, Any]:
    """`ConfigError` where an address may stand in what is no JSON; else what can not be read is of no interest."""
    try:
        read = json.loads(text or "{}")
    except (ValueError, RecursionError):
        if "BASE_URL" in text or "baseURL" in text:
            raise ConfigError(
                f"{place}: is no plain JSON, and seems to name a base URL: give it in the environment"
            ) from None
        return {}
    return read if isinstance(read, dict) else {}


def read_toml(file: str) -> dict[str, Any]:
    try:
        return tomllib.loads(_text_of(file))
    except (OSError, UnicodeDecodeError):
        return {}
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"{file}: is no TOML ({error}): Codex could not read it either") from None


def found(settings: Any, *names: str) -> Any:
    """What lies under these names, one within the other; None where nothing does."""
    for name in names:
        settings = settings.get(name) if isinstance(settings, dict) else None
    return settings


def _text_of(file: str) -> str:
    return read_regular(file, _LONGEST, follow=True).decode("utf-8")
