from __future__ import annotations

import pytest

from leeboard.security.crypto.source_text import find_weak_crypto
from leeboard.source.syntax import parse

CASES = [
    ("python", "def pick_password_hint():\n    return random.choice(HINTS)", []),
    ("javascript", "function passwordHint() { return HINTS[Math.floor(Math.random() * HINTS.length)]; }", []),
    ("ruby", "def password_hint\n  HINTS.sample\nend", []),
    ("python", "def auth_server():\n    return random.choice(AUTH_SERVERS)", ["picks one of a list"]),
    ("python", "def token():\n    return random.choice(chars)", [""]),
    ("python", "def new_password():\n    return ''.join(random.choice(words) for _ in range(12))", [""]),
    ("python", "def token():\n    for _ in range(9):\n        out += random.choice(items)", [""]),
    ("python", "def otp():\n    return random.choice(range(1000, 9999))", [""]),
    (
        "python",
        "def _make_boundary(text):\n    token = random.randrange(sys.maxsize)\n    boundary = '=' + str(token)",
        [],
    ),
]


@pytest.mark.parametrize(("language", "code", "reasons"), CASES)
def test_one_of_a_list_makes_no_key(language: str, code: str, reasons: list[str]) -> None:
    tree = parse(code, language)
    assert tree is not None
    assert [weakness.log_only for weakness in find_weak_crypto(tree, "src/a")] == reasons
