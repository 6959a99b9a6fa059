"""Python: what makes a foreign value harmless."""

from __future__ import annotations

import re

import pytest

from leeboard.code.flow._python_cleaners import CHECKS, CLEANERS, ESCAPES, GUARDS, MODEL
from leeboard.code.flow.table import KINDS


def test_kinds_exist() -> None:
    for cleaner in CLEANERS:
        assert cleaner.kinds is None or cleaner.kinds <= set(KINDS)
    assert all(guard.kinds is None or guard.kinds <= set(KINDS) for guard in GUARDS)


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("escape_html_text", {"html"}),
        ("shell_quote", {"command"}),
        ("escape_sql", {"sql"}),
        ("safe_join", {"path", "upload"}),
        ("to_int", None),
        ("transform", ()),
    ],
)
def test_names_that_promise(name: str, kinds: object) -> None:
    found = [cleaned for pattern, cleaned in ESCAPES if re.search(pattern, name, re.IGNORECASE)]
    assert (found[0] if found else ()) == kinds


@pytest.mark.parametrize(("name", "check"), [("is_valid_path", True), ("validate", True), ("process", False)])
def test_checks(name: str, *, check: bool) -> None:
    assert (re.search(CHECKS, name) is not None) is check


def test_a_word_has_one_meaning() -> None:
    groups = (MODEL.push, MODEL.write, MODEL.read, MODEL.take, MODEL.drop, MODEL.values)
    assert sum(len(group) for group in groups) == len(frozenset().union(*groups))
