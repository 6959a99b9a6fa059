from __future__ import annotations

import pytest

from leeboard.secrets.place import by_place

VALUE = "kT9vq2ZxLpWm4Rt8"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("postgres://app:{}@db/app", "url-password"),
        ("redis://:{}@cache:6379", "url-password"),
        ('dsn = "app:{}@tcp(db:3306)/app"', "url-password"),
        ("https://kT9vq2{}@git.dev/x", "url-token"),
        ("Authorization: Bearer {}", "authorization"),
        ("authorization: token {}", "authorization"),
        ("curl -u admin:{} x", "user-option"),
        ("curl --user admin:{} x", "user-option"),
        ("sshpass -p {} ssh x", "password-option"),
        ("mysql -u root -p{} app", "password-option"),
        ("openssl x -passin pass:{}", "password-option"),
        ('ConvertTo-SecureString "{}" -AsPlainText', "secure-string"),
        ("create user a identified by '{}'", "sql-password"),
        ('login("bob", "{}")', "login-call"),
        ('auth=("bob", "{}")', "login-call"),
        ('getConnection(url, "bob", "{}")', "login-call"),
    ],
)
def test_a_place_that_holds_a_secret(text: str, kind: str) -> None:
    line = text.format(VALUE)
    hits = [hit for hit in by_place(line, line.lower()) if VALUE in hit.value]
    assert hits
    assert hits[0].kind == kind
    assert hits[0].confidence >= 0.8


@pytest.mark.parametrize(
    "text",
    [
        "https://user:${PASSWORD}@host/",
        "https://host:8080/path@x",
        "the bearer of this letter",
        "Basic authentication is used here",
        "docker run -u 1000:1000 -p 8080:80 app",
        "mkdir -p some/folder123",
        'connect("localhost", "database")',
        "Authorization: Bearer $TOKEN",
    ],
)
def test_a_place_that_does_not(text: str) -> None:
    assert not [hit for hit in by_place(text, text.lower()) if hit.note != "placeholder"]
