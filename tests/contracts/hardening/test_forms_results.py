from __future__ import annotations

import pytest

from leeboard.contracts.hardening.forms import find_results
from leeboard.contracts.hardening.sign import HardeningSource
from leeboard.source.syntax import parse


def _found(text: str, language: str, retried: frozenset[int] = frozenset()) -> list[tuple[str, int]]:
    tree = parse(text, language)
    assert tree is not None
    return [(one.signal, one.line) for one in find_results(HardeningSource(tree), retried)]


_DROPPED = "func f() {\n\tif err := g(); err != nil {\n\t\tlog.Print(err)\n\t}\n}\n"


def test_a_dropped_error_is_shown_where_it_was_asked_for() -> None:
    assert _found(_DROPPED, "go") == [("swallowed error", 2)]
    assert _found(_DROPPED, "go", frozenset({2})) == []


def test_an_error_that_is_only_noted() -> None:
    assert _found('fn f() { if let Err(e) = g() { eprintln!("{e}"); } }', "rust") == [("swallowed error", 1)]


@pytest.mark.parametrize("language", ["python", "java"])
def test_other_languages_have_none(language: str) -> None:
    assert _found("x", language) == []
