"""The languages there are."""

from __future__ import annotations

import re

import pytest

from leeboard.security.taint.find import LANGUAGES, lowering_of, tables_for


@pytest.mark.parametrize("name", LANGUAGES)
def test_tables_are_whole(name: str) -> None:
    lower, tables = lowering_of(LANGUAGES[name]), tables_for(LANGUAGES[name])
    assert callable(lower)
    assert tables.sinks
    assert tables.sources or tables.handlers
    for pattern in (tables.prefilter, tables.candidates, tables.checks, tables.request_safe, tables.safe_types):
        re.compile(pattern)
