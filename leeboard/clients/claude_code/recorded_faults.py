"""What Claude Code itself recorded of our hooks that failed: a witness that needs none of our processes to live."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from leeboard.clients.call import HookFault
from leeboard.clients.hook_file import is_ours
from leeboard.clients.transcript_lines import epoch_seconds, strip_line

_FAILED, _CANCELLED = "hook_non_blocking_error", "hook_cancelled"
_SIGNS = (_FAILED.encode(), _CANCELLED.encode())


class _Attachment(msgspec.Struct, rename="camel"):
    type: Any = None
    hook_event: Any = None
    tool_use_id: Any = msgspec.field(default=None, name="toolUseID")
    command: Any = None
    exit_code: Any = None
    timed_out: Any = None
    timeout_ms: Any = None


class _Line(msgspec.Struct):
    attachment: _Attachment | None = None
    timestamp: Any = None


def hook_faults(lines: Sequence[bytes]) -> tuple[HookFault, ...]:
    return tuple(_faults(lines))


def _faults(lines: Sequence[bytes]) -> Iterator[HookFault]:
    for line in lines:
        if not any(sign in line for sign in _SIGNS):
            continue
        try:
            told = msgspec.json.decode(strip_line(line), type=_Line)
        except (msgspec.MsgspecError, ValueError):
            continue
        found = told.attachment
        if found is None or found.type not in (_FAILED, _CANCELLED) or not is_ours(str(found.command)):
            continue
        yield HookFault(
            event=_word(found.hook_event),
            time=epoch_seconds(told.timestamp),
            text=_text(found),
            call=_word(found.tool_use_id),
        )


def _text(found: _Attachment) -> str:
    if found.type == _CANCELLED:
        limit = found.timeout_ms
        within = f" within {limit / 1000:g} s" if isinstance(limit, int | float) else ""
        return f"did not answer{within}" if found.timed_out else "was cancelled"
    code = found.exit_code
    return f"ended with {code}" if code else "gave an answer that the client could not read"


def _word(value: object) -> str:
    return value[:200] if isinstance(value, str) else ""
