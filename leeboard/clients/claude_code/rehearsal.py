"""A rehearsal of Claude Code: a scripted model has it make one call in each way that calls are made in.

What its hooks are told of is then known for this very version: of the main agent, of calls side by side, of sub-agents
in front, in the background and in a work tree of their own. The script is what a model would answer, as bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from leeboard.clients.call import ProbeReply
from leeboard.clients.claude_code.hook_settings import HOOK_EVENTS
from leeboard.model.text import digest

JSON = dict[str, Any]

MARK = "leeboard-probe"
_ASKED = f"{MARK}: make the calls"
_TASK = f"{MARK}: task "
"""What a sub-agent is told, before the name of its part."""


def files(command: str, url: str) -> dict[str, str]:
    """Settings by their place: command hooks in the repository's, hooks over HTTP in the user's. An early version drops
    a whole file for a kind of hook that it does not know.
    """
    by_command = {"type": "command", "command": command, "timeout": 10}
    by_http = {"type": "http", "url": url, "timeout": 10}
    return {
        "repo/.claude/settings.json": _settings(by_command),
        "home/.claude/settings.json": _settings(by_http),
    }


def _settings(hook: JSON) -> str:
    return json.dumps({"hooks": {event: [{"hooks": [hook]}] for event in HOOK_EVENTS}})


def line(program: str) -> tuple[str, ...]:
    """One prompt, no terminal, and no tool that it would have to ask for."""
    return (program, "-p", _ASKED, "--output-format", "json", "--allowedTools", "Bash(echo:*),Agent,Task")


def variables(address: str) -> dict[str, str]:
    """It speaks to the scripted model alone: what else it might ask for leads to a port where nobody listens."""
    return {
        "ANTHROPIC_BASE_URL": address,
        "ANTHROPIC_API_KEY": "sk-ant-probe-0000000000000000000000",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_TELEMETRY": "1",
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_ERROR_REPORTING": "1",
    }


def reply(path: str, headers: Mapping[str, str], body: bytes) -> ProbeReply:
    """What the model says to a request."""
    if not path.partition("?")[0].endswith("/v1/messages"):
        return ProbeReply(b'{"input_tokens": 100, "data": []}')
    try:
        asked = json.loads(body)
        messages = asked.get("messages", [])
        if not asked.get("tools"):
            return _said("ok", asked)
        is_agent = bool(headers.get("x-claude-code-agent-id")) or "cc_is_subagent=true" in json.dumps(asked["system"])
        return _of_agent(messages, asked) if is_agent else _of_main(messages, asked)
    except (ValueError, KeyError, TypeError, AttributeError):
        return _said("ok", {})


def _of_agent(messages: list[JSON], asked: JSON) -> ProbeReply:
    """One call that names the part, then the end."""
    task = json.dumps(messages).partition(_TASK)[2]
    part = task.partition(" ")[0]
    if not part.isalpha() or _answers(messages):
        return _said("done", asked)
    return _uses(asked, _call(part))


def _of_main(messages: list[JSON], asked: JSON) -> ProbeReply:
    turns = (
        (_call("main"), _call("parallel")),
        (_task("background", run_in_background=True),),
        (_task("agent", run_in_background=False),),
        (_task("worktree", run_in_background=False, isolation="worktree"),),
    )
    made = _answers(messages)
    return _uses(asked, *turns[made]) if made < len(turns) else _said("done", asked)._replace(last=True)


def _answers(messages: list[JSON]) -> int:
    """How often the model has spoken."""
    return sum(message.get("role") == "assistant" for message in messages)


def _call(part: str) -> JSON:
    """The shell makes the number, so that the words of the result show that it ran."""
    return {"name": "Bash", "input": {"command": f"echo {MARK}-$((40 + 2))-{part}", "description": "a rehearsed call"}}


def _task(part: str, **given: object) -> JSON:
    told = {"description": "a rehearsed task", "prompt": f"{_TASK}{part} .", "subagent_type": "general-purpose"}
    return {"name": "Agent", "input": {**told, **given}}


def _said(text: str, asked: JSON) -> ProbeReply:
    return _message([{"type": "text", "text": text}], "end_turn", asked)


def _uses(asked: JSON, *calls: JSON) -> ProbeReply:
    own = _name_of(asked)
    blocks = [{"type": "tool_use", "id": f"toolu_{own}{at:02}", **call} for at, call in enumerate(calls)]
    return _message(blocks, "tool_use", asked)


def _name_of(asked: JSON) -> str:
    """Of a message and its calls: a client takes two of one name for one."""
    return digest(json.dumps(asked), 11)


def _message(blocks: list[JSON], stop: str, asked: JSON) -> ProbeReply:
    usage = {"input_tokens": 100, "output_tokens": 10}
    message = {
        "id": f"msg_{_name_of(asked)}",
        "type": "message",
        "role": "assistant",
        "model": asked.get("model"),
        "usage": usage,
    }
    if not asked.get("stream"):
        return ProbeReply(json.dumps({**message, "content": blocks, "stop_reason": stop}).encode())
    events = "".join(
        f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in _events(message, blocks, stop)
    )
    return ProbeReply(events.encode(), content_type="text/event-stream")


def _events(message: JSON, blocks: list[JSON], stop: str) -> Iterator[JSON]:
    yield {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}}
    for at, block in enumerate(blocks):
        is_text = block["type"] == "text"
        begun = {**block, "text": ""} if is_text else {**block, "input": {}}
        delta = (
            {"type": "text_delta", "text": block["text"]}
            if is_text
            else {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        )
        yield {"type": "content_block_start", "index": at, "content_block": begun}
        yield {"type": "content_block_delta", "index": at, "delta": delta}
        yield {"type": "content_block_stop", "index": at}
    yield {
        "type": "message_delta",
        "delta": {"stop_reason": stop, "stop_sequence": None},
        "usage": {"output_tokens": 10},
    }
    yield {"type": "message_stop"}
