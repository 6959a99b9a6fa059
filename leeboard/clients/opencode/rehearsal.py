"""A rehearsal of opencode: a scripted model has it make two calls side by side, and one in a sub-agent.

Its plugin, with a hook line that writes down what it hears, in a home of its own. Packages that it would fetch
for plugins are sought where nobody listens; it goes on without them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from leeboard.clients.call import ProbeReply
from leeboard.clients.opencode.hook_settings import install
from leeboard.clients.scripted_messages import ASKED, TASK, Rehearsed

_MODEL = {"name": "scripted", "tool_call": True, "limit": {"context": 200_000, "output": 8_000}}
_OFF = ("MODELS_FETCH", "AUTOUPDATE", "LSP_DOWNLOAD", "DEFAULT_PLUGINS")
_NOWHERE = "http://127.0.0.1:9"
_TOLD = {"description": "a rehearsed task", "prompt": f"{TASK}agent .", "subagent_type": "general"}
_CALLS = Rehearsed("bash", {"name": "task", "input": _TOLD})


def files(command: str, url: str) -> dict[str, str]:
    """Its settings, which name the model, and our plugin. It knows no hooks that go over HTTP."""
    address = url.rpartition("/")[0]
    provider = {"options": {"baseURL": f"{address}/v1", "apiKey": "probe"}, "models": {"claude-scripted": _MODEL}}
    model = {"model": "anthropic/claude-scripted", "small_model": "anthropic/claude-scripted"}
    settings = {"autoupdate": False, "share": "disabled", "provider": {"anthropic": provider}, **model}
    return {
        "repo/opencode.json": json.dumps(settings),
        "home/.config/opencode/plugins/leeboard.js": install("", command),
    }


def line(program: str) -> tuple[str, ...]:
    """One prompt, no terminal, and no question: the calls are those of the script alone."""
    return (program, "run", "--format", "json", "--auto", ASKED)


def variables(address: str) -> dict[str, str]:  # noqa: ARG001 - its settings name the model
    off = {f"OPENCODE_DISABLE_{name}": "1" for name in _OFF}
    return {**off, "npm_config_registry": _NOWHERE, "npm_config_fetch_retries": "0"}


def reply(path: str, headers: Mapping[str, str], body: bytes) -> ProbeReply:  # noqa: ARG001 - as every client has it
    return _CALLS.reply(path, body)
