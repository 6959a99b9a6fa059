from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.contracts.hardening.handlers import is_note, outcome_of, statements


@pytest.mark.parametrize(
    ("code", "language", "expected"),
    [
        ("", "java", "swallowed"),
        ("pass", "python", "swallowed"),
        ("...", "python", "swallowed"),
        ("log.warn(e)\ncontinue", "python", "swallowed"),
        ("e.printStackTrace();", "java", "swallowed"),
        ("$this->logger->error($e);", "php", "swallowed"),
        ("std::cerr << e.what();", "cpp", "swallowed"),
        ("return None", "python", "default"),
        ("return None, False", "python", "default"),
        ("logger.error(e)\nreturn x or []", "python", "default"),
        ("result = []", "python", "default"),
        ("return Optional.empty();", "java", "default"),
        ("return []string{}", "go", "default"),
        ("nil", "ruby", "default"),
        ("nil", "go", "swallowed"),
        ("raise", "python", "passed on"),
        ("throw new AppError(e);", "java", "passed on"),
        ("log.Fatal(err)", "go", "passed on"),
        ("future.completeExceptionally(e);", "java", "passed on"),
        ("self.errors.append(e)", "python", "handled"),
        ("return jsonify(e), 500", "python", "handled"),
        ("logger.error(e)\nrollback()", "python", "handled"),
    ],
)
def test_what_is_done_about_an_error(code: str, language: str, expected: str) -> None:
    assert outcome_of(code, language) == expected


@pytest.mark.parametrize(
    ("statement", "expected"),
    [("console.error(e)", True), ("await logger.info(x)", True), ("log = None", False), ("catalog.add(x)", False)],
)
def test_a_note_is_for_a_log(statement: str, *, expected: bool) -> None:
    assert is_note(statement) == expected


def test_brackets_hold_a_statement_together() -> None:
    assert statements("f(\n  a,\n  b)\ng(); h()\nx\n  .then(y)") == ["f( a, b)", "g()", "h()", "x .then(y)"]


@given(st.text(max_size=200))
def test_garbage_never_raises(code: str) -> None:
    assert outcome_of(code, "python") in {"passed on", "swallowed", "default", "handled"}
