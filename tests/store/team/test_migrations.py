from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
import pytest

from leeboard.errors import ConfigError
from leeboard.store.team.migrations import MIGRATIONS, forget_sql, member_sql, team_sql

if TYPE_CHECKING:
    from tests.team_server import TeamServer


def test_it_may_be_run_again_and_members_own_nothing(team_server: TeamServer) -> None:
    team_server.execute(team_sql())
    assert team_server.execute("SELECT number FROM leeboard.migrations") == [
        (number,) for number in range(1, len(MIGRATIONS) + 1)
    ]
    url = team_server.member("kim", "shop")
    forbidden = (
        "DELETE FROM leeboard.policies",
        "SELECT * FROM leeboard.step_terms",
        "DELETE FROM leeboard.step_terms",
        "UPDATE leeboard.members SET may_allow = true",
        "SELECT leeboard.newest_with('shop', 'files', '{a}', 5)",
        "INSERT INTO leeboard.policies (project, serial, document) VALUES ('shop', 1, 'x')",
        "INSERT INTO leeboard.allowances VALUES ('shop', 'a', 'r', '', '', 'why', 0, 'kim', false, 'kim', 'o', 1)",
        "INSERT INTO leeboard.records VALUES (DEFAULT, 'shop', 'task', 'x', 's', '{}', 'lee', 'o', 1)",
        "DROP TABLE leeboard.steps",
        "TRUNCATE leeboard.records",
        "CREATE TABLE leeboard.more (x int)",
        "INSERT INTO leeboard.members VALUES ('kim', 'bank')",
        "UPDATE leeboard.members SET project = 'bank'",
        "ALTER TABLE leeboard.steps DISABLE ROW LEVEL SECURITY",
        "SET ROLE leeboard_owner",
        "INSERT INTO leeboard.records VALUES (DEFAULT, 'bank', 'task', 'x', 's', '{}', 'kim', 'o', 1)",
    )
    for statement in forbidden:
        with psycopg.connect(url, autocommit=True) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(statement.encode())


def test_names_are_checked_before_they_become_sql() -> None:
    with pytest.raises(ConfigError, match="no role"):
        member_sql("kim; DROP ROLE x", "shop")
    for name in ("o'neill", "shop\n\\! id", "", "x" * 101, "shop\n"):
        with pytest.raises(ConfigError, match="no project"):
            member_sql("kim", name)


def test_an_earlier_version_is_brought_up_to_date_with_what_it_holds(team_server: TeamServer) -> None:
    """The SQL of the first version, a row, then that of this one."""
    team_server.execute("DROP DATABASE IF EXISTS earlier")
    team_server.execute("CREATE DATABASE earlier")
    url = team_server.url().replace("/postgres?", "/earlier?")
    row = (
        "INSERT INTO leeboard.steps (project, id, session_id, action_type, files, folders, drift_score, drift_type, "
        "is_key_decision, is_validated, keywords, timestamp, words, member, origin, revision) "
        "VALUES ('shop', 'old', 's', 'edit', '{a.py}', '{}', 9, 'none', false, true, '{k}', 1, '{}', 'kim', 'o', 1)"
    )
    with psycopg.connect(url, autocommit=True) as admin:
        for sql in (team_sql(1), row, team_sql(), member_sql("kim", "shop")):
            admin.execute(sql.encode())
        assert admin.execute("SELECT count(*) FROM leeboard.step_terms").fetchone() == (2,)
    with psycopg.connect(url.replace("postgres@", "kim@"), autocommit=True) as kim:
        found = kim.execute("SELECT (step).id FROM leeboard.steps_about('shop', 0, '{a.py}', '{}', '{}', 5)").fetchall()
        assert found == [("old",)]
    team_server.execute("DROP DATABASE earlier")


def test_rights_are_given_and_taken_back(team_server: TeamServer) -> None:
    asked = "SELECT may_allow, may_publish FROM leeboard.members WHERE role = 'kim'"
    for rights in (("allow",), ("allow", "publish"), ()):
        team_server.member("kim", "shop", *rights)
        assert team_server.execute(asked) == [("allow" in rights, "publish" in rights)]


