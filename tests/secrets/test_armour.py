from __future__ import annotations

import pytest

from leeboard.secrets.armour import by_block
from leeboard.secrets.redaction import find_secrets

BODY = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0fG3hJ6aB3dE6gH9jK2mN5pQ8sT1vW4yZ7b"
LABELS = ("RSA ", "EC ", "DSA ", "OPENSSH ", "ENCRYPTED ", "", "PGP ")


def armour(label: str, joint: str, *, closed: bool = True, body: str = BODY) -> str:
    tail = " BLOCK" if label == "PGP " else ""
    begin, end = (f"-----{word} {label}PRIVATE " + f"KEY{tail}-----" for word in ("BEGIN", "END"))
    return joint.join((begin, body, body, *([end] if closed else [])))


@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize("joint", ["\n", "\\n", '\\n" +\n  "'])
@pytest.mark.parametrize("closed", [True, False])
def test_a_private_key_in_any_armour(label: str, joint: str, *, closed: bool) -> None:
    block = armour(label, joint, closed=closed)
    (hit,) = by_block(f"x = '{block}'")
    assert hit.confidence == 0.98
    assert hit.value == block


@pytest.mark.parametrize(
    "text",
    [
        "-----BEGIN PRIVATE " + "KEY-----",
        "if '-----BEGIN RSA PRIVATE " + "KEY-----' in text: pass",
        armour("RSA ", "\n", body="...") + "x",
        armour("RSA ", "\n", body="x" * 64),
        armour("RSA ", "\n").replace("PRIVATE", "PUBLIC"),
        "-----BEGIN CERTIFICATE-----\n" + BODY,
    ],
)
def test_headings_and_public_parts_are_none(text: str) -> None:
    assert not list(by_block(text))


def test_keys_without_armour() -> None:
    assert [hit.kind for hit in by_block("MII" + "EvQIBADAN" + BODY * 3)] == ["private-key"]
    assert not list(by_block("MII" + "CWTCCAd" + BODY * 3))
    assert not list(by_block("MII" + "EvQIBADAN" + BODY + "\n    ...\n    END"))
    putty = "PuTTY-User-Key-" + "File-2: ssh-rsa\nEncryption: none\nPrivate-" + f"Lines: 2\n{BODY}\n"
    assert [hit.value for hit in by_block(putty)] == [BODY]


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (armour("ENCRYPTED ", "\n"), "encrypted with a passphrase"),
        (
            armour("RSA ", "\n", body=f"Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\n{BODY}"),
            "encrypted with a passphrase",
        ),
        (
            armour("OPENSSH ", "\n", body=f"b3BlbnNzaC1rZXktdjEAAAAACmFlczI1Ni1jdHI{BODY}"),
            "encrypted with a passphrase",
        ),
        (armour("OPENSSH ", "\n", body=f"b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAE{BODY}"), ""),
        (armour("RSA ", "\n"), ""),
        (armour("", " ", body=f"MIIEpQIBAAKCAQEA{BODY[:20]}", closed=False), "cut short"),
        (armour("", "\n", body=f"MIIEpQIBAAKCAQEA{BODY * 3}"), ""),
    ],
)
def test_what_a_reader_can_not_use_is_only_logged(text: str, note: str) -> None:
    assert [hit.note for hit in by_block(text) if hit.confidence == 0.98] == [note]


def test_an_encrypted_putty_key() -> None:
    putty = "PuTTY-User-Key-" + "File-2: ssh-rsa\nEncryption: aes256-cbc\nPrivate-" + f"Lines: 2\n{BODY}\n"
    assert [hit.note for hit in by_block(putty)] == ["encrypted with a passphrase"]


@pytest.mark.parametrize(
    ("path", "note"),
    [
        ("deploy/server.key", ""),
        ("tests/a.key", ""),
        ("tests/server.key", "test fixture"),
        ("t/ssl/a.pem", "test fixture"),
        ("examples/ssl-key.pem", "test fixture"),
        ("contrib/docker-integration/certs/a.key", "test fixture"),
        ("src/a_test.go", "test fixture"),
        ("docs/ssh.md", "it is only explained"),
        ("src/fixtures.py", ""),
        ("deploy/localhost.key", "test fixture"),
        ("tests/fixtures/server.key", "test fixture"),
        ("tests/docker/server.key.insecure", "test fixture"),
        ("scrape/testdata/ca.key", "test fixture"),
        ("test-ca/rsa/end.key", "test fixture"),
    ],
)
def test_a_key_that_says_it_was_made_for_a_test_protects_nothing(path: str, note: str) -> None:
    (secret,) = find_secrets(armour("RSA ", "\n"), path)
    assert secret.note == note


def test_a_key_that_a_page_shows_as_it_stands_is_there_to_be_read() -> None:
    key = armour("", "\n")
    shown, beside = f"Then write\n<pre>\nserver.pem:\n{key}\n</pre>\n", f"<pre>\n</pre>\n{key}\n"
    assert [one.note for one in find_secrets(shown, "manual.proto") if one.kind == "private-key"] == ["shown on a page"]
    assert [one.note for one in find_secrets(beside, "manual.proto") if one.kind == "private-key"] == [""]
