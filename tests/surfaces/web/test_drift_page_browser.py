"""Changed files classified, and a classification overruled, with a browser; the disk afterwards."""

from __future__ import annotations

import json

from playwright.sync_api import Page, expect

from leeboard.app.views.projects import project_key
from tests.surfaces.web.conftest import let_in
from tests.web_desk import served
from tests.web_showcase import OTHER, Showcase


def test_a_person_classifies_and_overrules(world: Showcase, page: Page) -> None:
    world.with_changes()
    top = world.lighthouse / f".haiku/intents/{OTHER}"
    with served(str(world.lighthouse)) as desk:
        let_in(page, desk)
        page.goto(f"{desk.address}/p/{project_key(str(world.lighthouse))}/i/{OTHER}/changes")
        expect(
            page.get_by_role("region", name="knowledge/TIDES.md before and after, to be classified")
        ).to_contain_text("*nearly*")
        page.get_by_role("radio", name="surface-as-feedback").check()
        page.get_by_label("Words for this file").fill("Nearly is too vague")
        page.locator("#why").fill("A page needs figures.")
        page.get_by_role("button", name="Classify 1 file").click()
        expect(page.get_by_text("Written down.")).to_be_visible()
        assessed = [json.loads(path.read_bytes()) for path in sorted(top.rglob("drift-assessments/DA-*.json"))]
        assert (assessed[-1]["confirmed_by_user"], assessed[-1]["classifications"][0]["outcome"]) == (
            True,
            "surface-as-feedback",
        )
        assert assessed[0]["confirmed_by_user"] is False
        first = page.locator("#AS-01 details.difference").filter(has_text="chart.png")
        first.locator("summary").click()
        expect(first.get_by_role("img", name="chart.png after")).to_be_visible()
        first.locator("select[name=outcome]").select_option("surface-as-feedback")
        first.locator("input[name=why]").fill("The picture shows another harbour")
        first.get_by_role("button", name="Override").click()
        expect(page.get_by_text("Written down.")).to_be_visible()
    filed = {item.title: item for item in world.engine(world.lighthouse).look(OTHER).stages[0].feedback}
    assert filed["Nearly is too vague"].is_human
    over = filed["The picture shows another harbour"]
    assert (over.is_human, over.source_ref) == (True, "AS-01:stages/shape/artifacts/chart.png")
    assert "was classified as ignore; a person wants surface-as-feedback" in over.body
