from __future__ import annotations

import re

import pytest

from leeboard.security.crypto.gate import families_of, gate_of

ORDINARY = """
import os
def describe(items, cast, ideas):
    for item in items:
        print(item.description, nodes.codes, modes_of(item))
"""


@pytest.mark.parametrize(
    ("text", "family"),
    [
        ("hashlib.md5(x)", "digests"),
        ("sha256(password)", "digests"),
        ("AES.MODE_ECB", "ciphers"),
        ("RSA.generate(1024)", "key_sizes"),
        ("token = random.random()", "randomness"),
        ("requests.get(u, verify=False)", "transport"),
        ("jwt.decode(t)", "tokens"),
        ("set_cookie('a', 'b')", "cookies"),
        ("AES.new(key, mode, iv)", "material"),
        ("if hmac_value == other:", "comparison"),
    ],
)
def test_what_may_hit(text: str, family: str) -> None:
    assert family in families_of(text)


@pytest.mark.parametrize(
    "text",
    ["", ORDINARY, "delay = random.random()", "sha256(body)", "verify(token)", "s" * 10_000, "a good idea. Next"],
)
def test_ordinary_texts_pass(text: str) -> None:
    assert not families_of(text)


def test_clues() -> None:
    gate = gate_of("Nodes.des_key and x.y")
    assert gate.has(("des_key",))
    assert gate.has(("x.y",))
    assert gate.has((("des", re.compile("key")),))
    assert not gate.has((("des", re.compile("lock")),))
    assert not gate.has(("~odes",))
    assert gate.has(("~des_",))


@pytest.mark.parametrize("text", ["universal = create()", "call_threadsafe(provider)", "if machine == other: pass"])
def test_parts_of_ordinary_words_are_no_clues(text: str) -> None:
    assert not families_of(text)
    assert families_of(f"{text}; rsa.generate(1024)")
