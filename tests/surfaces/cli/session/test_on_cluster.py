"""`--on`, as far as no cluster is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk


@pytest.mark.parametrize("command", ["replay", "backtest", "scan"])
def test_what_is_no_cluster_is_refused(desk: Desk, command: str) -> None:
    ran = desk.run(command, ".", "--on", "8786")
    assert ran.code == 2
    assert "--on takes local, tcp://host:port or tls://host:port of a Dask scheduler, not '8786'" in ran.err


@pytest.mark.parametrize("option", [("--diff", "HEAD"), ("--staged",), ("--watch",), ("--duplicates",)])
def test_a_scan_that_needs_this_machine_stays_here(desk: Desk, option: tuple[str, ...]) -> None:
    ran = desk.run("scan", *option, "--on", "local")
    assert ran.code == 2
    assert "--on is for whole trees" in ran.err
