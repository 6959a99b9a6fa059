"""Transcript records as the client writes them: one per content block, chained by uuid, with a made-up clock."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any

import msgspec

from tools.scripted_tools import Call

_VERSION = "2.1.325"
_MODEL = "claude-opus-5-5"
_SPACE = uuid.UUID("6f1dfc5e-0c5b-4c86-9a53-0b8f2f6c1a77")
_START = dt.datetime(2026, 10, 5, 9, 0, tzinfo=dt.UTC)
_CONTINUED = (
    "This session is being continued from a previous conversation that ran out of context. "
    "The summary below covers the earlier portion of the conversation.\n\nSummary:\n{}\n\n"
    "Continue the conversation from where it left off without asking the user any further questions. "
    "Resume directly — do not acknowledge the summary, do not recap what was happening."
)
_CAVEAT = (
    "<local-command-caveat>The command below was run directly in Claude Code, not sent to you as a request, "
    "and its output goes straight to the user.</local-command-caveat>"
)


class Chain:
    """Writes the records of one conversation; `side` opens a sub-agent's own chain on the same clock."""

    def __init__(self, session: str, cwd: str, agent: str = "") -> None:
        self.session = str(uuid.uuid5(_SPACE, session))
        self.cwd = cwd
        self.agent = agent
        self.lines: list[bytes] = []
        self._seed = session
        self._count = 0
        self._seconds = float(uuid.uuid5(_SPACE, session).int % 900_000)
        self._parent: str | None = None
        self._prompt = ""
        self._prompts = 0
        self._block = 0
        self._stop = ""
        self._message = ""
        self._uses: dict[str, str] = {}

    def _id(self, kind: str) -> uuid.UUID:
        self._count += 1
        return uuid.uuid5(_SPACE, f"{self._seed}/{self.agent}/{kind}/{self._count}")

    def _put(self, record: dict[str, Any], seconds: float = 2.0) -> str:
        self._seconds += seconds
        own = str(self._id("record"))
        stamp = (_START + dt.timedelta(seconds=self._seconds)).isoformat(timespec="milliseconds")
        head: dict[str, Any] = {"parentUuid": self._parent, "isSidechain": bool(self.agent)}
        if self.agent:
            head["agentId"] = self.agent
        tail = {"uuid": own, "timestamp": stamp.replace("+00:00", "Z"), "userType": "external", "entrypoint": "cli"}
        tail |= {"cwd": self.cwd, "sessionId": self.session, "version": _VERSION, "gitBranch": "main"}
        self.lines.append(msgspec.json.encode(head | record | tail) + b"\n")
        self._parent = own
        return own

    def open_session(self) -> None:
        bare = {"type": "mode", "mode": "normal", "sessionId": self.session}
        self.lines.append(msgspec.json.encode(bare) + b"\n")

    def _user(self, content: Any, seconds: float = 2.0, **fields: Any) -> str:
        record = {"promptId": self._prompt, "type": "user", "message": {"role": "user", "content": content}}
        return self._put(record | fields, seconds)

    def prompt(self, text: str) -> None:
        self._prompt = str(self._id("prompt"))
        self._prompts += 1
        position = {"promptIndex": self._prompts, "turnIndex": 1}
        typed = {"permissionMode": "acceptEdits", "origin": {"kind": "human"}, "promptSource": "typed"}
        self._user(text, 45, **typed, turnOrigin="human", turnPosition=position)
        if self._prompts == 1:
            snapshot = {"workingDirectory": self.cwd, "isGitRepo": True, "platform": "linux", "shell": "bash"}
            self._put({"attachment": {"type": "environment", "snapshot": snapshot}, "type": "attachment"}, 0)

    def instructions(self, text: str) -> None:
        files = [{"path": f"{self.cwd}/CLAUDE.md", "type": "Project", "content": text}]
        self._put({"attachment": {"type": "instructions", "files": files}, "type": "attachment"}, 0)

    def attach_file(self, path: str, text: str) -> None:
        lines = text.count("\n") + 1
        file = {"filePath": path, "content": text, "numLines": lines, "startLine": 1, "totalLines": lines}
        held = {"type": "file", "filename": path, "content": {"type": "text", "file": file}}
        self._put({"attachment": held, "type": "attachment"}, 0)

    def command(self, name: str, args: str, expansion: str) -> None:
        self._prompt = str(self._id("prompt"))
        tags = f"<command-name>{name}</command-name>\n            <command-message>{name[1:]}</command-message>\n"
        tags += f"            <command-args>{args}</command-args>"
        if not expansion:
            self._user(_CAVEAT, 30, isMeta=True)
        self._user(tags, 1)
        if expansion:
            self._user([{"type": "text", "text": expansion}], 0, isMeta=True)
        else:
            self._user("<local-command-stdout></local-command-stdout>", 1)

    def interrupt(self) -> None:
        self._user([{"type": "text", "text": "[Request interrupted by user]"}])

    def compact(self, summary: str, trigger: str) -> None:
        before, self._parent = self._parent, None
        boundary = {"type": "system", "subtype": "compact_boundary", "content": "Conversation compacted"}
        meta = {"trigger": trigger, "preTokens": 155_000, "postTokens": 2600}
        self._put(boundary | {"logicalParentUuid": before, "level": "info", "compactMetadata": meta}, 60)
        self._prompt = self._prompt or str(self._id("prompt"))
        self._user(_CONTINUED.format(summary), isVisibleInTranscriptOnly=True, isCompactSummary=True)

    def open_message(self, stop: str) -> None:
        self._block = 0
        self._stop = stop
        self._message = f"msg_{self._id('message').hex[:24]}"

    def _said(self, block: dict[str, Any], seconds: float) -> str:
        usage = {"input_tokens": 9000 + 40 * self._count, "output_tokens": 60}
        inner: dict[str, Any] = {"id": self._message, "type": "message", "role": "assistant", "model": _MODEL}
        inner |= {"content": [block], "stop_reason": self._stop, "stop_sequence": None, "usage": usage}
        record = {"message": inner, "apiBlockIndex": self._block, "requestId": f"req_{self._message[4:24]}"}
        self._block += 1
        return self._put(record | {"requestedModel": _MODEL, "type": "assistant", "madeBy": "model"}, seconds)

    def say(self, text: str, *, thinking: bool) -> None:
        block = {"type": "thinking", "thinking": text, "signature": "c2lnbmF0dXJl"}
        self._said(block if thinking else {"type": "text", "text": text}, 4)

    def use(self, call: Call) -> str:
        use = f"toolu_{self._id('tool').hex[:22]}"
        self._uses[use] = self._said({"type": "tool_use", "id": use, "name": call.name, "input": call.input}, 3)
        return use

    def result(self, use: str, call: Call) -> None:
        block: dict[str, Any] = {"tool_use_id": use, "type": "tool_result", "content": call.content}
        if call.failed or call.name == "Bash":
            block["is_error"] = call.failed
        fields: dict[str, Any] = {"toolUseResult": call.result, "sourceToolAssistantUUID": self._uses[use]}
        if call.denied:
            fields["toolDenialKind"] = "user-rejected"
        verdict = {"decision": "reject", "source": "user_reject"} if call.denied else {"decision": "accept"}
        self._user([block], 1, **fields, permissionDecision=verdict)

    def side(self, use: str, prompt: str) -> Chain:
        """A sub-agent's chain; the client keeps it in a file of its own, a script has it in place."""
        chain = Chain(self._seed, self.cwd, "a" + uuid.uuid5(_SPACE, use).hex[:16])
        chain._seconds, chain._prompt = self._seconds, self._prompt
        chain._user(prompt)
        return chain

    def join(self, side: Chain) -> None:
        self.lines += side.lines
        self._seconds = side._seconds
