"""The tables of the languages, as they are written and as the engine gets them."""

from __future__ import annotations

import re

import msgspec
import pytest

from leeboard.security.taint.table import Sink, Tables, TaintSource, tables_for, tables_of
from leeboard.security.taint.table_file import LANGUAGES, Line, TableFile, read_table

TABLES = {name: tables_for(name) for name in dict.fromkeys(LANGUAGES.values())}
PYTHON = TABLES["python"]
LEFT_OVER = re.compile(r"<[a-z_]+>")


def test_a_line_stands_for_each_of_its_calls() -> None:
    file = TableFile(
        prefilter=["a", "b"],
        candidates=["c", "d::", r"\be\("],
        shared={"cursor": ["cur", "db"]},
        sources={"local": [{"paths": ["os.getenv()", "sys.argv"], "label": "{path}, {name}"}]},
        sinks={"sql": [{"calls": ["*.run", "query"], "receiver": "<cursor>", "needs": {"1": [1, 2]}}]},
        cleaners=[{"calls": ["int", "len"]}],
        guards=[{"calls": ["isdigit"], "argument": 0}],
    )
    tables = tables_of("c", file)
    assert tables.candidates == r"\be\("
    assert tables.marks == ("c", "d::")
    assert tables.sources == (
        TaintSource(path="os.getenv()", trust="local", label="os.getenv, getenv"),
        TaintSource(path="sys.argv", trust="local", label="sys.argv, argv"),
    )
    assert tables.sinks == tuple(
        Sink(kind="sql", callee=callee, receiver="cur|db", needs=(("1", value),))
        for callee in ("*.run", "query")
        for value in (1, 2)
    )
    assert [cleaner.callee for cleaner in tables.cleaners] == ["int", "len"]
    assert [guard.argument for guard in tables.guards] == [0]


def test_sinks_learn_how_sure_a_callers_value_is_and_what_to_do() -> None:
    lines: list[Line] = [{"calls": ["write"]}, {"calls": ["send"], "parameter": 0.3, "note": "Mine."}]
    taught, own = tables_of("c", TableFile(sinks={"html": lines}), read_table("common")).sinks
    assert (taught.parameter, taught.note) == (read_table("common").callers["html"], read_table("common").fixes["html"])
    assert (own.parameter, own.note) == (0.3, "Mine.")


def test_a_misspelt_field_is_an_error() -> None:
    with pytest.raises(TypeError, match="reciever"):
        tables_of("c", TableFile(sinks={"sql": [{"calls": ["*.run"], "reciever": "db"}]}))


@pytest.mark.parametrize("language", TABLES)
def test_lines_keep_to_their_types(language: str) -> None:
    """Kinds and trusts that there are, numbers where there must be numbers."""
    tables = TABLES[language]
    assert msgspec.convert(msgspec.to_builtins(tables), Tables) == tables


@pytest.mark.parametrize("language", TABLES)
def test_patterns_are_patterns(language: str) -> None:
    tables = TABLES[language]
    for sink in (*tables.sinks, *tables.assigned):
        for pattern in (sink.receiver, sink.looks, *(pattern for _name, pattern in (*sink.unless, *sink.given))):
            re.compile(pattern)
            assert not LEFT_OVER.fullmatch(pattern)
        assert not LEFT_OVER.fullmatch(sink.note)
        assert max(sink.bare, sink.always, sink.parameter) <= 0.75
    for source in tables.sources:
        re.compile(source.receiver)
        assert not LEFT_OVER.fullmatch(source.receiver)
    for handlers in tables.handlers:
        for pattern in (handlers.imports, handlers.decorators, handlers.bases, handlers.requests, handlers.names):
            re.compile(pattern)


@pytest.mark.parametrize("language", TABLES)
def test_nothing_stands_twice(language: str) -> None:
    tables = TABLES[language]
    for entries in (tables.sinks, tables.assigned, tables.sources, [one.callee for one in tables.cleaners]):
        assert len(entries) == len(dict.fromkeys(map(repr, entries)))


@pytest.mark.parametrize(
    ("receiver", "database"),
    [("cursor", True), ("self.conn", True), ("db.session", True), ("executor", False), ("command", False), ("c", True)],
)
def test_what_looks_like_a_database(receiver: str, *, database: bool) -> None:
    (execute,) = (sink for sink in PYTHON.sinks if sink.callee == "*.execute")
    assert (re.search(execute.receiver, receiver, re.IGNORECASE) is not None) is database


@pytest.mark.parametrize(("name", "safe"), [("method", True), ("args", False), ("user", True), ("headers", False)])
def test_what_a_client_can_not_choose(name: str, *, safe: bool) -> None:
    assert (re.fullmatch(PYTHON.request_safe, name) is not None) is safe
    assert "flask.request" in PYTHON.requests


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
    found = [cleaned for pattern, cleaned in PYTHON.escapes if re.search(pattern, name, re.IGNORECASE)]
    assert (found[0] if found else ()) == kinds


@pytest.mark.parametrize(("name", "check"), [("is_valid_path", True), ("validate", True), ("process", False)])
def test_checks(name: str, *, check: bool) -> None:
    assert (re.search(PYTHON.checks, name) is not None) is check


def test_a_word_has_one_meaning() -> None:
    model = PYTHON.model
    groups = (model.push, model.write, model.read, model.take, model.drop, model.values)
    assert sum(len(group) for group in groups) == len(frozenset().union(*groups))
