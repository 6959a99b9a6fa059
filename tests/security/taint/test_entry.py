"""What functions are given by whoever calls them."""

from __future__ import annotations

import pytest

from leeboard.security.taint import ir
from leeboard.security.taint.entry import active_handlers
from leeboard.security.taint.flow import find_flows
from leeboard.security.taint.index import PathIndex
from leeboard.security.taint.state import State
from leeboard.security.taint.table import tables_for
from leeboard.source.syntax import parse

HEAD = "import os, re, io, subprocess\nfrom flask import request, redirect, abort\n"


def kinds(text: str) -> list[str]:
    tree = parse(HEAD + text, "python")
    assert tree is not None
    return [flow.kind for flow in find_flows(tree)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("@app.route('/<x>')\ndef f(x):\n    os.system(x)", ["command"]),
        ("@app.route('/<int:x>')\ndef f(x):\n    os.system(f'ls {x}')", []),
        ("@app.route('/<uuid:x>')\ndef f(x):\n    os.system(f'ls {x}')", []),
        ("def f(x: int):\n    os.system(f'ls {x}')", []),
        ("def f(x: Optional[int]):\n    os.system(f'ls {x}')", []),
        ("def f(x):\n    open(x)", []),
        ("@app.route('/<x>')\ndef f(x):\n    open(x)", ["path"]),
        ("def _f(x):\n    os.system(x)\n\n_f('ls')", []),
        ("def f(*args):\n    os.system('ls ' + args[0])", ["command"]),
        ("class V(MethodView):\n    def get(self, name):\n        open(name)", ["path"]),
        ("class V:\n    def get(self, name):\n        open(name)", []),
    ],
)
def test_parameters_count_by_who_gives_them(text: str, found: list[str]) -> None:
    assert kinds(text) == found


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("webview: vscode.Webview", []),
        ("webview", []),
        ("panel", []),
        ("ctx", []),
        ("box: HTMLDivElement", []),
        ("box: HTMLElement | null", []),
        ("webview: string", ["html"]),
        ("name", ["html"]),
        ("contextName", ["html"]),
    ],
)
def test_an_object_of_a_framework_is_no_text_of_a_user(given: str, found: list[str]) -> None:
    name = given.partition(":")[0]
    tree = parse(f"export function show({given}) {{ page.innerHTML = `<p>${{{name}.title}}</p>`; }}", "typescript")
    assert tree is not None
    assert {flow.kind for flow in find_flows(tree)} == set(found)


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("import local\ndef run(event, context):\n    pass\n", True),
        ("import local\nasync def run(event: dict, _context):\n    pass\n", True),
        ("import local\ndef tell(event):\n    run(event, context)\n", False),
        ("import local\nclass K:\n    def run(event, context):\n        pass\n", False),
        ("import local\nfirst = event\ndef run(event, context): ...", True),
        ("import local\n  @site.get(\n'/x')\n", True),
        ("import local\nsite.at = 1 @ app.get('/x')\n", False),
    ],
)
def test_frameworks_that_the_beginning_of_a_line_tells(text: str, *, known: bool) -> None:
    state = State(ir.Module(language="python", imports={"local": "local"}), PathIndex(tables_for("python")), 1)
    told = {handlers.says_beside for handlers in active_handlers(state, text)} - {""}
    assert bool(told) is known
