"""A rehearsal of Codex: a scripted model has it make two calls side by side, and its hooks write down what they hear.

In a home of its own, with hooks that nobody has to review. Its sub-agents are not tried: which of its tools starts one
differs from model to model.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from leeboard.clients.call import ProbeReply
from leeboard.clients.codex.hook_settings import HOOK_EVENTS
from leeboard.clients.scripted_messages import ASKED, JSON, shell_line
from leeboard.model.text import digest

PARTS = ("main", "parallel")
_KEY = "PROBE_MODEL_KEY"
_SETTINGS = """model = "gpt-5.1-codex"
model_provider = "scripted"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.scripted]
name = "scripted"
base_url = "{address}/v1"
wire_api = "responses"
env_key = "{key}"
request_max_retries = 1
stream_max_retries = 1
"""


def files(command: str, url: str) -> dict[str, str]:
    """Its settings, which name the model, and our hooks. It has none that go over HTTP."""
    hook = {"type": "command", "command": command, "timeout": 10}
    hooks = {event: [{"hooks": [hook]}] for event in HOOK_EVENTS}
    return {
        "home/.codex/config.toml": _SETTINGS.format(address=url.rpartition("/")[0], key=_KEY),
        "home/.codex/hooks.json": json.dumps({"hooks": hooks}),
    }


def line(program: str) -> tuple[str, ...]:
    """One prompt, no terminal; the calls are those of the script alone, so nothing has to be asked for."""
    flags = ("--json", "--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust")
    return (program, "exec", *flags, ASKED)


def variables(address: str) -> dict[str, str]:  # noqa: ARG001 - its settings name the model
    return {_KEY: "sk-probe-0000000000000000"}


def reply(path: str, headers: Mapping[str, str], body: bytes) -> ProbeReply:  # noqa: ARG001 - as every client has it
    """What the model says to a request: the calls, and once it has their results, the end."""
    if not path.partition("?")[0].endswith("/responses"):
        return ProbeReply(b'{"object": "list", "data": [], "models": []}')
    try:
        told = json.loads(body).get("input", [])
        has_results = any(item.get("type") == "function_call_output" for item in told)
    except (ValueError, AttributeError, TypeError):
        has_results = True
    items = [_said("done")] if has_results else [_call(part) for part in PARTS]
    events = "".join(
        f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in _events(items, digest(str(body), 10))
    )
    return ProbeReply(events.encode(), "text/event-stream", last=False)


def _call(part: str) -> JSON:
    arguments = json.dumps({"cmd": shell_line(part)})
    name = {"id": f"fc_{part}", "call_id": f"call_{part}", "name": "exec_command"}
    return {"type": "function_call", **name, "arguments": arguments}


def _said(text: str) -> JSON:
    content = [{"type": "output_text", "text": text, "annotations": []}]
    return {"type": "message", "id": "msg_end", "role": "assistant", "status": "completed", "content": content}


def _events(items: list[JSON], name: str) -> Iterator[JSON]:
    response: JSON = {"id": f"resp_{name}", "object": "response", "status": "in_progress", "output": []}
    yield {"type": "response.created", "response": response}
    for at, item in enumerate(items):
        yield {"type": "response.output_item.added", "output_index": at, "item": item}
        yield {"type": "response.output_item.done", "output_index": at, "item": item}
    usage = {"input_tokens": 100, "output_tokens": 20, "total_tokens": 120}
    yield {
        "type": "response.completed",
        "response": {**response, "status": "completed", "output": items, "usage": usage},
    }
