"""A flow in words."""

from __future__ import annotations

import pytest

from leeboard.security.taint.said import said_of, why_queued
from leeboard.security.taint.state import Flow
from leeboard.security.taint.table import Kind, Trust


def flow(kind: Kind, trust: Trust | None, source: str) -> Flow:
    return Flow(
        kind=kind,
        confidence=0.9,
        trust=trust,
        source=source,
        source_line=3,
        sink="run",
        sink_line=5,
        function="f",
    )


@pytest.mark.parametrize(
    ("one", "words"),
    [
        (
            flow("sql", "request", "request.args['n']"),
            "User input from request.args['n'] (line 3) reaches SQL unescaped",
        ),
        (
            flow("path", "request", "request.args['n']"),
            "User input from request.args['n'] (line 3) reaches a file path unchecked",
        ),
        (flow("sql", "parameter", "parameter 'name'"), "Unchecked parameter 'name' (line 3) reaches SQL"),
        (flow("command", "local", "sys.argv"), "sys.argv (line 3) reaches a shell command unchecked"),
        (flow("deserialise", None, ""), "run() is unsafe"),
        (flow("sql", None, "a value of unknown origin"), "A value of unknown origin reaches SQL"),
    ],
)
def test_it_says_who_sends_what_where(one: Flow, words: str) -> None:
    assert said_of(one) == words


def test_why_what_a_request_brings_is_no_refusal() -> None:
    sql, fields = flow("sql", "request", "request.args"), flow("fields", "request", "request.form")
    assert why_queued(sql, "", 0.85) == ""
    assert why_queued(sql, "it was checked", 0.85) == why_queued(fields, "it was checked", 0.85) == "it was checked"
    assert why_queued(fields, "", 0.85) == "what is of this kind is queued, however sure it is"
    assert why_queued(flow("fields", "parameter", "x"), "", 0.85) == ""
