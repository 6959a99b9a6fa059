"""A rehearsal of Gemini CLI: a scripted model has it make two calls side by side, and its hooks write it down.

In a home of its own. Its sub-agents are not tried: each is a tool of its own name, and which there are differs from
version to version.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from leeboard.clients.call import ProbeReply
from leeboard.clients.gemini_cli.hook_settings import HOOK_EVENTS
from leeboard.clients.scripted_messages import ASKED, JSON, shell_line

PARTS = ("main", "parallel")
_SETTINGS: JSON = {
    "security": {"auth": {"selectedType": "gemini-api-key"}},
    "telemetry": {"enabled": False},
    "privacy": {"usageStatisticsEnabled": False},
    "general": {"enableAutoUpdate": False},
}
_ROUTED = {"reasoning": "x", "model_choice": "flash", "complexity_score": 10, "complexity_reasoning": "x"}
"""What a small model is asked before each turn: which model is to do it."""


def files(command: str, url: str) -> dict[str, str]:  # noqa: ARG001 - it has no hooks that go over HTTP
    hook = {"type": "command", "command": command, "timeout": 10_000}
    hooks = {event: [{"hooks": [hook]}] for event in HOOK_EVENTS}
    return {"home/.gemini/settings.json": json.dumps({**_SETTINGS, "hooks": hooks})}


def line(program: str) -> tuple[str, ...]:
    """One prompt, no terminal, and no question: the calls are those of the script alone."""
    return (program, "-p", ASKED, "-o", "json", "--yolo")


def variables(address: str) -> dict[str, str]:
    own = {"GEMINI_API_KEY": "probe", "GOOGLE_GEMINI_BASE_URL": address}
    return {**own, "NO_BROWSER": "1", "GEMINI_CLI_TRUST_WORKSPACE": "true"}


def reply(path: str, headers: Mapping[str, str], body: bytes) -> ProbeReply:  # noqa: ARG001 - as every client has it
    """What the model says to a request: the calls, and once it has their results, the end."""
    if "countTokens" in path:
        return ProbeReply(b'{"totalTokens": 100}')
    try:
        asked = json.loads(body)
        contents = asked.get("contents", [])
        has_results = any("functionResponse" in part for content in contents for part in content["parts"])
        is_turn = "streamGenerateContent" in path and bool(asked.get("tools"))
    except (ValueError, AttributeError, TypeError, KeyError):
        has_results, is_turn = True, "streamGenerateContent" in path
    if not is_turn:
        return ProbeReply(json.dumps(_answer([{"text": json.dumps(_ROUTED)}])).encode())
    parts: list[JSON] = [{"text": "done"}] if has_results else [_call(part) for part in PARTS]
    return ProbeReply(f"data: {json.dumps(_answer(parts))}\r\n\r\n".encode(), "text/event-stream")


def _call(part: str) -> JSON:
    return {"functionCall": {"name": "run_shell_command", "args": {"command": shell_line(part)}}}


def _answer(parts: list[JSON]) -> JSON:
    usage = {"promptTokenCount": 100, "candidatesTokenCount": 10, "totalTokenCount": 110}
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
    return {"candidates": [candidate], "usageMetadata": usage}
