"""Flows and their safe twins, over everything Python's tables know."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leeboard.security.taint.flow import find_flows, touches_flow
from leeboard.security.taint.state import Flow, TaintScope
from leeboard.security.taint.table_file import may_flow
from leeboard.source.syntax import parse

FIXTURES = Path(__file__).parents[2] / "fixtures" / "flows"
HEAD = """\
import ast, base64, configparser, html, importlib, io, json, os, pathlib, pickle, re, shlex, subprocess, threading
import lxml.etree, requests, urllib.parse, urllib.request, xml.dom.minidom, xml.sax, xml.sax.handler, yaml
from flask import Markup, abort, escape, jsonify, make_response, redirect, render_template, render_template_string
from flask import request, send_file, send_from_directory, session, url_for
from jinja2 import Environment
from ldap.filter import escape_filter_chars
from sqlalchemy import text
from werkzeug.utils import secure_filename

"""

Pair = tuple[str, str, str, str]


def pairs() -> list[Pair]:
    """Name, kind, the harmful text and the harmless one."""
    found: list[Pair] = []
    for name in ("python_flask", "python_paths", "python_frameworks"):
        head = "" if name == "python_frameworks" else HEAD
        for case in (FIXTURES / f"{name}.txt").read_text(encoding="utf-8").split("\n=== ")[1:]:
            title, _, rest = case.partition("\n")
            label, _, kind = title.rpartition(" | ")
            harmful, _, harmless = rest.partition("\n---\n")
            found.append((label, kind, f"{head}{harmful}\n", f"{head}{harmless}\n"))
    return found


def flows(text: str, language: str = "python") -> tuple[Flow, ...]:
    tree = parse(text, language)
    return find_flows(tree) if tree is not None else ()


PAIRS = pairs()
IDS = [label for label, *_rest in PAIRS]


def test_there_are_many_pairs() -> None:
    assert len(PAIRS) >= 130


@pytest.mark.parametrize(("label", "kind", "harmful", "harmless"), PAIRS, ids=IDS)
def test_the_flow_is_found_and_its_twin_is_silent(label: str, kind: str, harmful: str, harmless: str) -> None:
    assert kind in {flow.kind for flow in flows(harmful)}, label
    assert flows(harmless) == ()


@pytest.mark.parametrize(
    ("text", "confidence", "trust"),
    [
        ("from flask import request\ndef f():\n    eval(request.args['x'])", 0.92, "request"),
        ("from fastapi import FastAPI\n@app.get('/')\ndef f(x: str):\n    eval(x)", 0.90, "handler"),
        ("def f(x):\n    eval(x)", 0.65, "parameter"),
        ("def f():\n    eval(thing.value)", 0.60, None),
        ("import sys\neval(sys.argv[1])", 0.50, "local"),
    ],
)
def test_the_less_a_source_is_foreign_the_lower(text: str, confidence: float, trust: str | None) -> None:
    """SW-66, SW-68."""
    (flow,) = flows(text)
    assert (flow.confidence, flow.trust) == (confidence, trust)


def test_the_lines_on_the_way() -> None:
    text = "from flask import request\ndef f():\n    a = request.args['x']\n    b = 'ls ' + a\n    os.system(b)\n"
    (flow,) = flows(text)
    assert (flow.source, flow.source_line, flow.sink, flow.sink_line) == ("request.args['x']", 3, "os.system", 5)
    assert flow.steps == (3, 4, 5)
    assert flow.function == "f"


def test_two_sinks_are_two_flows() -> None:
    text = "from flask import request\nx = request.args['x']\neval(x)\nos.system(x)\n"
    assert [(flow.kind, flow.sink_line) for flow in flows(text)] == [("code", 3), ("command", 4)]


def test_half_a_function_is_followed() -> None:
    text = "    x = request.args.get('x')\n    os.system('ls ' + x)\n    if ("
    assert [flow.kind for flow in flows(text)] == ["command"]


def test_old_syntax_is_followed() -> None:
    assert [flow.kind for flow in flows("def f(code):\n    exec code\n    print 'x'\n")] == ["code"]


def test_a_language_without_tables_has_no_flows() -> None:
    assert flows("{}", "json") == ()
    assert not may_flow("eval(x)", "json")


@pytest.mark.parametrize(("text", "may"), [("eval(x)", True), ("from flask import request", True), ("x = 1", False)])
def test_files_without_a_sink_are_not_parsed(text: str, *, may: bool) -> None:
    assert may_flow(text, "python") is may


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "(" * 3000 + "eval(y)" + ")" * 3000,
        "eval(" + "+".join(["x"] * 3000) + ")",
        "".join(f"{'    ' * depth}if x:\n" for depth in range(90)) + "    " * 90 + "eval(x)\n",
        "".join(f"def f{n}(x):\n    f{n + 1}(x)\n    f{n + 1}(x)\n    eval(x)\n" for n in range(60)),
        "def f(x):\n" + "".join(f"    x = f'{{x}}{{x}}' + x if y{n} else x\n" for n in range(300)) + "    eval(x)\n",
        "eval(\x00\x01\x02)",
        "def f(:\n eval(\n",
    ],
    ids=["nested", "chain", "indented", "callers", "doubling", "nul", "broken"],
)
def test_hostile_files_end(text: str) -> None:
    assert len(flows(text)) < 200


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="eval(x)=+'\"{}[]:\n \\fdr,.@%if", max_size=120))
def test_any_text_is_survived(text: str) -> None:
    flows(f"from flask import request\n{text}\neval(request.args['x'])\n")


SEVERAL = """\
import os
from flask import request

