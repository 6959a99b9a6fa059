from __future__ import annotations

from msgspec.structs import replace

from leeboard.app.scan.repeated import told_once
from leeboard.model.verdict import Disposition, PlacedFinding


def secret(path: str, value: str, disposition: Disposition = "FIRE", line: int = 1) -> PlacedFinding:
    return PlacedFinding(
        rule="credential",
        subclass="B1",
        path=path,
        line=line,
        confidence=0.9,
        disposition=disposition,
        message="A key.",
        fingerprint=f"credential:{path}:{value}",
    )


ONE, OTHER = "0123456789abcdef", "fedcba9876543210"


def test_a_value_is_told_where_it_is_surest() -> None:
    found = (secret("a.py", ONE, "QUEUE"), secret("b.py", ONE), secret("b.py", ONE, line=9), secret("c.py", OTHER))
    told = tuple(told_once(found))
    assert [item.same_as for item in told] == ["b.py:1", "", "b.py:1", ""]
    assert [item.also for item in told] == [(), ("b.py:9", "a.py:1"), (), ()]
    assert [item.disposition for item in told] == [item.disposition for item in found]


def test_what_is_logged_or_has_no_value_is_left_alone() -> None:
    found = (
        secret("a.py", ONE, "LOG"),
        secret("b.py", ONE),
        secret("a/.env", "not ignored"),
        secret(".env", "not ignored"),
    )
    assert tuple(told_once(found)) == found


def weakness(path: str, text: str, line: int = 1) -> PlacedFinding:
    return PlacedFinding(
        rule="weak_crypto",
        subclass="B3",
        path=path,
        line=line,
        confidence=0.9,
        disposition="QUEUE",
        message=f"Weak cryptography in {path}:{line}: weak hash (MD5). Use SHA-256.",
        fingerprint=f"weak_crypto:{path}:hash",
        text=text,
    )


def test_a_line_that_was_copied_into_several_files_is_told_once() -> None:
    line = "key = pbkdf2.Key(secret, SALT, 4096)"
    found = (weakness("client.go", line, 3), weakness("server.go", f"    {line}", 7), weakness("other.go", f"x{line}"))
    assert [(item.also, item.same_as) for item in told_once(found)] == [
        (("server.go:7",), ""),
        ((), "client.go:3"),
        ((), ""),
    ]
    short = (weakness("a.go", "h := md5.New()"), weakness("b.go", "h := md5.New()"))
    assert tuple(told_once(short)) == short


def test_a_key_that_stands_in_the_code_is_told_as_a_secret() -> None:
    fixed = weakness("src/pay.py", "KEY = '...'")
    fixed = replace(fixed, message="Weak cryptography in src/pay.py:1: fixed key material (fixed key). Read it.")
    told = tuple(told_once((secret("src/pay.py", ONE, "QUEUE"), fixed, weakness("src/pay.py", "h = md5()", 1))))
    assert [item.same_as for item in told] == ["", "src/pay.py:1", ""]
    logged = (secret("src/pay.py", ONE, "LOG"), fixed)
    assert tuple(told_once(logged)) == logged


def test_a_folder_of_clients_with_a_key_each_is_told_once() -> None:
    many = tuple(secret(f"sites/{n}.py", f"{n:016x}", "QUEUE") for n in range(8))
    told = tuple(told_once((*many, secret("app.py", ONE, "QUEUE"), secret("sites/9.py", OTHER))))
    assert [item.same_as for item in told] == ["", *["sites/0.py:1"] * 7, "", ""]
    assert len(told[0].also) == len(many) - 1
    assert tuple(told_once(many[:7])) == many[:7]


def test_the_private_keys_of_a_set_are_told_once() -> None:
    keys = tuple(
        replace(secret(f"certs/{n}.pem", f"{n:016x}", "QUEUE"), message="Credential a key (private key) in a file.")
        for n in range(3)
    )
    assert [item.same_as for item in told_once(keys)] == ["", "certs/0.pem:1", "certs/0.pem:1"]
    assert tuple(told_once(keys[:2])) == keys[:2]
