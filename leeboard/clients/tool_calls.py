"""Tool uses of every client in one shape. Whatever has a wrong type counts as missing; nothing here raises."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import msgspec

from leeboard.model.event import TextEdit, ToolCall
from leeboard.model.text import lazy
from leeboard.model.workspace import is_whole

Fields = Mapping[str, object]

_QUERY_LIMIT = 8_000
_FLAG_LIMIT = 300
_LAST_LINE = 1 << 40
_PATH_KEYS = ("file_path", "filePath", "notebook_path", "path", "filename", "absolute_path", "dir_path")
_OLD_KEYS = ("old_string", "oldString", "old_str")
_NEW_KEYS = ("new_string", "newString", "new_str", "insert_text", "new_source")
_CONTENT_KEYS = ("content", "file_text", "contents")
_SEARCH_KEYS = ("pattern", "query", "glob", "include")
_PATCH_KEYS = ("input", "command", "patch", "patchText", "patch_text")
_SHELL = lazy(r"(?:.*[/\\])?(?:bash|sh|zsh|dash|ksh|pwsh|powershell|cmd)(?:\.exe)?", re.DOTALL)
_RUN_FLAGS = frozenset({"-c", "-lc", "-ic", "-lic", "-ilc", "-command", "/c"})


def parse_call(call_id: str, tool: str, tool_input: object) -> ToolCall:
    """A call as a ToolCall. `tool_input` is an object, or text: JSON of an object, or a bare patch."""
    parse, fields = _BY_TOOL.get(tool.lower(), _parse_other), read_fields(tool_input)
    if tool.startswith("mcp__"):
        from leeboard.clients.server_files import file_call  # noqa: PLC0415 - only for tools of servers

        return file_call(call_id, tool, fields) or parse(call_id, tool, fields)
    return parse(call_id, tool, fields)


def parse_todos(tool: str, tool_input: object) -> tuple[str, ...]:
    """The texts of a to-do list or plan; empty for every other tool."""
    name = tool.lower()
    if name not in _TODO_TOOLS:
        return ()
    fields = read_fields(tool_input)
    if name == "taskcreate" and (text := _first(fields, ("subject", "description"))):
        return (text,)
    items = next((items for key in ("todos", "plan", "tasks") if isinstance(items := fields.get(key), list)), [])
    return tuple(text for item in items if (text := _todo_text(item)))


def folder_of(tool_input: object, cwd: str) -> str:
    """Where the call runs: the folder that it names for itself, else that of its agent."""
    fields = read_fields(tool_input)
    action = fields.get("action")
    folder = _first(action if isinstance(action, dict) else fields, ("workdir", "working_directory"))
    if not folder:
        return cwd
    return folder if is_whole(folder) or not cwd else f"{cwd.rstrip('/')}/{folder}"


def read_fields(tool_input: object) -> Fields:
    """The named parts of a tool's input, however it was packed."""
    if isinstance(tool_input, str):
        return _unpack(tool_input)
    return tool_input if isinstance(tool_input, dict) else {}


def _unpack(text: str) -> Fields:
    try:
        unpacked = msgspec.json.decode(text)
    except (ValueError, RecursionError):
        return {"input": text}
    return unpacked if isinstance(unpacked, dict) else {"input": text}


def _first(fields: Fields, keys: tuple[str, ...]) -> str:
    """The first non-empty string under one of the keys."""
    return next((text for key in keys if isinstance(text := fields.get(key), str) and text), "")


def _paths(fields: Fields) -> tuple[str, ...]:
    path = _first(fields, _PATH_KEYS)
    return (path,) if path else ()


def _todo_text(item: object) -> str:
    if isinstance(item, str):
        return item
    return _first(read_fields(item), ("content", "step", "subject", "description", "text", "title", "task"))


def _parse_edit(call_id: str, tool: str, fields: Fields) -> ToolCall:
    several = fields.get("edits")
    pieces = several if isinstance(several, list) and several else [fields]
    edits = tuple(edit for piece in pieces if (edit := _text_edit(read_fields(piece))))
    return ToolCall(id=call_id, tool=tool, action="edit", paths=_paths(fields), edits=edits)


def _text_edit(fields: Fields) -> TextEdit | None:
    old, new = _first(fields, _OLD_KEYS), _first(fields, _NEW_KEYS)
    places = (fields.get(key) for key in ("cell_id", "cell_number", "insert_line"))
    at = next((str(place) for place in places if isinstance(place, str | int)), "")
    return TextEdit(old, new, at) if old or new else None


def _parse_write(call_id: str, tool: str, fields: Fields) -> ToolCall:
    edits = (TextEdit("", _first(fields, _CONTENT_KEYS)),)
    return ToolCall(id=call_id, tool=tool, action="write", paths=_paths(fields), edits=edits)


