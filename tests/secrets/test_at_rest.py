from __future__ import annotations

import json
from base64 import urlsafe_b64encode

import pytest

from leeboard.secrets.at_rest import rest_of, why_no_refusal
from leeboard.secrets.redaction import find_secrets
from tests.leak import live_key, random_text

HEX = random_text(32, 1, "0123456789abcdef")
MIXED = random_text(24, 2)
SHARED = "most logins that programs carry are shared by all their users"


def session(days: int, role: str = "reader") -> str:
    """A token that lets somebody in for so long."""
    parts = (
        {"alg": "HS256", "typ": "JWT"},
        {"sub": "u-91823", "role": role, "iat": 1_700_000_000, "exp": 1_700_000_000 + days * 86_400},
    )
    coded = (urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts)
    return ".".join((*coded, random_text(43, 11)))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f'secret = "{HEX}"', "only its name calls it a secret"),
        (f'ALGOLIA_ADMIN_KEY = "{HEX}"', "only its name calls it a secret"),
        (f'login("admin", "{MIXED}")', "only its name calls it a secret"),
        (f'MAPS = "AIza{random_text(35, 3)}"', "programs carry such a key to all their users"),
        (f'pay("{live_key(1)}")', ""),
        (f'url = "postgres://app:{MIXED}@db.acme.io/app"', SHARED),
        (f'curl("-H", "Authorization: Bearer {MIXED}{MIXED}")', SHARED),
    ],
)
def test_what_speaks_for_itself_does_so_wherever_it_lies(text: str, reason: str) -> None:
    (secret,) = find_secrets(text, "src/app.py")
    assert why_no_refusal(secret, "src/app.py") == reason


SHOWN = "shown in a test, an example or a comment, where most keys were revoked long ago"


@pytest.mark.parametrize(
    ("path", "text", "reason"),
    [
        ("tests/test_pay.py", f'pay("{live_key(1)}")', SHOWN),
        ("doc/first-steps.rst", f"export KEY={live_key(1)}", SHOWN),
        ("src/app.py", f'# "backupUrl": "https://pay.acme.io/{live_key(1)}",', SHOWN),
        ("src/app.py", f'"backupUrl": "https://pay.acme.io/{live_key(1)}",', ""),
        (".npmrc", f"//registry.acme.io/:_authToken=npm_{random_text(36, 4)}", ""),
        ("src/app.py", f'api("{session(300)}")', "a signed token, of which nothing says that it opens all doors"),
        ("src/app.py", f'api("{session(300, "service_role")}")', ""),
        ("lib/extractors/tv.py", f'pay("{live_key(1)}")', "a service of others shows it to whoever opens its page"),
        ("src/web.py", f'"Cookie: _gitlab_session={HEX}"', "a session ends by itself"),
    ],
)
def test_where_a_key_is_only_shown_it_is_worth_a_look_and_no_more(path: str, text: str, reason: str) -> None:
    (secret,) = find_secrets(text, path)
    assert why_no_refusal(secret, path) == reason


FOR_HOURS, KEY_ID = (
    f"{letters}{random_text(16, 8, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}" for letters in ("ASIA", "AKIA")
)


MADE_UP = "it is probably made up, in a test, an example or a document"
PEM = f"-----BEGIN PRIVATE KEY-----\nMIIE{random_text(60, 5)}\n{random_text(60, 6)}\n-----END PRIVATE KEY-----\n"


@pytest.mark.parametrize(
    ("path", "text", "reason"),
    [
        ("README.md", f'secret = "{HEX}"', MADE_UP),
        ("examples/login.js", f"const ACCESS_TOKEN = '{MIXED}'", MADE_UP),
        ("src/testcurl/https/host.key", PEM, "probably made up for a test or an example"),
        ("deploy/server.key", PEM, ""),
        ("src/app.py", f'password = "{HEX}"', "it looks like the digest of a password, as in samples"),
        ("src/app.py", f'secret = "{HEX}"', ""),
        ("src/app.py", 'password = "hunter2"', ""),
        ("src/app.py", f'KEY = "{random_text(16, 7)}"', "too little speaks for it in committed code"),
        ("tests/test_pay.py", f'pay("{live_key(1)}")', ""),
        ("src/aws.py", f'KEY_ID = "{FOR_HOURS}"', "a session ends by itself"),
        ("src/aws.py", f'KEY_ID = "{KEY_ID}"', ""),
        ("tests/test_aws.py", f'KEY_ID = "{KEY_ID}"', "names a key that is not shown with it"),
        (
            "src/aws.py",
            f'def account(key):\n    """Of "{KEY_ID}" it is 12."""\n',
            "names a key that is not shown with it",
        ),
        (
            "src/http.go",
            f'const done = "Negotiate {MIXED}"',
            "it is one side's part in a handshake, good for that moment only",
        ),
        ("lib/fixtures.ts", f"const key = `{PEM}`", "probably made up for a test or an example"),
        ("scripts/make_fixtures/keys.py", f'password = "{MIXED}"', MADE_UP),
        (
            "src/peers.cpp",
            '/* passphrase="YOyTkxID8w!" go_dev_addr=02:40 */',
            "it is in a comment that shows what something looks like",
        ),
        ("src/peers.cpp", f'// const secret = "{HEX}";', ""),
        ("tests/test_pay.py", f'pay("{live_key(1)[:22]}")', "shorter than any that was handed out"),
        ("src/keys.js", f'const file = {{salt: "{MIXED}"}}', "a salt is no secret: it is stored beside what it salts"),
        ("src/wp.php", f"define('AUTH_SALT', '{MIXED}');", ""),
        ("src/rpc.py", f'secret_sig = "{HEX}"', "it is a marker by which something is recognised"),
        ("src/rpc.py", f'webhook_secret_sig = "{HEX}"', ""),
        ("src/play.py", f'URL = "https://a.io/?t={session(3)}"', "a session ends by itself"),
        ("src/play.py", f'URL = "https://a.io/?t={session(300)}"', ""),
        ("lib/data/secp256r2TestClient.key.pem", PEM, "probably made up for a test or an example"),
        ("src/app.py", f'use("ghs_{random_text(36, 12)}")', "a session ends by itself"),
        ("src/cgtest.c", f'set_passphrase("{MIXED}");', MADE_UP),
        ("src/latest.c", f'set_passphrase("{MIXED}");', ""),
        (
            "src/client.ts",
            'const DEFAULT_TOKEN = "eyJzZXNzaW9uX2lkIjogImRlZmF1bHQifQ";',
            "a record that can be read, and nothing in it is secret",
        ),
        ("src/testapp/main.go", f'password := "{MIXED}"', MADE_UP),
    ],
)
def test_what_was_hardly_ever_right_is_only_logged(path: str, text: str, reason: str) -> None:
    (secret,) = find_secrets(text, path)
    assert rest_of(secret, path, refused=False) == ((reason, "LOG") if reason else ("", "QUEUE"))


def test_the_secret_beside_the_id_of_a_key_for_hours_ends_with_it() -> None:
    text = f'"AccessKeyId": "{{}}",\n"SecretAccessKey": "{random_text(40, 9)}"\n'
    ended = [
        rest_of(one, "src/role.json", refused=True) for one in find_secrets(text.format(FOR_HOURS), "src/role.json")
    ]
    assert ended == [("a session ends by itself", "LOG")] * 2
    kept = [
        rest_of(one, "src/role.json", refused=True)[1] for one in find_secrets(text.format(KEY_ID), "src/role.json")
    ]
    assert kept == ["QUEUE"] * 2
