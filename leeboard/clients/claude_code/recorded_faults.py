"""What Claude Code itself recorded of our hooks that failed: a witness that needs none of our processes to live."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from leeboard.clients.call import HookFault
from leeboard.clients.hook_file import is_ours
from leeboard.clients.transcript_lines import epoch_seconds, strip_line
from leeboard.model.text import lazy

_FAILED, _CANCELLED = "hook_non_blocking_error", "hook_cancelled"
_PORT = lazy(r"127\.0\.0\.1:([0-9]{4,5})(?![0-9])")
_ADDRESS = lazy(r"http://127\.0\.0\.1:([0-9]{4,5})/leeboard/hook")
_LONGEST = 2_000
_SIGNS = (_FAILED.encode(), _CANCELLED.encode())


class _Attachment(msgspec.Struct, rename="camel"):
    type: Any = None
    hook_event: Any = None
    tool_use_id: Any = msgspec.field(default=None, name="toolUseID")
    command: Any = None
    stderr: Any = None
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
        if found is None or found.type not in (_FAILED, _CANCELLED):
            continue
        port = _posted_to(found)
        if not port and not is_ours(str(found.command)):
            continue
        yield HookFault(
            event=_word(found.hook_event),
            time=epoch_seconds(told.timestamp),
            text=_text_of_post(found) if port else _text(found),
            call=_word(found.tool_use_id),
            port=port,
        )


def _posted_to(found: _Attachment) -> int:
    """The port of a post that was not delivered, or not answered as it must be; zero where it was none. Of such hooks
    the client records the address in place of a command, or only what it met: `connect ECONNREFUSED 127.0.0.1:20123`.
    """
    if isinstance(found.command, str):
        named = _ADDRESS.fullmatch(found.command)
    else:
        named = _PORT.search(found.stderr[:_LONGEST]) if isinstance(found.stderr, str) else None
    return int(named[1]) if named else 0


def _text_of_post(found: _Attachment) -> str:
    if found.type == _CANCELLED:
        return _text(found)
    return f"was answered with {found.exit_code}" if found.exit_code else "met nobody at its port"


def _text(found: _Attachment) -> str:
    if found.type == _CANCELLED:
        limit = found.timeout_ms
        within = f" within {limit / 1000:g} s" if isinstance(limit, int | float) else ""
        return f"did not answer{within}" if found.timed_out else "was cancelled"
    code = found.exit_code
    return f"ended with {code}" if code else "gave an answer that the client could not read"


def _word(value: object) -> str:
    return value[:200] if isinstance(value, str) else ""
