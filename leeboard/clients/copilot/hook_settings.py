"""Our hooks in a file of our own among those of GitHub Copilot, in a repository or for its user."""

from __future__ import annotations

import json

from leeboard.clients.hook_file import HookFile, no_status_line, read_trust, refuse_status_line, trust_question

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
    *("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure"),
    *("Stop", "SubagentStart", "SubagentStop", "SessionEnd"),
)

FILE = HookFile(
    events=HOOK_EVENTS,
    asked_first="PreToolUse",
    slow_events=("Stop",),
    grouped=False,
    command_key="bash",
    time_key="timeoutSec",
    behind={"version": 1},
)
install, remove, read_state = FILE.install, FILE.remove, FILE.read_state
status_line_of, with_status_line = no_status_line, refuse_status_line


def first_payload(session: str, folder: str) -> bytes:
    told = {"session_id": session, "hook_event_name": "SessionStart", "source": "startup", "cwd": folder}
    return json.dumps(told).encode()


def version_trouble(version: tuple[int, ...]) -> str:  # noqa: ARG001 - as every client has it
    return ""
