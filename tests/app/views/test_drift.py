"""Assessments as a page shows them: what is asked now, and what was said before."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.views.drift import drift_page
from tests.web_showcase import OTHER, Showcase


def test_what_waits_and_what_was_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = Showcase(tmp_path, monkeypatch)
    world.with_changes()
    page = drift_page(world.engine(world.lighthouse), OTHER)
    assert page.pending is not None
    (waits,) = page.pending.differences
    assert (waits.path, waits.kind, waits.outcome) == ("knowledge/TIDES.md", "modified", None)
    assert waits.before is not None
    assert waits.after is not None
    assert ("nearly" in waits.before, "nearly" in waits.after) == (False, True)
    (done,) = page.assessments
    assert (done.id, done.by_person, page.older) == ("AS-01", False, 0)
    assert {each.path: (each.outcome, each.is_binary) for each in done.differences} == {
        "knowledge/TIDES.md": ("ignore", False),
        "stages/shape/artifacts/chart.png": ("ignore", True),
    }
    assert drift_page(world.engine(world.lighthouse), OTHER, skip=1).assessments == ()
