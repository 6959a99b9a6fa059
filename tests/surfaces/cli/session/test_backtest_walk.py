"""The walk through messages: every answer is kept at once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.recorded_sessions import record, straying
from tests.surfaces.cli.conftest import COMMAND
from tests.terminal import at_terminal

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk


@pytest.mark.parametrize(
    ("typed", "opinions"),
    [
        (b"", [None, None]),
        (b"\n\n", [None, None]),
        (b"s\nn\n", [None, "no"]),
        (b"y\nb\nu\nyes\n", ["unsure", "yes"]),
        (b"Y\nq\n", ["yes", None]),
        (b"b\ny\n", ["yes", None]),
    ],
)
def test_answers_skips_and_steps_back(desk: Desk, tmp_path: Path, typed: bytes, opinions: list[str | None]) -> None:
    folder = record(tmp_path / "sessions", a=straying())
    done = at_terminal((*COMMAND, "backtest", str(folder), "--ask"), desk.env, desk.repo, typed)
    assert done.returncode == 0, done.stderr
    found = desk.ok("backtest", str(folder), "--json").objects
    assert [one["opinion"] for one in found if one["kind"] == "message"] == opinions
