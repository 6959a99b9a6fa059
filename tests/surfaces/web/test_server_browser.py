"""A gate that a real MCP flow opens waits for the click, also where everything was killed in between."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from leeboard.app.views.projects import project_key
from tests.flow_desk import SLUG, FlowDesk
from tests.mcp_line import McpLine
from tests.surfaces.web.conftest import let_in
from tests.trusting import trust_all
from tests.web_desk import served


def test_a_gate_of_the_real_flow_waits_for_the_click_and_goes_on(flow: FlowDesk, page: Page, tmp_path: Path) -> None:
    flow.at_stage_gate()
    trust_all(flow.root, tmp_path / "state")
    agent = McpLine(flow.root)
    with served(str(flow.root)) as desk:
        agent.call("run_next")
        agent.until_it_waits()
        let_in(page, desk)
        page.locator(f"#waiting a[href='/p/{project_key(str(flow.root))}/i/{SLUG}']").click()
        page.get_by_role("button", name="Approve").click()
        expect(page.locator("[data-decided=approved], #decide-h")).not_to_have_count(0)
        assert agent.action() == "advance_stage"
    agent.close()


def test_killed_and_started_anew_in_between_it_does_the_same(flow: FlowDesk, page: Page, tmp_path: Path) -> None:
    flow.at_stage_gate()
    trust_all(flow.root, tmp_path / "state")
    agent = McpLine(flow.root)
    with served(str(flow.root)) as desk:
        agent.call("run_next")
        agent.until_it_waits()
        let_in(page, desk)
        page.goto(f"{desk.address}/p/{project_key(str(flow.root))}/i/{SLUG}")
        port = desk.port
    agent.kill()
    with served(str(flow.root), port=port):
        page.reload()
        again = McpLine(flow.root)
        again.call("run_next")
        again.until_it_waits()
        page.get_by_role("button", name="Approve").click()
        assert again.action() == "advance_stage"
        again.close()
