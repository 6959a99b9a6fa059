"""An agent at work in a real repository with the hooks of the real client around each call: what it is told."""

from __future__ import annotations

import subprocess
from pathlib import Path

import msgspec

from leeboard.surfaces import edge
from tests.hooked_agent import HookedAgent

Step = tuple[str, ...]
"""`run`, line, exit code, output: a line whose end the client tells. `shell`, line: one that is carried out. `edit`, path,
old, new. `write`, path, text. `fail`, path, old: an edit that fits
nowhere. `tool`, name, task. `fetch`, address, text: a page. `say`, text: the user speaks. `stop`, text: the agent ends."""


class CheckedWork(HookedAgent):
    """All that is said to the agent is kept."""

    def __init__(self, repo: Path, files: dict[str, str], session: str) -> None:
        super().__init__(repo, session=session)
        self.said: list[str] = []
        self.refused = 0
        repo.mkdir(parents=True)
        for path, text in files.items():
            (repo / path).parent.mkdir(parents=True, exist_ok=True)
            (repo / path).write_text(text, encoding="utf-8")
        for line in ("init -q", "add -A", "-c user.name=a -c user.email=a@b.c commit -q --allow-empty -m start"):
            subprocess.run(("git", *line.split()), cwd=repo, check=True, capture_output=True)

    def hook(self, name: str, **fields: object) -> object:  # type: ignore[override]  # one answer for every moment
        payload = {"session_id": self.session, "cwd": str(self.repo), "hook_event_name": name, **fields}
        answer = edge.answer(msgspec.json.encode(payload), self.env)
        told = msgspec.json.decode(answer) if answer else {}
        specific = told.get("hookSpecificOutput", {})
        words = [told.get("reason", ""), specific.get("additionalContext", "")]
        words.append(specific.get("permissionDecisionReason", ""))
        self.refused += specific.get("permissionDecision") == "deny"
        self.said += [one for one in words if "code=" in one]
        return told

    def do(self, step: Step) -> None:  # noqa: C901 - a table of steps
        kind, *given = step
        match kind:
            case "say":
                self._calls += 1
                self.hook("UserPromptSubmit", prompt=given[0], prompt_id=f"p{self._calls}")
            case "stop":
                self.hook("Stop", stop_hook_active=False, last_assistant_message=given[0])
            case "edit":
                self._edit(*given)
            case "fail":
                edit = {"file_path": str(self.repo / given[0]), "old_string": given[1], "new_string": "x"}
                self._tell("Edit", edit, 1, "String to replace not found in file.")
            case "write":
                self._write(*given)
            case "run":
                self._tell("Bash", {"command": given[0]}, int(given[1]), given[2])
            case "shell":
                self._shell(given[0])
            case "tool":
                self._tell(given[0], {"prompt": given[1], "description": given[1]}, 0, "done")
            case "fetch":
                self._tell("WebFetch", {"url": given[0], "prompt": "read it"}, 0, given[1])
            case "read":
                self._read(given[0])

    def _tell(self, tool: str, given: dict[str, str], code: int, output: str) -> None:
        call = self.call(tool, given)
        self.hook("PreToolUse", **call)
        if code:
            self.hook("PostToolUseFailure", **call, error=f"Exit code {code}\n{output}")
        else:
            response = {"stdout": output, "stderr": ""} if tool == "Bash" else {"result": output}
            self.hook("PostToolUse", **call, tool_response=response)
        self._ended(call)

    def _ended(self, call: dict[str, object]) -> None:
        self.hook("PostToolBatch", tool_calls=[{**call, "tool_response": ""}])

    def _shell(self, line: str) -> None:
        call = self.call("Bash", {"command": line})
        self.hook("PreToolUse", **call)
        done = subprocess.run(("sh", "-c", line), cwd=self.repo, capture_output=True, text=True, check=False)
        name = "PostToolUse" if done.returncode == 0 else "PostToolUseFailure"
        told = {"tool_response": {"stdout": done.stdout, "stderr": done.stderr}}
        self.hook(name, **call, **(told if done.returncode == 0 else {"error": f"Exit code {done.returncode}"}))
        self._ended(call)

    def _edit(self, path: str, old: str, new: str) -> None:
        place = self.repo / path
        call = self.call("Edit", {"file_path": str(place), "old_string": old, "new_string": new})
        self.hook("PreToolUse", **call)
        before = place.read_text(encoding="utf-8")
        assert old in before, f"{old!r} is not in {path}"
        place.write_text(before.replace(old, new, 1), encoding="utf-8")
        told = {"filePath": str(place), "oldString": old, "newString": new, "originalFile": before}
        self.hook("PostToolUse", **call, tool_response=told)
        self._ended(call)

    def _write(self, path: str, text: str) -> None:
        place = self.repo / path
        call = self.call("Write", {"file_path": str(place), "content": text})
        self.hook("PreToolUse", **call)
        before = place.read_text(encoding="utf-8") if place.exists() else None
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
        told = {"type": "update", "filePath": str(place), "content": text, "originalFile": before}
        self.hook("PostToolUse", **call, tool_response=told)
        self._ended(call)

    def _read(self, path: str) -> None:
        place = self.repo / path
        call = self.call("Read", {"file_path": str(place)})
        self.hook("PreToolUse", **call)
        text = place.read_text(encoding="utf-8")
        file = {"filePath": str(place), "content": text, "startLine": 1, "totalLines": text.count("\n") + 1}
        self.hook("PostToolUse", **call, tool_response={"type": "text", "file": file})
        self._ended(call)


def said_by(code: str, folder: Path, files: dict[str, str], steps: tuple[Step, ...]) -> list[str]:
    """What the rule of this code says to an agent that takes these steps."""
    work = CheckedWork(folder / "repo", files, session=folder.name)
    for step in steps:
        work.do(step)
    return [one for one in work.said if f"{code}" in one]
