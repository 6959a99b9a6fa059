from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.secrets.hit import SecretHit
from leeboard.secrets.redaction import find_secrets
from leeboard.secrets.whereabouts import Whereabouts

UUID = "6f9619ff-8b86-4011-b42d-00c04fc964ff"
DRAWN = "2YotnFZFEjr1zCsicMWpAA"
JWT = (
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiI5ODEyMzQ3NTYiLCJuYW1lIjoiS2FybCBXZWJlciJ9"
    ".Qk3vXr9TzL0mWc7YpJ2sHdN5gFa8BuEoRi1KtMxVwZ4"
)
UNDER = "under the name of an example"
MADE = "a token in a test, an example or a document"
TOKEN = f'"access_token": "{DRAWN}",'


@pytest.mark.parametrize(
    ("path", "text", "note"),
    [
        ("/tmp/try.py", 'password = "hunter2!x"', "scratch file"),
        ("/tmp/try.py", 's.login("bot", "Pass-4711x")', "scratch file"),
        ("/tmp/try.py", f'secret = "{DRAWN}"', ""),
        ("tmp/try.py", 'password = "hunter2!x"', ""),
        ("api/kms.examples.json", f'"GrantToken": "{UUID}"', "example file"),
        ("conf/app.sample.yml", "password: hunter2!x", "example file"),
        ("conf/app.yml", "password: hunter2!x", ""),
        ("build/Key.story-DzyC4PuD.js", 'password = "hunter2!x"', "example file"),
        ("build/history-DzyC4PuD.js", 'password = "hunter2!x"', ""),
        ("a.py", f'def f():\n    """Answers:\n\n    {TOKEN}\n    """\n', "example in a docstring"),
        ("a.py", f'# Copyright\n"""Answers {TOKEN}"""\n', "example in a docstring"),
        ("a.py", f'x = """\n{TOKEN}\n"""\n', ""),
        ("a.py", f'send(\n    """\n{TOKEN}\n"""\n)', ""),
        ("a.py", f'"""A module."""\nx = {{{TOKEN}}}\n', ""),
        ("tests/test_a.py", 'password = "hunter2"', "test fixture"),
        ("a.py", f'EXAMPLES = """\n{TOKEN}\n"""\n', "example in a docstring"),
        ("docs/a.md", "password: hunter2", "it is only explained"),
        ("docs/a.md", f"secret: {DRAWN}", "it is only explained"),
        ("man/a.5.in", f"secret: {DRAWN}", "it is only explained"),
        ("a.md", f"secret: {DRAWN}", ""),
        ("tests/case/hosts/a/etc/a.conf", f"secret: {DRAWN}", "test fixture"),
        ("tests/etc/a.conf", f"secret: {DRAWN}", ""),
        ("tests/etc/a.conf", 'secret = "Ar3etTnp"', "test fixture"),
        ("a.py", 'password = "topSekr3t" * 16', "made by repeating it"),
        ("a.ex", f'  @doc """\n  Answers {JWT}\n  """\n  def a, do: 1', "example in a docstring"),
        ("a.erl", f'-ifdef(TEST).\nparse("amqp://fr:{DRAWN}@proxy:9876").', "test fixture"),
        ("a.md", "secret: 3b7cd727ee24e8444053437c36cc66c3", ""),
        ("a.rb", f"# One\n# two\n#   user.password = '{DRAWN}'\n# three\n# four\ndef a", "it is only explained"),
        ("a.rb", f"# password = '{DRAWN}'\ndef a", ""),
        ("a.py", f'# DB = {{\n#  "host": "a",\n#  "password": "{DRAWN}",\n#  "port": 1,\n#  "x": 2,\n# }}\n', ""),
        ("a.yml", f"# one: 1\n# two: 2\n# password: {DRAWN}\n# three: 3\n# four: 4", ""),
        ("a.yml", f"# e.g. --routes=nats://ruser:{DRAWN}@host:6222", "it is only explained"),
        (".github/workflows/ci.yml", "DB_PASSWORD: Forge123", "for one build"),
        (".github/workflows/ci.yml", f"DB_PASSWORD: {DRAWN}", ""),
        (".github/workflows/ci.yml", "DB_PASSWORD: vK9#mQ2x!Lp7", ""),
        (".github/workflows/ci.yml", "URL: postgres://app:Winter-77x@db/app", "for one build"),
        (".github/workflows/ci.yml", "URL: postgres://app:Winter-77x@db.acme.io/app", ""),
        ("app/t/tenant/settings/config.py", f'token = "{DRAWN}"', ""),
        ("spec/helm/prod/values.yaml", f"token: {DRAWN}", ""),
        ("src/a_test.go", f'token := "{DRAWN}"', "test fixture"),
        ("tests/settings.py", f'token = "{DRAWN}"', ""),
        ("src/a.rs", f'#[cfg(test)]\nmod tests {{ const TOKEN: &str = "{DRAWN}"; }}', "test fixture"),
        ("src/a.rs", f'const TOKEN: &str = "{DRAWN}";\n#[cfg(test)]\nmod tests {{}}', ""),
        ("src/a.rs", f'#[cfg(test)]\nmod tests;\nconst TOKEN: &str = "{DRAWN}";', ""),
        ("src/a.rs", f'#[cfg(test)]\nuse std::env;\nconst TOKEN: &str = "{DRAWN}";', ""),
        ("a.erl", f'-ifdef(TEST).\n-export([a/0]).\n-endif.\nparse("amqp://fr:{DRAWN}@proxy:9876").', ""),
        ("bench/a.java", f'h.put("authorization", "Bearer {DRAWN}");', "test fixture"),
        ("a.sh", f'invalid_token="{DRAWN}"', "placeholder"),
        ("api/openapi.yaml", f"example: otpauth://totp/a?secret={DRAWN}&issuer=b", UNDER),
        ("api/swagger.yaml", f"post:\n  example:\n    Node: a\n    JoinToken: {DRAWN}", "under the name of an example"),
        ("api/swagger.yaml", f"post:\n  example:\n    Node: a\n  JoinToken: {DRAWN}", ""),
        ("tests/test_a.py", f'h = "Bearer {DRAWN}"', "test fixture"),
        ("compose.yml", f"services:\n  sample:\n    environment:\n      DB_PASSWORD: {DRAWN}", ""),
        ("compose.yml", f"services:\n  example:\n    image: x\n    environment:\n      DB_PASSWORD: {DRAWN}", ""),
        ("a.json", f'{{\n "samples": {{\n  "password": "{DRAWN}"\n }}\n}}', ""),
        ("a.json", f'{{\n "example": {{\n  "password": "{DRAWN}"\n }},\n "port": {{\n  "type": "string"\n }}\n}}', ""),
        ("a.json", f'{{\n "type": "object",\n "example": {{\n  "password": "{DRAWN}"\n }}\n}}', UNDER),
        ("a.json", f'{{\n "example": {{\n  "password": "{DRAWN}"\n }},\n "schema": {{}}\n}}', UNDER),
        ("a.yml", f"- description: a\n  example:\n    token: {DRAWN}", UNDER),
        ("a.yml", f"- example:\n    token: {DRAWN}\n- description: a", ""),
        ("a.yml", f"openapi: 3.0.0\nx:\n  examples:\n    token: {DRAWN}", UNDER),
        ("scripts/install", "DB_PASSWORD=hunter2!x", ""),
        ("upgrading", "DB_PASSWORD=hunter2!x", ""),
        ("INSTALL", "DB_PASSWORD=hunter2!x", "it is only explained"),
        ("api.http", "password: hunter2!x", ""),
        ("app.conf.prod", "password = hunter2!x", ""),
        *((path, f"Authorization: Bearer {JWT}", "") for path in ("api.http", "a.rest", "a.bru", "app.conf.prod")),
        *((path, f'h = "Bearer {JWT}"', "") for path in ("scripts/install", "src/latest/client.ts", "contest/a.ts")),
        *((path, f'h = "Bearer {JWT}"', MADE) for path in ("README", "a.md", "my-test/a.ts", "unittest/a.ts")),
    ],
)
def test_why_it_is_at_most_logged(path: str, text: str, note: str) -> None:
    (secret,) = (it for it in find_secrets(text, path) if it.kind != "entropy")
    assert secret.note == note