def _parse_editor(call_id: str, tool: str, fields: Fields) -> ToolCall:
    """The text editor of the API, whose `command` says which of three tools it is."""
    parse = {"view": _parse_read, "create": _parse_write}.get(_first(fields, ("command",)), _parse_edit)
    return parse(call_id, tool, fields)


def _parse_read(call_id: str, tool: str, fields: Fields) -> ToolCall:
    terms = " ".join(term for key in _SEARCH_KEYS if (term := _first(fields, (key,))))
    flags = " ".join(f"{key}={value}" for key, value in sorted(fields.items()) if _is_flag(key, value)) if terms else ""
    span = (0, 0) if terms else _span(fields)
    return ToolCall(
        id=call_id, tool=tool, action="read", paths=_paths(fields), query=terms, flags=flags[:_FLAG_LIMIT], span=span
    )


def _is_flag(key: str, value: object) -> bool:
    """Whatever of a search is neither what it looked for nor where."""
    known = key in _SEARCH_KEYS or key in _PATH_KEYS
    return isinstance(value, str | int) and value not in ("", False) and not known


def _span(fields: Fields) -> tuple[int, int]:
    """The lines that are asked for. Clients count from one; a zero is their first line too."""
    several = fields.get("view_range")
    if isinstance(several, list) and len(several) == 2:
        first, last = _number(several[0]), _number(several[1])
        return max(first, 1), last
    first = _number(fields.get("offset")) or _number(fields.get("start_line"))
    limit, last = _number(fields.get("limit")), _number(fields.get("end_line"))
    if limit:
        last = max(first, 1) + limit - 1
    return (max(first, 1), last) if first > 1 or last else (0, 0)


