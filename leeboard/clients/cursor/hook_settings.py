"""Our hooks in a hooks.json of Cursor, whose events have their entries at once and not in groups."""

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
    *("sessionStart", "beforeSubmitPrompt", "preToolUse", "postToolUse", "postToolUseFailure"),
    *("subagentStart", "subagentStop", "stop", "sessionEnd"),
)

FILE = HookFile(
    events=HOOK_EVENTS,
    asked_first="preToolUse",
    slow_events=("stop",),
    grouped=False,
    entry={},
    behind={"version": 1},
)
install, remove, read_state = FILE.install, FILE.remove, FILE.read_state
status_line_of, with_status_line = no_status_line, refuse_status_line


def first_payload(session: str, folder: str) -> bytes:
    told = {"conversation_id": session, "hook_event_name": "sessionStart", "workspace_roots": [folder]}
    return json.dumps(told).encode()


def version_trouble(version: tuple[int, ...]) -> str:  # noqa: ARG001 - as every client has it
    return ""