def test_who_was_let_in_is_shut_out_by_the_line_that_stands_beside_it(team_server: TeamServer) -> None:
    for role, project in (("kim", "shop"), ("kim", "bank"), ("lee", "shop")):
        team_server.member(role, project)
    line = next(line for line in member_sql("kim", "shop").splitlines() if "DELETE" in line)
    team_server.execute(f"SET ROLE leeboard_owner; {line.removeprefix('--')}")
    left = team_server.execute("SELECT role, project FROM leeboard.members ORDER BY 1, 2")
    assert [tuple(row) for row in left] == [("kim", "bank"), ("lee", "shop")]


def test_forgetting_is_of_one_project_and_one_role() -> None:
    text = forget_sql("shop", "kim")
    assert "DELETE FROM leeboard.steps WHERE project = 'shop' AND member = 'kim';" in text
    with pytest.raises(ConfigError, match="no project"):
        forget_sql("shop'; DROP")
    with pytest.raises(ConfigError, match="no role"):
        forget_sql("shop", "kim'; DROP")


def test_no_type_or_function_of_a_members_own_runs_as_the_owner(team_server: TeamServer) -> None:
    """Temporary types come first where a search path does not say that they come last."""
    url = team_server.member("mallory", "toys")
    trap = """
        CREATE FUNCTION pg_temp.evil(v pg_catalog.text) RETURNS boolean LANGUAGE plpgsql AS $f$ BEGIN
          RAISE EXCEPTION 'ran as %', current_user;
        END $f$;
        CREATE DOMAIN pg_temp.text AS pg_catalog.text CHECK (pg_temp.evil(value));
    """
    asked = (
        "SELECT count(*) FROM leeboard.steps_about('toys', 1, '{a}', '{a}', '{a}', 1)",
        "SELECT count(*) FROM leeboard.steps_since('toys', '0', 1)",
        "SELECT count(*) FROM leeboard.steps_with_words('toys', '{a}', 1, 1, 1)",
        "SELECT count(*) FROM leeboard.allowances",
    )
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(trap)
        for question in asked:
            assert connection.execute(question.encode()).fetchone() == (0,)


def test_numbers_and_odd_values_are_not_for_members_to_choose(team_server: TeamServer) -> None:
    url = team_server.member("mallory", "toys", "allow", "publish")
    into = "INSERT INTO leeboard.{} OVERRIDING SYSTEM VALUE VALUES (99, 'toys', 'x')"
    step = (
        "INSERT INTO leeboard.steps (project, id, session_id, action_type, files, folders, drift_score, drift_type, "
        "is_key_decision, is_validated, keywords, timestamp, words, origin, revision) VALUES ('toys', 'a', 's', 'edit', "
        "{}, '{{}}', 9, 'none', false, true, '{{}}', 1, '{{}}', 'o', 1)"
    )
    allowance = "INSERT INTO leeboard.allowances (project, id, rule, path, fingerprint, reason, until, by, revoked, origin, revision) VALUES ('toys', 'a', 'r', '', '', 'why', 'NaN', 'kim', false, 'o', 1)"
    refused = {
        into.format("purges (number, project, member)"): psycopg.errors.InsufficientPrivilege,
        step.format("ARRAY['a', NULL]"): psycopg.errors.CheckViolation,
        step.format("'{{{{a,b}},{{c,d}}}}'"): psycopg.errors.CheckViolation,
        allowance: psycopg.errors.CheckViolation,
        "INSERT INTO leeboard.policies (project, serial, document) VALUES ('toys', 9223372036854775807, 'x')": (
            psycopg.errors.CheckViolation
        ),
    }
    for statement, why in refused.items():
        with psycopg.connect(url, autocommit=True) as connection, pytest.raises(why):
            connection.execute(statement.encode())
