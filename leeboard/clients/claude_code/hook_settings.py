"""Our hooks and our status line in a settings file of Claude Code."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from msgspec.structs import replace

from leeboard.clients import FIRST, signs
from leeboard.clients.call import PostedTo, SettingsState
from leeboard.clients.hook_file import (
    HookFile,
    InsertionPlace,
    insertion,
    is_ours,
    lead_of,
    read_object,
    read_trust,
    trust_question,
)
from leeboard.clients.json_text import JsonPart, first_bracket, read_container
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
    *("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch"),
    *("PermissionDenied", "Stop", "StopFailure", "SubagentStart", "SubagentStop", "PostCompact", "ConfigChange"),
    "SessionEnd",
)
"""Those of the 33 events of 2.1.325 that tell what no other does: docs/clients.md goes through the rest."""
BATCHES_SINCE = (2, 1, 142)
"""The first version that reports the end of a batch of calls."""

FILE = HookFile(
    events=HOOK_EVENTS,
    asked_first="PreToolUse",
    slow_events=("Stop", "SubagentStop"),
    posted_events=signs(FIRST, "posted-event"),
)

_LINE_SCRIPT = lazy(r"(?:.*/)?leeboard/surfaces/status_line\.py", re.DOTALL)
_PLUGIN = "leeboard"


def install(text: str, command: str, posted_to: PostedTo | None = None, timeout: int = 10) -> str:
    """As of every such file; a status line of ours is left to who wants it there."""
    return FILE.install(remove(text), command, posted_to, timeout)


def remove(text: str) -> str:
    """The settings without our hooks and our status line, the rest byte for byte; empty where all of it was ours."""
    return FILE.remove(text, _is_our_line)


def read_state(text: str) -> SettingsState:
    """What of a settings file counts for the guard; ConfigError where the text is no JSON object."""
    told = read_object(text)
    env = told.get("env")
    return replace(
        FILE.read_state(text),
        env=env if isinstance(env, dict) else {},
        switched_off=told.get("disableAllHooks") is True,
        plugin=any(_runs_plugin(told.get("enabledPlugins"))),
    )


def first_payload(session: str, folder: str) -> bytes:
    told = {"session_id": session, "hook_event_name": "SessionStart", "source": "startup", "cwd": folder}
    return json.dumps(told).encode()


def version_trouble(version: tuple[int, ...]) -> str:
    wanted = ".".join(map(str, BATCHES_SINCE))
    return "" if version >= BATCHES_SINCE else f"does not tell where a batch of calls ends; {wanted} does"


def _runs_plugin(enabled: object) -> Iterator[bool]:
    """Plugins are named with the marketplace they came from, whose name whoever offers it chose."""
    for name, value in enabled.items() if isinstance(enabled, dict) else ():
        yield name.partition("@")[0] == _PLUGIN and value is True


def _is_our_line(part: JsonPart) -> bool:
    return part.name == STATUS_LINE and is_ours(_line_command(part.value), _LINE_SCRIPT)


# The status line: one member of the settings, which is the user's where they have one.


STATUS_LINE = "statusLine"


def status_line_of(text: str) -> tuple[str, bool]:
    """The command of the status line in these settings, and whether it is ours; ConfigError as `read_state`."""
    told = read_object(text).get(STATUS_LINE)
    command = _line_command(told)
    return command or (json.dumps(told) if told else ""), is_ours(command, _LINE_SCRIPT)


def with_status_line(text: str, command: str) -> str:
    """Settings that hold our hooks, with our status line behind them; ValueError where another one stands there."""
    standing, ours = status_line_of(text)
    if standing and not ours:
        raise ValueError("there is a status line already")
    if standing == command:
        return text
    top = read_container(text, first_bracket(text))
    lead = lead_of(top)
    indent = lead.rpartition("\n")[2] if "\n" in lead else None
    entry = json.dumps({"type": "command", "command": command}, indent=indent, ensure_ascii=False).replace("\n", lead)
    part = top.find(STATUS_LINE)
    if part is not None:
        return text[: part.at] + entry + text[part.end :]
    at, addition = insertion(InsertionPlace(top, lead), [f'"{STATUS_LINE}": {entry}'])
    return text[:at] + addition + text[at:]


def _line_command(value: object) -> str:
    command = value.get("command") if isinstance(value, dict) else None
    return command if isinstance(command, str) else ""
