"""Secrets compared in a time that tells, and in constant time."""

from __future__ import annotations

import pytest

from leeboard.security.crypto.source_text import find_weak_crypto
from leeboard.source.syntax import parse


def kinds(language: str, code: str, path: str = "src/code") -> list[str]:
    tree = parse(code, language)
    assert tree is not None
    return [weakness.kind for weakness in find_weak_crypto(tree, path)]


PAIRS = [
    ("c", "int f(unsigned char *mac) { HMAC(EVP_sha256(), k, n, m, l, out, 0); return memcmp(out, mac, 32); }", "int f(unsigned char *mac) { HMAC(EVP_sha256(), k, n, m, l, out, 0); return CRYPTO_memcmp(out, mac, 32); }"),
    ("go", "package a\nfunc f(given string) bool { mac := hmac.New(sha256.New, key); return hex.EncodeToString(mac.Sum(nil)) == given }", "package a\nfunc f(given []byte) bool { mac := hmac.New(sha256.New, key); return hmac.Equal(mac.Sum(nil), given) }"),
    ("python", "def f():\n    return hmac.new(k, m, 'sha256').hexdigest() == signature", "def f():\n    return hmac.compare_digest(hmac.new(k, m, 'sha256').hexdigest(), signature)"),
    ("python", "mac = hmac.new(k, m, 'sha256').hexdigest()\nif mac != given_signature:\n    fail()", "mac = hmac.new(k, m, 'sha256').hexdigest()\nif not hmac.compare_digest(mac, given_signature):\n    fail()"),
    ("python", "ok = request.api_key == config.api_key", "ok = secrets.compare_digest(request.api_key, config.api_key)"),
    ("javascript", "const mac = crypto.createHmac('sha256', k).update(b).digest('hex'); if (mac === signature) go();", "const mac = crypto.createHmac('sha256', k).update(b).digest(); if (crypto.timingSafeEqual(mac, signature)) go();"),
    ("go", "package a\nfunc f() bool {\n\tmac := hmac.New(sha256.New, k)\n\tsum := mac.Sum(nil)\n\treturn bytes.Equal(sum, signature)\n}", "package a\nfunc f() bool {\n\tmac := hmac.New(sha256.New, k)\n\tsum := mac.Sum(nil)\n\treturn hmac.Equal(sum, signature)\n}"),
    ("javascript", "const expected = crypto.createHmac('sha256', k).update(b).digest('hex'); if (header === expected) go();", "const expected = crypto.createHmac('sha256', k).update(b).digest(); if (crypto.timingSafeEqual(header, expected)) go();"),
    ("php", "<?php $mac = hash_hmac('sha256', $b, $k); if ($mac == $signature) go();", "<?php $mac = hash_hmac('sha256', $b, $k); if (hash_equals($mac, $signature)) go();"),
    ("python", "def signature(body):\n    return hmac.new(k, body, 'sha256').hexdigest()\ndef f():\n    given = request.headers.get('X-Sig', '')\n    return given == signature(request.data)", "def signature(body):\n    return hmac.new(k, body, 'sha256').hexdigest()\ndef f():\n    return hmac.compare_digest(given, signature(request.data))"),
    ("python", "ok = request.headers.get('X-Api-Token') == API_TOKEN", "ok = secrets.compare_digest(request.headers.get('X-Api-Token'), API_TOKEN)"),
    ("ruby", "mac = OpenSSL::HMAC.hexdigest('SHA256', key, body)\nok = mac == signature", "mac = OpenSSL::HMAC.hexdigest('SHA256', key, body)\nok = Rack::Utils.secure_compare(mac, signature)"),
    ("c", "int f() { unsigned char *mac = HMAC(EVP_sha256(), k, n, d, l, 0, 0); return memcmp(mac, signature, 32); }", "int f() { unsigned char *mac = HMAC(EVP_sha256(), k, n, d, l, 0, 0); return CRYPTO_memcmp(mac, signature, 32); }"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "weak", "fixed"), PAIRS)
def test_weak_and_fixed(language: str, weak: str, fixed: str) -> None:
    assert "timing leak" in kinds(language, weak)
    assert "timing leak" not in kinds(language, fixed)


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("python", "import hmac\nret.hmac = hmac.new(k, m, 'sha256').digest()\nassert len(ret.hmac) == SIZE"),
        ("javascript", "const mac = crypto.createHmac('sha256', k).update(b).digest(); if (mac.length === size) go();"),
    ],
)
def test_how_long_one_is_tells_nothing(language: str, code: str) -> None:
    assert kinds(language, code) == []


def test_plain_passwords() -> None:
    assert kinds("python", "ok = password == user.password") == ["plain password"]


SILENT = [
    ("python", "if password == confirm_password:\n    go()"),
    ("python", "if token == '':\n    go()"),
    ("python", "if signature is None:\n    go()"),
    ("python", "if a.digest == b.digest:\n    go()"),
    ("python", "if secret_type == 'text':\n    go()"),
    ("javascript", "if (password !== password2) fail();"),
    ("javascript", "if (typeof secret === 'string') go();"),
    ("javascript", "if (token.type === Token.Comma) next();"),
    ("go", "package a\nfunc f() bool { return bytes.Equal(a, b) }"),
    ("go", 'package a\nfunc f() bool { return token == "" }'),
    ("java", "class A { boolean f() { return name.equals(other); } }"),
    ("c", "int f() { return memcmp(a, b, n); }"),
    ("cpp", 'bool f(T t) { return t.hmac == DNSName("hmac-md5"); }'),
]


@pytest.mark.parametrize(("language", "code"), SILENT)
def test_stays_silent(language: str, code: str) -> None:
    assert not {"timing leak", "plain password"} & set(kinds(language, code))
