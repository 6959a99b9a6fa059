from __future__ import annotations

import pytest

from leeboard.secrets.place import by_place
from leeboard.secrets.redaction import find_secrets

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
        ('.header(HttpHeaders.AUTHORIZATION, "token {}")', "authorization"),
        ('.header(AUTHORIZATION, "ApiKey {}")', "authorization"),
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
        '__authors__ = [("Bob2", "bob2001[AT]mail[DOT]net")]',
        "Authorization: Bearer $TOKEN",
        'Digest usernbme="bdmin", reblm="4K05DB3PAJE98BE"',
    ],
)
def test_a_place_that_does_not(text: str) -> None:
    assert not [hit for hit in by_place(text, text.lower()) if hit.note != "placeholder"]


@pytest.mark.parametrize(
    ("host", "confidence", "note"),
    [
        ("db.corp.io", 0.9, ""),
        ("localhost:5432", 0.8, ""),
        ("127.0.0.1", 0.8, ""),
        ("proxy.example.com", 0.3, "placeholder"),
        ("db.test", 0.3, "placeholder"),
        ("test.corp.io", 0.9, ""),
    ],
)
def test_whose_host_a_password_opens(host: str, confidence: float, note: str) -> None:
    line = f"https://bob:Zq9Kd02m@{host}/x"
    (hit,) = by_place(line, line.lower())
    assert (hit.confidence, hit.note) == (confidence, note)


@pytest.mark.parametrize(
    "text",
    [
        "WWW-Authenticate: NTLM TlRMTVNTUAACAAAAAgACADAAAACGggEAc51AYVDgyNcAAAAA",
        "github.com/opencontainers/go-digest a6d0ee40d4207ea02364bd3b9e8e77b9159ba1eb",
        '"accept, content-type, authorization, x-xsrftoken2"',
        'log("Going to negotiate SDES-SRTP (%s)...", mode)',
        "golang.org/x/oauth2 045497edb6234273d67dbc25da3f2ddbc4c4cacf",
    ],
)
def test_a_word_of_a_name_or_of_a_list_is_no_scheme(text: str) -> None:
    assert not [secret for secret in find_secrets(text, "vendor.conf") if not secret.note]


def test_a_sentence_in_base64_is_a_placeholder() -> None:
    (secret,) = find_secrets('e = "Bearer dGhpcyBpcyBhIGZha2UgYmVhcmVyIHRva2VuIQ=="', "src/a.go")
    assert secret.note == "placeholder"


@pytest.mark.parametrize(
    ("text", "confidence"),
    [
        (f"https://{'3f2b13f3a7773d13' * 2}:{'046e614f196a5b7a' * 2}@errors.acme.io/42", 0.8),
        (f"redis://:{VALUE}@cache.acme.io/0", 0.9),
        (f"https://deploy:{VALUE}@ci.acme.io/42", 0.9),
    ],
)
def test_a_number_behind_the_host_makes_no_address_for_reports(text: str, confidence: float) -> None:
    (hit,) = by_place(text, text.lower())
    assert hit.confidence == confidence
