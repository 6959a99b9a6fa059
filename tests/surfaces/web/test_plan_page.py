"""A plan as a page: stages, units, gates, and what happened."""

from __future__ import annotations

from leeboard.app.views.projects import project_key
from tests.web_desk import served
from tests.web_showcase import SLUG, UNITS, Showcase


def test_everything_of_a_plan_is_on_its_page(world: Showcase) -> None:
    world.at_gate(UNITS[:1])
    with served(str(world.harbour)) as desk:
        base = f"/p/{project_key(str(world.harbour))}"
        shown = desk.shown(f"{base}/i/{SLUG}/plan")
        for part in (
            "Split a text into words",
            "wave 0",
            "gate: ask, external",
            "approved: the plan of stage build",
            'aria-current="step"',
        ):
            assert part in shown
        assert SLUG in desk.shown(base)
        (told,) = desk.get("/waiting.json").json
        assert told["intent"] == SLUG
        assert "Count the words of a file" in desk.shown("/")
        assert desk.get("/p/nothing").status == 404
        assert desk.get(f"{base}/i/nothing").status == 404