# plain words
LIMIT = 3

class Line:
    def __init__(self, host):
        self.text = "ping " + host

def run(line):
    os.system(line)

def ping():
    run(Line(request.args["host"]).text)

def total(items):
    return sum(items)
""" + "".join(f"\ndef plain_{number}(items):\n    return items\n" for number in range(16))


@pytest.mark.parametrize(
    ("line", "touched"),
    [
        ("        self.text", True),
        ("    os.system", True),
        ("    run(", True),
        ("    return", False),
        ("import os", True),
        ("from flask", None),
        ("# plain", False),
        ("LIMIT", None),
    ],
)
def test_a_change_concerns_the_function_it_is_in_and_those_that_call_it(line: str, *, touched: bool | None) -> None:
    tree = parse(SEVERAL, "python")
    number = next(at for at, text in enumerate(SEVERAL.split("\n"), 1) if text.startswith(line))
    assert tree is not None
    assert touches_flow(tree, ((number, number),)) is touched


def test_a_longer_name_is_another_one() -> None:
    text = "import os\ndef run(line):\n    return line\ndef run_all(line):\n    os.system(line)\n"
    text += "def several(host):\n    run_all('ping ' + host)\n"
    tree = parse(text, "python")
    assert tree is not None
    assert touches_flow(tree, ((5, 5),)) is True
    assert touches_flow(tree, ((3, 3),)) is False


_LATER = "    def later():\n        return run(lambda: os.system(host))\n    return later\n"
_WITH_CLOSURES = {
    "python": f"{HEAD}@app.route('/')\ndef ping():\n    host = request.args['host']\n{_LATER}",
    "javascript": "const cp = require('child_process');\nconst app = require('express')();\n"
    "module.exports = function (name) {\n  const run = (host) => cp.exec(`ping ${name} ${host}`);\n"
    "  app.get('/', (req, res) => run(req.query.host));\n  return run;\n};\n",
}


@pytest.mark.parametrize(("language", "text"), _WITH_CLOSURES.items(), ids=_WITH_CLOSURES.keys())
def test_nothing_that_was_followed_waits_for_the_garbage_collector(language: str, text: str) -> None:
    tree = parse(text, language)
    assert tree is not None
    gc.collect()
    gc.disable()
    try:
        assert find_flows(tree)
        assert not [one for one in gc.get_objects() if isinstance(one, TaintScope)]
    finally:
        gc.enable()
