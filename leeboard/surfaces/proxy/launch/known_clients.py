"""Which client a command line starts, and what becomes of the line."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from leeboard.surfaces.proxy.launch.claude import launch_claude
from leeboard.surfaces.proxy.launch.codex import launch_codex
from leeboard.surfaces.proxy.launch.opencode import launch_opencode
from leeboard.surfaces.proxy.launch.start import ANTHROPIC, OPENAI, Address, GivenStart, Launch

_CLIENTS = {
    "claude": launch_claude,
    "claude-code": launch_claude,
    "codex": launch_codex,
    "opencode": launch_opencode,
    "opencode-ai": launch_opencode,
}
"""Names of programs and packages, and how the client is started that each of them is."""
_STARTERS = {"npx", "bunx", "pnpx", "npm", "pnpm", "yarn", "bun", "node", "env"}
_VARIABLES = ({"ANTHROPIC_BASE_URL": ANTHROPIC}, {"OPENAI_BASE_URL": OPENAI, "OPENAI_API_BASE": OPENAI})
"""By API: what programs read, and where they go when it is not set."""


def plan_launch(words: Sequence[str], env: Mapping[str, str], cwd: str, address: Address) -> Launch:
    """The way to start that client so that it speaks to the proxy. `ConfigError` where its settings can not be read."""
    name, at = _client_of(words)
    if not name:
        return _other(words, env, address)
    return _CLIENTS[name](GivenStart(tuple(words), at, env, cwd), address)


def _client_of(words: Sequence[str]) -> tuple[str, int]:
    """The client that is started, and the place of its name among the words."""
    for at, word in enumerate(words):
        name = os.path.basename(word).partition("@")[0] or word.rpartition("/")[2].partition("@")[0]  # noqa: PTH119 - a word
        name = name.removesuffix(".js").removesuffix(".exe")
        if name in _CLIENTS:
            return name, at
        if at == 0 and name not in _STARTERS:
            break
    return "", 0


def _other(words: Sequence[str], env: Mapping[str, str], address: Address) -> Launch:
    """Variables that are set keep what they say.

    Of two that mean the same, one that is not set stays so: a program that reads both may prefer it.
    """
    told: dict[str, str] = {}
    for known in _VARIABLES:
        given = {name: env[name] for name in known if env.get(name)}
        told |= {name: address(upstream) for name, upstream in (given or known).items()}
    note = f"{words[0]}: no client that is known here: it is given {' and '.join(told)}, and may go its own way"
    return Launch(tuple(words), told, (note,))
