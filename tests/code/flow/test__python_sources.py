"""Python: where foreign values come from."""

from __future__ import annotations

import re

import pytest

from leeboard.code.flow._python_sources import HANDLERS, REQUEST_SAFE, REQUESTS, SOURCES


def test_patterns_are_patterns() -> None:
    for handlers in HANDLERS:
        for pattern in (handlers.imports, handlers.decorators, handlers.bases, handlers.requests, handlers.names):
            re.compile(pattern)


@pytest.mark.parametrize(("name", "safe"), [("method", True), ("args", False), ("user", True), ("headers", False)])
def test_what_a_client_can_not_choose(name: str, *, safe: bool) -> None:
    assert (re.fullmatch(REQUEST_SAFE, name) is not None) is safe


def test_each_source_stands_once() -> None:
    paths = [source.path for source in SOURCES]
    assert len(paths) == len(set(paths))
    assert "flask.request" in REQUESTS
