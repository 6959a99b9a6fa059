"""The session file of Codex, read line by line while it grows. Same use as the reader of Claude Code's."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from leeboard.clients.claude_code.transcript_record import LONGEST_OUTPUT, joined_text, text_of
from leeboard.clients.human_words import human_words
from leeboard.clients.tool_calls import folder_of, parse_call, parse_todos
from leeboard.clients.transcript_lines import SessionReader, epoch_seconds, mend_json
from leeboard.clients.transcript_memory import Base, Echoes, OpenCalls, PromptKeys, Recent, SeenKeys, Turns
from leeboard.model.event import (
    AgentStarted,
    ContextCompacted,
    Event,
    MessageSaid,
    Outcome,
    PromptGiven,
    SessionStarted,
    ThoughtShown,
    TodosUpdated,
    ToolFinished,
    ToolProposed,
)
from leeboard.model.text import lazy

START = re.compile(rb'"type": ?"(?:session_meta|response_item|event_msg|turn_context|compacted)", ?"payload": ?\{')
"""What stands in the first line of a file, where the rest of it is cut off."""
_RESPONSE_ENDS = frozenset({"token_count", "task_complete", "turn_complete", "turn_aborted"})
_CALL_TYPES = frozenset({"function_call", "custom_tool_call", "local_shell_call"})


class CodexRolloutReader(SessionReader):
    """Turns the bytes of a rollout into events. Give `started` when reading goes on in the middle of a file.

    Codex shows no id that the parts of one model response share: `message` stays empty, and a turn ends where the next
    response begins.
    """

    def __init__(self, session: str = "", *, agent: str = "", started: bool = False) -> None:
        super().__init__(_RolloutTeller(session, agent, started=started))


class _RolloutTeller:
    def __init__(self, session: str, agent: str, *, started: bool) -> None:
        self.told: list[Event] = []
        self._session = session
        self._agent = agent
        self._started = started
        self._cwd = ""
        self._seen = SeenKeys()
        self._prompts = PromptKeys()
        self._echoes = Echoes()
        self._turns = Turns()
        self._calls = OpenCalls()
        self._places: Recent[str] = Recent(4_096)
        self._statuses: Recent[str] = Recent(4_096)

    def tell(self, line: bytes) -> bool:
        record = decode_line(line)
        if record is None:
            return False
        payload = record.payload
        if payload is None:
            return True
        if record.type == "response_item":
            self._tell_item(self._base(record), payload)
        elif record.type == "event_msg":
            self._tell_event(self._base(record), payload)
        elif record.type == "session_meta":
            self._tell_session(record, payload)
        elif record.type == "compacted":
            self._tell_compaction(self._base(record), payload)
        elif record.type == "turn_context":
            self._cwd = text_of(payload.cwd) or self._cwd
        elif record.type == "token_usage_record":
            self._turns.note_answer(self._agent)
        return True

    def close(self) -> None:
        self.told += self._turns.end_all()

    def _base(self, record: RolloutLine) -> Base:
        return {
            "session": self._session,
            "agent": self._agent,
            "cwd": self._cwd,
            "time": epoch_seconds(record.timestamp),
            "source": "transcript",
        }

    def _tell_session(self, record: RolloutLine, payload: Payload) -> None:
        """The first one counts: a forked session repeats its parent's."""
        if self._started:
            return
        thread, root = text_of(payload.id), text_of(payload.session_id)
        self._session = self._session or root or thread
        if not self._agent and root and thread != root:
            self._agent = thread
        self._cwd = text_of(payload.cwd) or self._cwd
        self._start(self._base(record))

    def _start(self, base: Base) -> None:
        if self._started:
            return
        self._started = True
        if base["agent"]:
            self.told.append(AgentStarted(**base, key=f"agent-started:{base['agent']}"))
        else:
            self.told.append(SessionStarted(**base))

    def _tell_compaction(self, base: Base, payload: Payload) -> None:
        self._start(base)
        self.told.append(ContextCompacted(**base, summary=text_of(payload.message)))

    def _tell_item(self, base: Base, payload: Payload) -> None:
        kind = text_of(payload.type)
        if kind == "message" and payload.role == "user":
            self._tell_prompt(base, payload)
        elif kind == "message" and payload.role == "assistant":
            self._tell_text(base, payload, joined_text(payload.content))
        elif kind == "reasoning":
            self._tell_text(base, payload, joined_text(payload.summary) or joined_text(payload.content))
        elif kind in _CALL_TYPES:
            self._tell_call(base, payload)
        elif kind.endswith("_output"):
            self._tell_result(base, payload)

    def _tell_text(self, base: Base, payload: Payload, text: str) -> None:
        key = f"say:{payload.id}" if text_of(payload.id) else ""
        if not text.strip() or not self._seen.is_new(key):
            return
        self._respond(base)
        event = ThoughtShown if payload.type == "reasoning" else MessageSaid
        self.told.append(event(**base, key=key, text=text))

    def _respond(self, base: Base) -> None:
        self._start(base)
        self.told += self._turns.begin(base, "")

    def _tell_call(self, base: Base, payload: Payload) -> None:
        call_id = text_of(payload.call_id) or text_of(payload.id)
        if not call_id or not self._seen.is_new(f"call:{call_id}"):
            return
        tool, sent = _tool_of(payload), _input_of(payload)
        self._respond(base)
        call = parse_call(call_id, tool, sent)
        there = self._placed(base, call_id, sent)
        self._calls.put(call, "")
        self._turns.add_call(base["agent"], "", call_id)
        self.told.append(ToolProposed(**there, key=f"call:{call_id}", call=call))
        todos = parse_todos(tool, sent)
        if todos:
            self.told.append(TodosUpdated(**base, key=f"todos:{call_id}", items=todos))

    def _placed(self, base: Base, call_id: str, sent: object) -> Base:
        """The same, at the folder that the call names for itself."""
        cwd = folder_of(sent, base["cwd"])
        if cwd == base["cwd"]:
            return base
        self._places.put(call_id, cwd)
        return {**base, "cwd": cwd}

    def _tell_result(self, base: Base, payload: Payload) -> None:
        call_id = text_of(payload.call_id) or text_of(payload.id)
        key = f"result:{call_id}"
        if not call_id or not self._seen.is_new(key):
            return
        self._start(base)
        self._turns.note_answer(base["agent"])
        call, _ = self._calls.take(call_id)
        result = parse_output(payload.output, self._statuses.pop(call_id) or "")
        there: Base = {**base, "cwd": self._places.pop(call_id) or base["cwd"]}
        self.told.append(ToolFinished(**there, key=key, call=call, outcome=result.outcome, output=result.output))

    def _tell_prompt(self, base: Base, payload: Payload) -> None:
        texts = payload.content if isinstance(payload.content, list) else [payload.content]
        words = "\n".join(part for text in texts if (part := human_words(joined_text([text]))))
        turn_id = payload.origin.get("turn_id") if isinstance(payload.origin, dict) else ""
        if words and self._echoes.is_first("item", words):
            self._add_prompt(base, text_of(turn_id), text_of(payload.id), words)

    def _add_prompt(self, base: Base, turn_id: str, item_id: str, words: str) -> None:
        key = self._prompts.key_of(turn_id, item_id, words)
        if key is None:
            return
        self._start(base)
        self.told += self._turns.end(base["agent"])
        self.told.append(PromptGiven(**base, key=key, text=words))

    def _tell_event(self, base: Base, payload: Payload) -> None:
        kind = text_of(payload.type)
        if kind in _RESPONSE_ENDS:
            self._turns.note_answer(self._agent)
        elif kind == "user_message":
            self._tell_echo(base, payload, "", text_of(payload.message))
        elif kind == "item_completed" and isinstance(payload.item, dict):
            self._tell_completed(base, payload, payload.item)

    def _tell_completed(self, base: Base, payload: Payload, item: dict[str, object]) -> None:
        item_id = text_of(item.get("id"))
        if item.get("type") == "UserMessage":
            self._tell_echo(base, payload, item_id, joined_text(item.get("content")))
        elif item_id and (status := text_of(item.get("status"))):
            self._statuses.put(item_id, status)

    def _tell_echo(self, base: Base, payload: Payload, item_id: str, text: str) -> None:
        """Most prompts come twice, as an item and as an event. Either may be missing."""
        words = human_words(text)
        if words and self._echoes.is_first("event", words):
            self._add_prompt(base, text_of(payload.turn_id), item_id, words)


