"""Claude Code's hooks, and Codex's that follow them: what the client tells on stdin, and the answers it honours."""

from __future__ import annotations

from posixpath import basename

import msgspec

from leeboard.clients.answer_words import cut, join, telling_person, width
from leeboard.clients.call import AgentTask, HookCall
from leeboard.clients.claude_code.hook_events import is_typed, read_events
from leeboard.clients.hook_input import HookInput, decode, folder_told, read_input
from leeboard.model.verdict import Action, Moment, MomentKind, Verdict
from leeboard.model.workspace import one_spelling, system_of

__all__ = ["folder_told", "parse", "refuse_settings", "render", "telling_person"]

_STEP = (Action.ALLOW, Action.INJECT)
_PRE_TOOL = (Action.ALLOW, Action.ASK, Action.DENY)
_PRE_TOOL_CODEX = (Action.ALLOW, Action.DENY)
_KINDS: dict[str, MomentKind] = {
    "SessionStart": "start",
    "UserPromptSubmit": "prompt",
    "PreToolUse": "before_call",
    "PostToolUse": "after_call",
    "PostToolUseFailure": "call_failed",
    "PermissionDenied": "call_denied",
    "PostToolBatch": "batch_end",
    "Stop": "stop",
    "SubagentStart": "agent_start",
    "SubagentStop": "agent_stop",
    "TaskCreated": "todos",
    "PostCompact": "compaction",
    "ConfigChange": "settings_change",
    "SessionEnd": "end",
}
_SUB_AGENT_TOOLS = ("Agent", "Task")
_STEPS = ("after_call", "call_failed")
_PAUSES = ("batch_end", "prompt", "start", "agent_start", "stop")


def parse(payload: bytes, now: float) -> HookCall:
    """What a hook was told. Raises WireError when it is not a JSON object with a session id; unknown events, unknown
    fields and fields of a wrong type are passed over.
    """
    fields = decode(payload)
    if "cursor_version" in fields:  # Cursor runs the lines of these settings too
        from leeboard.clients.cursor.hooks import read_call  # noqa: PLC0415 - only in Cursor

        return read_call(fields, now)
    hook = read_input(fields, now)
    transcript, given = hook.text("transcript_path"), fields.get("tool_input")
    return HookCall(
        client="codex"
        if basename(one_spelling(transcript, system_of(transcript))).startswith("rollout-")
        else "claude_code",
        name=hook.name,
        events=read_events(hook),
        moment=_moment(hook),
        session=hook.session,
        agent=hook.agent,
        agent_type=hook.text("agent_type"),
        cwd=hook.cwd,
        transcript=transcript,
        prompt=hook.text("prompt") if is_typed(hook) else "",
        last_message=hook.text("last_assistant_message"),
        kept_going=hook.flag("stop_hook_active"),
        in_background=isinstance(given, dict) and given.get("run_in_background") is True,
        changed_settings=hook.text("file_path"),
        task=_task(hook, given),
        fields=fields,
    )


def _task(hook: HookInput, given: object) -> AgentTask | None:
    """Codex starts its sub-agents in another way, and takes no changed input."""
    if hook.text("tool_name") not in _SUB_AGENT_TOOLS or not isinstance(given, dict) or "turn_id" in hook.fields:
        return None
    prompt = given.get("prompt")
    return AgentTask(prompt, str(given.get("subagent_type") or "")) if isinstance(prompt, str) else None


def render(verdict: Verdict, call: HookCall, task: str = "", for_person: str = "") -> bytes:
    """The answer as one JSON object, empty where there is nothing to say. It never grants a permission.

    `task` takes the place of the words a sub-agent is started with, unless that is refused. `for_person` is shown to
    them, and not to the agent.
    """
    moment = call.moment
    answer = _stop_answer(verdict, moment) if moment.kind == "stop" else _answer(verdict, call)
    starts = call.fields.get("tool_input")
    if task and isinstance(starts, dict) and moment.kind == "before_call" and verdict.action < Action.ASK:
        given = answer.get("hookSpecificOutput")
        specific = given if isinstance(given, dict) else {"hookEventName": call.name}
        answer = {"hookSpecificOutput": {**specific, "updatedInput": {**starts, "prompt": task}}}
    if for_person:
        answer = {**answer, "systemMessage": for_person}
    return msgspec.json.encode(answer) if answer else b""


def refuse_settings(words: str) -> bytes:
    """The answer that keeps changed settings out of the running session."""
    return msgspec.json.encode({"decision": "block", "reason": words, "systemMessage": words})


def _moment(hook: HookInput) -> Moment:
    kind = _KINDS.get(hook.name, "none")
    if kind == "before_call":
        # Only Codex sends a turn_id here. It takes an `ask` for a broken hook and runs the tool.
        return Moment(kind=kind, actions=_PRE_TOOL_CODEX if "turn_id" in hook.fields else _PRE_TOOL)
    if kind == "stop" and hook.flag("stop_hook_active"):
        return Moment(kind=kind, pause=True)
    if kind in _STEPS or kind in _PAUSES:
        return Moment(kind=kind, actions=_STEP, pause=kind in _PAUSES)
    return Moment(kind=kind)


def _stop_answer(verdict: Verdict, moment: Moment) -> dict[str, object]:
    """Words keep the agent going, so a briefing by itself is not worth saying here."""
    if verdict.action not in moment.actions or verdict.action is not Action.INJECT or not verdict.message:
        return {}
    words = cut(join(verdict.message, verdict.briefing), moment.room)
    return {"decision": "block", "reason": words} if words else {}


def _answer(verdict: Verdict, call: HookCall) -> dict[str, object]:
    moment = call.moment
    action = verdict.action if verdict.action in moment.actions else Action.ALLOW
    specific: dict[str, object] = {}
    context = verdict.briefing
    room = moment.room
    if action in (Action.ASK, Action.DENY):
        reason = cut(verdict.message or "Leeboard holds this call back.", room)
        specific = {"permissionDecision": action.name.lower(), "permissionDecisionReason": reason}
        room -= width(reason)
    elif action is Action.INJECT:
        context = join(verdict.message, verdict.briefing)
    if Action.INJECT in moment.actions or moment.kind == "before_call":
        words = cut(context, room)
        specific |= {"additionalContext": words} if words else {}
    return {"hookSpecificOutput": {"hookEventName": call.name, **specific}} if specific else {}
