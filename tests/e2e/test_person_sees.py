"""What is refused, and what the agent is told, is shown to the person by the real client, in one line with an id."""

from __future__ import annotations

import json

import pytest

from tests.e2e.desk import Desk
from tests.e2e.model_script import Script, edit, read, say, use, write
from tests.leak import live_key

pytestmark = pytest.mark.e2e


def shown(desk: Desk, session: str) -> list[str]:
    """The lines that the client put before its user."""
    lines = (json.loads(line) for line in desk.transcripts(session)[0].read_text().splitlines())
    attached = (line.get("attachment", {}) for line in lines)
    return [str(one["content"]) for one in attached if one.get("type") == "hook_system_message"]


def test_a_refused_key_is_shown_to_the_person(desk: Desk) -> None:
    script = Script(main=(use(write(desk.path("pay.py"), f'KEY = "{live_key(1)}"\n')), say("Stored.")))
    run = desk.run("add payments in pay.py", script)
    (line,) = shown(desk, run.session)
    assert line.startswith("Leeboard refused a call (LB-B101): ")
    assert live_key(1) not in line
    verdict = line.partition("`leeboard why ")[2].partition("`")[0]
    (why,) = desk.leeboard("why", verdict, "--json")
    assert why["rules"] == ["credential"]


def test_a_limit_that_is_broken_is_shown_to_the_person(desk: Desk) -> None:
    schema = desk.path("db/schema.sql")
    script = Script(main=(use(read(schema)), use(edit(schema, "users", "people")), say("Renamed.")))
    run = desk.run("Fix add() in app.py. Don't modify the schema.", script)
    assert any("broken_constraint" in line and "LB-S003" in line for line in shown(desk, run.session))
