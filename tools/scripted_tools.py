"""What each tool of the client is called with and what it answers, for scripted sessions."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import msgspec

_UPDATED = (
    "The file {} has been updated successfully. (file state is current in your context — no need to Read it back)"
)
_CREATED = "File created successfully at: {} (file state is current in your context — no need to Read it back)"
_REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, "
    "the new_string was NOT written to the file). "
)
_WAIT = "STOP what you are doing and wait for the user to tell you how to proceed."
_EXCERPT = re.compile(r"\s:(\d+)(?:\+(\d+))?$")
_AT_THE_TOP = ("import ", "from ", "use ", "#include", "#!", "require ", "const ", "declare ")
_MATCH_LINE = re.compile(r"^\S+?[:-]\d+[:-]")


class Call(msgspec.Struct, frozen=True):
    """One tool use with its answer: the text the model got and the client's own result object."""

    name: str
    input: dict[str, Any]
    content: Any
    result: Any
    failed: bool = False
    denied: bool = False
    agent_type: str = ""

    def refused(self, words: str) -> Call:
        said = f"To tell you how to proceed, the user said:\n{words}" if words else _WAIT
        return Call(self.name, self.input, _REFUSED + said, "User rejected tool use", failed=True, denied=True)

    def reported(self, report: str, agent: str) -> Call:
        """The same agent call, answered by the sub-agent's last words."""
        text = f"[Subagent hand-back] The report follows:\n  {report}\nagentId: {agent}"
        done = {
            "status": "completed",
            "prompt": self.input["prompt"],
            "agentId": agent,
            "agentType": self.agent_type,
            "content": [{"type": "text", "text": report}],
        }
        return msgspec.structs.replace(self, content=[{"type": "text", "text": text}], result=done)


class Files:
    """The files a session has seen, so that later results carry what the disk would hold."""

    def __init__(self, cwd: str) -> None:
        self.cwd = cwd
        self._texts: dict[str, str] = {}
        self.tasks: list[str] = []

    def full(self, path: str) -> str:
        if path.startswith("~"):
            return "/home/dev" + path[1:]
        return path if path.startswith("/") else f"{self.cwd}/{path}"

    def keep(self, path: str, text: str) -> None:
        self._texts[path] = text

    def known(self, path: str) -> str | None:
        return self._texts.get(path)


def tool_call(verb: str, mark: str, head: str, body: tuple[str, ...], files: Files) -> list[Call]:
    """The calls one step stands for: one, except for `todo`."""
    if verb == "todo":
        return [_new_task(subject.strip(), files) for subject in head.split(";")]
    if verb == "edit":
        return [_edit(head, body, files, mark)]
    call = _VERBS[verb](head, body, files)
    return [_failed(call, "\n".join(body)) if mark == "!" else call]


def _failed(call: Call, text: str) -> Call:
    if call.name == "Bash":
        text = f"Exit code 1\n{call.result['stdout']}".rstrip()
    elif not text:
        text = "File does not exist. Note: your current working directory is /home/dev."
    return Call(call.name, call.input, text, f"Error: {text}", failed=True)


def _read(head: str, body: tuple[str, ...], files: Files) -> Call:
    part = _EXCERPT.search(head)
    path = files.full(head[: part.start()] if part else head)
    first = int(part[1]) if part else 1
    asked: dict[str, Any] = {"file_path": path}
    if part:
        asked |= {"offset": first, "limit": int(part[2] or 60)}
    text = "\n".join(body) or files.known(path) or ""
    files.keep(path, text)
    lines = text.split("\n")
    numbered = "\n".join(f"{first + at}\t{line}" for at, line in enumerate(lines))
    file = {
        "filePath": path,
        "content": text,
        "numLines": len(lines),
        "startLine": first,
        "totalLines": first + len(lines),
    }
    return Call("Read", asked, numbered, {"type": "text", "file": file})


def _edit(head: str, body: tuple[str, ...], files: Files, mark: str) -> Call:
    path = files.full(head)
    body = _anchored(body, files.known(path) or "")
    old = "\n".join(line[2:] for line in body if line[:1] != "+")
    new = "\n".join(line[2:] for line in body if line[:1] != "-")
    asked = {"replace_all": mark == "*", "file_path": path, "old_string": old, "new_string": new}
    if mark == "!":
        text = f"<tool_use_error>String to replace not found in file.\nString: {old}</tool_use_error>"
        return Call("Edit", asked, text, f"Error: String to replace not found in file.\nString: {old}", failed=True)
    before = files.known(path) or ""
    before = before if old in before else f"{before}\n{old}".lstrip("\n")
    files.keep(path, before.replace(old, new, 1))
    signed = [(line[:1] if line[:1] in ("+", "-") else " ") + line[2:] for line in body]
    hunk = {"oldStart": 1, "oldLines": old.count("\n") + 1, "newStart": 1, "newLines": new.count("\n") + 1}
    done = {
        "filePath": path,
        "oldString": old,
        "newString": new,
        "originalFile": before,
        "structuredPatch": [{**hunk, "lines": signed}],
        "userModified": False,
        "replaceAll": mark == "*",
    }
    return Call("Edit", asked, _UPDATED.format(path), done)


def _anchored(body: tuple[str, ...], known: str) -> tuple[str, ...]:
    """A bare insertion held to a line of the file, as the client refuses to replace nothing."""
    lines = [line for line in known.split("\n") if line]
    if not lines or any(line[:1] != "+" for line in body):
        return body
    if body[0][2:].startswith(_AT_THE_TOP):
        return (*body, f"  {lines[0]}")
    return (f"  {lines[-1]}", *body)


