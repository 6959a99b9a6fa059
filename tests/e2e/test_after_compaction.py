"""What the user asked for and ruled out is given to the model again when the client has shortened its context."""

from __future__ import annotations

import pytest

from tests.e2e.desk import Desk
from tests.e2e.model_script import Script, bash, edit, read, say, use

pytestmark = pytest.mark.e2e

PROMPT = "Fix add() in app.py. Don't modify the schema."
FULL = 990_000
"""Tokens at which the client compacts before it goes on."""


def test_goal_and_limits_come_again_in_the_middle_of_the_work(desk: Desk) -> None:
    app = desk.path("app.py")
    script = Script(
        main=(use(read(app)), use(bash("echo step"), tokens=FULL), use(edit(app, "a - b", "a + b")), say("Fixed."))
    )
    run = desk.run(PROMPT, script)
    assert [request.kind for request in run.requests] == ["main", "main", "summary", "main", "main"]
    assert [len(request.our_words) for request in run.main] == [0, 0, 1, 1]
    (given,) = run.main[2].our_words
    assert f"Goal: {PROMPT}" in given
    assert "schema" in given.partition("Limits the user set:")[2]


def test_goal_and_limits_come_again_when_the_user_resumes(desk: Desk) -> None:
    first = desk.run(PROMPT, Script(main=(use(read(desk.path("app.py"))), say("I see."))))
    second = desk.run("go on", Script(main=(say("Done."),)), "--resume", first.session)
    assert second.session == first.session
    (given,) = second.main[0].our_words
    assert f"Goal: {PROMPT}" in given
