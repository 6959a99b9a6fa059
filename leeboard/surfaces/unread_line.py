"""That a shell line was not read to its end is noted where somebody looks for faults: it was not found harmless."""

from __future__ import annotations

from leeboard.code.analyse import shell_effects
from leeboard.model.event import ToolProposed
from leeboard.wire.claude_hooks import HookCall


def unread_note(call: HookCall) -> str:
    """Empty where every line of the hook was read."""
    for event in call.events:
        if isinstance(event, ToolProposed) and event.call.action == "bash":
            command = event.call.command
            if shell_effects(command, event.cwd).unread:
                return f"not analysed to its end: a shell line of {len(command)} characters"
    return ""
