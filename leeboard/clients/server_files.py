"""Tools of MCP servers that write files, told as writes and edits: what they are called differs, what they do does not.

A tool counts by a verb of its name and by an argument that names a file. What names a place elsewhere (a repository on
a host, a bucket, a web page) is no file of this machine.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from leeboard.model.event import TextEdit, ToolCall
from leeboard.model.text import lazy

PREFIX = "mcp__"
_OWN = "haiku_"
"""Our own tools write what the workflow lets them."""
_NAME_WORD = lazy(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_READING = frozenset("check count describe diff get info list preview read show stat status view".split())
_WRITING = frozenset(
    "append apply change convert copy create cut delete download edit erase export extract format generate insert "
    "modify move overwrite patch prepend put refactor remove rename replace restore revert rewrite save store touch "
    "trash truncate undo unlink unzip update write".split()
)
_WHOLE = frozenset("create overwrite put rewrite save store write".split())
_PARTS = frozenset("append apply edit insert modify patch prepend replace update".split())
_OF_FILES = frozenset(
    "block code content contents dir directory directories file files folder fs line lines module notebook path "
    "symbol text".split()
)
_LOCAL_SERVER = lazy(r"file|fs|disk|editor|desktop|serena|commander|jetbrains|vscode")
_FAR_SERVER = lazy(
    r"atlassian|azure|bitbucket|confluence|drive|dropbox|figma|github|gitlab|google|jira|notion|sharepoint|slack"
    r"|(?<![a-z])(?:aws|box|gcp|s3)(?![a-z])"
)
_ELSEWHERE = frozenset(
    "bucket container container_id containerId host hostname organization owner project_id projectId repo repo_id "
    "repository server site space workspace_id".split()
)
_PATH_KEYS = (
    *("path", "file_path", "filePath", "filepath", "file", "filename", "fileName", "file_name", "uri"),
    *("relative_path", "relativePath", "absolute_path", "absolutePath", "pathInProject", "path_in_project"),
    *("target_file", "targetFile", "target_path", "targetPath", "notebook_path", "dir_path", "directory", "folder"),
    *("source", "src", "source_path", "sourcePath", "source_file", "old_path", "oldPath", "from_path"),
    *("destination", "dest", "dst", "destination_path", "destinationPath", "destination_file", "target"),
    *("new_path", "newPath", "to_path", "output_path", "outputPath", "save_path", "savePath"),
)
_ENDS = ("from", "to")
"""The ends of a move or a copy; elsewhere they are people and dates."""
_LIST_KEYS = ("paths", "file_paths", "filePaths", "files", "edits", "changes", "operations", "sources")
_CONTENT_KEYS = ("content", "contents", "text", "file_text", "fileText", "file_content", "new_content", "data", "code")
_OLD_KEYS = ("old_string", "oldString", "old_str", "oldText", "old_text", "old", "search")
_NEW_KEYS = (
    *("new_string", "newString", "new_str", "newText", "new_text", "new"),
    *("replacement", "replace", "insert_text", "body"),
)
_ESCAPES = lazy(r"(?:%[0-9a-fA-F]{2})+")
_LONGEST_PATH = 4096

Fields = Mapping[str, object]


def file_call(call_id: str, tool: str, fields: Fields) -> ToolCall | None:
    """The call as a write or an edit of the files it names; None for every other tool."""
    server, _, name = tool.removeprefix(PREFIX).rpartition("__")
    words = [word.lower() for word in _NAME_WORD.findall(name)]
    if not _writes(name, words, fields):
        return None
    of_files = _is_of_files(server.lower(), words, fields)
    keys = _PATH_KEYS if {"move", "rename", "copy"}.isdisjoint(words) else (*_PATH_KEYS, *_ENDS)
    paths = tuple(dict.fromkeys(path for path in _paths(fields, keys) if of_files or path.startswith(("/", "~/"))))
    if not paths:
        return None
    whole = _whole_text(words, fields)
    if whole is not None and len(paths) == 1:
        return ToolCall(id=call_id, tool=tool, action="write", paths=paths, edits=(TextEdit("", whole),))
    edits = () if _is_coded(fields) else tuple(_edits(fields))
    return ToolCall(id=call_id, tool=tool, action="edit", paths=paths, edits=edits)


def _is_of_files(server: str, words: list[str], fields: Fields) -> bool:
    """Whether what it names is a file of this machine even where it is no whole path."""
    if _LOCAL_SERVER.search(server) and not _FAR_SERVER.search(server):
        return True
    is_far = _FAR_SERVER.search(server) is not None or not _ELSEWHERE.isdisjoint(fields)
    return not is_far and not _OF_FILES.isdisjoint(words)


def _writes(name: str, words: list[str], fields: Fields) -> bool:
    makes_folder = words[:1] == ["create"] and not {"directory", "dir", "folder"}.isdisjoint(words)
    is_told = not _WRITING.isdisjoint(words) and words[0] not in _READING and not makes_folder
    only_looks = fields.get("command") == "view" or any(fields.get(key) is True for key in ("dryRun", "dry_run"))
    return is_told and not only_looks and not name.startswith(_OWN)


def _paths(fields: Fields, keys: tuple[str, ...]) -> Iterator[str]:
    for key in keys:
        yield from _path(fields.get(key))
    for key in _LIST_KEYS:
        many = fields.get(key)
        for each in many if isinstance(many, list) else ():
            if isinstance(each, dict):
                yield from (path for inner in keys for path in _path(each.get(inner)))
            elif key not in {"edits", "changes", "operations"}:
                yield from _path(each)


def _path(value: object) -> Iterator[str]:
    """What may be a path of this machine: one line, and no address of somewhere else."""
    if not isinstance(value, str) or not 0 < len(value) <= _LONGEST_PATH or "\n" in value:
        return
    if value.lower().startswith("file:"):
        place = _ESCAPES.sub(_unescaped, value[len("file:") :]).removeprefix("//")
        yield place if place.startswith("/") else f"/{place.partition('/')[2]}"
    elif "://" not in value and "@" not in value.partition("/")[0]:
        yield value


def _unescaped(found: re.Match[str]) -> str:
    return bytes.fromhex(found[0].replace("%", "")).decode("utf-8", "replace")


def _whole_text(words: list[str], fields: Fields) -> str | None:
    """What a file holds afterwards, where the call says it."""
    adds = not _PARTS.isdisjoint(words) or fields.get("mode") == "append" or fields.get("append") is True
    if adds or _is_coded(fields) or _WHOLE.isdisjoint(words):
        return None
    return next((text for key in _CONTENT_KEYS if isinstance(text := fields.get(key), str)), None)


def _is_coded(fields: Fields) -> bool:
    return str(fields.get("encoding") or "utf").lower()[:3] not in {"utf", "asc", "tex"}


def _edits(fields: Fields) -> Iterator[TextEdit]:
    """Its pieces, as far as they are texts."""
    pieces = [fields]
    for key in _LIST_KEYS:
        many = fields.get(key)
        pieces += [each for each in many if isinstance(each, dict)] if isinstance(many, list) else []
    for piece in pieces:
        old, new = _text(piece, _OLD_KEYS), _text(piece, (*_NEW_KEYS, *_CONTENT_KEYS))
        if old or new:
            yield TextEdit(old, new, "" if old else "end")


def _text(fields: Fields, keys: tuple[str, ...]) -> str:
    return next((text for key in keys if isinstance(text := fields.get(key), str) and text), "")
