"""The hooks that `init` puts in are called by the real client, and what they tell is kept."""

from __future__ import annotations

import pytest

from tests.e2e.desk import Desk
from tests.e2e.model_script import Script, bash, edit, read, say, use

pytestmark = pytest.mark.e2e

ON_GOAL = "Fix add() in app.py"


def on_goal(desk: Desk) -> Script:
    app = desk.path("app.py")
    return Script(
        main=(
            use(read(app), text="I look at it."),
            use(edit(app, "a - b", "a + b"), bash("python3 app.py")),
            say("add() adds now."),
        )
    )


def test_every_hook_of_a_session_is_heard(desk: Desk) -> None:
    """AD-09, AD-57: from the start of the session to its end."""
    run = desk.run(ON_GOAL, on_goal(desk))
    desk.wait_for_resident()
    assert (run.code, run.result) == (0, "add() adds now.")
    heard = [receipt.event for receipt in desk.receipts(run.session)]
    assert heard[:2] == ["SessionStart", "UserPromptSubmit"]
    assert heard[-2:] == ["Stop", "SessionEnd"]
    assert sorted(heard[2:-2]) == sorted([*["PreToolUse", "PostToolUse"] * 3, *["PostToolBatch"] * 2])


def test_status_knows_the_session(desk: Desk) -> None:
    run = desk.run(ON_GOAL, on_goal(desk))
    desk.wait_for_resident()
    (status,) = desk.leeboard("status", "--json")
    assert (status["installed"], status["misses"], status["problems"]) == (True, 0, [])
    assert status["last_heard"]["event"] == "SessionEnd"
    assert status["session"]["id"] == run.session
    assert status["session"]["status"] == "completed"
    assert status["session"]["goal"] == ON_GOAL
    assert status["session"]["scope"]["named"] == ["app.py"]
    assert status["session"]["last_score"] == 10


def test_nothing_is_said_while_the_work_is_on_course(desk: Desk) -> None:
    """AD-39: no request holds a word of ours."""
    run = desk.run(ON_GOAL, on_goal(desk))
    assert desk.read("app.py").startswith("def add(a, b):\n    return a + b\n")
    assert len(run.main) == 3
    for request in run.requests:
        assert "leeboard" not in request.text.replace(str(desk.folder), "").lower()
