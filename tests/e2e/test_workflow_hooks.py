"""In the real client a workflow on disk holds: wrong moves are refused, sub-agents scoped, and nobody just ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.e2e.desk import Desk
from tests.e2e.model_script import Script, Use, agent, edit, say, use
from tests.plan_tree import FORM, INTENT, MAIL, SLUG, STAGE, STAGE_PAGE, UNIT
from tests.trusting import trust_all

pytestmark = pytest.mark.e2e

UNITS = f".haiku/intents/{SLUG}/stages/{STAGE}/units"
TREE = f".haiku/worktrees/{SLUG}"


@pytest.fixture
def planned(desk: Desk) -> Desk:
    desk.write(f".haiku/intents/{SLUG}/intent.md", INTENT)
    state = {"stage": STAGE, "status": "active", "phase": "execute", "started_at": "2026-01-01T00:00:00Z"}
    desk.write(f".haiku/intents/{SLUG}/stages/{STAGE}/state.json", json.dumps(state))
    desk.write(".haiku/studios/shop/STUDIO.md", "---\nname: Shop\nstages: [build, release]\n---\n")
    desk.write(".haiku/studios/shop/stages/build/STAGE.md", STAGE_PAGE)
    desk.write(".haiku/studios/shop/stages/build/hats/builder.md", "Write the code, test first.\n")
    desk.write(".git/info/exclude", "/.haiku/worktrees/\n")
    for unit in (FORM, MAIL):
        desk.write(f"{UNITS}/{unit}.md", UNIT.format(title=unit, gate="'true'", hat="builder"))
        desk._git("worktree", "add", "-q", "-b", f"haiku/{SLUG}/{unit}", f"{TREE}/{unit}")
    trust_all(desk.repo, desk.state)
    return desk


def test_wrong_moves_are_refused_and_the_right_one_goes_through(planned: Desk) -> None:
    """SH-11, SH-51, SH-53, SH-55, SH-56, SH-59. (Run headless, the client has no plan mode to enter.)"""
    unit, page, app = planned.path(f"{UNITS}/{FORM}.md"), planned.read(f"{UNITS}/{FORM}.md"), planned.read("app.py")
    inside = f"{TREE}/{FORM}/app.py"
    script = Script(
        main=(
            use(Use("Read", {"file_path": planned.path("app.py")}), Use("Read", {"file_path": unit})),
            use(edit(planned.path("app.py"), "a - b", "a + b")),
            use(edit(unit, "status: active", "status: completed")),
            use(Use("Read", {"file_path": planned.path(inside)})),
            use(edit(planned.path(inside), "a - b", "a + b")),
            say("Done."),
            say("Which of the two is meant?"),
        )
    )
    run = planned.run("Go on with the workflow.", script)
    assert "haiku_run_next" in run.main[0].text, "told before anybody asks"
    for at, rule in ((2, "workflow_guard"), (3, "fsm_fields")):
        (refused,) = run.main[at].results
        assert refused["is_error"], rule
        assert rule in str(refused["content"])
    assert (planned.read("app.py"), planned.read(f"{UNITS}/{FORM}.md")) == (app, page)
    assert "a + b" in planned.read(inside)
    assert "haiku_unit_advance_hat" in run.main[6].text, "SH-55: it may not just end"
    assert (run.code, run.result) == (0, "Which of the two is meant?")


def test_a_sub_agent_is_scoped_and_owes_its_result(planned: Desk, tmp_path: Path) -> None:
    """SH-55, SH-60: its prompt has its unit and hat alone, and it ends once a result is on record."""
    engine = tmp_path / "engine.sh"
    engine.write_text(f"sed -i 's/^hat: builder/hat: reviewer/' {planned.path(UNITS)}/{FORM}.md\n")
    made = planned.path(f"{TREE}/{FORM}/form.py")
    script = Script(
        main=(use(agent(f"Build {FORM}.")), say("Which unit is next?"), say("Which unit is next?")),
        sub_agent=(
            use(Use("Write", {"file_path": made, "content": "x = 1\n"})),
            say("Built."),
            use(Use("Bash", {"command": f"sh {engine}", "description": "record it"})),
            say("Recorded."),
        ),
    )
    run = planned.run("Go on with the workflow.", script)
    theirs = [request for request in run.requests if request.kind != "main"]
    assert "Write the code, test first." in theirs[0].text
    assert "unit-02" not in theirs[0].text.partition(f"Build {FORM}.")[0].rpartition("<leeboard-unit>")[2]
    assert len(theirs) == 4, "kept going once, let go when it was recorded"
    assert "haiku_unit_advance_hat" in theirs[2].text
    assert run.code == 0


def test_an_agent_that_never_records_it_is_let_go_by_the_client_in_the_end(planned: Desk) -> None:
    """No agent is locked in."""
    made = planned.path(f"{TREE}/{FORM}/form.py")
    script = Script(
        main=(use(agent(f"Build {FORM}.")), say("Which unit is next?"), say("Which unit is next?")),
        sub_agent=(use(Use("Write", {"file_path": made, "content": "x = 1\n"})),),
    )
    run = planned.run("Go on with the workflow.", script)
    theirs = [request for request in run.requests if request.kind != "main"]
    assert run.code == 0
    assert 3 <= len(theirs) <= 12
