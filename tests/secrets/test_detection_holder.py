from __future__ import annotations

import pytest

from leeboard.secrets.detection import holder_of
from leeboard.secrets.redaction import find_secrets

VALUE = "kT9vq2ZxLp1"


@pytest.mark.parametrize(
    ("before", "holder"),
    [
        ('api_key = "', "api_key"),
        ('{"token": "', "token"),
        ('client.login("bot", "', "argument 2 of client.login()"),
        ('getConnection(url, "bot", "', "argument 3 of getConnection()"),
        ('get(url, auth=("bot", "', "auth"),
        ('set("password", "', "password"),
        ('connect("', "connect"),
        ('DB = "postgres://bot:', "DB"),
        ("see postgres://bot:", ""),
        ("nothing here ", ""),
        ("", ""),
    ],
)
def test_what_holds_a_value(before: str, holder: str) -> None:
    assert holder_of(before) == holder


@pytest.mark.parametrize(
    ("path", "line", "name"),
    [
        ("a.py", f'client.login("bot", "{VALUE}")', "argument 2 of client.login()"),
        ("a.py", f'get(url, auth=("bot", "{VALUE}"))', "auth"),
        ("a.py", f'DB = "postgres://bot:{VALUE}@db/app"', "DB"),
        ("", f"curl -u bot:{VALUE} https://x.dev", "-u"),
        ("a.go", f'dsn := "bot:{VALUE}@tcp(db:3306)/app"', "dsn"),
    ],
)
def test_a_user_name_is_never_the_name(path: str, line: str, name: str) -> None:
    assert [secret.name for secret in find_secrets(line, path)] == [name]
