"""Trends where nothing was recorded, and where something was."""

from __future__ import annotations

from tests.web_desk import served
from tests.web_showcase import Showcase


def test_trends_over_nothing_and_over_something(world: Showcase) -> None:
    with served(str(world.workshop)) as desk:
        assert "No rule has found anything" in desk.shown("/trends")
        world.with_sessions()
        assert "workshop" in desk.shown("/trends")
