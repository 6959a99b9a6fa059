"""Agents that work on real files with the hooks of the real client around each call, and a person beside them."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from leeboard.surfaces import edge

JSON = dict[str, Any]


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What a hook said."""

    denied: bool = False
    words: str = ""


class HookedAgent:
    """One agent of a session. Its calls are carried out unless they are denied."""

    def __init__(self, repo: Path, session: str = "s", agent: str = "", profile: str = "advise") -> None:
        self.repo = repo
        self.session = session
        self.agent = agent
        self.env: Mapping[str, str] = {"LEEBOARD_PROFILE": profile, "LEEBOARD_INDEX": "0", "LEEBOARD_KEEP": "0"}
        self._calls = 0

    def hook(self, name: str, **fields: object) -> Answer:
        return read_answer(self.answer(name, **fields))

    def answer(self, name: str, **fields: object) -> bytes:
        """As the client gets it."""
        who = {"agent_id": self.agent, "agent_type": "worker"} if self.agent else {}
        payload = {"session_id": self.session, "cwd": str(self.repo), "hook_event_name": name, **who, **fields}
        return edge.answer(msgspec.json.encode(payload), self.env)

    def prompt(self, text: str) -> str:
        self._calls += 1
        return self.hook("UserPromptSubmit", prompt=text, prompt_id=f"p{self.session}{self._calls}").words

    def call(self, tool: str, given: JSON) -> JSON:
        self._calls += 1
        return {"tool_name": tool, "tool_input": given, "tool_use_id": f"t-{self.session}-{self.agent}-{self._calls}"}

    def read(self, path: str, first: int = 1, last: int = 0) -> None:
        span = {"offset": first, "limit": last - first + 1} if last else {}
        call = self.call("Read", {"file_path": str(self.repo / path), **span})
        self.hook("PreToolUse", **call)
        lines = (self.repo / path).read_text(encoding="utf-8").split("\n")
        shown = "\n".join(lines[first - 1 : last or len(lines)])
        file = {"filePath": str(self.repo / path), "content": shown, "startLine": first, "totalLines": len(lines)}
        self.hook("PostToolUse", **call, tool_response={"type": "text", "file": file})
        self.end_turn()

    def propose(self, tool: str, given: JSON) -> tuple[Answer, JSON]:
        call = self.call(tool, given)
        return self.hook("PreToolUse", **call), call

    def propose_edit(self, path: str, old: str, new: str) -> tuple[Answer, JSON]:
        given = {"file_path": str(self.repo / path), "old_string": old, "new_string": new, "replace_all": False}
        return self.propose("Edit", given)

    def land_edit(self, call: JSON) -> Answer:
        """Carry it out as the client does, and tell of it."""
        given = call["tool_input"]
        place = Path(given["file_path"])
        before = place.read_text(encoding="utf-8") if place.exists() else ""
        if given["old_string"] not in before:
            return self.hook("PostToolUseFailure", **call, error="String to replace not found in file.")
        place.write_text(before.replace(given["old_string"], given["new_string"], 1), encoding="utf-8")
        return self.hook("PostToolUse", **call, tool_response=edited(given, before))

    def edit(self, path: str, old: str, new: str) -> Answer:
        answer, call = self.propose_edit(path, old, new)
        if not answer.denied:
            landed = self.land_edit(call)
            answer = msgspec.structs.replace(answer, words=answer.words + landed.words)
        self.end_turn()
        return answer

    def write(self, path: str, content: str) -> Answer:
        answer, call = self.propose("Write", {"file_path": str(self.repo / path), "content": content})
        if not answer.denied:
            self.land_write(call)
        self.end_turn()
        return answer

    def land_write(self, call: JSON) -> Answer:
        place, content = Path(call["tool_input"]["file_path"]), call["tool_input"]["content"]
        before = place.read_text(encoding="utf-8") if place.exists() else None
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(content, encoding="utf-8")
        told = {"type": "update", "filePath": str(place), "content": content, "originalFile": before}
        return self.hook("PostToolUse", **call, tool_response=told)

    def bash(self, command: str) -> Answer:
        answer, call = self.propose("Bash", {"command": command})
        if not answer.denied:
            self.land_bash(call, run(self.repo, command))
        self.end_turn()
        return answer

    def land_bash(self, call: JSON, done: subprocess.CompletedProcess[bytes]) -> Answer:
        response = {"stdout": done.stdout.decode(errors="replace").rstrip("\n"), "stderr": ""}
        name = "PostToolUse" if done.returncode == 0 else "PostToolUseFailure"
        told = {"tool_response": response} if done.returncode == 0 else {"error": "Exit code 1"}
        return self.hook(name, **call, **told)

    def end_turn(self) -> str:
        call = {"tool_name": "Read", "tool_input": {}, "tool_use_id": f"x{self._calls}", "tool_response": ""}
        return self.hook("PostToolBatch", tool_calls=[call]).words


def save(place: Path, text: str) -> None:
    """As a person who saves it now. The clock of files lags behind: it is saved until it shows that."""
    began = time.time()
    place.write_text(text, encoding="utf-8")
    while place.stat().st_ctime < began:
        place.write_text(text, encoding="utf-8")


def edited(given: JSON, before: str) -> JSON:
    """What the client tells of an Edit."""
    return {
        "filePath": given["file_path"],
        "oldString": given["old_string"],
        "newString": given["new_string"],
        "originalFile": before,
        "structuredPatch": [],
        "userModified": False,
        "replaceAll": False,
    }


def read_answer(answer: bytes) -> Answer:
    specific = msgspec.json.decode(answer).get("hookSpecificOutput", {}) if answer else {}
    denied = specific.get("permissionDecision") == "deny"
    words = str(specific.get("permissionDecisionReason", "")) + str(specific.get("additionalContext", ""))
    return Answer(denied=denied, words=words)


def run(repo: Path, command: str) -> subprocess.CompletedProcess[bytes]:
    """By a process of its own: it is nobody's call."""
    who = {
        f"GIT_{role}_{part}": "kim@example.invalid" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")
    }
    env = {"PATH": os.environ["PATH"], "HOME": str(repo.parent), **who}
    return subprocess.run(("/bin/sh", "-c", command), cwd=repo, env=env, capture_output=True, check=False)
