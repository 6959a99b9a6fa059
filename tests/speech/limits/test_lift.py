"""What ends a ban and what only mentions the thing: a table each way, through the whole of a message."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.analysis.analyse import analyse
from leeboard.model.contract import Constraint
from leeboard.model.event import PromptGiven
from leeboard.model.fold import prompted
from leeboard.model.session import AgentState, Session
from leeboard.model.workspace import Workspace
from leeboard.speech.limits.lift import lifts

BANS = {
    "schema": "Fix login. Don't modify the schema.",
    "tests": "Fix login. Don't touch the tests.",
    "tests/": "Fix login. Don't touch tests/.",
    "docs": "Fix login. Never edit the docs.",
    "migrations": "Fix login. Leave the migrations alone.",
    "lock": "Fix login. Don't change the lock files.",
    "styles": "Fix login. Don't touch the styles.",
    "legacy": "Fix login. Don't touch the legacy folder.",
    "dep": "Fix login without adding dependencies.",
    "db": "Fix login. Leave the database alone.",
    "readme": "Fix login. Don't touch the readme.",
    "only": "Only edit src/auth/ please.",
}
LIFTED = [
    ("schema", "you may modify the schema now"),
    ("schema", "ok, go ahead and modify the schema"),
    ("schema", "please also update the schema"),
    ("schema", "I changed my mind: edit the schema"),
    ("schema", "schema changes are fine"),
    ("schema", "the schema can be changed"),
    ("schema", "Please update the schema to add a column."),
    ("schema", "can you update the schema?"),
    ("schema", "could you please change the database schema?"),
    ("schema", "it's ok to edit the schema"),
    ("schema", "It's fine if you touch the schema now"),
    ("schema", "feel free to change the schema"),
    ("schema", "touching the schema is fine"),
    ("schema", "changes to the schema are ok now"),
    ("schema", "I'm fine with schema changes"),
    ("schema", "I'm ok with you changing the schema"),
    ("schema", "the schema is no longer off limits"),
    ("schema", "the schema is fair game now"),
    ("schema", "forget what I said about the schema"),
    ("schema", "ignore my rule about the schema"),
    ("schema", "the ban on schema changes is lifted"),
    ("schema", "you don't have to leave the schema alone anymore"),
    ("schema", "go ahead with the schema change"),
    ("schema", "make the schema change"),
    ("schema", "add a column to the schema"),
    ("schema", "make changes to the schema"),
    ("schema", "Fix the form and update the schema accordingly"),
    ("schema", "let's change the schema after all"),
    ("schema", "we need to update the schema"),
    ("schema", "I want you to modify the schema"),
    ("schema", "you're allowed to edit the schema"),
    ("schema", "you can now edit the schema"),
    ("schema", "perfect. now update the schema"),
    ("schema", "actually, change the schema"),
    ("schema", "Update the users schema"),
    ("schema", "the schema should be updated too"),
    ("schema", "you may modify the schema if needed"),
    ("schema", "if needed, you may modify the schema"),
    ("schema", "no wait, you can edit the schema"),
    ("schema", "change the login page, the schema and the tests"),
    ("schema", "du darfst das Schema jetzt ändern"),
    ("schema", "puedes modificar el esquema"),
    ("schema", "Ok change the database then"),
    ("schema", "You have my permission to alter the schema."),
    ("schema", "Now edit the schema, not the tests"),
    ("tests", "you can touch the tests now"),
    ("tests", "update the tests too"),
    ("tests", "add a test for the token"),
    ("tests", "write unit tests"),
    ("tests", "fix the failing login tests"),
    ("tests", "implement it with tests"),
    ("tests", "tests can be updated"),
    ("tests", "the tests need updating"),
    ("tests", "edit tests/test_login.py"),
    ("tests", "add test coverage"),
    ("tests", "test changes are fine"),
    ("tests", "extend the specs"),
    ("tests/", "you can touch the tests now"),
    ("tests/", "update the tests"),
    ("tests/", "you may edit tests/ now"),
    ("docs", "update the docs"),
    ("docs", "you may edit the documentation as well"),
    ("docs", "add a section to the docs"),
    ("docs", "docs changes are welcome"),
    ("migrations", "create a migration for the new column"),
    ("migrations", "add a users migration"),
    ("migrations", "you can edit the migrations"),
    ("migrations", "migrations may be changed"),
    ("lock", "you may update the lock file"),
    ("lock", "regenerate the lockfile"),
    ("lock", "lock file changes are ok"),
    ("styles", "tweak the styles too"),
    ("styles", "you may change the css"),
    ("styles", "editing the stylesheets is fine now"),
    ("legacy", "you may edit the legacy folder"),
    ("legacy", "clean up the legacy directory"),
    ("dep", "you may add dependencies"),
    ("dep", "new dependencies are fine"),
    ("dep", "install lodash"),
    ("dep", "add lodash as a dependency"),
    ("dep", "use a library for this"),
    ("dep", "feel free to add packages"),
    ("db", "you may change the database"),
    ("db", "database changes are fine"),
    ("readme", "update the readme"),
    ("only", "you may edit other files too"),
    ("only", "feel free to change anything"),
    ("only", "you can edit files outside of it"),
    ("only", "update the tests too"),
    ("only", "also src/billing/pay.py"),
    ("only", "touch other modules if needed"),
    ("only", "you may change whatever you need"),
]
MENTIONED = [
    ("schema", "the schema has a users table"),
    ("schema", "look at the schema"),
    ("schema", "read the schema first"),
    ("schema", "did you change the schema?"),
    ("schema", "why did you modify the schema?"),
    ("schema", "I updated the schema yesterday"),
    ("schema", "The hooks run and update the schema"),
    ("schema", "should we change the schema?"),
    ("schema", "does it modify the schema?"),
    ("schema", "the schema looks fine"),
    ("schema", "the schema is fine"),
    ("schema", "compare the form with the schema"),
    ("schema", "the form does not match the schema"),
    ("schema", "make it match the schema"),
    ("schema", "we can update the schema later"),
    ("schema", "change the code reading the schema"),
    ("schema", "update the schema loader"),
    ("schema", "add a link to the schema docs"),
    ("schema", "if you modify the schema, the tests break"),
    ("schema", "ask before changing the schema"),
    ("schema", "The error says: update the schema"),
    ("schema", "users can modify the schema"),
    ("schema", 'change the label to "update the schema"'),
    ("schema", "you can not modify the schema"),
    ("schema", "don't update the schema"),
    ("schema", "never touch the schema"),
    ("schema", "I'd rather not touch the schema"),
    ("schema", "validate the payload against the schema"),
    ("schema", "run the migrations and check the schema"),
    ("schema", "explain the schema to me"),
    ("schema", "the schema can be changed by an admin"),
    ("schema", "you may change the schema once I approve"),
    ("schema", "remember the schema stays as it is"),
    ("schema", "use the schema for validation"),
    ("schema", "show me the schema"),
    ("schema", "what would happen if we changed the schema?"),
    ("schema", "How do I update the schema?"),
    ("schema", "fix the query so that it fits the schema"),
    ("schema", "the schema changes broke the build"),
    ("schema", "fix the parser"),
    ("schema", "I will modify the schema myself"),
    ("schema", "perfect, the schema stayed the same"),
    ("tests", "run the tests"),
    ("tests", "fix the bug so that the tests pass"),
    ("tests", "the tests fail"),
    ("tests", "make the tests pass"),
    ("tests", "look at the failing tests"),
    ("tests", "change the config so all tests pass"),
    ("tests", "why did the tests change?"),
    ("tests", "tests are green"),
    ("tests", "fix the function under test"),
    ("tests", "update login and run tests"),
    ("tests", "the login test fails"),
    ("docs", "read the docs"),
    ("docs", "as the docs say, add a flag"),
    ("docs", "see the docs"),
    ("docs", "the docs are ok"),
    ("docs", "add a link to the docs"),
    ("migrations", "apply the migrations"),
    ("migrations", "run the migrations"),
    ("migrations", "the migration adds a column"),
    ("styles", "the styles look good"),
    ("styles", "the page loses its styles"),
    ("legacy", "look into the legacy folder"),
    ("dep", "run npm ci"),
    ("dep", "which dependencies do we have?"),
    ("dep", "add a function to the auth module"),
    ("dep", "use the existing library"),
    ("db", "the database is slow"),
    ("db", "query the database"),
    ("only", "make it faster"),
    ("only", "looks good"),
    ("only", "what about other files?"),
    ("only", "the other files are fine"),
]


def standing(*texts: str) -> list[Constraint]:
    session = Session(id="s")
    for text in texts:
        event = PromptGiven(session="s", text=text)
        session, _agent = prompted(session, AgentState(), event, analyse(event, Workspace("/repo")).intent)
    return [constraint for constraint in session.contract.constraints if constraint.checkable]


@pytest.mark.parametrize("ban", BANS.values())
def test_each_ban_is_one(ban: str) -> None:
    assert standing(ban)


@pytest.mark.parametrize(("ban", "text"), LIFTED)
def test_asking_for_it_or_allowing_it_ends_the_ban(ban: str, text: str) -> None:
    assert not standing(BANS[ban], text)


@pytest.mark.parametrize(("ban", "text"), MENTIONED)
def test_a_mention_ends_nothing(ban: str, text: str) -> None:
    (constraint,) = standing(BANS[ban])
    assert constraint in standing(BANS[ban], text)


def test_leave_to_go_elsewhere_is_no_leave_to_break_a_ban() -> None:
    assert set(lifts("edit other files too", "edit other files too")) == {"**"}
    assert standing("Fix login. Don't touch the schema.", "you may edit other files too")


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    assert all(lifts(text, text))
