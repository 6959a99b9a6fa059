"""Secrets are put together at run time: no scanner shall find one in this file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.secrets.detection import secret_spans
from leeboard.secrets.redaction import REDACTED, find_secrets, redact, redact_name

ROOT = Path(__file__).resolve().parents[2]
MIXED = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0fG3hJ6"
HEX = "0a1b2c3d4e5f60718293a4b5c6d7e8f9"


def glued(*parts: str) -> str:
    return "".join(parts)


SECRETS = [
    glued("sk", "-proj-", MIXED),
    glued("sk", "-ant-api03-", MIXED),
    glued("sk", "_live_", MIXED),
    glued("rk", "_test_", MIXED),
    glued("gh", "p_", MIXED),
    glued("gh", "s_", MIXED),
    glued("github", "_pat_", MIXED),
    glued("gl", "pat-", MIXED[:20]),
    glued("xo", "xb-123456789012-", MIXED[:24]),
    glued("xa", "pp-1-A0-", MIXED),
    glued("n", "pm_", MIXED),
    glued("pypi", "-AgEI", MIXED),
    glued("h", "f_", MIXED),
    glued("dop", "_v1_", HEX, HEX),
    glued("shp", "at_", HEX),
    glued("S", "G.", MIXED[:22], ".", MIXED),
    glued("AK", "IA", "ABCDEFGH12345678"),
    glued("AI", "za", MIXED),
    glued("ya", "29.", MIXED),
    glued("GOC", "SPX-", MIXED),
    glued("ey", "J", MIXED, ".ey", "J", MIXED, ".", MIXED),
    glued("hv", "s.", MIXED),
    glued("gsk", "_", MIXED),
    glued("fig", "d_", MIXED),
    glued("lin", "_api_", MIXED),
    glued("da", "pi", HEX),
    glued("12345678", "9:AA", MIXED[:33]),
    glued("AGE-SECRET", "-KEY-1", MIXED.upper(), MIXED.upper()),
]

HIDDEN = "hunter2-Tr0ub4dor"
PLACES = [
    "password={}",
    "password: {}",
    'password = "{}"',
    "'password': '{}'",
    '{{"password": "{}"}}',
    '{{\\"api_key\\": \\"{}\\"}}',
    "DB_PASSWORD={}",
    "export API_KEY='{}'",
    "aws_secret_access_key = {}",
    "clientSecret: '{}',",
    'client-secret => "{}"',
    "auth_token := `{}`",
    "AccountKey={};EndpointSuffix=core",
    "postgres://admin:{}@db.example/app",
    "redis://:{}@cache:6379/0",
    "Authorization: Bearer {}",
    "authorization: Basic {}",
    "curl -H 'Authorization: token {}'",
    "curl -u admin:{} https://example.test",
    "login --password {} --user me",
    "deploy --api-key={}",
    "https://example.test/cb?access_token={}&x=1",
    "Cookie: session={}; theme=dark",
    "Set-Cookie: sid={}; HttpOnly",
    "https://hooks.slack.com/services/T000/B000/{}",
    "passphrase: {}",
    "PGPASSWORD={} psql",
    "my.secret={}",
    "PASS: {}",
    "--- DB_PASS: {}",
    "PASS={} (2s)",
]  # fmt: skip

PLAIN = [
    "token = get_token()",
    "password: string",
    "password: string;",
    "const secret: SecretStr = load()",
    "token: Optional[str] = None",
    "apiKey: process.env.API_KEY",
    "password = os.environ['DB_PASSWORD']",
    "login(user, password=password, token=token)",
    "password=$DB_PASSWORD",
    "token: ${{ secrets.GITHUB_TOKEN }}",
    "max_tokens=4096",
    "token_count: 12",
    "api_key = <your-api-key>",
    "password: None",
    "6fa459ea-ee8a-3ca4-894e-db77e160355e",
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "sk-toggleable-content-container",
    "pk_users_primary_key_constraint",
    "npm_config_some_setting_name",
    "the password field must not be empty",
    'label: {"token": "Enter the token you got by mail"}',
    "https://example.test:8080/path",
    "user@example.test",
    "src/auth/token.py:12: def verify(token):",
    "the bearer of this letter",
    "key=value",
    "git diff --token-level",
    "if token == other_token:",
    "--- PASS: TestRotate2FA_Keeps7DigitCodes (0.00s)",
    "    --- PASS: TestCodePath/#00 (12.40s)",
    "PASS: tests/run_9Xk2/login.sh (3 ms)",
    "PASS: TestV2Codes_9a8b (15ms)",
]


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("around", ["{}", "see {} there", "x='{}'", "({})", "url?k={}&b"])
def test_a_secret_is_known_by_its_shape(secret: str, around: str) -> None:
    cleaned = redact(around.format(secret))
    assert REDACTED in cleaned
    assert secret[-12:] not in cleaned


@pytest.mark.parametrize("place", PLACES)
def test_a_secret_is_known_by_its_place_or_name(place: str) -> None:
    cleaned = redact(place.format(HIDDEN))
    assert HIDDEN not in cleaned
    assert "Tr0ub4dor" not in cleaned
    assert REDACTED in cleaned


@pytest.mark.parametrize("text", PLAIN)
def test_what_is_no_secret_stays(text: str) -> None:
    assert redact(text) == text


@pytest.mark.parametrize("joint", ["\n", "\\n"])
def test_a_key_block_goes_whole(joint: str) -> None:
    begin, end = (glued("-----", word, " RSA PRIVATE ", "KEY-----") for word in ("BEGIN", "END"))
    block = joint.join((begin, MIXED, MIXED, end))
    assert redact(f"before {block} after") == f"before {REDACTED} after"
    unfinished = redact(joint.join(("before " + begin, MIXED, MIXED)))
    assert MIXED not in unfinished
    assert unfinished.startswith("before ")


def test_what_stands_around_a_secret_stays() -> None:
    assert redact(f"DB_PASSWORD={HIDDEN} make run") == f"DB_PASSWORD={REDACTED} make run"
    assert redact(f"postgres://app:{HIDDEN}@db/x") == f"postgres://app:{REDACTED}@db/x"


_PIECES = st.sampled_from(
    ["password", "=", ": ", '"', "'", "token", "secret", "Bearer ", "://", "a:", "@", "[redacted]", "hunter2x", " ", "\n",
     "--token ", "-u ", "cookie: ", "a=b1", "sk-", MIXED, "eyJ", ".", "Authorization: ", "(", "\\"]
)  # fmt: skip


@given(st.one_of(st.text(max_size=200), st.lists(_PIECES, max_size=30).map("".join)))
def test_twice_is_once(text: str) -> None:
    once = redact(text)
    assert redact(once) == once


_FINDABLE = st.sampled_from(
    ["password", "api_key", "token", " = ", ": ", "=", ", ", '"', "'", "(", ")", "\n", "  ", "://app:", "@db", "--", "is ", "#",
     "value", "<password>", "</password>", "kT9vq2ZxLp", "hunter2", "s3cr3t!x", MIXED, HEX, "name", ";", "&", "?", "export "]
)  # fmt: skip


@given(st.lists(_FINDABLE, max_size=24).map("".join), st.sampled_from(["", "a.py", "a.yml", "a.sh", "a.md", "a.css"]))
def test_what_the_finder_reports_is_hidden(text: str, path: str) -> None:
    cleaned = redact(text)
    for secret in find_secrets(text, path):
        shown = text.count(secret.value) - cleaned.count(secret.value)
        assert secret.note == "placeholder" or shown > 0


_HOSTILE = r"""
from leeboard.secrets.redaction import redact
begin = "-----BEGIN PRIVATE " + "KEY-----"
seeds = (
    begin, "-", "password", "password=", "password: ", "token", "sk-", "sk-a", "eyJ", "eyJaaaaaaaaaa.", "://", "http://a:",
    "http://a:b", "bearer a", "Authorization: ", "cookie: a=", "-u a:", "--token ", "--token-", "key-", "12345678:AA", "\\", "'",
)
for seed in seeds:
    redact((seed * 100_000)[:100_000])
