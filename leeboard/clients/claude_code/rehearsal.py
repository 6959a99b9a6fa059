"""A rehearsal of Claude Code: a scripted model has it make one call in each way that calls are made in.

What its hooks are told of is then known for this very version: of the main agent, of calls side by side, of sub-agents
in front, in the background and in a work tree of their own. The script is what a model would answer, as bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from leeboard.clients.call import ProbeReply
from leeboard.clients.claude_code.hook_settings import HOOK_EVENTS
from leeboard.clients.scripted_messages import ASKED, JSON, TASK, said, shell_line, task_part, times_spoken, uses


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
    return (program, "-p", ASKED, "--output-format", "json", "--allowedTools", "Bash(printf:*),Agent,Task")


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
            return said("ok", asked)
        is_agent = bool(headers.get("x-claude-code-agent-id")) or "cc_is_subagent=true" in json.dumps(asked["system"])
        return _of_agent(messages, asked) if is_agent else _of_main(messages, asked)
    except (ValueError, KeyError, TypeError, AttributeError):
        return said("ok", {})


def _of_agent(messages: list[JSON], asked: JSON) -> ProbeReply:
    """One call that names the part, then the end."""
    part = task_part(messages)
    if not part or times_spoken(messages):
        return said("done", asked)
    return uses(asked, _call(part))


def _of_main(messages: list[JSON], asked: JSON) -> ProbeReply:
    turns = (
        (_call("main"), _call("parallel")),
        (_task("background", run_in_background=True),),
        (_task("agent", run_in_background=False),),
        (_task("worktree", run_in_background=False, isolation="worktree"),),
    )
    made = times_spoken(messages)
    return uses(asked, *turns[made]) if made < len(turns) else said("done", asked)._replace(last=True)


def _call(part: str) -> JSON:
    return {"name": "Bash", "input": {"command": shell_line(part), "description": "a rehearsed call"}}


def _task(part: str, **given: object) -> JSON:
    told = {"description": "a rehearsed task", "prompt": f"{TASK}{part} .", "subagent_type": "general-purpose"}
    return {"name": "Agent", "input": {**told, **given}}
