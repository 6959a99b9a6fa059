from __future__ import annotations

import os
from pathlib import Path

import pytest

from leeboard.surfaces.mcp.calls import McpCall
from leeboard.surfaces.mcp.protocol import Channel, McpRequest
from leeboard.surfaces.mcp.run_handlers import allowed_seconds, seen, wait_for_change


def a_call(token: object = None) -> tuple[McpCall, int]:
    read, write = os.pipe()
    meta = {"_meta": {"progressToken": token}} if token is not None else {}
    return McpCall(Channel(-1, write), McpRequest(1, "tools/call", meta)), read


@pytest.mark.parametrize(
    ("given", "seconds"),
    [("", 50.0), ("nonsense", 50.0), ("nan", 50.0), ("0", 0.0), ("-3", 0.0), ("2.5", 2.5), ("1e9", 1500.0)],
)
def test_how_long_a_call_may_wait(given: str, seconds: float) -> None:
    assert allowed_seconds({"LEEBOARD_GATE_SECONDS": given}) == seconds
    assert allowed_seconds({}) == 50.0


def test_a_client_that_is_known_to_wait_is_waited_with() -> None:
    assert allowed_seconds({}, "claude-code") == 1500.0
    assert allowed_seconds({}, "codex-mcp-client") == 50.0
    assert allowed_seconds({}, "somebody") == 50.0
    assert allowed_seconds({"LEEBOARD_GATE_SECONDS": "3"}, "claude-code") == 3.0


def test_a_decision_is_seen(tmp_path: Path) -> None:
    """SH-46: also the first one of a stage, and one that fell before the waiting began."""
    before = seen(str(tmp_path))
    assert before == ()
    stage = tmp_path / "stages" / "design"
    stage.mkdir(parents=True)
    assert seen(str(tmp_path)) == ()
    (stage / "rulings.jsonl").write_text("{}\n", encoding="utf-8")
    call, _ = a_call()
    assert wait_for_change(before, lambda: seen(str(tmp_path)), call, 60)
    before = seen(str(tmp_path))
    with (stage / "rulings.jsonl").open("a", encoding="utf-8") as file:
        file.write("{}\n")
    assert wait_for_change(before, lambda: seen(str(tmp_path)), call, 60)


@pytest.mark.parametrize("folder", ["feedback", "stages/design/feedback"])
def test_a_finding_is_seen(tmp_path: Path, folder: str) -> None:
    (tmp_path / "stages" / "design").mkdir(parents=True)
    (tmp_path / folder).mkdir()
    before = seen(str(tmp_path))
    (tmp_path / folder / "01-a.md").write_text("x", encoding="utf-8")
    call, _ = a_call()
    assert wait_for_change(before, lambda: seen(str(tmp_path)), call, 60)


def test_the_time_is_over() -> None:
    call, _ = a_call()
    assert not wait_for_change((), lambda: (), call, 0.0)


def test_a_call_that_was_ended_waits_no_longer() -> None:
    call, _ = a_call()
    call.end(called_off=True)
    assert not wait_for_change((), lambda: (), call, 600)


def test_the_client_hears_that_somebody_is_waited_for() -> None:
    call, read = a_call("t")
    wait_for_change((), lambda: (), call, 0.0)
    assert b"waiting for a person's decision (0 s)" in os.read(read, 4096)
