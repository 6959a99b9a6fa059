from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.contracts.hardening.find import find_by_words
from leeboard.contracts.hardening.sign import BROAD, FALLBACK, GUARDRAIL, RETRY, SWALLOWED, TIMEOUT


def _found(path: str, text: str) -> list[tuple[str, int]]:
    return [(one.signal, one.line) for one in find_by_words(path, dict(enumerate(text.splitlines(), 1)))]


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.lua", "x = 1\nretry(3)", [(RETRY, 2)]),
        ("a.swift", "let maxRetries = 3", [(RETRY, 1)]),
        ("a.swift", "let t = timeoutInterval", [(TIMEOUT, 1)]),
        ("a.swift", "request.timeout = 5", [(TIMEOUT, 1)]),
        ("a.dart", "final fallbackUrl = u;", [(FALLBACK, 1)]),
        ("a.ex", "graceful_stop()", [(FALLBACK, 1)]),
        ("a.scala", "defensive copy", [(GUARDRAIL, 1)]),
        ("a.sh", "rm -f x || true", [(SWALLOWED, 1)]),
        ("a.sh", "curl --retry 3 u", [(RETRY, 1)]),
        ("a.dart", "} catch (e) {\n  x();", [(BROAD, 1)]),
        ("a.swift", "} catch {\n", [(BROAD, 1)]),
        ("conf/app.yaml", "retries: 3", [(RETRY, 1)]),
    ],
)
def test_words_tell(path: str, text: str, expected: list[tuple[str, int]]) -> None:
    """SP-07: a language without a grammar is read by words, which miss little and know little."""
    assert _found(path, text) == expected


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.lua", "-- retry with a fallback"),
        ("a.sh", "# retry"),
        ("a.sh", "echo 'retry after timeout'"),
        ("a.dart", "// catch (e)"),
        ("a.dart", "} catch (e) {\n  rethrow;"),
        ("README.md", "retry"),
        ("data.json", '"retry": 3'),
        ("conf/app.yaml", "title: please retry"),
        (".github/workflows/ci.yml", "timeout-minutes: 5"),
        ("a.swift", "for entry in entries {"),
        ("a.vue", "setTimeout(tick, 5)"),
    ],
)
def test_what_is_only_written_about_does_not(path: str, text: str) -> None:
    assert _found(path, text) == []


@given(st.text(max_size=200))
def test_garbage_never_raises(text: str) -> None:
    _found("a.lua", text)
    _found("a.yaml", text)
