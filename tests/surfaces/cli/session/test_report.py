from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.leak import live_key
from tests.surfaces.cli.leaking import leak

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk


def test_the_newest_session_of_this_project(drifted: Desk) -> None:
    out = drifted.ok("report").out
    for part in (
        "session-1",
        "src/auth/token.ts",
        "needs-review",
        "intervene  told the agent",
        "src/styles/theme.css",
        "WORST",
    ):
        assert part in out


def test_the_three_forms_agree(drifted: Desk) -> None:
    (found,) = drifted.ok("report", "session-1", "--json").objects
    text = drifted.ok("report", "--markdown").out
    assert found["final_score"] < 8
    assert f"Score so far: {found['final_score']}/10" in text
    assert found["said"][0]["id"] in text
    assert found["said"][0]["words"].partition("\n")[0] in text
    assert [row["path"] for row in found["files"]] == ["src/styles/theme.css", "src/auth/token.ts"]


def test_it_fails_only_when_asked_to(drifted: Desk) -> None:
    assert drifted.run("report", "--fail", "--json").code == 1


def test_where_nothing_is_known_the_next_step_is_named(desk: Desk, drifted: Desk) -> None:
    ran = desk.run("report")
    assert ran.code == 2
    assert "`leeboard init`" in ran.err
    assert drifted.run("report", "nonesuch").code == 2


HEADINGS = """\
## SCAFFOLD-WATCH SESSION REPORT
**Session turns observed:**
**Interrupts fired:**
**Interrupts queued (not sent):**
**Signals logged (below threshold):**
**Interrupts fired this session:**
**Queued signals (not fired):**
**Pattern observations:**
**Recommendations for next session:**
**Codebase health delta:**
"""


@pytest.fixture(scope="module")
def leaked(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """After a denied secret. It is shared: only look."""
    from tests.surfaces.cli.conftest import Desk as MadeDesk  # noqa: PLC0415 - for its type alone elsewhere

    desk = MadeDesk(tmp_path_factory.mktemp("leaked"))
    leak(desk)
    return desk


def test_the_parts_of_the_session_report_stand_in_their_order(leaked: Desk) -> None:
    """SW-151."""
    text = leaked.ok("report", "--markdown").out
    places = [text.index(heading) for heading in HEADINGS.splitlines()]
    assert places == sorted(places)
    assert "**Interrupts fired:** 1/3" in text
    assert "[Turn 1] CLASS-B | URGENCY: B1-ESCALATE — " in text
    shown = leaked.ok("report").out
    assert "SCAFFOLD-WATCH" not in shown
    assert "Said at once: 1, of at most 3" in shown


def test_programs_get_the_same_counts(leaked: Desk) -> None:
    (report,) = leaked.ok("report", "--json").objects
    found = report["detections"]
    assert (len(found["interrupts_fired"]), found["interrupts_queued"], found["signals_logged"]) == (1, [], [])
    assert (found["interrupt_budget"], found["turns"]) == (2, 1)
    assert found["interrupts_fired"][0]["path"] == "src/pay.py"
    assert found["health"]["delta"]


def test_the_budget_is_the_project_s_own(leaked: Desk) -> None:
    settings = leaked.repo / "leeboard.toml"
    settings.write_text("[interrupts]\nbudget = 5\n", encoding="utf-8")
    try:
        assert "**Interrupts fired:** 1/5" in leaked.ok("report", "--markdown").out
    finally:
        settings.unlink()


def test_a_page_is_written_where_it_is_wanted(leaked: Desk) -> None:
    target = leaked.repo.parent / "page.html"
    ran = leaked.ok("report", "--html", str(target))
    assert (ran.out, ran.err.strip()) == ("", f"wrote {target}")
    assert target.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert leaked.ok("report", "--html", "-").out == target.read_text(encoding="utf-8")


def test_a_page_that_can_not_be_written_is_said_in_one_line(leaked: Desk) -> None:
    ran = leaked.run("report", "--html", str(leaked.repo / "no" / "page.html"))
    assert ran.code in {2, 5}
    assert "Traceback" not in ran.err
    assert len(ran.err.strip().splitlines()) == 1


@pytest.mark.parametrize("form", [("--json",), ("--markdown",), ("--html", "-"), ()])
def test_no_form_shows_a_secret(leaked: Desk, form: tuple[str, ...]) -> None:
    assert live_key(1)[8:20] not in leaked.ok("report", *form).out


def test_one_counter_counts_all_that_was_said_in_every_form(drifted_copy: Desk, tmp_path: Path) -> None:
    """A correction by the score and a refused secret: neither is missing anywhere, and none is counted apart."""
    desk = drifted_copy
    given = {"file_path": str(desk.repo / "src/pay.py"), "content": f'STRIPE_API_KEY = "{live_key(1)}"\n'}
    desk.hook("PreToolUse", tool_name="Write", tool_input=given, tool_use_id="toolu_key")
    (found,) = desk.ok("report", "--json").objects
    assert [one["how"] for one in found["said"]] == ["told", "refused"]
    assert found["refused"] == 1
    counted = "2 corrections: 1 refused, 1 told"
    out = desk.ok("report").out
    page = tmp_path / "page.html"
    desk.ok("report", "--html", str(page))
    for form in (out, desk.ok("report", "--markdown").out, page.read_text()):
        assert counted in form
        for one in found["said"]:
            assert one["id"] in form
    assert "call refused" in page.read_text()
    assert page.read_text().count("<path ") == 2, "one cross for the refused call, one in the legend"
    (status,) = desk.run("status", "--json").objects
    assert (status["session"]["said"], status["session"]["refused"]) == (2, 1)
    assert "2 corrections said, 1 of them refused a call" in " ".join(desk.run("status").out.split())


def test_a_session_in_which_nothing_was_scored_has_no_score(desk: Desk) -> None:
    desk.ok("init", "-q")
    desk.hook("UserPromptSubmit", prompt="what does src/auth/token.ts do?")
    assert "nothing was scored" in desk.ok("report").out
    assert "Score so far: nothing was scored" in desk.ok("report", "--markdown").out
    assert "0/10" not in desk.ok("report").out + desk.ok("report", "--markdown").out


def test_what_was_deleted_is_counted(desk: Desk) -> None:
    desk.ok("init", "-q")
    (desk.repo / "old.py").write_text("a = 1\n")
    desk.hook("UserPromptSubmit", prompt="remove old.py, nobody needs it")
    call: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "rm old.py"}, "tool_use_id": "toolu_1"}
    desk.hook("PreToolUse", **call)
    (desk.repo / "old.py").unlink()
    desk.hook("PostToolUse", **call, tool_response={"stdout": "", "stderr": ""})
    (found,) = desk.ok("report", "--json").objects
    assert found["deleted"] == ["old.py"]
    assert "- Deleted: old.py" in desk.ok("report", "--markdown").out
    assert "deleted" in desk.ok("report").out
