"""Files dropped onto the page: where they lie afterwards, and under whose name."""

from __future__ import annotations

import json

from playwright.sync_api import FilePayload, Page, expect

from leeboard.app.views.projects import project_key
from tests.flow_desk import SLUG, FlowDesk
from tests.surfaces.web.conftest import let_in
from tests.web_desk import served
from tests.web_showcase import PNG


def test_files_that_a_person_brings_are_theirs(flow: FlowDesk, page: Page) -> None:
    flow.at_stage_gate()
    top = flow.root / f".haiku/intents/{SLUG}"
    with served(str(flow.root)) as desk:
        let_in(page, desk)
        page.goto(f"{desk.address}/p/{project_key(str(flow.root))}/i/{SLUG}/files")
        notes = FilePayload(
            name="notes <b>.md", mimeType="text/markdown", buffer=b"# Notes\n\n<script>alert(1)</script>\n"
        )
        chart = FilePayload(name="chart.png", mimeType="image/png", buffer=PNG)
        page.get_by_label("Drop files here, or choose them").set_input_files([notes, chart])
        page.locator("select[name=shelf]").select_option("knowledge")
        page.get_by_role("textbox", name="Why").fill("From the harbour office")
        page.get_by_role("button", name="Bring them").click()
        expect(page.get_by_text("2 files brought")).to_be_visible()
        assert (top / "stages/build/knowledge/chart.png").read_bytes() == PNG
        with page.expect_download() as download:
            page.get_by_role("link", name="save stages/build/knowledge/notes <b>.md").click()
        assert download.value.suggested_filename.endswith(".bin")
    log = [json.loads(line) for line in (top / "action-log.jsonl").read_bytes().splitlines()]
    brought = [each for each in log if each["entry_type"] == "human_write"]
    assert {each["author_class"] for each in brought} == {"human-via-mcp"}
    assert {each["claimed_author_id"] for each in brought} == {desk.server.doorkeeper.name}
    assert {each["path"] for each in brought} == {
        "stages/build/knowledge/notes <b>.md",
        "stages/build/knowledge/chart.png",
    }
    audit = [json.loads(line) for line in (top / "write-audit.jsonl").read_bytes().splitlines()]
    assert audit[-1]["rationale"] == "From the harbour office"
