"""Claude Code's hooks, and Codex's that follow them: what the client tells on stdin, and the answers it honours."""

from __future__ import annotations

import re
from posixpath import basename

import msgspec

from leeboard.clients.call import AgentTask, HookCall
from leeboard.clients.claude_code.hook_events import HookInput, read_events
from leeboard.errors import WireError
from leeboard.model.text import lazy
from leeboard.model.verdict import Action, Moment, MomentKind, Verdict

_ESCAPE = lazy(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\\.")
_LONE_SURROGATE_WIDTH = 6
_LONGEST_WORD = 100
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
    fields = _decode(payload)
    session = fields.get("session_id")
    if not isinstance(session, str) or not session:
        raise WireError("a hook payload needs a session_id that is a non-empty string")
    hook = HookInput(session=session, fields=fields, now=now)
    try:
        events = read_events(hook)
    except RecursionError as error:
        raise WireError("the hook payload is nested too deeply") from error
    transcript, given = hook.text("transcript_path"), fields.get("tool_input")
    return HookCall(
        client="codex" if basename(transcript).startswith("rollout-") else "claude_code",
        name=hook.name,
        events=events,
        moment=_moment(hook),
        session=session,
        agent=hook.agent,
        agent_type=hook.text("agent_type"),
        cwd=hook.cwd,
        transcript=transcript,
        prompt=hook.text("prompt"),
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


def folder_told(payload: bytes) -> str:
    """The folder that a payload names, even one that can not be judged; empty where it names none."""
    try:
        cwd = _decode(payload).get("cwd")
    except WireError:
        return ""
    return cwd if isinstance(cwd, str) else ""


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


def telling_person(answer: bytes, words: str) -> bytes:
    """The answer with words that the client shows to its user, and not to the agent, behind those it has."""
    if not words:
        return answer
    fields = msgspec.json.decode(answer, type=dict[str, object]) if answer else {}
    told = "\n".join(filter(None, (str(fields.get("systemMessage", "")), words)))
    return msgspec.json.encode({**fields, "systemMessage": told})


def _decode(payload: bytes) -> dict[str, object]:
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
    words = _cut(_join(verdict.message, verdict.briefing), moment.room)
    return {"decision": "block", "reason": words} if words else {}


def _answer(verdict: Verdict, call: HookCall) -> dict[str, object]:
    moment = call.moment
    action = verdict.action if verdict.action in moment.actions else Action.ALLOW
    specific: dict[str, object] = {}
    context = verdict.briefing
    room = moment.room
    if action in (Action.ASK, Action.DENY):
        reason = _cut(verdict.message or "Leeboard holds this call back.", room)
        specific = {"permissionDecision": action.name.lower(), "permissionDecisionReason": reason}
        room -= _width(reason)
    elif action is Action.INJECT:
        context = _join(verdict.message, verdict.briefing)
    if Action.INJECT in moment.actions or moment.kind == "before_call":
        words = _cut(context, room)
        specific |= {"additionalContext": words} if words else {}
    return {"hookSpecificOutput": {"hookEventName": call.name, **specific}} if specific else {}


def _join(message: str, briefing: str) -> str:
    return "\n\n".join(part for part in (message, briefing) if part)


def _width(text: str) -> int:
    """The client counts UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _cut(text: str, room: int) -> str:
    """At most `room` UTF-16 units, cut between words where the script has them; halves of a surrogate pair are
    dropped.
    """
    if not text:
        return ""
    units = text.encode("utf-16-le", "surrogatepass")
    if len(units) <= 2 * room:
        return units.decode("utf-16-le", "ignore")
    if room < 1:
        return ""
    head = units[: 2 * (room - 1)].decode("utf-16-le", "ignore")
    after = units[2 * (room - 1) :][:2].decode("utf-16-le", "ignore")
    boundary = len(head) if after.isspace() else max(head.rfind(" "), head.rfind("\n"))
    between_words = boundary > 0 and len(head) - boundary <= _LONGEST_WORD
    return (head[:boundary] if between_words else head).rstrip() + "…"
