"""Each hook of the client as the events it tells of."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from leeboard.clients.hook_input import (
    OUTPUT_LIMIT,
    HookInput,
    call_of,
    events_of,
    flatten,
    key_of,
    prompt_given,
    session_ended,
    session_started,
    stopped,
    tool_finished,
    tool_proposed,
)
from leeboard.model import event
from leeboard.model.event import Event, ToolCall
from leeboard.model.text import lazy

_DENIED = lazy(
    r"(?:<tool_use_error>)?\s{0,9}(?:"
    r"PreToolUse:[^\n]{1,300}? hook error:"
    r"|PreToolUse[^\n]{0,4000}? failed; blocking because onFailure is"
    r"|The user doesn't want to (?:proceed|take this action)"
    r"|Claude requested permissions to "
    r"|Permission to use [^\n]{1,4000}? has been denied"
    r"|[^\n]{1,4000}? needs approval\. The path is "
    r")"
)
_INVALID = "<tool_use_error>"
_MACHINES = ("system", "loop_wakeup", "schedule_wakeup", "poll_event")
"""Who else than a person submits a prompt: a timer that an agent has set, another session, a channel."""


def read_events(hook: HookInput) -> tuple[Event, ...]:
    """The events of a hook; none for a hook that tells us nothing, known or not."""
    return events_of(hook, _READERS)


def is_typed(hook: HookInput) -> bool:
    """Whether a person submitted the prompt. Earlier versions do not say who did."""
    return hook.text("source") not in _MACHINES


def _prompt_given(hook: HookInput) -> tuple[Event, ...]:
    return prompt_given(hook) if is_typed(hook) else ()


def _turn_failed(hook: HookInput) -> tuple[Event, ...]:
    """The model could not be asked: the turn is over, and nobody has said that the work is."""
    return (event.TurnEnded(**hook.origin),)


def _tool_done(hook: HookInput) -> tuple[Event, ...]:
    call = call_of(hook.session, hook.fields)
    response = hook.fields.get("tool_response")
    told = tool_finished(hook, call, "done", flatten(response, call.action))
    is_clients = call.action in ("edit", "write") and not call.tool.startswith("mcp__")
    before, after = edited(response) if is_clients else (None, None)
    if before is None and after is None:
        return told
    return tuple(msgspec.structs.replace(one, before=before, after=after) for one in told)


def _tool_failed(hook: HookInput) -> tuple[Event, ...]:
    return tool_finished(hook, call_of(hook.session, hook.fields), "failed", hook.text("error"))


def _tool_denied(hook: HookInput) -> tuple[Event, ...]:
    return tool_finished(hook, call_of(hook.session, hook.fields), "denied", hook.text("reason"))


def _turn_ended(hook: HookInput) -> tuple[Event, ...]:
    """The batch is the only place that tells of calls which never ran. Those that ran have told of themselves."""
    listed = hook.fields.get("tool_calls")
    entries = [entry for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []
    calls = [call_of(hook.session, entry) for entry in entries]
    told: list[Event] = []
    for call, entry in zip(calls, entries, strict=True):
        told += _never_ran(hook, call, flatten(entry.get("tool_response"), "other")[:OUTPUT_LIMIT])
    key = f"batch:{calls[0].id}" if calls else ""
    return (*told, event.TurnEnded(**hook.origin, key=key, calls=tuple(call.id for call in calls)))


def _never_ran(hook: HookInput, call: ToolCall, response: str) -> tuple[Event, ...]:
    """A call that was refused has asked before; one that the client could make nothing of has not."""
    outcome = _outcome(response)
    if outcome is None:
        return ()
    finished = event.ToolFinished(
        **hook.origin, key=key_of("result", call), call=call, outcome=outcome, output=response
    )
    if outcome == "denied" or not call.tool:
        return (finished,)
    return (event.ToolProposed(**hook.origin, key=key_of("call", call), call=call), finished)


def _outcome(response: str) -> event.Outcome | None:
    """How a call ended that never ran, by the words the model gets; None for any other."""
    if _DENIED.match(response):
        return "denied"
    return "failed" if response.startswith(_INVALID) else None


def _agent_started(hook: HookInput) -> tuple[Event, ...]:
    if not hook.agent:
        return ()
    key = f"agent-started:{hook.agent}"
    return (event.AgentStarted(**hook.origin, key=key, agent_type=hook.text("agent_type")),)


def _agent_ended(hook: HookInput) -> tuple[Event, ...]:
    """A compaction ends an agent that never was; it has no type."""
    agent_type = hook.text("agent_type")
    if not hook.agent or not agent_type:
        return ()
    return (event.AgentEnded(**hook.origin, key=f"agent-ended:{hook.agent}", agent_type=agent_type),)


def _context_compacted(hook: HookInput) -> tuple[Event, ...]:
    return (event.ContextCompacted(**hook.origin, summary=hook.text("compact_summary")),)


def _task_created(hook: HookInput) -> tuple[Event, ...]:
    subject = hook.text("task_subject") or hook.text("task_description")
    key = f"task:{task_id}" if (task_id := hook.text("task_id")) else ""
    return (event.TodosUpdated(**hook.origin, key=key, items=(subject,)),) if subject else ()


_READERS: dict[str, Callable[[HookInput], tuple[Event, ...]]] = {
    "SessionStart": session_started,
    "SessionEnd": session_ended,
    "UserPromptSubmit": _prompt_given,
    "PreToolUse": tool_proposed,
    "PostToolUse": _tool_done,
    "PostToolUseFailure": _tool_failed,
    "PermissionDenied": _tool_denied,
    "PostToolBatch": _turn_ended,
    "Stop": stopped,
    "StopFailure": _turn_failed,
    "SubagentStart": _agent_started,
    "SubagentStop": _agent_ended,
    "PostCompact": _context_compacted,
    "TaskCreated": _task_created,
}


# What an edit left behind.


LARGEST = 2 << 20
"""Characters of a file that is looked at."""


def edited(response: object) -> tuple[str | None, str | None]:
    """What a file was when an edit or a write changed it, and how the client left it; None where it does not say so.

    A person may change what is proposed while they are asked about it: then only the file itself tells.
    """
    if not isinstance(response, dict) or response.get("userModified") is True:
        return None, None
    before, content = response.get("originalFile"), response.get("content")
    if isinstance(content, str):
        return _small(before), _small(content)
    old, new = response.get("oldString"), response.get("newString")
    if not isinstance(before, str) or not isinstance(old, str) or not isinstance(new, str) or not old:
        return _small(before), None
    return _small(before), _small(before.replace(old, new, -1 if response.get("replaceAll") is True else 1))


def _small(text: object) -> str | None:
    return text if isinstance(text, str) and len(text) <= LARGEST else None