def _tool_of(payload: Payload) -> str:
    if payload.type == "local_shell_call":
        return "local_shell"
    name, namespace = text_of(payload.name), text_of(payload.namespace)
    return f"{namespace.rstrip('_')}__{name}" if namespace else name


def _input_of(payload: Payload) -> object:
    if payload.type == "local_shell_call":
        return {"action": payload.action}
    return payload.input if payload.type == "custom_tool_call" else payload.arguments


# One line of a Codex rollout as a record: `{timestamp, type, payload}`, or in old files the bare item.


class Payload(msgspec.Struct):
    """Every field may be of any type: files of all versions must pass."""

    type: Any = None
    id: Any = None
    session_id: Any = None
    turn_id: Any = None
    call_id: Any = None
    cwd: Any = None
    role: Any = None
    content: Any = None
    summary: Any = None
    name: Any = None
    namespace: Any = None
    arguments: Any = None
    input: Any = None
    action: Any = None
    output: Any = None
    message: Any = None
    item: Any = None
    origin: Any = msgspec.field(default=None, name="internal_chat_message_metadata_passthrough")


class RolloutLine(msgspec.Struct):
    timestamp: Any = None
    type: Any = None
    payload: Payload | None = None


_LINES = msgspec.json.Decoder(RolloutLine)
_PAYLOADS = msgspec.json.Decoder(Payload)


