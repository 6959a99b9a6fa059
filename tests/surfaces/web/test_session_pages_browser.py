"""A session on an open page: events come as they are stored, and what a person lets stand is kept."""

from __future__ import annotations

from contextlib import closing

from playwright.sync_api import Page, expect

from leeboard.io.places import database
from leeboard.store.sqlite import open_store
from tests.surfaces.web.conftest import let_in
from tests.web_desk import served
from tests.web_showcase import Showcase


def test_events_reach_an_open_page(world: Showcase, page: Page) -> None:
    world.with_sessions()
    with served(str(world.workshop)) as desk:
        let_in(page, desk)
        page.get_by_role("link", name="Fix the token bug").click()
        expect(page.locator("#live-note")).to_have_text("live")
        before = page.locator("#events > .event").count()
        world.drifting.edit("src/styles/theme.css", "top: 4px", "top: 5px")
        newest = page.locator("#events > .event:not(.dull)").first
        expect(newest).to_contain_text("src/styles/theme.css")
        assert page.locator("#events > .event").count() > before
        expect(page.locator("#head")).to_contain_text("4 of 9")
        ids = page.locator("#events > .event").evaluate_all("events => events.map(event => event.id)")
        assert len(ids) == len(set(ids)), "read at one moment: more may come meanwhile"


def test_a_new_session_and_a_gate_come_to_the_open_list(world: Showcase, page: Page) -> None:
    world.with_sessions()
    with served(str(world.workshop)) as desk:
        let_in(page, desk)
        page.goto(f"{desk.address}/sessions")
        expect(page.locator("#live-note")).to_have_text("live")
        expect(page.locator("#session-rows tr")).to_have_count(2)
        world.drifting.session = "third"
        world.drifting.prompt("Write the manual in docs/.")
        expect(page.locator("#session-rows tr")).to_have_count(3)
        expect(page.locator("#session-rows tr").first).to_contain_text("Write the manual")


def test_a_finding_is_let_stand_and_the_scope_widened_with_a_reason(world: Showcase, page: Page) -> None:
    world.with_sessions()
    with served(str(world.workshop)) as desk:
        let_in(page, desk)
        page.goto(f"{desk.address}/session?id=7f3c-drifting")
        page.get_by_text("Let a finding stand").click()
        page.get_by_label("Rule, id or rule:subject").fill("tangent:src/styles/theme.css")
        form = page.locator("details", has_text="Let a finding stand")
        form.get_by_label("Why").fill("The theme belongs to it")
        form.get_by_role("button", name="Allow").click()
        expect(page.get_by_text("It may stand from now on.")).to_be_visible()
        page.get_by_text("Widen the scope").click()
        form = page.locator("details", has_text="Widen the scope")
        form.get_by_label("Paths").fill("src/styles/")
        form.get_by_label("Why").fill("Styles ride along")
        form.get_by_label("Until").fill("2h")
        form.get_by_role("button", name="Widen").click()
        expect(page.get_by_text("The work may touch it")).to_be_visible()
        name = desk.server.doorkeeper.name
    with closing(open_store(database())) as store:
        kept = store.allowances(str(world.workshop), "", 0.0)
    assert {one.by for one in kept} == {name}
    assert "tangent:src/styles/theme.css" in {one.fingerprint for one in kept}
    assert {(one.path, one.reason) for one in kept if one.rule} == {("src/styles", "Styles ride along")}
