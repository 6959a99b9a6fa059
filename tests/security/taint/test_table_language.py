"""The languages there are."""

from __future__ import annotations

import re
from importlib import import_module

import pytest

from leeboard.security.taint.table import tables_for
from leeboard.security.taint.table_file import LANGUAGES


@pytest.mark.parametrize("name", LANGUAGES)
def test_tables_are_whole(name: str) -> None:
    tables = tables_for(LANGUAGES[name])
    assert callable(import_module(f"leeboard.security.taint.lowering.{LANGUAGES[name]}").lower)
    assert tables.sinks
    assert tables.sources or tables.handlers
    for pattern in (tables.candidates, tables.checks, tables.request_safe, tables.safe_types):
        re.compile(pattern)
