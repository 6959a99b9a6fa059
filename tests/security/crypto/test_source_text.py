"""SW-72 to SW-80: what weighs how much, where."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.security.crypto.source_text import find_weak_crypto
from leeboard.security.crypto.weakness import Weakness
from leeboard.source.syntax import parse


def found(code: str, path: str = "src/a.py", language: str = "python") -> tuple[Weakness, ...]:
    tree = parse(code, language)
    assert tree is not None
    return find_weak_crypto(tree, path)


WEIGHTS = [
    # code, path, queues, confidence, why it is at most logged
    ("def f(password):\n    return hashlib.md5(password)", "a.py", True, 0.9, ""),
    ("etag = hashlib.md5(open(file).read())", "a.py", False, 0.6, "checksum"),
    ("x = hashlib.md5(y)", "a.py", False, 0.6, ""),
    ("c = AES.new(k, AES.MODE_ECB)", "a.py", True, 0.9, ""),
    ("c = AES.new(k, AES.MODE_ECB)", "tests/test_a.py", False, 0.9, "test file"),
    ("k = RSA.generate(1024)", "a.py", True, 0.9, ""),
    ("h = hmac.new(k, m, hashlib.sha1)", "a.py", False, 0.6, "HMAC"),
    ("def totp(k, c):\n    return hashlib.sha1(k + c)", "a.py", False, 0.6, "TOTP"),
    ("def git_blob(x):\n    return hashlib.sha1(x)", "a.py", False, 0.6, "git object id"),
    ("# legacy md5, required by the API\ntoken = hashlib.md5(x)", "src/auth.py", True, 0.9, ""),
    ("# legacy, required by the vendor\nr = requests.get(u, verify=False)", "a.py", False, 0.9, "chosen"),
    ("sid = hashlib.md5(session_secret)", "tests/test_a.py", False, 0.9, "test file"),
]


@pytest.mark.parametrize(("code", "path", "queues", "confidence", "log_only"), WEIGHTS)
def test_weights(code: str, path: str, queues: bool, confidence: float, log_only: str) -> None:  # noqa: FBT001 - a column
    weakness = next(it for it in found(code, path) if it.kind != "fixed key material")
    assert (weakness.queues, weakness.confidence) == (queues, confidence)
    assert weakness.log_only.startswith(log_only)
    assert bool(weakness.log_only) == bool(log_only)


def test_the_function_is_named_and_the_trace_tells_why() -> None:
    (weakness,) = found("def login(password):\n    return hashlib.md5(password)\n")
    assert (weakness.symbol, weakness.line) == ("login", 2)
    assert weakness.trace[0] == "signature: weak hash (MD5)"
    assert weakness.trace[1].startswith("context: auth")


def test_declarations_are_no_code() -> None:
    assert not found("CERT_NONE: int\nuse(ssl.CERT_NONE)", "ssl.pyi")


@pytest.mark.parametrize("size", [1_000, 20_000])
def test_a_file_of_one_thing_is_bounded(size: int) -> None:
    assert len(found("h = hashlib.md5(x)\n" * size)) == 200


LANGUAGES = ("python", "javascript", "go", "java", "kotlin", "csharp", "php", "ruby", "rust", "c", "cpp")


@given(
    st.sampled_from(LANGUAGES),
    st.lists(
        st.sampled_from(
            "md5 ( ) { } [ ] = == , . : ; new password iv AES MODE_ECB verify False jwt decode 'none' random \n \\ \" if "
            "else function def sha1 createHash cookie hmac => :: $x b'\0' 1024 RSA generate".split(" ")
        ),
        max_size=30,
    ),
)
def test_half_code_never_raises(language: str, words: list[str]) -> None:
    tree = parse(" ".join(words), language)
    if tree is not None:
        find_weak_crypto(tree, "a")


def test_a_line_nobody_wrote_is_passed_over() -> None:
    long = "x = [" + "token == secret, " * 2_000 + "]"
    (weakness,) = found(f"{long}\nh = hashlib.md5(password)\n")
    assert weakness.line == 2


@pytest.mark.parametrize(
    ("language", "code", "said"),
    [
        ("php", "<?php $c = ['ssl' => [\n'verify_peer' => false,\n'verify_peer_name' => false,\n]];", [2]),
        (
            "php",
            "<?php\ncurl_setopt($c, CURLOPT_SSL_VERIFYPEER, 0);\ncurl_setopt($c, CURLOPT_SSL_VERIFYHOST, 0);",
            [2],
        ),
        ("python", "a = requests.get(u, verify=False)\nb = requests.get(v, verify=False)", [1, 2]),
        ("c", "void seal(void) {\n  DES_set_key(k, s);\n  DES_ecb_encrypt(a, b, s, 1);\n}", [2]),
        ("python", "def f():\n    a = requests.get(u, verify=False)\n    b = requests.get(v, verify=False)", [2]),
        ("c", "void a(void) {\n  DES_set_key(k, s);\n}\nvoid b(void) {\n  DES_set_key(k, s);\n}", [2]),
        ("c", "void a(void) {\n  DES_set_key(k, s);\n}\nvoid b(void) {\n  DES_set_key(n, t);\n}", [2, 5]),
        ("php", "<?php function password() {\n  srand(time());\n  return $letters[rand(0, 25)];\n}", [2]),
        (
            "javascript",
            (
                "function encrypt(t) {\n  return crypto.createCipher(a, key);\n}\n"
                "function decrypt(t) {\n  return crypto.createDecipher(a, key);\n}"
            ),
            [2],
        ),
    ],
)
def test_what_one_connection_or_cipher_is_told_in_several_lines_is_said_once(
    language: str, code: str, said: list[int]
) -> None:
    tree = parse(code, language)
    assert tree is not None
    assert [one.line for one in find_weak_crypto(tree, "src/a") if one.queues] == said


def test_the_other_lines_are_named() -> None:
    tree = parse("def f():\n    a = requests.get(u, verify=False)\n    b = requests.get(v, verify=False)", "python")
    assert tree is not None
    first, second = find_weak_crypto(tree, "src/a.py")
    assert (first.also, second.log_only) == ((3,), "the same as in line 2")


def test_two_connections_that_are_declared_are_two() -> None:
    code = "package a\nvar a = &tls.Config{InsecureSkipVerify: true}\nvar b = &ssh.ClientConfig{HostKeyCallback: ssh.InsecureIgnoreHostKey()}\n"
    tree = parse(code, "go")
    assert tree is not None
    assert [one.line for one in find_weak_crypto(tree, "a.go") if one.queues] == [2, 3]


def test_both_ways_are_a_choice_only_where_something_decides() -> None:
    both = "def f(http)\n  http.verify_mode = OpenSSL::SSL::VERIFY_NONE\n  http.verify_mode = OpenSSL::SSL::VERIFY_PEERMORE\nend\n"
    for more, is_told in (("", True), (" if http.strict", False)):
        tree = parse(both.replace("MORE", more), "ruby")
        assert tree is not None
        assert any(one.queues for one in find_weak_crypto(tree, "a.rb")) is is_told


def test_what_tests_share_is_a_test() -> None:
    code = 'package a\n\nimport (\n\t"testing"\n)\n\nvar c = tls.Config{InsecureSkipVerify: true}\n'
    tree = parse(code, "go")
    assert tree is not None
    (weakness,) = find_weak_crypto(tree, "httphelp/server.go")
    assert (weakness.queues, weakness.log_only) == (False, "test file")


@pytest.mark.parametrize(
    ("comment", "is_said"),
    [
        ("# nosec B324 # md5 used in the mOTP algorithm", False),
        ("# part of the Yubikey specification", False),
        ("# the spec demands MD5", False),
        ("# nosec", True),
        ("# used in the login", True),
        ("# used in our login scheme", True),
        ("# as specified in the ticket, keep the format", True),
        ("# MD5 as the hashing algorithm", True),
        ("# used in the login scheme", True),
    ],
)
def test_a_comment_that_names_the_specification_counts_in_a_login_too(comment: str, is_said: bool) -> None:  # noqa: FBT001 - a column
    tree = parse(f"def login(pin):\n    return md5(pin).hexdigest()  {comment}\n", "python")
    assert tree is not None
    (weakness,) = find_weak_crypto(tree, "src/a.py")
    assert weakness.queues is is_said


def test_a_function_that_tests_itself_is_a_test() -> None:
    tree = parse("void hmac_test(char *password) { MD5_Init(&password); }", "c")
    assert tree is not None
    (weakness,) = find_weak_crypto(tree, "src/a.c")
    assert (weakness.queues, weakness.log_only) == (False, "test file")


def test_the_tests_at_the_end_of_a_file_of_rust_are_tests() -> None:
    weak = "fn locked() { let c = Cipher::des_ede3_cbc(); }\n"
    tests = f"#[cfg(test)]\nmod tests {{\n{weak}}}\n"
    for text, reasons in (
        (weak, [""]),
        (f"{weak}{tests}", ["", "test file"]),
        (f"fn a() {{}}\n{tests}", ["test file"]),
    ):
        tree = parse(f"use openssl::symm::Cipher;\n{text}", "rust")
        assert tree is not None
        assert [one.log_only for one in find_weak_crypto(tree, "src/key.rs")] == reasons
