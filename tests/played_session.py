"""Whole sessions, played live: a script of what people and agents do, on a real repository, through the real hook.

Scripts are written in the words of `tools.scripted`, several in a file, each under a line `=== name` with a line `tree:`
(the repository it begins in) and, where the agent goes astray, a line `rules:` (who may speak of it). Two things differ
from a recorded session: a shell line without a body is really run, and `/sh` is the person at work in a terminal.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from leeboard.source.index.refresh import refresh
from leeboard.surfaces import edge
from tests.git_repository import ENVIRONMENT, GitRepository
from tests.leak import live_key
from tools.scripted import Step, parse

FIXTURES = Path(__file__).parent / "fixtures" / "kinds"
LONG_AGO = "2020-01-01T00:00:00Z"
SECONDS = 30
JSON = dict[str, Any]


class Script(msgspec.Struct, frozen=True):
    """One session of a table."""

    name: str
    tree: str
    rules: tuple[str, ...]
    steps: tuple[Step, ...]


def scripts(kind: str) -> tuple[Script, ...]:
    """All sessions of a kind, `ordinary` or `drift`."""
    files = sorted(FIXTURES.glob(f"{kind}_*.txt"))
    return tuple(script for file in files for script in _scripts(file.read_text(encoding="utf-8")))


def _scripts(table: str) -> Iterator[Script]:
    for part in f"\n{table}".replace("«live key»", live_key(7)).split("\n=== ")[1:]:
        name, *lines = part.split("\n")
        heads = dict(line.split(": ", 1) for line in lines[:2] if line.startswith(("tree: ", "rules: ")))
        rules = tuple(rule for rule in heads.get("rules", "").split(", ") if rule)
        yield Script(name, heads["tree"], rules, tuple(parse("\n".join(lines[len(heads) :]))))


class Said(msgspec.Struct, frozen=True):
    """What was answered to a step."""

    step: str
    words: str
    refused: bool
    shown: str
    """What the person sees of it."""


class PlayedSession:
    """`folder` holds the repository, its remote and the home of its user."""

    def __init__(self, folder: Path, session: str = "s") -> None:
        self.repo, self.home = folder / "repo", folder / "home"
        self.said: list[Said] = []
        self._session = session
        self._transcript = folder / "transcript.jsonl"
        self._agent = ""
        self._count = 0
        self._known: set[str] = set()
        self._last_words = ""
        self._is_begun = False

    def make(self, tree: str) -> None:
        """The repository as its people left it: committed long ago, and pushed."""
        self.home.mkdir(parents=True)
        git = GitRepository(self.repo)
        for part in (FIXTURES / f"{tree}.tree").read_text(encoding="utf-8").split("==> ")[1:]:
            path, _, text = part.partition("\n")
            git.write(path, text)
        git.commit("Import", at=LONG_AGO)
        git.run("clone", "-q", "--bare", str(self.repo), str(self.repo.parent / "origin.git"))
        git.run("remote", "add", "origin", str(self.repo.parent / "origin.git"))
        git.run("fetch", "-q", "origin")
        git.run("branch", "-q", "--set-upstream-to=origin/main", "main")

    def play(self, script: Script) -> list[Said]:
        """Carry out all of it but what is refused; what was said on the way."""
        before = [step for step in script.steps if step.verb == "/sh"]
        began = 0
        while script.steps[began] in before:
            self._person(script.steps[began])
            began += 1
        self._age()
        self._is_begun = True
        refresh(str(self.repo), lambda: True)
        self._hook("SessionStart", "the start", source="startup")
        for step in script.steps[began:]:
            self._do(step)
        self._stop()
        self._hook("SessionEnd", "the end", reason="other")
        return self.said

    def _age(self) -> None:
        """What stands there was not made a moment ago."""
        for place in (self.repo, self.home):
            for file in (file for file in place.rglob("*") if ".git" not in file.parts):
                os.utime(file, (1_500_000_000, 1_500_000_000), follow_symlinks=False)

    def _do(self, step: Step) -> None:
        match step.verb:
            case "/sh":
                self._person(step)
            case "@":
                self._prompt(step)
            case "~" | "?":
                self._speak(step)
            case "compact":
                self._hook("PreCompact", "compact", trigger=step.head or "manual", custom_instructions="")
                self._hook("SessionStart", "compact", source="compact")
                self._known.clear()
            case "agent":
                self._delegate(step)
            case _:
                self._call(step)

    def _prompt(self, step: Step) -> None:
        if self._last_words:
            self._stop()
        self._count += 1
        self._hook("UserPromptSubmit", _text(step), prompt=_text(step), prompt_id=f"p{self._count}")

    def _speak(self, step: Step) -> None:
        self._last_words = _text(step)
        self._count += 1
        content = [{"type": "text", "text": self._last_words}]
        message = {"id": f"msg_{self._count}", "type": "message", "role": "assistant", "content": content}
        record = {"type": "assistant", "uuid": f"u{self._count}", "sessionId": self._session, "message": message}
        with self._transcript.open("ab") as file:
            file.write(msgspec.json.encode({**record, "isSidechain": bool(self._agent)}) + b"\n")

    def _stop(self) -> None:
        self._hook("Stop", self._last_words, stop_hook_active=False, last_assistant_message=self._last_words)
        self._last_words = ""

    def _delegate(self, step: Step) -> None:
        kind, _, prompt = step.head.partition(": ")
        given = {"description": prompt[:30], "prompt": prompt, "subagent_type": kind}
        if not (call := self._proposed("Agent", given, step.head)):
            return
        self._count += 1
        who = {"agent_id": f"a{self._count}", "agent_type": kind}
        self._hook("SubagentStart", step.head, **who)
        self._agent = who["agent_id"]
        for inner in parse("\n".join(step.body)):
            self._do(inner)
        self._agent, report, self._last_words = "", self._last_words, ""
        self._hook("SubagentStop", step.head, **who, stop_hook_active=False, last_assistant_message=report)
        content = [{"type": "text", "text": report}]
        self._landed(call, step.head, {"status": "completed", **who, "content": content})

    def _call(self, step: Step) -> None:
        made = {"$": self._bash, "edit": self._edit, "write": self._write, "read": self._read, "notebook": self._cell}
        if step.verb in made:
            made[step.verb](step)
            return
        text = "\n".join(step.body)
        given: JSON
        if step.verb == "grep":
            pattern, _, path = step.head.partition(" :: ")
            tool, given = "Grep", {"pattern": pattern, "path": path or ".", "output_mode": "content"}
            text = text or self._run(f"git grep -n -e '{pattern}'").stdout.decode(errors="replace")
            response: JSON = {"mode": "content", "content": text}
        elif step.verb == "fetch":
            tool, given = "WebFetch", {"url": step.head, "prompt": "read it"}
            response = {"code": 200, "result": text, "url": step.head}
        else:
            tool, _, arguments = step.head.partition(" ")
            given, response = msgspec.json.decode(arguments), {"text": text}
        if call := self._proposed(tool, given, step.head):
            self._landed(call, step.head, response)

    def _bash(self, step: Step) -> None:
        more = [line.removeprefix("| ").removeprefix("|") for line in step.body if line.startswith("|")]
        output = "\n".join(line for line in step.body if not line.startswith("|"))
        command = "\n".join((step.head, *more))
        if not (call := self._proposed("Bash", {"command": command}, command)):
            return
        code = int(step.mark == "!")
        if not output:
            done = self._run(command)
            code, output = done.returncode, (done.stdout + done.stderr).decode(errors="replace")
        response = {"stdout": output.rstrip("\n"), "stderr": "", "interrupted": False}
        self._landed(call, command, response, f"Exit code {code}\n{output}" if code else "")

    def _read(self, step: Step) -> None:
        place = self.repo / step.head
        if not (call := self._proposed("Read", {"file_path": str(place)}, f"read {step.head}")):
            return
        self._known.add(step.head)
        text = place.read_text(encoding="utf-8")
        lines = text.count("\n") + 1
        file = {"filePath": str(place), "content": text, "numLines": lines, "startLine": 1, "totalLines": lines}
        self._landed(call, step.head, {"type": "text", "file": file})

    def _edit(self, step: Step) -> None:
        """The client insists on a Read before it."""
        if step.head not in self._known:
            self._read(step)
        old = "\n".join(line[2:] for line in step.body if line[:1] != "+")
        new = "\n".join(line[2:] for line in step.body if line[:1] != "-")
        place = self.repo / step.head
        before = place.read_text(encoding="utf-8")
        given = {"file_path": str(place), "old_string": old, "new_string": new, "replace_all": False}
        if not (call := self._proposed("Edit", given, f"edit {step.head}")):
            return
        if old not in before:
            self._landed(call, step.head, {}, "String to replace not found in file.")
            assert any(said.refused for said in self.said), f"{old!r} is not in {step.head}"
            return
        place.write_text(before.replace(old, new, 1), encoding="utf-8")
        told = {"filePath": str(place), "oldString": old, "newString": new, "originalFile": before}
        self._landed(call, step.head, {**told, "structuredPatch": [], "userModified": False, "replaceAll": False})

    def _write(self, step: Step) -> None:
        place, content = self.repo / step.head, "\n".join(step.body) + "\n"
        if not (call := self._proposed("Write", {"file_path": str(place), "content": content}, f"write {step.head}")):
            return
        before = place.read_text(encoding="utf-8") if place.exists() else None
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(content, encoding="utf-8")
        self._known.add(step.head)
        kind = "create" if before is None else "update"
        told = {"type": kind, "filePath": str(place), "content": content, "originalFile": before}
        self._landed(call, step.head, {**told, "structuredPatch": []})

    def _cell(self, step: Step) -> None:
        path, _, cell = step.head.partition(" ")
        given = {"notebook_path": str(self.repo / path), "cell_id": cell, "new_source": "\n".join(step.body)}
        if call := self._proposed("NotebookEdit", given, step.head):
            self._landed(call, step.head, given)

    def _proposed(self, tool: str, given: JSON, step: str) -> JSON | None:
        self._count += 1
        call = {"tool_name": tool, "tool_input": given, "tool_use_id": f"t{self._count}"}
        answer = self._hook("PreToolUse", step, **call)
        is_denied = answer.get("hookSpecificOutput", {}).get("permissionDecision") == "deny"
        return None if is_denied else call

    def _landed(self, call: JSON, step: str, response: JSON, error: str = "") -> None:
        if error:
            self._hook("PostToolUseFailure", step, **call, error=error)
        else:
            self._hook("PostToolUse", step, **call, tool_response=response)
        self._hook("PostToolBatch", step, tool_calls=[{**call, "tool_response": ""}])

    def _hook(self, name: str, step: str, **fields: object) -> JSON:
        who = {"agent_id": self._agent, "agent_type": "general-purpose"} if self._agent else {}
        where = {"session_id": self._session, "cwd": str(self.repo), "transcript_path": str(self._transcript)}
        payload = {**where, "hook_event_name": name, **who, **fields}
        answer = edge.answer(msgspec.json.encode(payload), {"LEEBOARD_INDEX": "0", "LEEBOARD_KEEP": "0"})
        told: JSON = msgspec.json.decode(answer) if answer else {}
        specific = told.get("hookSpecificOutput", {})
        refused = specific.get("permissionDecision") == "deny"
        words = (told.get("reason", ""), specific.get("permissionDecisionReason", ""), _context(name, specific))
        shown = str(told.get("systemMessage", ""))
        if any(words) or shown:
            self.said.append(Said(f"{name}: {step}", "\n".join(filter(None, words)), refused, shown))
        return told

    def _person(self, step: Step) -> None:
        done = self._run(_text(step))
        assert done.returncode == 0, (_text(step), done.stderr)

    def _run(self, command: str) -> subprocess.CompletedProcess[bytes]:
        when = {} if self._is_begun else {"GIT_AUTHOR_DATE": LONG_AGO, "GIT_COMMITTER_DATE": LONG_AGO}
        env = {**ENVIRONMENT, "PATH": os.environ["PATH"], "HOME": str(self.home), **when}
        line = ("/bin/bash", "-c", command)
        return subprocess.run(
            line, cwd=self.repo, env=env, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=SECONDS
        )


def _context(name: str, specific: JSON) -> str:
    """A briefing at the start says nothing about the work."""
    return "" if name == "SessionStart" else str(specific.get("additionalContext", ""))


def _text(step: Step) -> str:
    return "\n".join((step.head, *step.body) if step.head else step.body)
