"""What a hook of any client was told, field by field, and the events that most of them tell alike.

Clients name their fields differently: each hands over a mapping in which they have the names used here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TypedDict

import msgspec

from leeboard.clients.tool_calls import parse_call, parse_todos
from leeboard.errors import WireError
from leeboard.model import event
from leeboard.model.event import ActionType, Event, ToolCall
from leeboard.model.text import lazy

OUTPUT_LIMIT = 200_000
_ESCAPE = lazy(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\\.")
_LONE_SURROGATE_WIDTH = 6


def decode(payload: bytes) -> dict[str, object]:
    """The fields of a payload, broken texts mended. WireError where it is no JSON object."""
    try:
        return msgspec.json.decode(payload, type=dict[str, object])
    except RecursionError as error:
        raise WireError("the hook payload is nested too deeply") from error
    except ValueError:
        # Clients cut texts between the halves of a surrogate pair, or pass on bytes that are no text.
        return _decode_mended(payload)


def _decode_mended(payload: bytes) -> dict[str, object]:
    text = payload.decode("utf-8", "replace").removeprefix("\ufeff")
    mended = _ESCAPE.sub(_mend, text) if "\\u" in text else text
    try:
        return msgspec.json.decode(mended, type=dict[str, object])
    except (ValueError, RecursionError) as error:
        raise WireError(f"the hook payload is not a JSON object: {error}") from error


def _mend(escape: re.Match[str]) -> str:
    return "\\ufffd" if len(escape[0]) == _LONE_SURROGATE_WIDTH else escape[0]


def folder_told(payload: bytes) -> str:
    """The folder that a payload names, even one that can not be judged; empty where it names none."""
    try:
        cwd = decode(payload).get("cwd")
    except WireError:
        return ""
    return cwd if isinstance(cwd, str) else ""


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


def read_input(fields: Mapping[str, object], now: float) -> HookInput:
    """The payload with these fields; WireError where they name no session, unless a call is about to run: that one is
    judged in a session of its own, which nothing before or after it belongs to.
    """
    session = fields.get("session_id")
    if isinstance(session, str) and session:
        return HookInput(session=session, fields=fields, now=now)
    if not _text(fields, "tool_name"):
        raise WireError("a hook payload needs a session_id that is a non-empty string")
    return HookInput(session=f"{NAMELESS}{now!r}-{_text(fields, 'tool_use_id')}", fields=fields, now=now)


NAMELESS = "leeboard-nameless-"
"""How the session of a call begins whose client named none."""


def shallow(payload: bytes) -> bytes:
    """A payload without what is nested too deeply to be decoded: null stands in its place. No call is told so far down,
    and one that stands beside it is to be judged.
    """
    pieces: list[bytes] = []
    depth = start = 0
    for mark in _NESTING.finditer(payload):
        if mark[0] in b"[{":
            depth += 1
            if depth == _DEEPEST:
                pieces += (payload[start : mark.start()], b"null")
        elif mark[0] in b"]}":
            depth -= 1
            if depth == _DEEPEST - 1:
                start = mark.end()
    return b"".join((*pieces, payload[start:])) if depth == 0 else payload


_DEEPEST = 64
_NESTING = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[\[{\]}]', re.DOTALL)


def events_of(hook: HookInput, readers: Mapping[str, Callable[[HookInput], tuple[Event, ...]]]) -> tuple[Event, ...]:
    """The events of a hook; none for a hook that tells us nothing, known or not. WireError for endless nesting."""
    read = readers.get(hook.name)
    try:
        return read(hook) if read else ()
    except RecursionError as error:
        raise WireError("the hook payload is nested too deeply") from error


def session_started(hook: HookInput) -> tuple[Event, ...]:
    return (event.SessionStarted(**hook.origin, reason=hook.text("source") or "startup"),)


def session_ended(hook: HookInput) -> tuple[Event, ...]:
    return (event.SessionEnded(**hook.origin, reason=hook.text("reason")),)


def prompt_given(hook: HookInput) -> tuple[Event, ...]:
    from leeboard.clients.human_words import split_command  # noqa: PLC0415 - for prompts only

    command, words = split_command(hook.text("prompt"))
    if not command and not words and not _shows_something(hook.text("prompt")):
        return ()
    key = f"prompt:{prompt_id}" if (prompt_id := hook.text("prompt_id")) else ""
    return (event.PromptGiven(**hook.origin, key=key, text=words, command=command),)


def _shows_something(prompt: str) -> bool:
    """A message may be a picture and nothing else: still the human speaking."""
    return not prompt.strip() or "[Image" in prompt


def tool_proposed(hook: HookInput) -> tuple[Event, ...]:
    call = call_of(hook.session, hook.fields)
    if not call.tool:
        return ()
    proposed = event.ToolProposed(**hook.origin, key=key_of("call", call), call=call)
    items = parse_todos(call.tool, hook.fields.get("tool_input"))
    if not items:
        return (proposed,)
    return (proposed, event.TodosUpdated(**hook.origin, key=f"todos:{call.id}", items=items))


def tool_finished(
    hook: HookInput, call: ToolCall, outcome: event.Outcome, output: str
) -> tuple[event.ToolFinished, ...]:
    if not call.tool and not hook.text("tool_use_id"):
        return ()
    key = key_of("result", call)
    return (event.ToolFinished(**hook.origin, key=key, call=call, outcome=outcome, output=output[:OUTPUT_LIMIT]),)


def stopped(hook: HookInput) -> tuple[Event, ...]:
    already_blocked, text = hook.flag("stop_hook_active"), hook.text("last_assistant_message")
    return (event.Stopped(**hook.origin, already_blocked=already_blocked, text=text),)


def call_of(session: str, fields: Mapping[str, object]) -> ToolCall:
    tool, tool_input = _text(fields, "tool_name"), fields.get("tool_input")
    call_id = _text(fields, "tool_use_id") or _derived_id(session, tool, tool_input)
    return parse_call(call_id, tool, tool_input)


def key_of(kind: str, call: ToolCall) -> str:
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


# What a tool gave back, as text.


_TEXT_KEYS = ("content", "result", "output", "text", "results", "filenames")


def flatten(response: object, action: ActionType) -> str:
    """The readable text of a tool's response. What an edit or write answers repeats the call, and so is left out."""
    if isinstance(response, dict):
        return "" if action in ("edit", "write") else _object_text(response)
    return text_of(response)


def _object_text(response: Mapping[str, object]) -> str:
    if "stdout" in response or "stderr" in response:
        return _lines(text_of(response.get("stdout")), text_of(response.get("stderr")))
    file = response.get("file")
    if isinstance(file, dict):
        return text_of(file.get("content"))
    return next((text for key in _TEXT_KEYS if (text := text_of(response.get(key)))), "")


def text_of(part: object) -> str:
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
