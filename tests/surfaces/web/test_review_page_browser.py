"""What a person does at a gate with a browser, and what lies on the disk afterwards."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from leeboard.app.views.projects import project_key
from tests.flow_desk import SLUG, FlowDesk
from tests.git_repository import GitRepository
from tests.host_stand_in import HostStandIn
from tests.surfaces.web.conftest import let_in
from tests.web_desk import served
from tests.web_showcase import SLUG as SHOWN
from tests.web_showcase import UNITS, Showcase


def rulings(root: Path, slug: str = SLUG) -> list[dict[str, object]]:
    lines = (root / f".haiku/intents/{slug}/stages/build/rulings.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def review_of(root: Path, slug: str = SLUG) -> str:
    return f"/p/{project_key(str(root))}/i/{slug}"


def test_a_click_approves_and_the_disk_knows_before_the_page_says_so(flow: FlowDesk, page: Page) -> None:
    flow.at_stage_gate()
    with served(str(flow.root)) as desk:
        let_in(page, desk)
        page.locator(f"#waiting a[href='/p/{project_key(str(flow.root))}/i/{SLUG}']").click()
        button = page.get_by_role("button", name="Approve: stage ship begins")
        before = len(rulings(flow.root))
        button.click()
        expect(page.locator("[data-decided=approved]")).to_contain_text("Approved")
        newest = rulings(flow.root)[before]
        assert (newest["decision"], newest["by"]) == ("approved", desk.server.doorkeeper.name)
        page.reload()
        expect(page.locator("[data-decided=approved]")).to_be_visible()
    assert flow("run_next")["action"] == "advance_stage"


def test_two_comments_on_lines_become_one_request(flow: FlowDesk, page: Page) -> None:
    flow.at_stage_gate()
    with served(str(flow.root)) as desk:
        let_in(page, desk)
        page.goto(desk.address + review_of(flow.root))
        for path, words in (("left.txt", "Say more here."), ("right.txt", "And *here* <b>too</b>.")):
            row = page.locator(f'table[data-path="{path}"] tr[data-line="1"]')
            row.hover()
            row.get_by_role("button", name="Comment on line 1").click()
            page.get_by_label(f"Comment on {path} line 1").fill(words)
            page.get_by_role("button", name="Add to the request").click()
        page.reload()
        expect(page.locator("#comments > li")).to_have_count(2)
        page.get_by_label("What has to change").fill("Both files say too little.")
        page.get_by_role("button", name="Request changes").click()
        expect(page.locator("[data-decided=changes_requested]")).to_be_visible()
        expect(page.locator("#comments > li")).to_have_count(0)
    (newest,) = [each for each in rulings(flow.root) if each["decision"] == "changes_requested"]
    asked = str(newest["feedback"])
    assert asked.splitlines()[0] == "Both files say too little."
    assert "- left.txt:1: `unit-01-left`\n  Say more here." in asked
    assert "- right.txt:1: `unit-02-right`\n  And *here* <b>too</b>." in asked
    flow("run_next")
    (filed,) = flow.plan_now.stages[1].feedback
    assert (filed.origin, filed.title) == ("user-visual", "Both files say too little.")


def test_it_can_be_sent_to_a_review_elsewhere_and_taken_back(world: Showcase, page: Page) -> None:
    world.at_gate(UNITS[:1])
    with served(str(world.harbour)) as desk:
        let_in(page, desk)
        page.goto(desk.address + review_of(world.harbour, SHOWN))
        page.get_by_label("Address of the review").fill("https://code.example/pull/7")
        page.get_by_role("button", name="Open PR").click()
        expect(page.locator("[data-decided=external_review]")).to_be_visible()
        assert rulings(world.harbour, SHOWN)[-1]["decision"] == "external_review"
        state = json.loads((world.harbour / f".haiku/intents/{SHOWN}/stages/build/state.json").read_text())
        assert state["external_review_url"] == "https://code.example/pull/7"
        page.get_by_role("button", name="Take it back").click()
        expect(page.get_by_role("button", name="Approve")).to_be_visible()
    assert rulings(world.harbour, SHOWN)[-1]["decision"] == "withdrawn"


def test_open_pr_pushes_and_opens_and_says_who_fetches(
    world: Showcase, page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.at_gate(UNITS[:1])
    host = HostStandIn(tmp_path / "bin", "gh")
    monkeypatch.setenv("PATH", f"{host.folder}{os.pathsep}{os.environ['PATH']}")
    repository = GitRepository(world.harbour)
    repository.run("clone", "-q", "--bare", ".", str(tmp_path / "bare.git"))
    repository.run("remote", "add", "origin", str(tmp_path / "bare.git"))
    with served(str(world.harbour)) as desk:
        let_in(page, desk)
        page.goto(desk.address + review_of(world.harbour, SHOWN))
        page.get_by_role("button", name="Open PR").click()
        expect(page.get_by_role("link", name=host.url)).to_be_visible()
        expect(page.locator("#decision")).to_contain_text("Leeboard itself fetches that branch once a minute")
    assert rulings(world.harbour, SHOWN)[-1]["decision"] == "external_review"
    pushed = repository.run("ls-remote", str(tmp_path / "bare.git"), f"refs/heads/haiku/{SHOWN}/main")
    assert pushed.startswith(repository.run("rev-parse", f"haiku/{SHOWN}/main"))
    state = json.loads((world.harbour / f".haiku/intents/{SHOWN}/stages/build/state.json").read_text())
    assert state["external_review_url"] == host.url


def test_where_nothing_can_be_pushed_the_page_shows_the_commands(world: Showcase, page: Page) -> None:
    world.at_gate(UNITS[:1])
    with served(str(world.harbour)) as desk:
        let_in(page, desk)
        page.goto(desk.address + review_of(world.harbour, SHOWN))
        page.get_by_role("button", name="Open PR").click()
        expect(page.locator("#decision pre")).to_contain_text("git remote add origin ADDRESS")
        expect(page.locator("#decision pre")).to_contain_text(f"git push origin haiku/{SHOWN}/main")


def test_two_tabs_and_a_server_that_was_started_anew(flow: FlowDesk, page: Page) -> None:
    flow.at_stage_gate()
    with served(str(flow.root)) as desk:
        let_in(page, desk)
        page.goto(desk.address + review_of(flow.root))
        other = page.context.new_page()
        other.goto(desk.address + review_of(flow.root))
        port = desk.port
    with served(str(flow.root), port=port):
        other.get_by_role("button", name="Approve").click()
        expect(other.locator("[data-decided=approved]")).to_be_visible()
        page.get_by_role("button", name="Approve").click()
        expect(page.locator("[data-decided=approved]")).to_be_visible()
    assert [each["decision"] for each in rulings(flow.root)].count("approved") >= 2


def test_what_changed_after_it_was_shown_is_not_approved(flow: FlowDesk, page: Page) -> None:
    flow.at_plan_gate()
    with served(str(flow.root)) as desk:
        let_in(page, desk)
        page.goto(desk.address + review_of(flow.root))
        unit = flow.root / ".haiku/intents/thing/stages/build/units/unit-01-left.md"
        unit.write_text(unit.read_text().replace("Write left.txt.", "Write anything."))
        page.get_by_role("button", name="Approve").click()
        expect(page.get_by_role("alert")).to_contain_text("What stands there now is")
    assert not (flow.root / ".haiku/intents/thing/stages/build/rulings.jsonl").exists()


def test_an_answer_is_kept_where_every_agent_finds_it(flow: FlowDesk, page: Page) -> None:
    flow.through_shape()
    flow.until("elaborate")
    with served(str(flow.root)) as desk:
        let_in(page, desk)
        page.goto(desk.address + review_of(flow.root))
        page.get_by_label("In your words").fill("Left before right.")
        page.get_by_role("button", name="Say it").click()
        expect(page.get_by_text("Heard, and kept")).to_be_visible()
    assert "Left before right." in (flow.root / ".haiku/intents/thing/knowledge/ANSWERS.md").read_text()


def test_a_question_with_choices_waits_for_the_person_and_their_choice_is_on_record(flow: FlowDesk, page: Page) -> None:
    flow.through_shape()
    flow.until("elaborate")
    asked = {
        "decision": "Which side is first?",
        "options": ["left", "right"],
        "rationale": "Both would do.",
        "ask": True,
    }
    assert not flow("decision_record", **asked).is_error
    assert flow("run_next")["action"] == "awaiting_choice"
    with served(str(flow.root)) as desk:
        let_in(page, desk)
        expect(page.locator("#waiting")).to_contain_text("Which side is first?")
        page.goto(desk.address + review_of(flow.root))
        expect(page.get_by_role("group", name="Which side is first?")).to_be_visible()
        expect(page.locator("#question")).to_contain_text("Both would do.")
        page.get_by_role("radio", name="right").check()
        page.get_by_role("button", name="Choose or say it").click()
        expect(page.get_by_text("Heard, and kept")).to_be_visible()
    (entry,) = flow.plan_now.stages[1].state.decisions
    assert (entry["choice"], entry["source"]) == ("right", "user")
    assert ": right" in (flow.root / ".haiku/intents/thing/knowledge/ANSWERS.md").read_text()
    assert flow("run_next")["action"] == "elaborate"
