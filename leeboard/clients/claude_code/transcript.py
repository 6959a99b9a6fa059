"""Claude Code's session file, read line by line while it grows. Files of every version pass; bad lines are counted."""

from __future__ import annotations

import re
from typing import Final

from leeboard.clients.claude_code.transcript_record import (
    ContentBlock,
    TranscriptRecord,
    decode_raw,
    decode_record,
    is_silent,
    joined_text,
    outcome_of,
    output_of,
    text_of,
)
from leeboard.clients.human_words import human_words, split_command
from leeboard.clients.tool_calls import parse_call, parse_todos
from leeboard.clients.transcript_lines import SessionReader, epoch_seconds
from leeboard.clients.transcript_memory import (
    Base,
    OpenCalls,
    PromptKeys,
    PromptQueue,
    SeenKeys,
    Sidechains,
    Turns,
    Typed,
)
from leeboard.model.event import (
    AgentEnded,
    AgentStarted,
    ContextCompacted,
    Event,
    MessageSaid,
    PromptGiven,
    SessionStarted,
    ThoughtShown,
    TodosUpdated,
    ToolCall,
    ToolFinished,
    ToolProposed,
)

START = re.compile(rb'\{"(?:parentUuid": ?(?:null|")|type": ?"(?:summary|queue-operation|file-history-snapshot)")')
"""How the first line of a file begins, where the rest of it is cut off."""


class TranscriptReader(SessionReader):
    """Turns the bytes of a transcript into events.

    `agent` names the sub-agent whose own file this is. Give `started` when reading goes on in the middle of a file: its
    start is not told again, and the result of a call proposed before that point has a `call` with nothing but its id.
    """

    def __init__(self, session: str = "", *, agent: str = "", started: bool = False) -> None:
        super().__init__(TranscriptTeller(session, agent, started=started))


# What the records of a Claude Code transcript tell.


_SUMMARY: Final = "This session is being continued from a previous conversation"
_AGENT_TOOLS: Final = frozenset({"task", "agent"})


