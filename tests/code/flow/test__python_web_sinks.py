"""Python: the sinks of pages, files, addresses, documents."""

from __future__ import annotations

import re

import pytest

from leeboard.code.flow import _python_web_sinks as sinks
from leeboard.code.flow.table import Sink

ALL = (*sinks.PAGES, *sinks.FILES, *sinks.ADDRESSES, *sinks.DOCUMENTS, *sinks.OTHERS, *sinks.ASSIGNED)


@pytest.mark.parametrize("sink", ALL, ids=lambda sink: str(sink.callee))
def test_patterns_are_patterns(sink: Sink) -> None:
    for pattern in (sink.receiver, sink.looks, *(pattern for _name, pattern in (*sink.unless, *sink.given))):
        re.compile(pattern)
    assert max(sink.bare, sink.always, sink.parameter) <= 0.75
