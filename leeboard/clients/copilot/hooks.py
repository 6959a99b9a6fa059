"""GitHub Copilot's hooks: what the client tells on stdin, and the answers it honours.

Its events are asked for by the names of Visual Studio Code: such payloads name their event, and an agent of either kind
reads the file. What only one of the two honours is said in the way of both. The command line was run; the editor was
not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

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
from leeboard.model.event import AgentEnded, AgentStarted, Event, Outcome
from leeboard.model.text import lazy
from leeboard.model.verdict import Action, Moment, MomentKind, Verdict

_KINDS: dict[str, MomentKind] = {
    "SessionStart": "start",
    "UserPromptSubmit": "prompt",
    "PreToolUse": "before_call",
    "PostToolUse": "after_call",
    "PostToolUseFailure": "call_failed",
    "Stop": "stop",
    "SubagentStart": "agent_start",
    "SubagentStop": "agent_stop",
    "SessionEnd": "end",
}
_HEARS_WORDS = ("start", "prompt", "agent_start", "after_call", "call_failed")
"""Where words reach the agent."""
_EXIT_CODE = lazy(r"<shellId: [^\n<>]{0,99} exit code (?P<code>-?\d{1,9})>\s{0,9}\Z")
_LAST_LINES = 2_000
"""Characters at the end of an output in which the client says how a shell line ended."""
_OUTCOMES: dict[str, Outcome] = {"failure": "failed", "error": "failed", "denied": "denied"}
_NAMES = {
    "sessionId": "session_id",
    "toolName": "tool_name",
    "toolArgs": "tool_input",
    "toolResult": "tool_result",
    "agentName": "agent_type",
    "transcriptPath": "transcript_path",
}
"""Fields as the command line's own events spell them."""


def parse(payload: bytes, now: float) -> HookCall:
    """What a hook was told. WireError where it is no JSON object with a session; what is unknown is passed over."""
    hook = read_input(_spelled(decode(payload)), now)
    return HookCall(
        client="copilot",
        name=hook.name,
        events=events_of(hook, _READERS),
        moment=_moment(hook),
        session=hook.session,
        agent=hook.agent,
        agent_type=hook.text("agent_type"),
        silent_refusal=True,
        cwd=hook.cwd,
        prompt="" if hook.agent else hook.text("prompt"),
        last_message=hook.text("last_assistant_message"),
        kept_going=hook.flag("stop_hook_active"),
        fields=hook.fields,
    )


def _spelled(fields: Mapping[str, object]) -> dict[str, object]:
    """In the names of every client. A sub-agent tells its own id as the session's, beside the one it works for; where
    one starts, its event has no name.
    """
    told = {**{_NAMES[name]: value for name, value in fields.items() if name in _NAMES}, **fields}
    if "hook_event_name" not in told and "agentName" in told:
        told["hook_event_name"] = "SubagentStart"
    if told.get("parent_agent_id") and told.get("agent_id") == told.get("session_id"):
        told["session_id"] = told["parent_agent_id"]
    return told


def render(verdict: Verdict, call: HookCall, task: str = "", for_person: str = "") -> bytes:  # noqa: ARG001 - as every client has it
    """The answer as one JSON object, empty where there is nothing to say. It never grants a permission."""
    saying, words = spoken(verdict, call.moment)
    answer: dict[str, object] = {}
    if saying == "refuse":
        decision = {"permissionDecision": "deny", "permissionDecisionReason": words}
        answer = {**decision, "hookSpecificOutput": {"hookEventName": call.name, **decision}}
    elif saying == "keep_going":
        answer = {"decision": "block", "reason": words}
    elif saying == "add":
        context = {"additionalContext": words}
        answer = {**context, "hookSpecificOutput": {"hookEventName": call.name, **context}}
    if for_person:
        answer["systemMessage"] = for_person
    return msgspec.json.encode(answer) if answer else b""


def _moment(hook: HookInput) -> Moment:
    kind = _KINDS.get(hook.name, "none")
    if kind == "before_call":
        return Moment(kind=kind, actions=(Action.ALLOW, Action.DENY))
    if hook.agent and kind in ("prompt", "stop"):  # told again where the sub-agent starts and ends
        return Moment(kind="none")
    if kind in _HEARS_WORDS or (kind == "stop" and not hook.flag("stop_hook_active")):
        is_pause = kind not in ("after_call", "call_failed")
        return Moment(kind=kind, actions=(Action.ALLOW, Action.INJECT), pause=is_pause)
    return Moment(kind=kind, pause=kind == "stop")


def _tool_done(hook: HookInput) -> tuple[Event, ...]:
    call, result = call_of(hook.session, hook.fields), hook.fields.get("tool_result")
    if not isinstance(result, dict):
        return tool_finished(hook, call, "done", flatten(hook.fields.get("tool_response"), call.action))
    told = result.get("result_type") or result.get("resultType")
    given = result.get("text_result_for_llm") or result.get("textResultForLlm")
    text = given if isinstance(given, str) else ""
    outcome = _OUTCOMES.get(told, "done") if isinstance(told, str) else "done"
    ended = _EXIT_CODE.search(text, max(0, len(text) - _LAST_LINES)) if call.action == "bash" else None
    if ended is None:
        return tool_finished(hook, call, outcome, text)
    return tool_finished(hook, call, "failed" if ended["code"] != "0" else outcome, text[: ended.start()])


def _tool_failed(hook: HookInput) -> tuple[Event, ...]:
    return tool_finished(hook, call_of(hook.session, hook.fields), "failed", hook.text("error"))


def _prompt_given(hook: HookInput) -> tuple[Event, ...]:
    """The words of an agent to its sub-agent are no prompt."""
    return () if hook.agent else prompt_given(hook)


def _stopped(hook: HookInput) -> tuple[Event, ...]:
    return () if hook.agent else stopped(hook)


def _agent_started(hook: HookInput) -> tuple[Event, ...]:
    key = f"agent-started:{hook.agent}"
    return (AgentStarted(**hook.origin, key=key, agent_type=hook.text("agent_type")),) if hook.agent else ()


def _agent_ended(hook: HookInput) -> tuple[Event, ...]:
    key = f"agent-ended:{hook.agent}"
    return (AgentEnded(**hook.origin, key=key, agent_type=hook.text("agent_type")),) if hook.agent else ()


_READERS: dict[str, Callable[[HookInput], tuple[Event, ...]]] = {
    "SessionStart": session_started,
    "SessionEnd": session_ended,
    "UserPromptSubmit": _prompt_given,
    "PreToolUse": tool_proposed,
    "PostToolUse": _tool_done,
    "PostToolUseFailure": _tool_failed,
    "Stop": _stopped,
    "SubagentStart": _agent_started,
    "SubagentStop": _agent_ended,
}
