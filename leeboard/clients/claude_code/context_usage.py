"""How full a model's context is, by the last answer in a transcript of Claude Code."""

from __future__ import annotations

import msgspec

WINDOW, WIDE_WINDOW = 200_000, 1_000_000


class _Usage(msgspec.Struct, frozen=True):
    input_tokens: int = 0
    cache_read_input_tokens: int = 0
    cache_creation_input_tokens: int = 0
    output_tokens: int = 0


class _Message(msgspec.Struct, frozen=True):
    usage: _Usage | None = None
    model: str = ""


class _Record(msgspec.Struct, frozen=True):
    type: str = ""
    isSidechain: bool = False  # noqa: N815 - as the file has it
    message: _Message | None = None


class ContextUse(msgspec.Struct, frozen=True, kw_only=True):
    used: int
    window: int

    @property
    def left(self) -> float:
        """Between zero and one."""
        return max(0.0, 1.0 - self.used / self.window)


def context_use(tail: bytes) -> ContextUse | None:
    """From the end of a transcript; None where no answer of the main agent tells."""
    for line in reversed(tail.splitlines()):
        if b'"usage"' not in line:
            continue
        try:
            record = _decoder.decode(line)
        except (ValueError, RecursionError):
            continue
        message = record.message
        if record.type == "assistant" and not record.isSidechain and message and message.usage:
            return _use(message.usage, message.model)
    return None


def _use(usage: _Usage, model: str) -> ContextUse | None:
    used = usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens + usage.output_tokens
    if used <= 0:
        return None
    return ContextUse(used=used, window=WIDE_WINDOW if used > WINDOW or "[1m]" in model else WINDOW)


_decoder = msgspec.json.Decoder(_Record)
