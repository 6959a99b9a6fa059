"""The real client does not run what the user ruled out, and the model learns why."""

from __future__ import annotations

import pytest

from tests.e2e.desk import Desk
from tests.e2e.model_script import Script, bash, edit, read, say, use

pytestmark = pytest.mark.e2e

PROMPT = "Fix add() in app.py. Don't modify the schema."


def test_a_broken_limit_is_refused_and_the_rest_goes_through(desk: Desk) -> None:
    desk.env["LEEBOARD_PROFILE"] = "enforce"
    schema, app, before = desk.path("db/schema.sql"), desk.path("app.py"), desk.read("db/schema.sql")
    script = Script(
        main=(
            use(read(schema), read(app)),
            use(edit(schema, "users", "people")),
            use(bash("sed -i s/users/people/ db/schema.sql")),
            use(edit(app, "a - b", "a + b")),
            say("add() adds now."),
        )
    )
    run = desk.run(PROMPT, script)
    assert desk.read("db/schema.sql") == before
    (refused,), (refused_again,) = run.main[2].results, run.main[3].results
    assert (refused["is_error"], refused_again["is_error"]) == (True, True)
    assert "broken_constraint" in refused["content"]
    assert "db/schema.sql" in refused["content"]
    assert "eeboard" in refused_again["content"], "another way to the same file is no way"
    (passed,) = run.main[4].results
    assert passed.get("is_error") is not True
    assert "return a + b" in desk.read("app.py")
    assert (run.code, desk.session(run.session).denied) == (0, 2)


def test_under_advise_the_same_call_is_refused_and_other_drift_only_spoken_of(desk: Desk) -> None:
    """What the user ruled out in so many words does not pass under any profile that speaks."""
    schema, theme, before = desk.path("db/schema.sql"), desk.path("src/styles/theme.css"), desk.read("db/schema.sql")
    script = Script(
        main=(
            use(read(schema)),
            use(edit(schema, "users", "people")),
            use(edit(theme, "black", "navy")),
            say("I left the schema alone."),
        )
    )
    run = desk.run(PROMPT, script)
    assert desk.read("db/schema.sql") == before
    (refused,) = run.main[2].results
    assert refused["is_error"] is True
    assert "broken_constraint" in refused["content"]
    assert "navy" in desk.read("src/styles/theme.css"), "advice refuses nothing else"
    assert desk.session(run.session).denied == 1