def _write(head: str, body: tuple[str, ...], files: Files) -> Call:
    path = files.full(head)
    text = "\n".join(body) + "\n"
    before = files.known(path)
    files.keep(path, text)
    done: dict[str, Any] = {
        "type": "create" if before is None else "update",
        "filePath": path,
        "content": text,
        "structuredPatch": [],
        "originalFile": before,
        "userModified": False,
    }
    said = (_CREATED if before is None else _UPDATED).format(path)
    return Call("Write", {"file_path": path, "content": text}, said, done)


def _notebook(head: str, body: tuple[str, ...], files: Files) -> Call:
    path, _, cell = head.partition(" ")
    asked = {"notebook_path": files.full(path), "cell_id": cell or "cell-0", "new_source": "\n".join(body)}
    asked |= {"cell_type": "code", "edit_mode": "replace"}
    done = {**asked, "language": "python", "error": ""}
    return Call("NotebookEdit", asked, f"Updated cell {asked['cell_id']} with {asked['new_source']}", done)


def _grep(head: str, body: tuple[str, ...], files: Files) -> Call:
    pattern, _, where = head.partition(" :: ")
    asked: dict[str, Any] = {"pattern": pattern}
    if where:
        asked["path"] = files.full(where)
    if any(_MATCH_LINE.match(line) for line in body):
        asked |= {"output_mode": "content", "-n": True}
        text = "\n".join(body)
        return Call("Grep", asked, text, {"mode": "content", "content": text, "numLines": len(body), "filenames": []})
    found = [line for line in body if line]
    noun = "file" if len(found) == 1 else "files"
    text = "\n".join([f"Found {len(found)} {noun}", *found]) if found else "No files found"
    asked["output_mode"] = "files_with_matches"
    counts = {"numFiles": len(found), "totalFiles": len(found)}
    return Call("Grep", asked, text, {"mode": "files_with_matches", "filenames": found, **counts})


def _glob(head: str, body: tuple[str, ...], files: Files) -> Call:
    pattern, _, where = head.partition(" :: ")
    asked = {"pattern": pattern} | ({"path": files.full(where)} if where else {})
    found = [files.full(line) for line in body if line]
    done = {"filenames": found, "durationMs": 12, "numFiles": len(found), "truncated": False}
    return Call("Glob", asked, "\n".join(found) or "No files found", done)


def _bash(head: str, body: tuple[str, ...], _files: Files) -> Call:
    more = [line[2:] for line in body if line.startswith("| ") or line == "|"]
    output = "\n".join(line for line in body if not (line.startswith("| ") or line == "|"))
    command = "\n".join([head, *more])
    done = {"stdout": output, "stderr": "", "interrupted": False, "isImage": False, "noOutputExpected": not output}
    asked = {"command": command, "description": f"Run {head.partition(' ')[0]}"}
    return Call("Bash", asked, output or "(Bash completed with no output)", done)


def _ls(head: str, body: tuple[str, ...], files: Files) -> Call:
    return _bash(f"ls {head}".rstrip(), body, files)


def _fetch(head: str, body: tuple[str, ...], _files: Files) -> Call:
    text = "\n".join(body)
    done = {"bytes": len(text), "code": 200, "codeText": "OK", "result": text, "url": head}
    return Call("WebFetch", {"url": head, "prompt": "What does this page say?"}, text, done)


def _web(head: str, body: tuple[str, ...], _files: Files) -> Call:
    text = "\n".join(body)
    return Call("WebSearch", {"query": head}, text, {"query": head, "results": [text], "durationSeconds": 1})


def _other(head: str, body: tuple[str, ...], _files: Files) -> Call:
    name, _, raw = head.partition(" ")
    text = "\n".join(body)
    return Call(name, msgspec.json.decode(raw or "{}", type=dict[str, Any]), text, [{"type": "text", "text": text}])


def _agent(head: str, _body: tuple[str, ...], _files: Files) -> Call:
    kind, _, prompt = head.partition(":")
    words = prompt.strip()
    asked = {"description": " ".join(words.split()[:5]), "prompt": words, "subagent_type": kind.strip()}
    return Call("Agent", asked, "", {}, agent_type=kind.strip())


def _new_task(subject: str, files: Files) -> Call:
    files.tasks.append(subject)
    number = str(len(files.tasks))
    asked = {"subject": subject, "description": subject, "activeForm": subject}
    task = {"id": number, "subject": subject, "description": subject}
    return Call("TaskCreate", asked, f"Task #{number} created successfully: {subject}", {"task": task})


def _task_done(head: str, _body: tuple[str, ...], _files: Files) -> Call:
    done: dict[str, Any] = {"success": True, "taskId": head, "updatedFields": ["status"]}
    done["statusChange"] = {"from": "in_progress", "to": "completed"}
    return Call("TaskUpdate", {"taskId": head, "status": "completed"}, f"Updated task #{head} status", done)


_VERBS: dict[str, Callable[[str, tuple[str, ...], Files], Call]] = {
    "read": _read,
    "write": _write,
    "notebook": _notebook,
    "grep": _grep,
    "glob": _glob,
    "$": _bash,
    "ls": _ls,
    "fetch": _fetch,
    "web": _web,
    "tool": _other,
    "agent": _agent,
    "done": _task_done,
}