def decode_line(line: bytes) -> RolloutLine | None:
    """The record of a line; None when it is no JSON object."""
    try:
        return _decode(line)
    except (ValueError, RecursionError):
        mended = mend_json(line)
    try:
        return _decode(mended) if mended is not None else None
    except (ValueError, RecursionError):
        return _without_payload(mended)


def _decode(line: bytes) -> RolloutLine:
    record = _LINES.decode(line)
    if record.payload is not None:
        return record
    bare = _PAYLOADS.decode(line)
    kind = "session_meta" if bare.type is None and isinstance(bare.id, str) else "response_item"
    return RolloutLine(timestamp=record.timestamp, type=kind, payload=bare)


def _without_payload(line: bytes | None) -> RolloutLine | None:
    """A payload of another shape tells nothing, yet the line is an object."""
    try:
        return RolloutLine() if line is not None and isinstance(msgspec.json.decode(line), dict) else None
    except (ValueError, RecursionError):
        return None


# How a tool call of Codex ended: it says so in words, in several dialects.


_HEADER = lazy(
    r"(?:Chunk ID: [^\n]{0,100}\n)?(?:Exit code: (-?\d{1,9})\n)?Wall time: [^\n]{0,100}\n"
    r"(?:Process exited with code (-?\d{1,9})\n|Process running with session ID [^\n]{0,100}\n)?"
    r"(?:(?:Original token count|Total output lines): [^\n]{0,100}\n){0,2}Output:\n"
)
_DENIAL = lazy(r"[^\n]{0,60}? ?(?:blocked by \w{1,40} hook|rejected by user)", re.IGNORECASE)
_FAILURE = lazy(
    r"unsupported call: |failed to parse|execution error|exec_command failed|apply_patch verification failed"
    r"|aborted by user|tool call error|err: ",
    re.IGNORECASE,
)


class RolloutResult(msgspec.Struct, frozen=True):
    outcome: Outcome
    output: str


def parse_output(output: object, status: str) -> RolloutResult:
    """`status` is what an event said about the call, for outputs that do not tell."""
    text, failed = _unpack(output)
    header = _HEADER.match(text)
    if header:
        code = header[1] or header[2] or "0"
        return RolloutResult("failed" if int(code) or failed else "done", text[header.end() :][:LONGEST_OUTPUT])
    if status == "declined" or _DENIAL.match(text):
        return RolloutResult("denied", text[:LONGEST_OUTPUT])
    failed = failed or status == "failed" or _FAILURE.match(text) is not None
    return RolloutResult("failed" if failed else "done", text[:LONGEST_OUTPUT])


def _unpack(output: object) -> tuple[str, bool]:
    """The text, and whether fields beside it say that the call failed."""
    if isinstance(output, str) and output.startswith("{"):
        try:
            output = _as_object(msgspec.json.decode(output), output)
        except (ValueError, RecursionError):
            return str(output), False
    if not isinstance(output, dict):
        return joined_text(output), False
    text = next((text for key in ("output", "content", "body") if (text := joined_text(output.get(key)))), "")
    metadata = output.get("metadata")
    code = metadata.get("exit_code") if isinstance(metadata, dict) else output.get("exit_code")
    return text, output.get("success") is False or (isinstance(code, int) and code != 0)


def _as_object(parsed: object, text: str) -> object:
    """Old versions packed output and exit code into JSON. A tool that printed JSON of its own is left alone."""
    return parsed if isinstance(parsed, dict) and isinstance(parsed.get("metadata"), dict) else text
