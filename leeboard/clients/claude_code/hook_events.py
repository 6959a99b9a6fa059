"""Each hook of the client as the events it tells of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypedDict

import msgspec

from leeboard.clients.human_words import split_command
from leeboard.clients.tool_calls import parse_call, parse_todos
from leeboard.model import event
from leeboard.model.event import ActionType, Event, ToolCall
from leeboard.model.text import lazy

_OUTPUT_LIMIT = 200_000
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


class HookOrigin(TypedDict):
    """What every event of one hook shares."""

    session: str
    agent: str
    cwd: str
    time: float


class HookInput(msgspec.Struct, frozen=True, kw_only=True):
    """A hook's payload. A field of a wrong type counts as missing."""

    session: str
    fields: Mapping[str, object]
    now: float

    @property
    def name(self) -> str:
        return self.text("hook_event_name")

    @property
    def agent(self) -> str:
        return self.text("agent_id")

    @property
    def cwd(self) -> str:
        return self.text("cwd")

    @property
    def origin(self) -> HookOrigin:
        return HookOrigin(session=self.session, agent=self.agent, cwd=self.cwd, time=self.now)

    def text(self, key: str) -> str:
        return _text(self.fields, key)

    def flag(self, key: str) -> bool:
        return self.fields.get(key) is True


def read_events(hook: HookInput) -> tuple[Event, ...]:
    """The events of a hook; none for a hook that tells us nothing, known or not."""
    read = _READERS.get(hook.name)
    return read(hook) if read else ()


def _session_started(hook: HookInput) -> tuple[Event, ...]:
    return (event.SessionStarted(**hook.origin, reason=hook.text("source") or "startup"),)


def _session_ended(hook: HookInput) -> tuple[Event, ...]:
    return (event.SessionEnded(**hook.origin, reason=hook.text("reason")),)


def _prompt_given(hook: HookInput) -> tuple[Event, ...]:
    command, words = split_command(hook.text("prompt"))
    if not command and not words and not _shows_something(hook.text("prompt")):
        return ()
    key = f"prompt:{prompt_id}" if (prompt_id := hook.text("prompt_id")) else ""
    return (event.PromptGiven(**hook.origin, key=key, text=words, command=command),)


def _shows_something(prompt: str) -> bool:
    """A message may be a picture and nothing else: still the human speaking."""
    return not prompt.strip() or "[Image" in prompt


def _tool_proposed(hook: HookInput) -> tuple[Event, ...]:
    call = _call(hook.session, hook.fields)
    if not call.tool:
        return ()
    proposed = event.ToolProposed(**hook.origin, key=_key("call", call), call=call)
    items = parse_todos(call.tool, hook.fields.get("tool_input"))
    if not items:
        return (proposed,)
    return (proposed, event.TodosUpdated(**hook.origin, key=f"todos:{call.id}", items=items))


def _tool_done(hook: HookInput) -> tuple[Event, ...]:

    call = _call(hook.session, hook.fields)
    response = hook.fields.get("tool_response")
    told = _finished(hook, call, "done", flatten(response, call.action))
    is_clients = call.action in ("edit", "write") and not call.tool.startswith("mcp__")
    before, after = edited(response) if is_clients else (None, None)
    if before is None and after is None:
        return told
    return tuple(msgspec.structs.replace(one, before=before, after=after) for one in told)


def _tool_failed(hook: HookInput) -> tuple[Event, ...]:
    return _finished(hook, _call(hook.session, hook.fields), "failed", hook.text("error"))


def _tool_denied(hook: HookInput) -> tuple[Event, ...]:
    return _finished(hook, _call(hook.session, hook.fields), "denied", hook.text("reason"))


def _finished(hook: HookInput, call: ToolCall, outcome: event.Outcome, output: str) -> tuple[event.ToolFinished, ...]:
    if not call.tool and not hook.text("tool_use_id"):
        return ()
    key = _key("result", call)
    return (event.ToolFinished(**hook.origin, key=key, call=call, outcome=outcome, output=output[:_OUTPUT_LIMIT]),)