"""


_WORDS = st.sampled_from("auth key api session token secret login src lib part2 UserStore v1 2024 pass".split())
_PATHS = st.lists(_WORDS, min_size=2, max_size=8).flatmap(
    lambda words: st.lists(st.sampled_from("/._-"), min_size=len(words) - 1, max_size=len(words) - 1).map(
        lambda signs: "".join(word + sign for word, sign in zip(words, [*signs, ""], strict=True))
    )
)


@given(_PATHS)
def test_a_path_of_plain_words_stays(path: str) -> None:
    """So it would if every finder looked at it: a hook need not load them for it."""
    assert redact(path) == path
    assert secret_spans(path) == []


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("path", ["src/auth/{}", "{}/part2.py", "logs/{}.txt"])
def test_a_secret_in_a_path_is_hidden(secret: str, path: str) -> None:
    assert secret not in redact(path.format(secret))


_LOADS = """
import sys
from leeboard.secrets.redaction import redact
for path in ("src/auth/part12.py", "/repo/src/auth/ApiKeyStore.ts", "lib/session-token/basic_login.rb"):
    assert redact(path) == path
assert "leeboard.secrets.detection" not in sys.modules
redact("password = 'part12'")
assert "leeboard.secrets.detection" in sys.modules
"""


def test_a_plain_path_loads_no_finder() -> None:
    subprocess.run([sys.executable, "-c", _LOADS], check=True, timeout=60, cwd=ROOT)


def test_hostile_text_takes_linear_time() -> None:
    subprocess.run([sys.executable, "-c", _HOSTILE], check=True, timeout=60, cwd=ROOT)


DRAWN = "Zk3J9qWx7L" + "mT2vBn8RpY4s"


@pytest.mark.parametrize(
    ("name", "bare"),
    [
        (f"password_{DRAWN}", f"password_{REDACTED}"),
        (f"check_password_{DRAWN}_again", f"check_password_{REDACTED}_again"),
        ("test_password_Sha256HasherV2", "test_password_Sha256HasherV2"),
        ("hash_password_pbkdf2hmac", "hash_password_pbkdf2hmac"),
        ("token_base64encode2", "token_base64encode2"),
        (f"make_{DRAWN}", f"make_{DRAWN}"),
    ],
)
def test_a_value_in_the_name_of_a_function_goes(name: str, bare: str) -> None:
    assert redact_name(name) == bare