class TranscriptTeller:
    def __init__(self, session: str, agent: str, *, started: bool) -> None:
        self.told: list[Event] = []
        self._session = session
        self._last_session = ""
        self._cwd = ""
        self._agent = agent
        self._started = started
        self._compaction: ContextCompacted | None = None
        self._seen = SeenKeys()
        self._calls = OpenCalls()
        self._turns = Turns()
        self._prompts = PromptKeys()
        self._queue = PromptQueue()
        self._sidechains = Sidechains()
        if started and agent:
            self._seen.is_new(f"agent-started:{agent}")

    def tell(self, line: bytes) -> bool:
        if is_silent(line):
            return True
        record = decode_record(line)
        if record is None:
            return False
        if record.type == "assistant":
            self._tell_assistant(record)
        elif record.type == "user":
            self._tell_user(record)
        elif record.type == "system" and record.subtype == "compact_boundary":
            self._tell_boundary(record)
        elif record.type == "queue-operation":
            self._tell_queue(record)
        elif record.type == "attachment":
            self._tell_attachment(record)
        return True

    def close(self) -> None:
        self._tell_compaction()
        self._tell_typed(all_of_them=True)
        self.told += self._turns.end_all()

    def _add(self, event: Event) -> None:
        if self._seen.is_new(event.key):
            self.told.append(event)

    def _base(self, record: TranscriptRecord) -> Base:
        self._last_session = text_of(record.session_id) or self._last_session
        self._cwd = text_of(record.cwd) or self._cwd
        return {
            "session": self._session or self._last_session,
            "agent": self._agent_of(record),
            "cwd": self._cwd,
            "time": epoch_seconds(record.timestamp),
            "source": "transcript",
        }

    def _agent_of(self, record: TranscriptRecord) -> str:
        if self._agent:
            return self._agent
        if record.is_sidechain is not True:
            return ""
        uuid, parent = text_of(record.uuid), text_of(record.parent_uuid)
        return text_of(record.agent_id) or self._sidechains.name(uuid, parent, starts=_is_task(record))

    def _start(self, base: Base, agent_type: str = "") -> None:
        if base["agent"]:
            key = f"agent-started:{base['agent']}"
            if self._seen.is_new(key):
                self.told.append(AgentStarted(**base, key=key, agent_type=agent_type))
        elif not self._started:
            self._started = True
            self.told.append(SessionStarted(**base))

    def _tell_assistant(self, record: TranscriptRecord) -> None:
        message = record.message
        if message is None or message.model == "<synthetic>" or record.is_api_error_message is True:
            return
        base = self._base(record)
        self._start(base, text_of(record.attribution_agent))
        self._tell_compaction()
        self._tell_typed()
        name = text_of(message.id) or text_of(record.request_id) or text_of(record.uuid)
        self.told += self._turns.begin(base, name)
        content = message.content
        blocks = content if isinstance(content, list) else [ContentBlock(type="text", text=content)]
        for position, block in enumerate(blocks):
            self._tell_block(base, name, block, _say_key(record, name, position))

    def _tell_block(self, base: Base, message: str, block: ContentBlock, key: str) -> None:
        if block.type == "text" and (text := text_of(block.text)).strip():
            self._add(MessageSaid(**base, key=key, message=message, text=text))
        elif block.type == "thinking" and (text := text_of(block.thinking)).strip():
            self._add(ThoughtShown(**base, key=key, message=message, text=text))
        elif block.type == "tool_use":
            self._tell_call(base, message, block)

    def _tell_call(self, base: Base, message: str, block: ContentBlock) -> None:
        call_id, tool = text_of(block.id), text_of(block.name)
        if not call_id or not self._seen.is_new(f"call:{call_id}"):
            return
        call = parse_call(call_id, tool, block.input)
        self._calls.put(call, message)
        self._turns.add_call(base["agent"], message, call_id)
        self.told.append(ToolProposed(**base, key=f"call:{call_id}", message=message, call=call))
        todos = parse_todos(tool, block.input)
        if todos:
            self.told.append(TodosUpdated(**base, key=f"todos:{call_id}", message=message, items=todos))

    def _tell_user(self, record: TranscriptRecord) -> None:
        if record.message is None:
            return
        base = self._base(record)
        content = record.message.content
        blocks = content if isinstance(content, list) else [ContentBlock(type="text", text=content)]
        texts = [text for block in blocks if block.type == "text" and (text := text_of(block.text))]
        self._start(base, text_of(record.attribution_agent))
        for block in blocks:
            if block.type == "tool_result":
                self._tell_result(base, record, block)
        if record.is_compact_summary is True or (texts and texts[0].startswith(_SUMMARY)):
            self._compaction = ContextCompacted(**base, summary="\n".join(texts))
            self._tell_compaction()
        elif not base["agent"] and _may_be_human(record):
            self._tell_prompt(base, text_of(record.prompt_id), text_of(record.uuid), texts)

    def _tell_result(self, base: Base, record: TranscriptRecord, block: ContentBlock) -> None:
        call_id = text_of(block.tool_use_id)
        if not call_id or not self._seen.is_new(f"result:{call_id}"):
            return
        call, message = self._calls.take(call_id)
        output = output_of(record, block)
        outcome = outcome_of(record, block, output)
        self._turns.note_answer(base["agent"])
        key = f"result:{call_id}"
        self.told.append(ToolFinished(**base, key=key, message=message, call=call, outcome=outcome, output=output))
        if call.tool.lower() in _AGENT_TOOLS:
            self._tell_sub_agent(base, decode_raw(record.tool_use_result))
        if outcome == "denied" and not base["agent"] and (words := human_words(words_in_refusal(output))):
            self._add(PromptGiven(**base, key=f"prompt:refused-{call_id}", text=words))

    def _tell_sub_agent(self, base: Base, result: object) -> None:
        if not isinstance(result, dict) or not (agent := text_of(result.get("agentId"))):
            return
        theirs: Base = {**base, "agent": agent}
        agent_type = text_of(result.get("agentType"))
        if result.get("status") == "completed":
            self.told += self._turns.end(agent)
            self._add(AgentEnded(**theirs, key=f"agent-ended:{agent}", agent_type=agent_type))
        elif result.get("status") == "async_launched":
            self._start(theirs, agent_type)

    def _tell_prompt(self, base: Base, prompt_id: str, uuid: str, texts: list[str]) -> None:
        parts = [split_command(text) for text in texts]
        command = next((command for command, _ in parts if command), "")
        words = "\n".join(words for _, words in parts if words)
        if not command and not words:
            return
        self._queue.match(command, words)
        key = self._prompts.key_of(prompt_id, uuid, f"{command} {words}")
        if key is None:
            return
        self._tell_compaction()
        self.told += self._turns.end(base["agent"])
        self._add(PromptGiven(**base, key=key, text=words, command=command))

    def _tell_boundary(self, record: TranscriptRecord) -> None:
        """Wait for the summary, which the next record may hold."""
        base = self._base(record)
        self._start(base)
        self._tell_compaction()
        self._compaction = ContextCompacted(**base)

    def _tell_compaction(self) -> None:
        if self._compaction is not None:
            self.told.append(self._compaction)
            self._compaction = None

    def _tell_queue(self, record: TranscriptRecord) -> None:
        words = human_words(text_of(record.content))
        if record.operation == "enqueue" and words:
            self._queue.add(Typed(words, f"queued-{text_of(record.timestamp)}", self._base(record)))
        elif record.operation == "popAll":
            self._queue.withdraw()
        elif record.operation == "remove" and record.reason not in (None, "absorbed_mid_turn"):
            self._queue.drop(words)
        elif record.operation in ("dequeue", "remove"):
            self._queue.take(words, text_of(record.command_uuid))

    def _tell_typed(self, *, all_of_them: bool = False) -> None:
        for typed in self._queue.release(all_of_them=all_of_them):
            self._start(typed.base)
            self.told += self._turns.end(typed.base["agent"])
            self._add(PromptGiven(**typed.base, key=f"prompt:{typed.name}", text=typed.words))

    def _tell_attachment(self, record: TranscriptRecord) -> None:
        attachment = decode_raw(record.attachment)
        if not isinstance(attachment, dict):
            return
        base = self._base(record)
        if shown := attached_file(attachment):
            self._tell_shown(base, text_of(record.uuid), *shown)
        elif attachment.get("type") == "queued_command" and _is_typed(attachment) and not base["agent"]:
            self._start(base)
            name = text_of(attachment.get("source_uuid")) or text_of(record.uuid)
            self._tell_prompt(base, "", name, [joined_text(attachment.get("prompt"))])

    def _tell_shown(self, base: Base, uuid: str, tool: str, path: str, content: str) -> None:
        """A file that came into the context by itself was seen as well as one that was read."""
        if uuid:
            self._start(base)
            call = ToolCall(id=f"attached-{uuid}", tool=tool, action="read", paths=(path,))
            self._add(ToolFinished(**base, key=f"result:{call.id}", call=call, outcome="done", output=content))


