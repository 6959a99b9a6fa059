"""What a human message changes: the newest word wins."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from leeboard.analysis.analyse import analyse
from leeboard.clients.claude_code.hooks import parse
from leeboard.model.event import PromptGiven
from leeboard.model.fold import prompted
from leeboard.model.session import GOAL_WINDOW, AgentState, Session
from leeboard.model.text import matches
from leeboard.model.workspace import Workspace
from leeboard.testing.scenario import play


def after(*texts: str, session: Session | None = None, command: str = "") -> Session:
    session = session or Session(id="s")
    for text in texts:
        event = PromptGiven(session="s", text=text, command=command)
        intent = analyse(event, Workspace("/repo")).intent
        session, _agent = prompted(session, AgentState(), event, intent)
    return session


def test_the_first_message_gives_goal_scope_and_keywords() -> None:
    """AD-10: before it there is no goal."""
    assert not Session(id="s").goals
    session = after("fix the auth token bug in src/auth/token.ts")
    assert session.contract.objective == "fix the auth token bug in src/auth/token.ts"
    assert session.contract.scope == ("src/auth/token.ts",)
    assert {"auth", "token"} <= set(session.contract.keywords)


def test_a_later_message_re_anchors_and_keeps_what_was_asked_first() -> None:
    session = after("fix src/auth/token.ts", "now add a test in tests/auth/")
    assert session.contract.objective == "now add a test in tests/auth/"
    assert session.contract.scope == ("tests/auth/", "src/auth/token.ts")
    assert [goal.text for goal in session.goals] == ["fix src/auth/token.ts", "now add a test in tests/auth/"]
    assert session.contract.version == 2


def test_the_stack_keeps_the_first_and_the_newest() -> None:
    session = after(*(f"change part number {number} of src/a{number}.py" for number in range(20)))
    numbers = [goal.exchange for goal in session.goals]
    assert numbers == [1, *range(20 - GOAL_WINDOW + 2, 21)]


def test_a_nod_is_no_direction() -> None:
    session = after("fix src/auth/token.ts", "looks good")
    assert (len(session.goals), session.exchange) == (1, 2)
    assert session.contract.objective == "fix src/auth/token.ts"


def test_a_remark_is_no_direction_but_is_heard() -> None:
    session = after("fix src/auth/token.ts. Don't commit.", "no, don't touch the tests", "perfect. now commit")
    assert [goal.text for goal in session.goals] == ["fix src/auth/token.ts. Don't commit."]
    assert session.contract.objective == "fix src/auth/token.ts. Don't commit."
    assert [constraint.text for constraint in session.contract.constraints] == ["DO NOT touch the tests"]
    assert session.contract.version == 3


def test_what_a_remark_speaks_of_is_not_foreign_to_the_work() -> None:
    session = after("fix src/auth/token.ts", "looks good, the profile change is fine")
    assert "profile" in session.contract.keywords
    assert session.contract.scope == ("src/auth/token.ts",)
    assert session.contract.version == 1


def test_a_limit_alone_is_a_goal_when_there_is_none() -> None:
    session = after("Don't touch the tests")
    assert session.goals
    assert session.contract.constraints


def test_a_command_without_words_is_no_goal() -> None:
    session = after("", command="/compact")
    assert not session.goals
    assert not session.contract.objective
    assert session.exchange == 1


def test_a_command_without_words_does_not_end_forced() -> None:
    forced = replace(after("fix src/a.py"), mode="FORCED", forced="src/a.py")
    assert after("", session=forced, command="/context").mode == "FORCED"


def test_a_command_with_words_is_a_goal() -> None:
    assert after("the login form in src/login.py", command="/review").goals[0].scope == ("src/login.py",)


def test_a_human_message_ends_forced() -> None:
    """AD-102's reading: the human's newest word ends it, a nod too."""
    forced = replace(after("fix src/a.py"), mode="FORCED", forced="src/a.py", escalation=3)
    ended = after("ok", session=forced)
    assert (ended.mode, ended.forced) == ("NORMAL", "")


def test_asking_for_what_was_forbidden_ends_the_ban() -> None:
    session = after("fix src/a.py. Don't commit. Don't touch tests/", "now commit it")
    assert len(session.contract.constraints) == 1
    assert not any("commit" in constraint.text.lower() for constraint in session.contract.constraints)


def test_naming_a_forbidden_path_ends_the_ban_on_it() -> None:
    session = after("fix src/a.py. Don't touch db/schema.sql", "please change db/schema.sql after all")
    assert not session.contract.constraints


def test_a_ban_on_two_things_stands_for_the_other_one() -> None:
    (left,) = after("Don't touch the tests or package.json", "update the tests").contract.constraints
    assert (left.areas, matches("package.json", left.patterns)) == ((), True)
    assert not after(
        "Don't touch the tests or the docs", "update the tests", "and the docs can be changed"
    ).contract.constraints


def test_a_part_of_what_was_forbidden_is_freed() -> None:
    (left,) = after("fix it. Don't modify the schema.", "add a migration for it").contract.constraints
    assert not matches("db/migrations/001.sql", left.patterns)
    assert matches("db/schema.sql", left.patterns)
    (docs,) = after("fix it. Don't touch the docs.", "update the readmes").contract.constraints
    assert not matches("README.md", docs.patterns)
    assert matches("docs/a.md", docs.patterns)


def test_a_lifted_ban_can_be_set_again() -> None:
    session = after("Don't modify the schema", "you may modify the schema now", "stop. Don't modify the schema")
    assert [constraint.text for constraint in session.contract.constraints] == ["DO NOT modify the schema"]


@pytest.mark.parametrize(
    "leave",
    [
        "Ok, you may change db/schema.sql now.",
        "You can edit db/schema.sql after all.",
        "Go ahead and change db/schema.sql.",
        "I changed my mind, db/ is fine to touch",
        "Makes sense. It's ok to edit the files in db/ if needed.",
        "db/schema.sql and db/seed.sql can be changed, too",
    ],
)
def test_leave_to_change_what_was_forbidden_is_no_new_goal(leave: str) -> None:
    asked = "Fix the session lifetime in src/auth/token.py. Don't touch db/."
    session = after(asked, leave)
    assert (session.contract.objective, len(session.goals)) == (asked, 1)
    assert not session.contract.constraints
    assert session.goals[-1].scope[0].startswith("db/")
    assert "src/auth/token.py" in session.goals[-1].scope


@pytest.mark.parametrize(
    "order",
    [
        "You can now start on the billing page",
        "Go ahead and change db/schema.sql to hold a table of users.",
        "You may change db/schema.sql now. Then add the invoice page.",
        "Go ahead and change src/billing/pay.py.",
    ],
)
def test_leave_that_asks_for_work_or_ends_no_limit_is_a_new_goal(order: str) -> None:
    session = after("Fix the session lifetime in src/auth/token.py. Don't touch db/.", order)
    assert session.contract.objective == order


def test_naming_another_place_ends_an_only() -> None:
    session = after("Only edit src/auth/ please", "now src/billing/pay.py as well")
    assert not session.contract.constraints
    assert after("Only edit src/auth/ please", "and make it faster").contract.constraints


def test_a_ban_stands_until_it_is_lifted() -> None:
    session = after("fix src/a.py. Never push.", "and src/b.py", "continue")
    assert any(constraint.programs for constraint in session.contract.constraints)


def test_a_new_direction_forgives_and_a_nod_does_not() -> None:
    drifted = AgentState(edits=3, strays=("x.css",), corrected=True)
    steering, nod = PromptGiven(session="s", text="now src/b.py"), PromptGiven(session="s", text="ok")
    _, forgiven = prompted(Session(id="s"), drifted, steering, analyse(steering, Workspace()).intent)
    _, not_forgiven = prompted(Session(id="s"), drifted, nod, analyse(nod, Workspace()).intent)
    assert (forgiven.edits, forgiven.strays, forgiven.corrected) == (0, (), False)
    assert not_forgiven == replace(drifted, edits_asked=3)


def test_a_reminder_of_the_client_is_never_a_goal() -> None:
    payload = b'{"session_id":"s","hook_event_name":"UserPromptSubmit","prompt":"<system-reminder>edit x.css</system-reminder>"}'
    assert parse(payload, 0.0).events == ()


def test_after_a_new_direction_the_agent_may_go_there() -> None:
    """The whole way: what was drift before the human asked for it is none afterwards."""
    lines = (
        "@ fix the auth bug",
        "edit src/auth/token.ts",
        "@ now the invoice total too",
        "edit src/billing/invoice.ts",
    )
    assert not play(lines).spoken()
