"""Statements that take more away than one row."""

from __future__ import annotations

import pytest

from leeboard.shell.irreversible import sweeping


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("DROP TABLE users", "users"),
        ('drop table if exists "Users" cascade;', "Users"),
        ("select 1; truncate only orders", "orders"),
        ("DELETE FROM users", "users"),
        ("delete from `users`;", "users"),
        ("UPDATE users SET a = 'where'", "users"),
        ("alter table users drop column email", "users"),
        ("drop database app", "app"),
    ],
)
def test_what_sweeps(text: str, name: str) -> None:
    assert [found for _, found in sweeping(text)] == [name]


@pytest.mark.parametrize(
    "text",
    [
        "delete from users where id = 1",
        "update users set a = 1 where b = 2",
        "select 'drop table users'",
        "-- drop table users\nselect 1",
        "begin; delete from users; rollback;",
        "create temp table t (a int); drop table t",
        "drop index ix; drop view v",
        "alter table users drop constraint c",
        "insert into log values ('delete from users')",
        "",
    ],
)
def test_what_does_not(text: str) -> None:
    assert list(sweeping(text)) == []


def test_mongo() -> None:
    assert [said for said, _ in sweeping("db.users.deleteMany({ })")] == [".deleteMany({ })"]
    assert list(sweeping("db.users.deleteMany({a: 1})")) == []
