"""The tables, asked."""

from __future__ import annotations

import pytest

from leeboard.security.taint.index import PathIndex
from leeboard.security.taint.table import Cleaner, Sink, Tables, TaintGuard, TaintSource

INDEX = PathIndex(
    Tables(
        language="python",
        candidates=r"eval\(",
        sources=(TaintSource(path="a.b"), TaintSource(path="input()"), TaintSource(path="*.recv()", receiver="sock")),
        sinks=(Sink(kind="code", callee="eval"), Sink(kind="sql", callee="*.execute")),
        assigned=(Sink(kind="html", callee="*.innerHTML"),),
        cleaners=(Cleaner(callee="int"), Cleaner(callee="*.hexdigest")),
        guards=(TaintGuard(callee="*.isdigit"),),
        escapes=(("escape_html", frozenset({"html"})),),
        checks="^is_valid",
    )
)


def test_sinks_by_path_and_by_method() -> None:
    assert [sink.kind for sink in INDEX.sinks("eval")] == ["code"]
    assert INDEX.sinks("model.eval") == []
    assert [sink.kind for sink in INDEX.sinks("db.cursor().execute")] == ["sql"]
    assert INDEX.sinks("execute") == []
    assert [sink.kind for sink in INDEX.assigned("el.innerHTML")] == ["html"]


@pytest.mark.parametrize(
    ("path", "called", "found"),
    [
        ("a.b", False, True),
        ("a.b", True, False),
        ("input", True, True),
        ("sock.recv", True, True),
        ("queue.recv", True, False),
        ("recv", True, False),
    ],
)
def test_sources(path: str, *, called: bool, found: bool) -> None:
    assert bool(INDEX.sources(path, path, called=called)) is found


def test_cleaners_guards_and_names() -> None:
    assert INDEX.cleaner("int") is not None
    assert INDEX.cleaner("x.int") is None
    assert INDEX.cleaner("h.hexdigest") is not None
    assert INDEX.guards("x.isdigit")
    assert INDEX.escape("lib.escape_html") == (True, frozenset({"html"}))
    assert INDEX.escape("lib.other") == (False, None)
    assert INDEX.checked_for("lib.is_valid_name")


def test_all_that_a_last_name_may_mean() -> None:
    assert [sink.callee for sink in INDEX.sinks_named("execute")] == ["*.execute"]
    assert [sink.callee for sink in INDEX.assigned_named("innerHTML")] == ["*.innerHTML"]
    assert [source.path for source in INDEX.sources_named("recv")] == ["*.recv()"]
    assert INDEX.dangerous_names == {"eval", "execute", "innerHTML"}
    assert INDEX.foreign_names == {"b", "input", "recv"}
    assert not INDEX.sinks_named("b")


def test_names_that_are_set_or_read_under_a_key() -> None:
    index = PathIndex(
        Tables(
            language="python",
            candidates="",
            sources=(TaintSource(path="Request[]"),),
            assigned=(Sink(kind="session", callee="*.session[]"),),
            requests=frozenset({"flask.request"}),
        )
    )
    assert index.dangerous_names == {"session"}
    assert [source.path for source in index.sources_named("Request")] == ["Request[]"]
    assert index.request_names == {"request"}
    assert index.foreign_names == {"request", "Request"}


def test_a_pattern_is_looked_for_in_a_part_of_the_text() -> None:
    text = "one\neval(x)\nthree\n"
    assert INDEX.has_pattern(text, 0, len(text))
    assert not INDEX.has_pattern(text, 0, text.index("eval"))
    assert not INDEX.has_pattern(text, text.index("three"), len(text))
