"""A number anybody can predict, where nothing hangs on it; and its twin, where something does."""

from __future__ import annotations

import pytest

from leeboard.security.crypto.chance import CHANCE, MIXED, TOLD_APART
from leeboard.security.crypto.source_text import find_weak_crypto
from leeboard.source.syntax import parse


@pytest.mark.parametrize(
    ("language", "text", "pardon"),
    [
        ("php", "<?php\nfunction clean_session_tokens() { if (rand(0, 1000) < 10) { sweep_tokens(); } }", CHANCE),
        ("php", "<?php\nfunction make_session_token() { $token = rand(0, 1000); return $token; }", ""),
        ("php", "<?php\nfunction session_token() { $token = md5(random_bytes(8) . uniqid('a', true)); }", MIXED),
        ("php", "<?php\nfunction session_token() { $token = $strong ? random_bytes(8) : uniqid('a', true); }", ""),
        ("php", "<?php\nfunction session_token() { $token = uniqid('a', true); }", ""),
        ("php", "<?php\nfunction login_tokens() { $table = 'session_token_' . rand(); }", TOLD_APART),
        ("php", "<?php\nfunction put() { $_SESSION['tokens'][$a][uniqid()] = $row; }", TOLD_APART),
        ("php", "<?php\nfunction session_token() { $session_tokens[uniqid()] = $row; }", ""),
        ("go", 'package a\nimport "math/rand"\nfunc SessionToken() { b[i] = letters[rand.Intn(9)] }', ""),
        ("php", "<?php\nfunction reset_token() { $token = '<b>' . mt_rand(100000, 999999) . '</b>'; }", ""),
        ("java", 'class T { void a() { String resetToken = "<a>" + (int)(Math.random() * 1000000) + ">"; } }', ""),
        ("javascript", "const token = crypto.randomBytes(1).toString('hex') + Math.random().toString(36);", ""),
        ("javascript", "const token = crypto.randomBytes(16).toString('hex') + Math.random().toString(36);", MIXED),
        ("javascript", "const sessionId = Math.random() < 0.5 ? Math.random().toString(36) : Math.random();", ""),
        ("javascript", "function sweepSessionTokens() { if (Math.random() < 0.5) { sweep(); } }", CHANCE),
        ("python", "import random\ndef otp():\n    password_reset_index = str(random.randint(100000, 999999))\n", ""),
        ("python", "import random\ndef otp_code():\n    token_timeout = random.randint(100000, 999999)\n", TOLD_APART),
        ("python", "import random\ndef new_secret_key():\n    secret = os.urandom(random.randint(32, 64))\n", MIXED),
        (
            "python",
            "import random\ndef login_session(token):\n    token_order = sorted(a, key=lambda x: (x[1], random.random()))\n",
            CHANCE,
        ),
        (
            "php",
            "<?php\nfunction wait() { $_SESSION['token'] = time() + $this->pause + rand(0, $this->most); }",
            CHANCE,
        ),
        (
            "python",
            "import random\ndef session(c):\n    session_name = ''.join(random.choice(LETTERS) for _ in range(20))\n",
            TOLD_APART,
        ),
        ("python", "import random\ndef reset_password(token):\n    time.sleep(random.random())\n    x = 1\n", CHANCE),
        ("python", "def secret():\n    passwd = [secrets.choice(s)]\n    random.shuffle(passwd)\n", MIXED),
        (
            "python",
            "def secret():\n    passwd = [secrets.choice(s)]\n    passwd += random.choices(s)\n    random.shuffle(passwd)\n",
            "",
        ),
        ("python", "def session():\n    request_id = random.getrandbits(64)\n    session_token = request_id\n", ""),
        ("python", "def secret():\n    passwd = list(letters)\n    random.shuffle(passwd)\n", ""),
        (
            "python",
            "import random\ndef reset(u):\n    suffix = random.random()\n    u.reset_token = 'r-' + suffix\n",
            "",
        ),
        ("php", "<?php\nfunction token($u) {\n $suffix = mt_rand();\n $u->token = 'u' . $suffix;\n}", ""),
        ("python", "import random\ndef login_url():\n    password_suffix = random.randint(1000, 9999)\n", TOLD_APART),
        ("python", "def session():\n    login_request_id = random.getrandbits(64)\n", TOLD_APART),
        ("php", "<?php\nfunction secret() { $hex = sprintf('%04x%04x-%04x-%04x-%04x-%04x', mt_rand()); }", TOLD_APART),
        ("php", "<?php\nfunction f() { $token = sprintf('%04x%04x-%04x-%04x-%04x-%04x', mt_rand()); }", ""),
        ("python", "import random\ndef new_session():\n    session_token = random.random()\n", ""),
    ],
)
def test_what_decides_or_is_mixed_guards_nothing(language: str, text: str, pardon: str) -> None:
    tree = parse(text, language)
    assert tree is not None
    drawn = [one for one in find_weak_crypto(tree, f"app/session.{language}") if one.kind == "predictable random"]
    assert drawn
    assert {one.log_only for one in drawn} == {pardon}
    assert all(one.queues is not bool(pardon) for one in drawn)