def _is_task(record: TranscriptRecord) -> bool:
    """The record gives a sub-agent its task: a user's words and no tool result."""
    if record.type != "user" or record.message is None:
        return False
    content = record.message.content
    return not isinstance(content, list) or all(block.type != "tool_result" for block in content)


def _may_be_human(record: TranscriptRecord) -> bool:
    if record.is_meta is True or record.is_visible_in_transcript_only is True or record.prompt_source == "system":
        return False
    return _is_human_origin(record.origin)


def _is_typed(queued: dict[object, object]) -> bool:
    mode = queued.get("commandMode")
    return queued.get("isMeta") is not True and mode in (None, "prompt") and _is_human_origin(queued.get("origin"))


def _is_human_origin(origin: object) -> bool:
    """Clients say who spoke since 2026; before, everybody was taken for a human."""
    return not isinstance(origin, dict) or origin.get("kind") in (None, "human")


def _say_key(record: TranscriptRecord, message: str, position: int) -> str:
    """One record may hold one block of a message, or all of them."""
    index = record.api_block_index
    if isinstance(index, int):
        return f"say:{message}:{index + position}"
    uuid = text_of(record.uuid)
    if not uuid:
        return ""
    return f"say:{message}:{uuid}.{position}" if position else f"say:{message}:{uuid}"


# What a transcript holds beside prompts, messages and calls: files put into the context, and words in a refusal.


_SAID = "the user said:\n"
_NOT_SAID = ("The user wants to clarify these questions",)
_CONTENT_LIMIT = 200_000

READ_ATTACHMENTS = (
    "file",
    "already_read_file",
    "edited_text_file",
    "compact_file_reference",
    "plan_file_reference",
    "directory",
)
"""Attachments that show the agent a file: mentioned by the human, changed by them, given again after a compaction."""


def words_in_refusal(output: str) -> str:
    """What the human told the agent to do instead, when they refused a call with words."""
    _, marked, words = output.partition(_SAID)
    words = words.partition("\n\nNote: ")[0].strip()
    return words if marked and not words.startswith(_NOT_SAID) else ""


def attached_file(attachment: dict[object, object]) -> tuple[str, str, str] | None:
    """Tool that would have shown the same, path and content; None for an attachment that shows no file."""
    kind = attachment.get("type")
    if kind not in READ_ATTACHMENTS:
        return None
    names = (text_of(attachment.get(key)) for key in ("filename", "planFilePath", "path", "filePath"))
    path = next((name for name in names if name), "")
    if not path:
        return None
    return ("LS" if kind == "directory" else "Read"), path, _content(attachment)[:_CONTENT_LIMIT]


def _content(attachment: dict[object, object]) -> str:
    for key in ("content", "planContent", "snippet"):
        value = attachment.get(key)
        if isinstance(value, dict):
            file = value.get("file")
            value = file.get("content") if isinstance(file, dict) else value.get("content")
        if value:
            return text_of(value) or joined_text(value)
    return ""
