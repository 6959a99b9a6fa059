"""SW-73, SW-74: broken hashes by every spelling, fast hashes of a password."""

from __future__ import annotations

import pytest

from leeboard.security.crypto.source_text import find_weak_crypto
from leeboard.source.syntax import parse


def kinds(language: str, code: str, path: str = "src/code") -> list[str]:
    tree = parse(code, language)
    assert tree is not None
    return [weakness.kind for weakness in find_weak_crypto(tree, path)]


PAIRS = [
    ("python", "from passlib.hash import md5_crypt\nh = md5_crypt.hash(pw)", "from passlib.hash import argon2\nh = argon2.hash(pw)"),
    ("cpp", "void f() { CryptoPP::Weak::MD5 hash; }", "void f() { CryptoPP::SHA256 hash; }"),
    ("python", "def f(password):\n    return hashlib.md5(password).hexdigest()", "def f(password):\n    return bcrypt.hashpw(password, bcrypt.gensalt())"),
    ("python", "algo = 'md5'\ndef f(x):\n    return hashlib.new(algo, x)", "algo = 'sha256'\ndef f(x):\n    return hashlib.new(algo, x)"),
    ("python", "def f(x):\n    return MD5.new(x)", "def f(x):\n    return SHA256.new(x)"),
    ("python", "def f(x):\n    d = hashes.Hash(hashes.MD5())", "def f(x):\n    d = hashes.Hash(hashes.SHA256())"),
    ("python", "from hashlib import sha1\ndef f(x):\n    return sha1(x)", "from hashlib import sha256\ndef f(x):\n    return sha256(x)"),
    ("python", "from hashlib import md5 as quick\ndef f(x):\n    return quick(x)", "from hashlib import sha256 as quick\ndef f(x):\n    return quick(x)"),
    ("python", "def f(x):\n    if 7 * 42 - 86 > 200:\n        a = 'md5'\n    else:\n        a = 'sha256'\n    return hashlib.new(a, x)", "def f(x):\n    if 7 * 42 - 86 < 200:\n        a = 'md5'\n    else:\n        a = 'sha256'\n    return hashlib.new(a, x)"),
    ("python", "def f(x):\n    return hashlib.md5(x).digest()", "def f(x):\n    return hashlib.md5(x, usedforsecurity=False).digest()"),
    ("javascript", "const h = crypto.createHash('md5').update(x).digest('hex');", "const h = crypto.createHash('sha256').update(x).digest('hex');"),
    ("javascript", "const h = CryptoJS.MD5(x).toString();", "const h = CryptoJS.SHA256(x).toString();"),
    ("javascript", "const md5 = require('md5'); const h = md5(x);", "const sha256 = require('sha256'); const h = sha256(x);"),
    ("javascript", "const h = await crypto.subtle.digest('SHA-1', x);", "const h = await crypto.subtle.digest('SHA-256', x);"),
    ("typescript", "const h = Md5.hashStr(x);", "const h = createHash('sha512').update(x);"),
    ("go", "package a\nfunc f(x []byte) { h := md5.Sum(x); _ = h }", "package a\nfunc f(x []byte) { h := sha256.Sum256(x); _ = h }"),
    ("go", "package a\nfunc f() { h := sha1.New(); _ = h }", "package a\nfunc f() { h := sha512.New(); _ = h }"),
    ("java", 'class A { void f() { MessageDigest m = MessageDigest.getInstance("MD5"); } }', 'class A { void f() { MessageDigest m = MessageDigest.getInstance("SHA-256"); } }'),
    ("java", "class A { String f(String x) { return DigestUtils.md5Hex(x); } }", "class A { String f(String x) { return DigestUtils.sha256Hex(x); } }"),
    ("java", 'class A { void f() { Signature s = Signature.getInstance("SHA1withRSA"); } }', 'class A { void f() { Signature s = Signature.getInstance("SHA256withRSA"); } }'),
    ("kotlin", 'fun f() { val m = MessageDigest.getInstance("SHA-1") }', 'fun f() { val m = MessageDigest.getInstance("SHA-512") }'),
    ("csharp", "class A { void F() { var m = MD5.Create(); } }", "class A { void F() { var m = SHA256.Create(); } }"),
    ("csharp", "class A { void F() { var m = new SHA1CryptoServiceProvider(); } }", "class A { void F() { var m = new SHA256Managed(); } }"),
    ("php", "<?php $h = md5($x);", "<?php $h = hash('sha256', $x);"),
    ("php", "<?php $h = hash('sha1', $x);", "<?php $h = hash('sha3-256', $x);"),
    ("ruby", "h = Digest::MD5.hexdigest(x)", "h = Digest::SHA256.hexdigest(x)"),
    ("ruby", "h = OpenSSL::Digest.new('MD5')", "h = OpenSSL::Digest.new('SHA256')"),
    ("rust", "fn f() { let d = md5::compute(x); }", "fn f() { let d = Sha256::digest(x); }"),
    ("rust", 'fn f(password: &str) -> String { format!("{:x}", md5::compute(password)) }', 'fn f(password: &str) -> String { format!("{}", argon2::hash(password)) }'),
    ("rust", "fn f() { let mut h = Sha1::new(); }", "fn f() { let mut h = Sha256::new(); }"),
    ("c", "void f() { MD5_Init(&c); }", "void f() { SHA256_Init(&c); }"),
    ("c", "void f() { EVP_DigestInit_ex(ctx, EVP_md5(), NULL); }", "void f() { EVP_DigestInit_ex(ctx, EVP_sha256(), NULL); }"),
    ("c", "void f() { CryptCreateHash(p, CALG_MD5, 0, 0, &h); }", "void f() { CryptCreateHash(p, CALG_SHA_256, 0, 0, &h); }"),
    ("cpp", "void f() { auto h = QCryptographicHash::hash(x, QCryptographicHash::Md5); }", "void f() { auto h = QCryptographicHash::hash(x, QCryptographicHash::Sha256); }"),
    ("cpp", "void f() { SHA1(data, n, out); }", "void f() { SHA256(data, n, out); }"),
    ("python", "def f(password):\n    return hashlib.sha256(password.encode()).hexdigest()", "def f(password, salt):\n    return hashlib.sha256(salt + password.encode()).hexdigest()"),
    ("javascript", "function f(password) { return crypto.createHash('sha256').update(password).digest('hex'); }", "function f(password) { return bcrypt.hash(password, 12); }"),
    ("java", 'class A { byte[] f(String password) {\n MessageDigest md = MessageDigest.getInstance("SHA-256");\n return md.digest(password.getBytes());\n} }', 'class A { byte[] f(String body) {\n MessageDigest md = MessageDigest.getInstance("SHA-256");\n return md.digest(body.getBytes());\n} }'),
    ("go", "package a\nfunc f(password string) { h := sha256.Sum256([]byte(password)); _ = h }", "package a\nfunc f(password string) { h, _ := bcrypt.GenerateFromPassword([]byte(password), 12); _ = h }"),
    ("php", "<?php $h = hash('sha512', $password);", "<?php $h = password_hash($password, PASSWORD_ARGON2ID);"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "weak", "fixed"), PAIRS)
