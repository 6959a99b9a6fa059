"""A rehearsal of GitHub Copilot's command line: two calls side by side, and one in a sub-agent, asked for by a script.

It is offline, with a model of its user's own, so it asks for no account. The hooks stand in a home of its own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from leeboard.clients.call import ProbeReply
from leeboard.clients.copilot.hook_settings import HOOK_EVENTS
from leeboard.clients.scripted_messages import ASKED, TASK, Rehearsed

_TOLD = {"description": "a rehearsed task", "prompt": f"{TASK}agent .", "agent_type": "general-purpose"}
_CALLS = Rehearsed("bash", {"name": "task", "input": {**_TOLD, "name": "rehearsed", "mode": "sync"}})


def files(command: str, url: str) -> dict[str, str]:  # noqa: ARG001 - it is told the model by variables
    """Its hooks. None of them goes over HTTP."""
    hooks = {event: [{"type": "command", "bash": command, "timeoutSec": 10}] for event in HOOK_EVENTS}
    return {"home/.copilot/hooks/leeboard.json": json.dumps({"version": 1, "hooks": hooks})}


def line(program: str) -> tuple[str, ...]:
    """One prompt, no terminal, and no question: the calls are those of the script alone."""
    return (program, "-p", ASKED, "--allow-all-tools")


def variables(address: str) -> dict[str, str]:
    model = {"BASE_URL": address, "TYPE": "anthropic", "API_KEY": "probe"}
    own = {f"COPILOT_PROVIDER_{name}": value for name, value in model.items()}
    return {**own, "COPILOT_OFFLINE": "true", "COPILOT_MODEL": "claude-sonnet-4.5"}


def reply(path: str, headers: Mapping[str, str], body: bytes) -> ProbeReply:  # noqa: ARG001 - as every client has it
    return _CALLS.reply(path, body)
