"""GitHub Copilot's hooks, by its documentation: what the client tells on stdin, and the answers it honours.

Its events are asked for by the names of Visual Studio Code: such payloads name their event, and an agent of either kind
reads the file. What only one of the two honours is said in the way of both.
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
from leeboard.model.event import Event, Outcome
from leeboard.model.verdict import Action, Moment, MomentKind, Verdict

_KINDS: dict[str, MomentKind] = {
    "SessionStart": "start",
    "UserPromptSubmit": "prompt",
    "PreToolUse": "before_call",
    "PostToolUse": "after_call",
    "PostToolUseFailure": "call_failed",
    "Stop": "stop",
    "SessionEnd": "end",
}
_OUTCOMES: dict[str, Outcome] = {"failure": "failed", "error": "failed", "denied": "denied"}
_NAMES = {
    "sessionId": "session_id",
    "toolName": "tool_name",
    "toolArgs": "tool_input",
    "toolResult": "tool_result",
}
"""Fields as the command line's own events spell them."""


def parse(payload: bytes, now: float) -> HookCall:
    """What a hook was told. WireError where it is no JSON object with a session; what is unknown is passed over."""
    fields = decode(payload)
    spelled = {_NAMES[name]: value for name, value in fields.items() if name in _NAMES}
    hook = read_input({**spelled, **fields}, now)
    return HookCall(
        client="copilot",
        name=hook.name,
        events=events_of(hook, _READERS),
        moment=_moment(hook),
        session=hook.session,
        silent_refusal=True,
        cwd=hook.cwd,
        prompt=hook.text("prompt"),
        kept_going=hook.flag("stop_hook_active"),
        fields=hook.fields,
    )


def render(verdict: Verdict, call: HookCall, task: str = "", for_person: str = "") -> bytes:  # noqa: ARG001 - as every client has it
    """The answer as one JSON object, empty where there is nothing to say. It never grants a permission."""
    saying, words = spoken(verdict, call.moment)
    answer: dict[str, object] = {}
    if saying == "refuse":
        decision = {"permissionDecision": "deny", "permissionDecisionReason": words}
        answer = {**decision, "hookSpecificOutput": {"hookEventName": call.name, **decision}}
    elif saying == "keep_going":
        answer = {"decision": "block", "reason": words}
    if for_person:
        answer["systemMessage"] = for_person
    return msgspec.json.encode(answer) if answer else b""


def _moment(hook: HookInput) -> Moment:
    kind = _KINDS.get(hook.name, "none")
    if kind == "before_call":
        return Moment(kind=kind, actions=(Action.ALLOW, Action.DENY))
    if kind == "stop" and not hook.flag("stop_hook_active"):
        return Moment(kind=kind, actions=(Action.ALLOW, Action.INJECT), pause=True)
    return Moment(kind=kind, pause=kind in ("prompt", "stop"))


def _tool_done(hook: HookInput) -> tuple[Event, ...]:
    call, result = call_of(hook.session, hook.fields), hook.fields.get("tool_result")
    if not isinstance(result, dict):
        return tool_finished(hook, call, "done", flatten(hook.fields.get("tool_response"), call.action))
    told = result.get("result_type") or result.get("resultType")
    text = result.get("text_result_for_llm") or result.get("textResultForLlm")
    outcome = _OUTCOMES.get(told, "done") if isinstance(told, str) else "done"
    return tool_finished(hook, call, outcome, text if isinstance(text, str) else "")


def _tool_failed(hook: HookInput) -> tuple[Event, ...]:
    return tool_finished(hook, call_of(hook.session, hook.fields), "failed", hook.text("error"))


_READERS: dict[str, Callable[[HookInput], tuple[Event, ...]]] = {
    "SessionStart": session_started,
    "SessionEnd": session_ended,
    "UserPromptSubmit": prompt_given,
    "PreToolUse": tool_proposed,
    "PostToolUse": _tool_done,
    "PostToolUseFailure": _tool_failed,
    "Stop": stopped,
}
