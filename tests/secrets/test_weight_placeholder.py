from __future__ import annotations

import pytest

from leeboard.secrets.monotonous import is_monotonous
from leeboard.secrets.weight import is_example, is_mock, is_placeholder, unleet

STANDS = (
    "your_api_key_here REPLACE_ME changeme xxxxxxxx ${FOO} {{x}} %s <token> *** test-token secret123 0123456789abcdef "
    "deadbeefdeadbeef qwertyuiop abcdefgh aaaaaaaa my-secret-key insert-token-here [redacted] %TOKEN% @token@ "
    "[-!#$%&*+.^_0-9a-zA-Z]+ [A-Za-z0-9_]{20,40} $jsr311-version $dbc_dbpass/ $at[2]$at[3] %08lX:%ud"
).split()


@pytest.mark.parametrize("value", STANDS)
def test_what_stands_for_a_value(value: str) -> None:
    assert is_placeholder(value)


@pytest.mark.parametrize(
    "value",
    "hunter2 admin123 P@ssw0rd s3cr3t letmein Tr0ub4dor&3 k[9-vQ]2xZp7Lm 3f2b13f3a7773d13046e614f196a5b7a".split(),
)
def test_what_is_a_value(value: str) -> None:
    assert not is_placeholder(value)


def test_examples_of_providers() -> None:
    assert is_example("AKIA" + "IOSFODNN7" + "EXAMPLE")
    assert is_example("sk_" + "test_4eC39HqLyjWDarjtT1zdp7dc")
    assert not is_example("sk_" + "test_9aB39HqLyjWDarjtT1zdp7dc")


def test_mocks_and_monotony() -> None:
    assert is_mock("test-token")
    assert not is_mock("zebra-token")
    assert is_monotonous("abcabcabc")
    assert not is_monotonous("8f14e45fceea167a")
    assert unleet("P@ssw0rd") == "Password"
