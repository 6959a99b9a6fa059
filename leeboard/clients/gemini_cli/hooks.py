"""Gemini CLI's hooks: what the client tells on stdin, and the answers it honours."""

from __future__ import annotations

import re
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
    text_of,
    tool_finished,
    tool_proposed,
)
from leeboard.model.event import Event, Outcome
from leeboard.model.text import lazy
from leeboard.model.verdict import Action, Moment, MomentKind, Verdict

_STEP = (Action.ALLOW, Action.INJECT)
_KINDS: dict[str, MomentKind] = {
    "SessionStart": "start",
    "BeforeAgent": "prompt",
    "BeforeTool": "before_call",
    "AfterTool": "after_call",
    "AfterAgent": "stop",
    "SessionEnd": "end",
}
_OUTPUT = lazy(r"(?:<untrusted_context>\s?)?(?P<text>.*?)(?:\s?</untrusted_context>\s{0,9})?", re.DOTALL)
_EXIT_CODE = lazy(r"^Exit Code: (?P<code>-?\d{1,9})$", re.MULTILINE)
_LAST_LINES = 2_000
"""Characters at the end of an output in which the client says how it ended."""


def parse(payload: bytes, now: float) -> HookCall:
    """What a hook was told. WireError where it is no JSON object with a session id; what is unknown is passed over."""
    hook = read_input(_renamed(decode(payload)), now)
    return HookCall(
        client="gemini_cli",
        name=hook.name,
        events=events_of(hook, _READERS),
        moment=_moment(hook),
        session=hook.session,
        silent_refusal=True,
        cwd=hook.cwd,
        prompt=hook.text("prompt") if hook.name == "BeforeAgent" else "",
        last_message=hook.text("last_assistant_message"),
        kept_going=hook.flag("stop_hook_active"),
        fields=hook.fields,
    )


def render(verdict: Verdict, call: HookCall, task: str = "", for_person: str = "") -> bytes:  # noqa: ARG001 - as every client has it
    """The answer as one JSON object. Never `ask`: the client waits for ever for an answer that nobody gives."""
    saying, words = spoken(verdict, call.moment)
    answer: dict[str, object] = {}
    if saying in ("refuse", "keep_going"):
        answer = {"decision": "deny", "reason": words}
    elif saying == "add":
        answer = {"hookSpecificOutput": {"hookEventName": call.name, "additionalContext": words}}
    if for_person:
        answer["systemMessage"] = for_person
    return msgspec.json.encode(answer) if answer else b""


def _renamed(fields: dict[str, object]) -> dict[str, object]:
    """Tools of a server have its name before theirs as in every other client."""
    server = fields.get("mcp_context")
    named = [server.get("server_name"), server.get("tool_name")] if isinstance(server, dict) else []
    words = [name for name in named if isinstance(name, str)]
    tool = f"mcp__{words[0]}__{words[1]}" if len(words) == 2 else ""
    return {
        **fields,
        "tool_name": tool or fields.get("tool_name"),
        "last_assistant_message": fields.get("prompt_response"),
    }


def _moment(hook: HookInput) -> Moment:
    kind = _KINDS.get(hook.name, "none")
    if kind == "before_call":
        return Moment(kind=kind, actions=(Action.ALLOW, Action.DENY))
    if kind in ("none", "end") or (kind == "stop" and hook.flag("stop_hook_active")):
        return Moment(kind=kind, pause=kind == "stop")
    return Moment(kind=kind, actions=_STEP, pause=kind != "after_call")


def _tool_done(hook: HookInput) -> tuple[Event, ...]:
    """An error of the tool stands beside its output; how a shell line ended stands in it."""
    response = hook.fields.get("tool_response")
    told = response if isinstance(response, dict) else {}
    output = text_of(told.get("llmContent"))
    plain = _OUTPUT.fullmatch(output)
    text = plain["text"] if plain else output
    return tool_finished(hook, call_of(hook.session, hook.fields), _outcome(told, text), text)


def _outcome(told: dict[str, object], output: str) -> Outcome:
    code = _EXIT_CODE.search(output, max(0, len(output) - _LAST_LINES))
    return "failed" if told.get("error") or (code and code["code"] != "0") else "done"


_READERS: dict[str, Callable[[HookInput], tuple[Event, ...]]] = {
    "SessionStart": session_started,
    "SessionEnd": session_ended,
    "BeforeAgent": prompt_given,
    "BeforeTool": tool_proposed,
    "AfterTool": _tool_done,
    "AfterAgent": stopped,
}
