"""Python: the sinks of databases, shells and code."""

from __future__ import annotations

import re

import pytest

from leeboard.code.flow import _python_sinks as sinks
from leeboard.code.flow.table import Sink

ALL = (*sinks.SQL, *sinks.COMMANDS, *sinks.CODE, *sinks.DESERIALISE, *sinks.NOSQL, *sinks.DIRECTORY)


@pytest.mark.parametrize("sink", ALL, ids=lambda sink: str(sink.callee))
def test_patterns_are_patterns(sink: Sink) -> None:
    for pattern in (sink.receiver, sink.looks, *(pattern for _name, pattern in (*sink.unless, *sink.given))):
        re.compile(pattern)
    assert max(sink.bare, sink.always, sink.parameter) <= 0.75


@pytest.mark.parametrize(
    ("receiver", "database"),
    [("cursor", True), ("self.conn", True), ("db.session", True), ("executor", False), ("command", False), ("c", True)],
)
def test_what_looks_like_a_database(receiver: str, *, database: bool) -> None:
    (execute, *_rest) = sinks.SQL
    assert (re.search(execute.receiver, receiver, re.IGNORECASE) is not None) is database
