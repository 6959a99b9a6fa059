"""Open criteria of a unit under way are ticked off in its file; of any other nothing is."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.plan.engine import Engine
from leeboard.app.plan.unit_page import tick_off
from tests.flow_desk import SLUG, FlowDesk


def test_all_that_is_open_is_ticked_once_the_unit_is_worked_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = FlowDesk(tmp_path, monkeypatch)
    desk.begin()
    desk.until("start_stage")
    (unit,) = desk.plan("shape.txt")
    engine = Engine(str(desk.root))
    assert tick_off(engine, SLUG, unit) == ()
    desk.until("start_unit")
    desk("unit_start", unit=unit)
    assert tick_off(engine, SLUG, unit) == ("shape.txt is there",)
    assert tick_off(engine, SLUG, unit) == ()
    assert "- [x] shape.txt is there" in desk("unit_read", unit=unit)["content"]
    assert tick_off(engine, SLUG, "unit-09-gone") == ()
