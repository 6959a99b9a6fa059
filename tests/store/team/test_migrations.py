from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
import pytest

from leeboard.errors import ConfigError
from leeboard.store.team.migrations import MIGRATIONS, member_sql, team_sql

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
    assert "'o''neill'" in member_sql("kim", "o'neill")
