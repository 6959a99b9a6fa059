"""Cursor's hooks, by its documentation: what the client tells on stdin, and the answers it honours.

It also runs the hook lines of Claude Code's settings, with payloads of its own: whichever line brings it, a call has
one name and one session, and so is judged once.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from leeboard.clients.answer_words import spoken
from leeboard.clients.call import HookCall
from leeboard.clients.hook_input import (
    HookInput,
    call_of,
    decode,
    events_of,
    flatten,
    prompt_given,
    read_input,
    session_ended,
    session_started,
    stopped,
    tool_finished,
    tool_proposed,
)
from leeboard.model.event import AgentEnded, AgentStarted, Event
from leeboard.model.verdict import Action, Moment, MomentKind, Verdict

_KINDS: dict[str, MomentKind] = {
    "sessionStart": "start",
    "beforeSubmitPrompt": "prompt",
    "preToolUse": "before_call",
    "postToolUse": "after_call",
    "postToolUseFailure": "call_failed",
    "subagentStart": "agent_start",
    "subagentStop": "agent_stop",
    "stop": "stop",
    "sessionEnd": "end",
}
_HEARS_WORDS = ("start", "after_call", "stop")
"""Where words reach the agent."""
_MCP = "MCP:"


def parse(payload: bytes, now: float) -> HookCall:
    """What a hook was told. WireError where it is no JSON object with a session; what is unknown is passed over."""
    return read_call(decode(payload), now)


def read_call(fields: dict[str, object], now: float) -> HookCall:
    """The same of fields that somebody has read already."""
    hook = read_input(_renamed(fields), now)
    kept_going = fields.get("loop_count")
    return HookCall(
        client="cursor",
        name=hook.name,
        events=events_of(hook, _READERS),
        moment=_moment(hook),
        session=hook.session,
        silent_refusal=True,
        agent=hook.agent,
        agent_type=hook.text("subagent_type"),
        cwd=hook.cwd,
        prompt=hook.text("prompt") if hook.name == "beforeSubmitPrompt" else "",
        kept_going=isinstance(kept_going, int) and kept_going > 0,
        fields=hook.fields,
    )


def render(verdict: Verdict, call: HookCall, task: str = "", for_person: str = "") -> bytes:  # noqa: ARG001 - as every client has it
    """The answer as one JSON object. A refusal is also said as a line of Claude Code's settings would say it."""
    saying, words = spoken(verdict, call.moment)
    answer: dict[str, object] = {}
    if saying == "refuse":
        claude = {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": words}
        answer = {"permission": "deny", "agent_message": words, "user_message": words, "hookSpecificOutput": claude}
    elif saying == "keep_going":
        answer = {"followup_message": words}
    elif saying == "add":
        answer = {"additional_context": words}
    if for_person:
        answer.setdefault("user_message", for_person)
    return msgspec.json.encode(answer) if answer else b""


def _renamed(fields: dict[str, object]) -> dict[str, object]:
    """A conversation is a session; where no folder is named, it is the first that is open."""
    roots, given = fields.get("workspace_roots"), fields.get("cwd")
    cwd = given if isinstance(given, str) and given else roots[0] if isinstance(roots, list) and roots else ""
    tool, name = fields.get("tool_name"), fields.get("hook_event_name")
    return {
        **fields,
        "session_id": fields.get("conversation_id") or fields.get("session_id"),
        "cwd": cwd,
        "tool_name": f"mcp__{tool.removeprefix(_MCP)}" if isinstance(tool, str) and tool.startswith(_MCP) else tool,
        "hook_event_name": _CLAUDE_NAMES.get(name, name) if isinstance(name, str) else name,
        "agent_id": fields.get("subagent_id"),
        "error": fields.get("error_message"),
        "stop_hook_active": bool(fields.get("loop_count")),
    }


_CLAUDE_NAMES = {
    "SessionStart": "sessionStart",
    "UserPromptSubmit": "beforeSubmitPrompt",
    "PreToolUse": "preToolUse",
    "PostToolUse": "postToolUse",
    "PostToolUseFailure": "postToolUseFailure",
    "SubagentStart": "subagentStart",
    "SubagentStop": "subagentStop",
    "Stop": "stop",
    "SessionEnd": "sessionEnd",
}
"""What the events of Claude Code's lines are here."""


def _moment(hook: HookInput) -> Moment:
    kind = _KINDS.get(hook.name, "none")
    if kind == "before_call":
        return Moment(kind=kind, actions=(Action.ALLOW, Action.DENY))
    if kind not in _HEARS_WORDS or (kind == "stop" and hook.flag("stop_hook_active")):
        return Moment(kind=kind, pause=kind in ("prompt", "stop"))
    return Moment(kind=kind, actions=(Action.ALLOW, Action.INJECT), pause=kind != "after_call")


def _tool_done(hook: HookInput) -> tuple[Event, ...]:
    """The output is an object, packed as text."""
    call, output = call_of(hook.session, hook.fields), hook.fields.get("tool_output")
    if isinstance(output, str):
        try:
            output = msgspec.json.decode(output)
        except (ValueError, RecursionError):
            return tool_finished(hook, call, "done", output)
    return tool_finished(hook, call, "done", flatten(output, call.action))


def _tool_failed(hook: HookInput) -> tuple[Event, ...]:
    is_denied = hook.text("failure_type") == "permission_denied"
    call = call_of(hook.session, hook.fields)
    return tool_finished(hook, call, "denied" if is_denied else "failed", hook.text("error"))


def _agent_started(hook: HookInput) -> tuple[Event, ...]:
    if not hook.agent:
        return ()
    key = f"agent-started:{hook.agent}"
    return (AgentStarted(**hook.origin, key=key, agent_type=hook.text("subagent_type")),)


def _agent_ended(hook: HookInput) -> tuple[Event, ...]:
    if not hook.agent:
        return ()
    return (AgentEnded(**hook.origin, key=f"agent-ended:{hook.agent}", agent_type=hook.text("subagent_type")),)


_READERS: dict[str, Callable[[HookInput], tuple[Event, ...]]] = {
    "sessionStart": session_started,
    "sessionEnd": session_ended,
    "beforeSubmitPrompt": prompt_given,
    "preToolUse": tool_proposed,
    "postToolUse": _tool_done,
    "postToolUseFailure": _tool_failed,
    "subagentStart": _agent_started,
    "subagentStop": _agent_ended,
    "stop": stopped,
}
