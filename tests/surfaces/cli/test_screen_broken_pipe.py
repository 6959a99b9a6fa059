from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk


@pytest.mark.parametrize("command", ["report", "demo --fast", "rules"])
def test_a_reader_that_leaves_early_is_no_failure(drifted: Desk, command: str) -> None:
    line = f"{sys.executable} -m leeboard {command} | head -n 1 >/dev/null; exit ${{PIPESTATUS[0]}}"
    ran = drifted.execute(("bash", "-c", line))
    assert (ran.code, ran.err) == (0, "")