def test_weak_and_fixed(language: str, weak: str, fixed: str) -> None:
    assert {"weak hash", "unsalted password hash"} & set(kinds(language, weak))
    assert not {"weak hash", "unsalted password hash"} & set(kinds(language, fixed))


SILENT = [
    ("python", "from hashlib import sha1\npassword_salt = os.urandom(sha1().digest_size)"),
    ("python", "def md5(x):\n    return x\ny = md5(b'a')"),
    ("python", "h = entry.md5()"),
    ("python", "class A:\n    def f(self):\n        return self.sha1()"),
    ("python", "h = hashlib.new(algorithm, x)"),
    ("python", "# hashlib.md5(password)\nx = 'hashlib.md5(password)'"),
    ("python", "crc = zlib.crc32(chunk)"),
    ("javascript", "const h = crypto.createHash(algorithm);"),
    ("javascript", "const map = { md5: column.md5 };"),
    ("go", "package a\nfunc f() { x := crc32.ChecksumIEEE(b); _ = x }"),
    ("java", "class A { void f(String a) { MessageDigest.getInstance(a); } }"),
    ("c", "void MD5_Init(int *c) { *c = 0; }\nvoid f() { int c; MD5_Init(&c); }"),
    ("ruby", "h = record.checksum_sha1"),
    ("python", "def f(token):\n    return hashlib.sha256(token).hexdigest()"),
    ("python", "def f(password):\n    return bcrypt.hashpw(hashlib.sha256(password).digest(), bcrypt.gensalt())"),
]


