from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.clients.claude_code.transcript_proof import ContextUse, context_use


def line(used: int, *, model: str = "claude-x", sidechain: bool = False, kind: str = "assistant") -> bytes:
    usage = {"input_tokens": 10, "cache_read_input_tokens": used - 30, "cache_creation_input_tokens": 15}
    message = {"model": model, "usage": {**usage, "output_tokens": 5, "service_tier": "standard"}}
    return json.dumps({"type": kind, "isSidechain": sidechain, "message": message}).encode() + b"\n"


@pytest.mark.parametrize(
    ("tail", "expected"),
    [
        (b"", None),
        (line(1_000), ContextUse(used=1_000, window=200_000)),
        (line(1_000) + line(2_000), ContextUse(used=2_000, window=200_000)),
        (line(1_000) + line(2_000, sidechain=True), ContextUse(used=1_000, window=200_000)),
        (line(1_000) + b'{"type": "user", "usage', ContextUse(used=1_000, window=200_000)),
        (
            line(1_000) + b'{"type": "assistant", "message": {"usage": "much"}}\n',
            ContextUse(used=1_000, window=200_000),
        ),
        (line(150_000, model="claude-x[1m]"), ContextUse(used=150_000, window=1_000_000)),
        (line(250_000), ContextUse(used=250_000, window=1_000_000)),
        (line(1_000, kind="user"), None),
    ],
)
def test_the_last_answer_of_the_main_agent_tells(tail: bytes, expected: ContextUse | None) -> None:
    """SH-62."""
    assert context_use(tail) == expected


def test_what_is_left_is_never_less_than_nothing() -> None:
    assert ContextUse(used=50_000, window=200_000).left == 0.75
    assert ContextUse(used=2_000_000, window=1_000_000).left == 0.0


@given(st.binary(max_size=200))
def test_garbage_tells_nothing(tail: bytes) -> None:
    context_use(tail + b'\n"usage"')
