"""Our plugin in a plugins folder of opencode: a file of our own, which holds the hook line."""

from __future__ import annotations

import json
import re

from leeboard.clients.call import PostedTo, SettingsState
from leeboard.clients.hook_file import is_ours, no_status_line, read_trust, refuse_status_line, trust_question
from leeboard.errors import ConfigError
from leeboard.model.text import lazy

__all__ = [
    "HOOK_EVENTS",
    "first_payload",
    "install",
    "read_state",
    "read_trust",
    "remove",
    "status_line_of",
    "trust_question",
    "version_trouble",
    "with_status_line",
]

HOOK_EVENTS: tuple[str, ...] = (
    *("session.created", "chat.message", "tool.execute.before", "tool.execute.after"),
    *("session.compacted", "session.idle", "session.deleted"),
)
_LINE = lazy(r'^const LINE = ("(?:[^"\\\n]|\\.)*")$', re.MULTILINE)
_FIRST = "// Leeboard in opencode:"

status_line_of, with_status_line = no_status_line, refuse_status_line


def install(text: str, command: str, posted_to: PostedTo | None = None) -> str:  # noqa: ARG001 - as of all clients
    """The plugin with this hook line. ConfigError where another file stands in its place."""
    remove(text)
    return _LINE.sub(lambda _: f"const LINE = {json.dumps(command)}", _plugin(), count=1)


def remove(text: str) -> str:
    """Empty where the file is ours, whoever worked on it since; ConfigError where it is not."""
    if text.strip() and not text.startswith(_FIRST):
        raise ConfigError("line 1: not the plugin that `leeboard init` writes; the file was left as it is.")
    return ""


def read_state(text: str) -> SettingsState:
    found = _LINE.search(text) if text.startswith(_FIRST) else None
    command = json.loads(found[1]) if found else ""
    if not is_ours(command):
        return SettingsState()
    return SettingsState(hooks=tuple((event, command) for event in HOOK_EVENTS), asked_first=(command,))


def first_payload(session: str, folder: str) -> bytes:
    return json.dumps({"event": "session.created", "session": session, "cwd": folder}).encode()


def version_trouble(version: tuple[int, ...]) -> str:  # noqa: ARG001 - as every client has it
    return ""


def _plugin() -> str:
    """The file beside this one, read as the import system reads a package's files."""
    here = __file__.rpartition("/")[0] or "."
    data: bytes = __spec__.loader.get_data(f"{here}/plugin.js")  # type: ignore[union-attr]  # a module's loader reads files
    return data.decode()