def _turn_ended(hook: HookInput) -> tuple[Event, ...]:
    """The batch is the only place that tells of calls which never ran. Those that ran have told of themselves."""
    listed = hook.fields.get("tool_calls")
    entries = [entry for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []
    calls = [_call(hook.session, entry) for entry in entries]
    told: list[Event] = []
    for call, entry in zip(calls, entries, strict=True):
        told += _never_ran(hook, call, flatten(entry.get("tool_response"), "other")[:_OUTPUT_LIMIT])
    key = f"batch:{calls[0].id}" if calls else ""
    return (*told, event.TurnEnded(**hook.origin, key=key, calls=tuple(call.id for call in calls)))


def _never_ran(hook: HookInput, call: ToolCall, response: str) -> tuple[Event, ...]:
    """A call that was refused has asked before; one that the client could make nothing of has not."""
    outcome = _outcome(response)
    if outcome is None:
        return ()
    finished = event.ToolFinished(**hook.origin, key=_key("result", call), call=call, outcome=outcome, output=response)
    if outcome == "denied" or not call.tool:
        return (finished,)
    return (event.ToolProposed(**hook.origin, key=_key("call", call), call=call), finished)


def _outcome(response: str) -> event.Outcome | None:
    """How a call ended that never ran, by the words the model gets; None for any other."""
    if _DENIED.match(response):
        return "denied"
    return "failed" if response.startswith(_INVALID) else None


def _stopped(hook: HookInput) -> tuple[Event, ...]:
    already_blocked, text = hook.flag("stop_hook_active"), hook.text("last_assistant_message")
    return (event.Stopped(**hook.origin, already_blocked=already_blocked, text=text),)


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


def _call(session: str, fields: Mapping[str, object]) -> ToolCall:
    tool, tool_input = _text(fields, "tool_name"), fields.get("tool_input")
    call_id = _text(fields, "tool_use_id") or _derived_id(session, tool, tool_input)
    return parse_call(call_id, tool, tool_input)


def _key(kind: str, call: ToolCall) -> str:
    """None where the client gave no id: the same line may come again and mean something else by then."""
    return "" if call.id.startswith("noid-") else f"{kind}:{call.id}"


def _derived_id(session: str, tool: str, tool_input: object) -> str:
    """The same for a call and its result where the client gives a call no id."""
    import hashlib  # noqa: PLC0415 - the hook process pays for every import, and hardly any call comes without id

    told = msgspec.json.encode([session, tool, tool_input], order="deterministic")
    return f"noid-{hashlib.sha1(told, usedforsecurity=False).hexdigest()[:16]}"


def _text(fields: Mapping[str, object], key: str) -> str:
    found = fields.get(key)
    return found if isinstance(found, str) else ""


_READERS: dict[str, Callable[[HookInput], tuple[Event, ...]]] = {
    "SessionStart": _session_started,
    "SessionEnd": _session_ended,
    "UserPromptSubmit": _prompt_given,
    "PreToolUse": _tool_proposed,
    "PostToolUse": _tool_done,
    "PostToolUseFailure": _tool_failed,
    "PermissionDenied": _tool_denied,
    "PostToolBatch": _turn_ended,
    "Stop": _stopped,
    "SubagentStart": _agent_started,
    "SubagentStop": _agent_ended,
    "PostCompact": _context_compacted,
    "TaskCreated": _task_created,
}


# What a tool gave back, as text.


LARGEST = 2 << 20
"""Characters of a file that is looked at."""
_TEXT_KEYS = ("content", "result", "output", "text", "results", "filenames")


def flatten(response: object, action: ActionType) -> str:
    """The readable text of a tool's response. What an edit or write answers repeats the call, and so is left out."""
    if isinstance(response, dict):
        return "" if action in ("edit", "write") else _object_text(response)
    return _output_text(response)


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


def _object_text(response: Mapping[str, object]) -> str:
    if "stdout" in response or "stderr" in response:
        return _lines(_output_text(response.get("stdout")), _output_text(response.get("stderr")))
    file = response.get("file")
    if isinstance(file, dict):
        return _output_text(file.get("content"))
    return next((text for key in _TEXT_KEYS if (text := _output_text(response.get(key)))), "")


def _output_text(part: object) -> str:
    """A string as it is, or the text blocks and names of a list."""
    if isinstance(part, list):
        return _lines(*(_block_text(block) for block in part))
    return part if isinstance(part, str) else ""


def _block_text(block: object) -> str:
    if not isinstance(block, dict):
        return block if isinstance(block, str) else ""
    resource = block.get("resource")
    text = resource.get("text") if isinstance(resource, dict) else block.get("text")
    return text if isinstance(text, str) else ""


def _lines(*texts: str) -> str:
    return "\n".join(text for text in texts if text)
