"""A small edition of `make soak`: everything at once, and not a byte lost."""

from __future__ import annotations

from pathlib import Path

from tests.surfaces.proxy.soak import CASES, soak


def test_many_streams_at_once_arrive_as_they_were_sent(tmp_path: Path) -> None:
    figures = soak(48, 3, 1.0, str(tmp_path))
    assert figures.wrong == []
    assert figures.left_open == 0
    assert figures.cases.keys() == CASES.keys()
    assert figures.memory[-1] - figures.memory[0] < 64, "what was carried is not kept"
