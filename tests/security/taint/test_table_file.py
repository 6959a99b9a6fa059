"""What the text of a file alone tells."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.security.taint.flow import find_flows
from leeboard.security.taint.table_file import LANGUAGES, SinkGate, TableFile, gate_of, joined, last_name, may_flow
from leeboard.source.syntax import parse

ROOT = Path(__file__).resolve().parents[3]
GATE = SinkGate(
    TableFile(
        prefilter="eval",
        web="import flask",
        web_words=["flask"],
        words=["eval("],
        sinks={"code": [{"calls": ["eval"]}], "sql": [{"calls": ["*.execute"]}]},
    )
)


@pytest.mark.parametrize(
    ("text", "worth", "places"),
    [
        ("x = 1", False, 0),
        ("eval(x)", True, 1),
        ("import flask\neval(x)\neval(y)", True, 2),
        ("import os\nimport flask", True, 0),
        ("flask = 1", False, 0),
        ("literal_eval(x)", False, 0),
        ("def eval(x): pass", False, 0),
    ],
)
def test_where_sinks_may_be(text: str, *, worth: bool, places: int) -> None:
    assert GATE.may_hold_sinks(text) is worth
    assert len(GATE.sure_places(text)) == places


def test_without_words_the_pattern_decides() -> None:
    gate = SinkGate(TableFile(prefilter=["eval", "exec"]))
    assert gate.may_hold_sinks("exec x")
    assert not gate.may_hold_sinks("x = 1")
    assert not gate.has_words


def test_every_language_has_its_gate() -> None:
    assert all(gate_of(language) is not None for language in LANGUAGES)
    assert gate_of("json") is None
    assert (joined(["a", "b"]), last_name("db.cursor().execute")) == ("a|b", "execute")


_PIECES = st.sampled_from(
    ["def f(a):\n", "    return a\n", "    x = a.strip()\n", "print(a)\n", "    eval (a)\n", "os\n", "func f() {}\n"]
)


@given(st.sampled_from(sorted(LANGUAGES)), st.lists(_PIECES, max_size=8).map("".join))
def test_what_it_stops_has_no_flow(language: str, text: str) -> None:
    tree = parse(text, language)
    assert may_flow(text, language) or tree is None or find_flows(tree) == ()


_LOADS = """
import sys
from leeboard.security.taint.table_file import may_flow
assert not may_flow("def login(name: str) -> str:\\n    return name.strip()\\n", "python")
assert not [name for name in ("table", "index", "flow", "ir") if f"leeboard.security.taint.{name}" in sys.modules]
"""


def test_a_file_without_a_sink_loads_nothing_of_the_engine() -> None:
    subprocess.run([sys.executable, "-c", _LOADS], check=True, timeout=60, cwd=ROOT)
