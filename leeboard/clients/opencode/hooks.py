"""opencode's moments, as our plugin in it tells them on stdin, and the answers that the plugin carries out."""

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
    prompt_given,
    read_input,
    session_ended,
    session_started,
    stopped,
    tool_finished,
    tool_proposed,
)
from leeboard.model.event import AgentStarted, ContextCompacted, Event
from leeboard.model.verdict import Action, Moment, MomentKind, Verdict

_KINDS: dict[str, MomentKind] = {
    "session.created": "start",
    "chat.message": "prompt",
    "tool.execute.before": "before_call",
    "tool.execute.after": "after_call",
    "agent.created": "agent_start",
    "session.compacted": "compaction",
    "session.idle": "stop",
    "session.deleted": "end",
}
_HEARS_WORDS = ("start", "agent_start", "prompt", "after_call")
"""Where words reach the agent."""
_NAMES = {
    "event": "hook_event_name",
    "session": "session_id",
    "agent": "agent_id",
    "tool": "tool_name",
    "call": "tool_use_id",
    "args": "tool_input",
}


def parse(payload: bytes, now: float) -> HookCall:
    """What a hook was told. WireError where it is no JSON object with a session; what is unknown is passed over."""
    fields = {_NAMES.get(name, name): value for name, value in decode(payload).items()}
    hook = read_input(fields, now)
    return HookCall(
        client="opencode",
        name=hook.name,
        events=events_of(hook, _READERS),
        moment=_moment(hook),
        session=hook.session,
        silent_refusal=True,
        agent=hook.agent,
        cwd=hook.cwd,
        prompt=hook.text("prompt"),
        fields=fields,
    )


def render(verdict: Verdict, call: HookCall, task: str = "", for_person: str = "") -> bytes:  # noqa: ARG001 - as every client has it
    """What the plugin is to do, as one JSON object: refuse the call, hand on words, show something to the person."""
    saying, words = spoken(verdict, call.moment)
    answer: dict[str, object] = {}
    if saying == "refuse":
        answer["refuse"] = words
    elif saying == "add":
        answer["words"] = words
    if for_person:
        answer["person"] = for_person
    return msgspec.json.encode(answer) if answer else b""


def _moment(hook: HookInput) -> Moment:
    kind = _KINDS.get(hook.name, "none")
    if kind == "before_call":
        return Moment(kind=kind, actions=(Action.ALLOW, Action.DENY))
    if kind in _HEARS_WORDS:
        return Moment(kind=kind, actions=(Action.ALLOW, Action.INJECT), pause=kind != "after_call")
    return Moment(kind=kind, pause=kind == "stop")


def _tool_done(hook: HookInput) -> tuple[Event, ...]:
    """A shell line that fails is only known by its code."""
    metadata = hook.fields.get("metadata")
    code = metadata.get("exit") if isinstance(metadata, dict) else None
    failed = isinstance(code, int) and code != 0
    call = call_of(hook.session, hook.fields)
    output = "" if call.action in ("edit", "write") else hook.text("output")
    return tool_finished(hook, call, "failed" if failed else "done", output)


def _agent_started(hook: HookInput) -> tuple[Event, ...]:
    return (AgentStarted(**hook.origin, key=f"agent-started:{hook.agent}"),) if hook.agent else ()


def _compacted(hook: HookInput) -> tuple[Event, ...]:
    return (ContextCompacted(**hook.origin),)


_READERS: dict[str, Callable[[HookInput], tuple[Event, ...]]] = {
    "session.created": session_started,
    "session.deleted": session_ended,
    "agent.created": _agent_started,
    "chat.message": prompt_given,
    "tool.execute.before": tool_proposed,
    "tool.execute.after": _tool_done,
    "session.compacted": _compacted,
    "session.idle": stopped,
}
