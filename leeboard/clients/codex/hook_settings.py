"""Our hooks in a hooks.json of Codex, and whether its user has let it run them.

The file has the shape of Claude Code's. A hook that nobody has reviewed is skipped without a word, and a changed line
has to be reviewed again; the client itself tells how it stands, over the interface it has for editors.
"""

from __future__ import annotations

import json

import msgspec

from leeboard.clients.call import TrustQuestion
from leeboard.clients.hook_file import HookFile, is_ours, no_status_line, refuse_status_line

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
    *("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse"),
    *("Stop", "SubagentStart", "SubagentStop", "PostCompact", "SessionEnd"),
)

FILE = HookFile(events=HOOK_EVENTS, asked_first="PreToolUse", slow_events=("Stop", "SubagentStop"))
install, remove, read_state = FILE.install, FILE.remove, FILE.read_state
status_line_of, with_status_line = no_status_line, refuse_status_line
_ASKED = 2
"""The number of the question."""


def first_payload(session: str, folder: str) -> bytes:
    told = {"session_id": session, "hook_event_name": "SessionStart", "source": "startup", "cwd": folder}
    return json.dumps(told).encode()


def version_trouble(version: tuple[int, ...]) -> str:  # noqa: ARG001 - as every client has it
    return ""


def trust_question(folder: str) -> TrustQuestion:
    """How the client is asked which hooks it would run in a folder."""
    hello = {"clientInfo": {"name": "leeboard", "title": "Leeboard", "version": "1"}}
    lines: tuple[dict[str, object], ...] = (
        {"id": 1, "method": "initialize", "params": hello},
        {"method": "initialized"},
        {"id": _ASKED, "method": "hooks/list", "params": {"cwds": [folder]}},
    )
    asked = "".join(f"{json.dumps(line)}\n" for line in lines)
    return TrustQuestion(("app-server",), asked.encode(), f'"id":{_ASKED}'.encode())


def read_trust(answer: bytes) -> str | None:
    """What is to be done before our hooks run; empty: they do; None where the answer tells nothing of them."""
    standing = [hook for hook in _listed(answer) if _is_hook(_text(hook, "command"))]
    if not standing:
        return None
    waiting = [_text(hook, "eventName") or "?" for hook in standing if _text(hook, "trustStatus") not in _TRUSTED]
    if not waiting:
        return ""
    return (
        f"skips {len(waiting)} of our {len(standing)} hooks without a word, since nobody has reviewed them "
        f"({', '.join(dict.fromkeys(waiting))}): type /hooks in Codex, look at them, and trust them"
    )


_TRUSTED = ("trusted", "managed")


def _is_hook(command: str) -> bool:
    """Those of our plugin too, which are found on PATH."""
    return is_ours(command) or "leeboard-hook" in command.split()


def _listed(answer: bytes) -> list[dict[str, object]]:
    for line in answer.splitlines():
        try:
            told = msgspec.json.decode(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(told, dict) and told.get("id") == _ASKED:
            result = told.get("result")
            data = result.get("data") if isinstance(result, dict) else None
            folders = [entry for entry in data if isinstance(entry, dict)] if isinstance(data, list) else []
            lists = [entry.get("hooks") for entry in folders]
            return [hook for hooks in lists if isinstance(hooks, list) for hook in hooks if isinstance(hook, dict)]
    return []


def _text(hook: dict[str, object], name: str) -> str:
    found = hook.get(name)
    return found if isinstance(found, str) else ""
