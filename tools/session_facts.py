"""What a recorded session touched, read off its transcript lines: calls, files, folders, the human's words."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

MODIFYING = ("Edit", "Write", "NotebookEdit")
_PATH_KEYS = ("file_path", "notebook_path", "path")
_PATH_WORD = re.compile(r"[\w@.~/+-]*[\w]+(?:/[\w@.+-]+)+/?|[\w-]+\.[A-Za-z]\w{0,7}")
_WORD = re.compile(r"\w+(?:[-.]\w+)*")


class Use(msgspec.Struct, frozen=True):
    """A tool use in a transcript: where its record stands and what it was asked."""

    at: int
    id: str
    name: str
    input: dict[str, Any]
    message: str
    side: bool

    @property
    def path(self) -> str:
        return next((str(self.input[key]) for key in _PATH_KEYS if self.input.get(key)), "")


class Facts(msgspec.Struct, frozen=True):
    """Everything a splice must not repeat; paths are relative to the work tree."""

    cwd: str
    files: frozenset[str]
    folders: frozenset[str]
    words: frozenset[str]
    edits: tuple[tuple[str, str], ...]


def decode(lines: Iterable[bytes]) -> list[dict[str, Any]]:
    """The records of the lines that hold one; half lines and other rubbish are left out."""
    records = []
    for line in lines:
        try:
            records.append(msgspec.json.decode(line, type=dict[str, Any]))
        except (msgspec.DecodeError, UnicodeDecodeError):
            continue
    return records


def blocks(record: dict[str, Any]) -> list[dict[str, Any]]:
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def uses(records: list[dict[str, Any]]) -> Iterator[Use]:
    for at, record in enumerate(records):
        for block in blocks(record):
            if block.get("type") == "tool_use" and isinstance(block.get("input"), dict):
                message = str(record["message"].get("id", ""))
                yield Use(at, block["id"], block["name"], block["input"], message, bool(record.get("isSidechain")))


def spoken(record: dict[str, Any]) -> str:
    """The human's words in a record: a typed prompt, a command, the summary that stands for earlier ones."""
    if record.get("type") != "user" or record.get("isSidechain"):
        return ""
    content = record["message"].get("content") if isinstance(record.get("message"), dict) else ""
    if isinstance(content, str):
        return content
    return "\n".join(str(block.get("text", "")) for block in blocks(record) if block.get("type") == "text")


def inside(path: str, cwd: str) -> str:
    """The path relative to the work tree, or nothing when it lies outside."""
    if not path.startswith("/"):
        return posixpath.normpath(path) if path and not path.startswith("~") else ""
    return path[len(cwd) + 1 :] if path.startswith(f"{cwd}/") else ""


def words(text: str) -> set[str]:
    """Every name a text gives, in lower case: words, file names with and without their ending, parts of paths."""
    found = {match.lower() for match in _WORD.findall(text)}
    parts = {part for path in _PATH_WORD.findall(text) for part in path.lower().split("/")}
    return {name for word in found | parts for name in (word, word.rsplit(".", 1)[0]) if name}


def facts(lines: Iterable[bytes]) -> Facts:
    records = decode(lines)
    cwd = next((str(record["cwd"]) for record in records if record.get("cwd")), "")
    text = "\n".join(spoken(record) for record in records)
    calls = list(uses(records))
    shell = "\n".join(str(use.input.get("command", "")) for use in calls if use.name == "Bash")
    attached = [str(record.get("attachment", {}).get("filename", "")) for record in records]
    named = _PATH_WORD.findall(text) + _PATH_WORD.findall(shell) + [use.path for use in calls] + attached
    files = {path for path in (inside(name, cwd) for name in named) if path}
    edits = [(use.id, inside(use.path, cwd)) for use in calls if use.name in MODIFYING and not use.side]
    return Facts(
        cwd, frozenset(files), frozenset(map(posixpath.dirname, files)) | files, frozenset(words(text)), tuple(edits)
    )
