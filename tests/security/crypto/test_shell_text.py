from __future__ import annotations

import pytest

from leeboard.security.crypto.shell_text import find_weak_shell

PAIRS = [
    ("openssl md5 file", "openssl dgst -sha256 file", "weak hash"),
    ("openssl dgst -sha1 -sign k f", "openssl dgst -sha512 -sign k f", "weak hash"),
    ("openssl passwd -1 hello", "openssl passwd -6 hello", "weak hash"),
    ('HASH=$(echo -n "$PASSWORD" | md5sum | cut -c1-32)', 'HASH=$(openssl passwd -6 "$PASSWORD")', "weak hash"),
    ("printf '%s' \"$db_password\" | sha256sum", "printf '%s' \"$db_name\" | sha256sum", "weak hash"),
    ('sha1sum <<< "$PASS"', 'sha1sum <<< "$PASSAGE"', "weak hash"),
    ("openssl enc -des3 -in a -out b", "openssl enc -aes-256-cbc -pbkdf2 -in a -out b", "weak cipher"),
    ("openssl enc -aes-128-ecb -in a", "openssl enc -aes-128-ctr -in a", "ECB mode"),
    ("openssl genrsa -out k.pem 1024", "openssl genrsa -out k.pem 4096", "short key"),
    ("openssl req -newkey rsa:1024 -nodes", "openssl req -newkey rsa:2048 -nodes", "short key"),
    ("ssh-keygen -t rsa -b 1024", "ssh-keygen -t ed25519", "short key"),
    ("curl -k https://api.x.dev", "curl -s https://api.x.dev", "unverified connection"),
    ("curl -sSk https://api.x.dev", "curl --fail https://api.x.dev", "unverified connection"),
    ("wget --no-check-certificate $u", "wget $u", "unverified connection"),
    ("ssh -o StrictHostKeyChecking=no h", "ssh -o StrictHostKeyChecking=yes h", "unverified connection"),
    ("curl --sslv3 https://x.dev", "curl --tlsv1.2 https://x.dev", "old TLS"),
    ("PASSWORD=$RANDOM", "PASSWORD=$(openssl rand -hex 16)", "predictable random"),
]


@pytest.mark.parametrize(("weak", "fixed", "kind"), PAIRS)
def test_weak_and_fixed(weak: str, fixed: str, kind: str) -> None:
    assert kind in [weakness.kind for weakness in find_weak_shell(weak, "deploy.sh")]
    assert not find_weak_shell(fixed, "deploy.sh")


@pytest.mark.parametrize(
    "text",
    [
        "# curl -k https://x.dev",
        "curl -k https://localhost:8443/health",
        "port=$((RANDOM % 100))",
        "md5sum release.tgz",
        'echo "$PWD" | md5sum',
        'echo -n "$password$user" | md5sum',
        "echo openssl",
        "kubectl get pods -k x",
        "ssh -o StrictHostKeyChecking=no $USER@localhost ls",
        'tmpdir="$PWD/tmp.$RANDOM"',
    ],
)
def test_stays_silent(text: str) -> None:
    assert not find_weak_shell(text, "deploy.sh")


def test_joined_lines_keep_their_numbers() -> None:
    text = "echo a \\\n  b\ncurl \\\n  -k https://x.dev\n"
    assert [weakness.line for weakness in find_weak_shell(text, "a.sh")] == [3]


def test_a_habit_is_said_once() -> None:
    text = "scp -o StrictHostKeyChecking=no a b:\nscp -o StrictHostKeyChecking=no c d:\n"
    first, second = find_weak_shell(text, "a.sh")
    assert (first.queues, first.also) == (True, (2,))
    assert (second.queues, second.log_only) == (False, "the same as in line 1")


def test_tests_and_comments_lower_it() -> None:
    (in_test,) = find_weak_shell("curl -k https://x.dev", "tests/run.sh")
    (knowing,) = find_weak_shell("curl -k https://x.dev  # self-signed on purpose", "run.sh")
    assert (in_test.log_only, knowing.log_only) == ("test file", "chosen knowingly, with a comment")


def test_a_hostile_line_is_read_once() -> None:
    assert not find_weak_shell("openssl " + "a -" * 300_000, "a.sh")
