from __future__ import annotations

import pytest

from leeboard.contracts.hardening.forms import find_options
from leeboard.contracts.hardening.sign import HardeningSource
from leeboard.source.syntax import parse


def _found(text: str, language: str) -> list[str]:
    tree = parse(text, language)
    assert tree is not None
    return [one.what for one in find_options(HardeningSource(tree))]


@pytest.mark.parametrize(
    ("language", "text", "names"),
    [
        ("python", "get(u, connect_timeout=3)", ["connect_timeout"]),
        ("python", "def f(max_retries: int = 3): pass", ["max_retries"]),
        ("python", "TIMEOUT = 'timeout'", []),
        ("python", "timeout == 3", []),
        ("python", "o = {'timeout': 3}", ["timeout"]),
        ("javascript", "f({ retryDelay: 3 })", ["retryDelay"]),
        ("javascript", "withRetry(f)", ["withRetry"]),
        ("javascript", "handleRetry(f); getTimeout()", []),
        ("typescript", "type O = { timeout: number }", []),
        ("go", "var c = C{Timeout: limit}", ["Timeout"]),
        ("java", "class A { int retries = 3; }", ["retries"]),
        ("php", "$c->setTimeout(5);", ["setTimeout"]),
    ],
)
def test_names_that_are_given_a_value(language: str, text: str, names: list[str]) -> None:
    assert _found(text, language) == names
