"""Our hooks in a settings.json of Gemini CLI, which tells times in milliseconds."""

from __future__ import annotations

import json

from msgspec.structs import replace

from leeboard.clients.call import SettingsState
from leeboard.clients.hook_file import (
    HookFile,
    no_status_line,
    read_object,
    read_trust,
    refuse_status_line,
    trust_question,
)

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

HOOK_EVENTS: tuple[str, ...] = ("SessionStart", "BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent", "SessionEnd")

FILE = HookFile(events=HOOK_EVENTS, asked_first="BeforeTool", slow_events=("AfterAgent",), per_second=1000)
install, remove = FILE.install, FILE.remove
status_line_of, with_status_line = no_status_line, refuse_status_line


def read_state(text: str) -> SettingsState:
    """What of a settings file counts for the guard; ConfigError where the text is no JSON object."""
    switches = read_object(text).get("hooksConfig")
    off = isinstance(switches, dict) and switches.get("enabled") is False
    return replace(FILE.read_state(text), switched_off=off)


def first_payload(session: str, folder: str) -> bytes:
    told = {"session_id": session, "hook_event_name": "SessionStart", "source": "startup", "cwd": folder}
    return json.dumps(told).encode()


def version_trouble(version: tuple[int, ...]) -> str:  # noqa: ARG001 - as every client has it
    return ""