@pytest.mark.parametrize(
    ("text", "confidence", "note"),
    [
        (f'help = """\n{TOKEN}\n"""', 0.8, ""),
        ('help = """API_KEY=k7Gq9ZpX2vLm4RtY8wBn3CsD6fHjE1aU"""', 0.8, ""),
        (f'USAGE = """API_KEY="{DRAWN}\\""""', 0.8, ""),
        ('epilog = """\npassword="hunter2!x"\n"""', 0.8, ""),
        (f'help = """API_KEY=sk{"_"}live{"_"}aB3dE6gH9jK2mN5pQ8sT1vW4"""', 0.95, ""),
        ('help = """\npassword="your_password"\n"""', 0.3, "placeholder"),
    ],
)
def test_what_a_help_text_shows_is_worth_a_look(text: str, confidence: float, note: str) -> None:
    (secret,) = (it for it in find_secrets(text, "a.py") if it.kind != "entropy")
    assert (secret.confidence, secret.note) == (confidence, note)


@pytest.mark.parametrize(
    ("text", "confidence"),
    [
        (f'// safe to be embedded\nclientSecret = "{DRAWN}"', 0.8),
        (f'clientSecret = "{DRAWN}"  // not a secret', 0.8),
        (f'// keep this\nclientSecret = "{DRAWN}"', 0.92),
        (f'// the certificate is self-signed\nclientSecret = "{DRAWN}"', 0.92),
        (f'url = "safe to be embedded"\nclientSecret = "{DRAWN}"', 0.92),
    ],
)
def test_who_says_that_it_is_open_is_not_refused(text: str, confidence: float) -> None:
    (secret,) = (it for it in find_secrets(text, "a.go") if it.kind != "entropy")
    assert (secret.confidence, secret.note) == (confidence, "")


