"""Branches for an algorithm by its name, and for platforms that have nothing better; each with a twin that is told."""

from __future__ import annotations

import pytest

from leeboard.security.crypto.connection import NAMED
from leeboard.security.crypto.pardon import FALLBACK
from leeboard.security.crypto.source_text import find_weak_crypto
from leeboard.source.syntax import parse

CASES = [
    (
        "cpp",
        "void f(int m) { switch (m) { case context::sslv3: if (h) { SSL_CTX_set_min_proto_version(h, SSL3_VERSION); } } }",
        NAMED,
    ),
    ("c", "void f(void) {\n#if (OPENSSL_VERSION_NUMBER < 0x00907000L)\n  c = EVP_des_ede3_cbc();\n#endif\n}", FALLBACK),
    ("c", "void f(void) {\n#if defined(FAST)\n  c = EVP_des_ede3_cbc();\n#endif\n}", ""),
    ("php", "<?php if (stripos($flavor, 'SHA') === 0) { $password = sha1($password); }", NAMED),
    (
        "php",
        "<?php if ($a) { go(); } elseif (stripos($flavor, 'md5') === 0) { $password = base64_encode(md5($password)); }",
        NAMED,
    ),
    ("java", 'class A { void f(String password) { if (n.equals("MD5")) { out.put(md5(password)); } } }', NAMED),
    ("python", 'def sign(password, how):\n    if how == "md5":\n        return hashlib.md5(password)', NAMED),
    ("python", 'def sign(password, how):\n    if how == "fast":\n        return hashlib.md5(password)', ""),
    ("javascript", "function f(password, how) { switch (how) { case 'sha1': return sha1(password); } }", NAMED),
    ("python", "def check(password):\n    if kept.startswith('{SHA}'):\n        return hashlib.sha1(password)", NAMED),
    ("c", "void f(int n) { switch (n) { case 512: RSA_generate_key_ex(r, 512, e, 0); } }", NAMED),
    ("c", "void f(int n) { RSA_generate_key_ex(r, 512, e, 0); }", ""),
    ("c", 'void f(char *a) { if (!strcmp(a, "SSLv2")) { x = 1; go(SSLv2_server_method()); } }', NAMED),
    (
        "php",
        "<?php if (function_exists('random_int')) { $password = random_int(1, 9); } else { $password = rand(1000, 9999); }",
        FALLBACK,
    ),
    ("python", "def f(card, key, description):\n    if description:\n        return DES.new(key, DES.MODE_CBC)", ""),
    (
        "java",
        'class A { void f(K key) { if (nodes.size() > 0) { c = Cipher.getInstance("DES/CBC/PKCS5Padding"); } } }',
        "",
    ),
    ("python", 'def f(key, how):\n    if how == "des":\n        return DES.new(key, DES.MODE_CBC)', NAMED),
    ("c", "void f(int n) { if (n < 512) { RSA_generate_key_ex(r, 512, e, 0); } }", ""),
    ("c", "void f(int n) { if (n == 512) { RSA_generate_key_ex(r, 512, e, 0); } }", NAMED),
    (
        "javascript",
        "function f(u) { if (typeof u.id === 'string') { token = u.t; } else { token = Math.random().toString(36); } }",
        "",
    ),
    (
        "javascript",
        "function f() { if (typeof crypto === 'object') { token = a(); } else { token = Math.random().toString(36); } }",
        FALLBACK,
    ),
    (
        "python",
        "def f(user, password):\n    if hasattr(user, 'salt'):\n        return 1\n    else:\n        return md5(password)",
        "",
    ),
    ("php", "<?php if (is_new($u)) { $password = random_int(1, 9); } else { $password = rand(1000, 9999); }", ""),
]


@pytest.mark.parametrize(("language", "code", "reason"), CASES)
def test_why_it_is_at_most_logged(language: str, code: str, reason: str) -> None:
    tree = parse(code, language)
    assert tree is not None
    (weakness,) = find_weak_crypto(tree, "src/a")
    assert (weakness.log_only, weakness.queues) == (reason, not reason)