@pytest.mark.parametrize(("language", "code"), SILENT)
def test_stays_silent(language: str, code: str) -> None:
    assert not {"weak hash", "unsalted password hash"} & set(kinds(language, code))


@pytest.mark.parametrize(
    ("code", "path"),
    [
        (
            "def ha1(user, realm, password):\n    return md5(f'{user}:{realm}:{password}'.encode()).hexdigest()",
            "src/a.py",
        ),
        ("def proof(password):\n    return hashlib.md5(password).hexdigest()", "src/digest_auth.py"),
        ("def opaque(secret_key):\n    return hashlib.md5(secret_key).hexdigest()", "src/a.py"),
        ("def is_pwned(password):\n    return hashlib.sha1(password).hexdigest()", "src/a.py"),
    ],
)
def test_what_a_protocol_fixes_is_only_logged(code: str, path: str) -> None:
    tree = parse(code, "python")
    assert tree is not None
    (weakness,) = find_weak_crypto(tree, path)
    assert (weakness.queues, weakness.log_only) == (False, "demanded by a protocol")


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("cpp", "void f() { ticket = PBKDF2_SHA1(password, salt, 50000); }"),
        ("java", 'class A { void sign(String secret) { signature = Mac.getInstance("HmacSHA1"); } }'),
    ],
)
def test_a_broken_hash_with_a_key_is_not_broken(language: str, code: str) -> None:
    tree = parse(code, language)
    assert tree is not None
    assert [(one.queues, one.log_only) for one in find_weak_crypto(tree, "src/a")] == [(False, "HMAC")]


def test_a_digest_of_strong_random_bytes_is_as_good_as_they_are() -> None:
    assert queued("php", "<?php function make_token() { $token = md5(app_random_bytes(16)); return $token; }") == []
    assert queued("php", "<?php function make_token() { $token = md5(uniqid()); return $token; }") != []


def test_a_passcode_of_a_minute_is_hashed_as_its_standard_says() -> None:
    assert queued("python", "def totp(key, passcode):\n    return TOTP(key, PASSCODE_SIZE, hashes.SHA1(), 30)") == []
    assert queued("python", "def totp_login(password):\n    return hashlib.sha1(password)") == ["weak hash"]


def queued(language: str, code: str) -> list[str]:
    tree = parse(code, language)
    assert tree is not None
    return [weakness.kind for weakness in find_weak_crypto(tree, "src/code") if weakness.queues]


def test_a_function_that_is_called_so_hashes_passwords_however_it_calls_them() -> None:
    def hashing(name: str) -> str:
        return f"package a\nfunc {name}(it string) [32]byte {{ return sha256.Sum256([]byte(it)) }}\nvar password string"

    assert queued("go", hashing("hashPassword")) == ["unsalted password hash"]
    assert queued("go", hashing("nameOf")) == []


def test_a_password_is_one_whatever_its_digest_is_called() -> None:
    code = "def fingerprint(%s):\n    return hashlib.md5(%s).hexdigest()"
    assert queued("python", code % ("password", "password")) == ["weak hash"]
    assert queued("python", code % ("content", "content")) == []
