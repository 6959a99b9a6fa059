"""A line that ends the guard's own process by its number, with a real resident to end."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hook_process import HookProcess, shell


@pytest.mark.parametrize(
    "line", ["kill {}", "kill -9 {}", "kill -s STOP {}", "sudo kill -KILL -- {}", "sh -c 'kill {}'"]
)
def test_the_resident_is_not_ended_by_an_agent(tmp_path: Path, line: str) -> None:
    process = HookProcess(folder=str(tmp_path))
    with process.resident() as resident:
        refused = process.run(shell("t1", line.format(resident.pid)))
        assert b'"permissionDecision":"deny"' in refused.stdout
        assert f"{resident.pid}".encode() in refused.stdout
        assert process.run(shell("t2", f"kill {resident.pid + 1}")).stdout == b""
        alone = process.run(shell("t3", line.format(resident.pid)), {"LEEBOARD_RESIDENT": "0"})
        assert b'"permissionDecision":"deny"' in alone.stdout
        assert resident.poll() is None


def test_where_none_runs_no_number_is_ours(tmp_path: Path) -> None:
    process = HookProcess(folder=str(tmp_path))
    assert process.run(shell("t1", "kill 4242"), {"LEEBOARD_RESIDENT": "0"}).stdout == b""
