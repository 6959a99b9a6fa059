from __future__ import annotations

import random
import string

import pytest

from leeboard.secrets.weight import class_count, entropy, is_hex, is_random, is_strong, is_uuid, word_evidence

WORDS = (
    "getUserPassword administrator connection_string my-service-name PasswordField letmein2020 configuration".split()
)


@pytest.mark.parametrize("word", WORDS)
def test_words_are_not_random(word: str) -> None:
    assert not is_random(word)


@pytest.mark.parametrize(
    ("alphabet", "size", "share"),
    [
        (string.ascii_letters + string.digits, 12, 0.95),
        (string.ascii_lowercase, 8, 0.88),
        (string.ascii_lowercase + string.digits, 10, 0.93),
        ("0123456789abcdef", 32, 0.99),
    ],
)
def test_what_chance_made_is_random(alphabet: str, size: int, share: float) -> None:
    rng = random.Random(7)
    drawn = ["".join(rng.choices(alphabet, k=size)) for _ in range(400)]
    assert sum(map(is_random, drawn)) >= share * len(drawn)


def test_a_strong_value_is_long_for_its_alphabet() -> None:
    rng = random.Random(8)
    long = "".join(rng.choices(string.ascii_letters + string.digits, k=32))
    assert is_strong(long)
    assert not is_strong(long[:12])
    assert not is_strong("a" * 32)


def test_small_measures() -> None:
    assert entropy("") == 0.0
    assert entropy("abcd") == 2.0
    assert class_count("aB3!") == 4
    assert is_hex("0af9")
    assert not is_hex("0aF9")
    assert is_uuid("0a0a0a0a-0a0a-0a0a-0a0a-0a0a0a0a0a0a")
    assert word_evidence("password") > 0 > word_evidence("xqzkvj")
