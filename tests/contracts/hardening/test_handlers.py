from __future__ import annotations

import pytest

from leeboard.contracts.hardening.handlers import find_handlers
from leeboard.contracts.hardening.sign import HardeningSource
from leeboard.source.syntax import parse

_TEXT = "x = 1\ntry:\n    f()\nexcept Exception as e:\n    log(e)\n"


def _source(text: str, language: str) -> HardeningSource:
    tree = parse(text, language)
    assert tree is not None
    return HardeningSource(tree)


def test_a_handler_is_shown_by_its_head() -> None:
    found = list(find_handlers(_source(_TEXT, "python"), frozenset()))
    assert [(one.signal, one.lines) for one in found] == [
        ("broad exception handling", (4,)),
        ("swallowed error", (4, 5)),
    ]
    assert found[0].what == "except Exception as e"


def test_a_handler_in_a_loop_that_tries_again_is_part_of_it() -> None:
    assert not list(find_handlers(_source(_TEXT, "python"), frozenset({4})))


@pytest.mark.parametrize(
    ("head", "is_broad"),
    [
        ("Exception", True),
        ("a.Exception", True),
        ("(A, BaseException)", True),
        ("ExceptionGroup2", False),
        ("A", False),
    ],
)
def test_which_errors_are_all_errors(head: str, *, is_broad: bool) -> None:
    found = list(find_handlers(_source(f"try:\n    f()\nexcept {head}:\n    g()\n", "python"), frozenset()))
    assert bool(found) == is_broad