def _number(value: object) -> int:
    """A line number; minus one, "to the end", is none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < _LAST_LINE else 0


def _parse_shell(call_id: str, tool: str, fields: Fields) -> ToolCall:
    action = fields.get("action")
    argv = _argv(read_fields(action) if isinstance(action, dict) else fields)
    if argv and argv[0] in ("apply_patch", "applypatch") and len(argv) == 2:
        return _parse_patch(call_id, tool, {"input": argv[1]})
    command = without_nul(_shell_line(argv))
    found = find_shell_patch(command) if BEGIN in command else None
    if found is None:
        return ToolCall(id=call_id, tool=tool, action="bash", command=command)
    paths, edits = found.patch.paths, found.patch.edits
    if found.alone:
        return ToolCall(id=call_id, tool=tool, action="edit", paths=paths, edits=edits)
    return ToolCall(id=call_id, tool=tool, action="bash", command=command, paths=paths, edits=edits)


def _parse_powershell(call_id: str, tool: str, fields: Fields) -> ToolCall:
    """In the words of the shell that everything else speaks."""
    from leeboard.clients.powershell import posix_line  # noqa: PLC0415 - for one client on one system

    script = _first(fields, ("command", "script", "cmd", "input"))
    return ToolCall(id=call_id, tool=tool, action="bash", command=posix_line(without_nul(script)))


def without_nul(line: str) -> str:
    """The line as shells read it: they drop a NUL that comes in a script, and a system ends an argument at it. Both
    readings stand there, one below the other, where they differ.
    """
    if "\0" not in line:
        return line
    dropped, ended = line.replace("\0", ""), line.partition("\0")[0]
    return dropped if ended.strip() in {"", dropped.strip()} else f"{ended}\n{dropped}"


def _parse_delete(call_id: str, tool: str, fields: Fields) -> ToolCall:
    """In the words of the shell too: a deletion is one, whoever does it."""
    from shlex import join  # noqa: PLC0415 - only some clients delete with a tool

    path = _first(fields, (*_PATH_KEYS, "target_file"))
    return ToolCall(id=call_id, tool=tool, action="bash", command=join(("rm", "--", path)) if path else "")


def _argv(fields: Fields) -> list[str]:
    for key in ("command", "cmd", "input"):
        line = fields.get(key)
        if isinstance(line, str) and line:
            return ["sh", "-c", line]
        if isinstance(line, list) and line:
            return [word for word in line if isinstance(word, str)]
    return []


def _shell_line(argv: list[str]) -> str:
    if len(argv) >= 3 and argv[1].lower() in _RUN_FLAGS and _SHELL.fullmatch(argv[0]):
        return argv[2]
    from shlex import join  # noqa: PLC0415 - only some clients tell a command word by word

    return join(argv)


def _parse_patch(call_id: str, tool: str, fields: Fields) -> ToolCall:
    patch = parse_patch(_first(fields, _PATCH_KEYS))
    return ToolCall(id=call_id, tool=tool, action="edit", paths=patch.paths, edits=patch.edits)


def _parse_fetch(call_id: str, tool: str, fields: Fields) -> ToolCall:
    return ToolCall(id=call_id, tool=tool, action="other", query=_first(fields, ("url", "query")))


def _parse_agent(call_id: str, tool: str, fields: Fields) -> ToolCall:
    return ToolCall(id=call_id, tool=tool, action="other", query=_first(fields, ("prompt", "message", "description")))


def _parse_other(call_id: str, tool: str, fields: Fields) -> ToolCall:
    texts = (text[:_QUERY_LIMIT] for text in fields.values() if isinstance(text, str) and text)
    query = " ".join(texts)[:_QUERY_LIMIT]
    return ToolCall(id=call_id, tool=tool, action="other", paths=_paths(fields), query=query)


_TODO_TOOLS = frozenset({"todowrite", "todo_write", "write_todos", "update_plan", "taskcreate"})
_PARSERS: dict[Callable[[str, str, Fields], ToolCall], tuple[str, ...]] = {
    _parse_edit: ("edit", "multiedit", "notebookedit", "str_replace", "strreplace", "replace", "edit_file"),
    _parse_write: ("write", "write_file", "create_file", "create"),
    _parse_editor: ("str_replace_editor", "str_replace_based_edit_tool"),
    _parse_read: (
        *("read", "grep", "glob", "ls", "list", "notebookread", "view_image"),
        *("read_file", "search_file_content", "grep_search", "list_directory", "view"),
    ),
    _parse_shell: (
        "bash",
        "exec_command",
        "shell",
        "local_shell",
        "shell_command",
        "run_shell_command",
        "container.exec",
    ),
    _parse_delete: ("delete", "delete_file"),
    _parse_powershell: ("powershell", "pwsh"),
    _parse_patch: ("apply_patch", "applypatch", "patch"),
    _parse_fetch: ("webfetch", "websearch", "web_fetch", "web_search", "google_web_search"),
    _parse_agent: ("task", "agent", "spawn_agent"),
}
_BY_TOOL = {name: parse for parse, names in _PARSERS.items() for name in names}


# The `*** Begin Patch` text that Codex writes files with.


BEGIN = "*** Begin Patch"
_END = "*** End Patch"
_FILE_LINE = lazy(r"\*\*\* (?:Add File|Update File|Delete File|Move to): ?(.*)")
_LEAD = lazy(r"(?:cd (?P<folder>\S+) && )?(?:apply_patch|applypatch)(?: ?<<-? ?['\"]?(?P<word>\w+)['\"]?)? ?['\"]?")


class ToolPatch(msgspec.Struct, frozen=True):
    paths: tuple[str, ...] = ()
    edits: tuple[TextEdit, ...] = ()


class ShellPatch(msgspec.Struct, frozen=True):
    """A patch found in a shell line."""

    patch: ToolPatch
    alone: bool
    """The line does nothing besides applying it."""


def parse_patch(text: str) -> ToolPatch:
    """Paths and hunks of a patch. A hunk holds the removed and the added lines, not the context."""
    paths: list[str] = []
    edits: list[TextEdit] = []
    old: list[str] = []
    new: list[str] = []
    for line in text.split("\n"):
        if line.startswith("-"):
            old.append(line[1:])
        elif line.startswith("+"):
            new.append(line[1:])
        elif line.startswith(("@@", "***")):
            _close_hunk(edits, old, new)
            named = _FILE_LINE.match(line)
            if named and (path := named[1].strip()):
                paths.append(path)
    _close_hunk(edits, old, new)
    return ToolPatch(tuple(dict.fromkeys(paths)), tuple(edits))


def _close_hunk(edits: list[TextEdit], old: list[str], new: list[str]) -> None:
    if old or new:
        edits.append(TextEdit("\n".join(old), "\n".join(new)))
        old.clear()
        new.clear()


def find_shell_patch(command: str) -> ShellPatch | None:
    """The patch a shell line feeds to `apply_patch`, with the folder of a leading `cd` put before its paths."""
    begin = command.find(BEGIN)
    if begin < 0 or "apply" not in command[:begin]:
        return None
    end = command.rfind(_END)
    stop = end + len(_END) if end > begin else len(command)
    patch = parse_patch(command[begin:stop])
    lead = _LEAD.fullmatch(" ".join(command[:begin].split()))
    if lead is None:
        return ShellPatch(patch, alone=False)
    rest = command[stop:].strip().strip("'\"").strip()
    return ShellPatch(_inside(patch, lead["folder"] or ""), alone=rest in ("", lead["word"]))


def _inside(patch: ToolPatch, folder: str) -> ToolPatch:
    if not folder:
        return patch
    base = folder.strip("'\"").rstrip("/")
    return ToolPatch(tuple(path if is_whole(path) else f"{base}/{path}" for path in patch.paths), patch.edits)
