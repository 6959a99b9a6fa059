from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.leak import live_key
from tests.surfaces.cli.leaking import leak

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk


def test_a_verdict_and_its_correction_lead_to_the_same_evidence(drifted: Desk) -> None:
    (report,) = drifted.ok("report", "--json").objects
    verdict, correction = report["drifts"][0]["id"], report["corrections"][0]["id"]
    (by_verdict,) = drifted.ok("why", verdict[:7], "--json").objects
    (by_correction,) = drifted.ok("why", correction, "--json").objects
    assert by_verdict == by_correction
    assert by_verdict["id"] == verdict
    assert {finding["rule"] for finding in by_verdict["findings"]} == {"scope_drift", "tangent"}


def test_what_was_said_is_told_by_its_own_id_in_the_words_people_know(drifted: Desk) -> None:
    (report,) = drifted.ok("report", "--json").objects
    for said in report["said"]:
        out = drifted.ok("why", said["id"]).out
        assert f"correction  {said['id']}, " in out
        assert f"level {said['level']}" in out
        assert said["words"].split()[0] in out
        assert not re.search(r"\b(?:FIRE|QUEUE|LOG|INJECT|DENY|HALT|[ABCDV][1-6])\b|\b(?:Tool|Turn|Files)[A-Z]", out)


def test_a_finding_leads_there_too(drifted: Desk) -> None:
    out = drifted.ok("why", "scope_drift:src/styles/theme.css").out
    assert drifted.ok("why", "LB-S001:src/styles/theme.css").out == out
    assert "scope_drift LB-S001  src/styles/theme.css" in out
    assert "the agent is to: " in out
    assert "profile advise" in out


def test_an_unknown_id_names_where_ids_are(drifted: Desk) -> None:
    for unknown in ("v00000", "c0ffee", "scope_drift:nowhere", "zzz"):
        ran = drifted.run("why", unknown)
        assert ran.code == 2
        assert "`leeboard report`" in ran.err


@pytest.fixture
def scripted(desk: Desk) -> Desk:
    """After a script changed a file that nothing led to."""
    desk.ok("init", "-q")
    desk.hook("UserPromptSubmit", prompt="Fix the auth bug in src/auth/token.ts. Don't modify the schema.")
    desk.edit("src/auth/token.ts", "toolu_1")
    call: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "./build.sh"}, "tool_use_id": "toolu_2"}
    desk.hook("PreToolUse", **call)
    (desk.repo / "db").mkdir()
    (desk.repo / "db" / "schema.sql").write_text("x")
    desk.hook("PostToolUse", **call, tool_response={"stdout": ""})
    return desk


def test_what_a_script_did_is_explained_and_listed(scripted: Desk) -> None:
    (report,) = scripted.ok("report", "--json").objects
    assert {row["path"]: row["actions"] for row in report["files"]}["db/schema.sql"] == ["script"]
    (correction,) = report["corrections"]
    out = scripted.ok("why", correction["id"]).out
    assert "files that a script changed" in out
    assert "broken_constraint LB-S003  db/schema.sql" in out
    assert "DO NOT modify the schema" in out


def test_a_signal_is_explained_by_its_trace(desk: Desk) -> None:
    leak(desk)
    (report,) = desk.ok("report", "--json").objects
    (fired,) = report["detections"]["interrupts_fired"]
    out = desk.ok("why", fired["id"][:6]).out
    for part in (fired["id"], "credential LB-B101, said", "src/pay.py:1", "hears of it at once", "stripe"):
        assert part in out
    assert live_key(1)[8:20] not in out
    (found,) = desk.ok("why", fired["id"], "--json").objects
    assert (found["kind"], found["trace"], found["session"]) == ("signal", fired["trace"], "session-1")


def test_a_signal_nobody_knows_names_where_ids_are(drifted: Desk) -> None:
    ran = drifted.run("why", "sffffffffff")
    assert ran.code == 2
    assert "`leeboard report`" in ran.err


def test_a_score_that_nobody_heard_of_is_explained_by_its_file_and_by_its_id(desk: Desk) -> None:
    """An 8: on course, and yet something was taken from it."""
    desk.ok("init", "-q")
    desk.hook("UserPromptSubmit", prompt="Fix the auth bug in src/auth/token.ts.")
    desk.edit("src/auth/token.ts", "toolu_1")
    desk.edit("src/auth/session.css", "toolu_2")
    (report,) = desk.ok("report", "--json").objects
    row = next(row for row in report["files"] if row["path"] == "src/auth/session.css")
    assert row["worst"] == 8, report["files"]
    out = " ".join(desk.ok("why", row["why"]).out.split())
    assert " ".join(desk.ok("why", "src/auth/session.css").out.split()) == out
    assert "score 8/10, the worst of its files: 10 -2 scope_drift; from 8 on an action is on course" in out
    assert "let pass and noted" in out


def test_what_nothing_was_taken_from_says_so(desk: Desk) -> None:
    desk.ok("init", "-q")
    desk.hook("UserPromptSubmit", prompt="add payments in src/pay.py")
    leak(desk)
    (report,) = desk.ok("report", "--json").objects
    out = " ".join(desk.ok("why", report["said"][0]["id"]).out.split())
    assert "refused the call, level intervene" in out
    assert "it was refused for what is in it, whatever the score" in out


def test_without_an_id_it_is_about_what_was_said_last(drifted: Desk) -> None:
    (report,) = drifted.ok("report", "--json").objects
    last = drifted.ok("why", report["said"][-1]["id"]).out
    assert drifted.ok("why").out == last
    assert drifted.ok("why", "--session", report["session"][:4], cwd=drifted.repo.parent).out == last
    assert drifted.ok("report", "--session", report["session"], "--json").objects == [report]


def test_where_nothing_was_said_it_says_so(desk: Desk, drifted: Desk) -> None:
    assert "nothing was recorded yet" in desk.run("why").err
    told = drifted.run("why", cwd=desk.repo)
    assert "nothing was said in this project yet" in told.err