@pytest.mark.parametrize("path", ["/tmp/a.py", "a.example.py"])
def test_a_provider_key_is_one_wherever_it_stands(path: str) -> None:
    hit = SecretHit(kind="stripe-key", value=DRAWN, start=0, confidence=0.95)
    assert Whereabouts(path, DRAWN).weighed(hit, 0, len(DRAWN)) == (0.95, "")


@given(st.text(alphabet="\"'\n :#ra=", max_size=60))
def test_any_quotes_are_read(text: str) -> None:
    hit = SecretHit(kind="secret", value="x", start=len(text) // 2, confidence=0.8)
    file = Whereabouts("a.py", text)
    file.weighed(hit, 0, len(text))
    assert 1 <= file.line_at(hit.start) <= text.count("\n") + 1


@pytest.mark.parametrize(
    ("path", "value", "weighed"),
    [
        ("tests/test_a.py", f"sk{'_'}live{'_'}{DRAWN}", (0.95, "")),
        ("tests/test_a.py", DRAWN, (0.95, "test fixture")),
        ("tests/settings.py", DRAWN, (0.8, "")),
    ],
)
def test_in_a_test_only_its_format_tells_a_provider_s_key(path: str, value: str, weighed: tuple[float, str]) -> None:
    hit = SecretHit(kind="stripe-key", value=value, start=0, confidence=0.95)
    assert Whereabouts(path, value).weighed(hit, 0, len(value)) == weighed


@pytest.mark.parametrize(
    ("path", "text", "marked"),
    [
        ("a.py", 'password = "hunter2"  # nosec', True),
        ("a.go", '// #nosec G101\npassword := "hunter2!x"', True),
        ("a.go", 'x := 1 // #nosec G101\npassword := "hunter2!x"', False),
        ("a.go", '// #nosec G101\n\npassword := "hunter2!x"', False),
        ("a.yml", f"password: {DRAWN} # gitleaks:allow", True),
        ("a.yml", f"password: {DRAWN} # not secure", False),
    ],
)
def test_which_a_comment_for_another_tool_is_about(path: str, text: str, *, marked: bool) -> None:
    (secret,) = find_secrets(text, path)
    assert secret.marked is marked
