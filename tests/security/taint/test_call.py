"""Calls of what is not in the file."""

from __future__ import annotations

import pytest

from leeboard.security.taint.flow import find_flows
from leeboard.source.syntax import parse

HEAD = "import os, re, io, subprocess\nfrom flask import request, redirect, abort\n"


def kinds(text: str) -> list[str]:
    tree = parse(HEAD + text, "python")
    assert tree is not None
    return [flow.kind for flow in find_flows(tree)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("os.system(unheard(request.args['x']))", ["command"]),
        ("os.system(unheard(key=request.args['x']))", ["command"]),
        ("os.system(unheard(**request.args))", ["command"]),
        ("os.system(unheard(*request.args.getlist('x')))", ["command"]),
        ("os.system(unheard('x'))", []),
        ("os.system(request.args['x'].unheard())", ["command"]),
        ("import helpers\nos.system(helpers.escape_shell_arg(request.args['x']))", []),
        ("import helpers\nos.system(helpers.escape_html(request.args['x']))", ["command"]),
        ("import asyncio\nasyncio.to_thread(os.system, request.args['x'])", ["command"]),
        ("os.system(str(len(request.args['x'])))", []),
        (
            "def note(text, *more):\n    pass\ndef f():\n    a = 'ls'\n    note('', a, request.args['x'])\n    os.system(a)",
            [],
        ),
    ],
)
def test_calls_pass_on_what_they_get(text: str, found: list[str]) -> None:
    assert kinds(text) == found


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("return new Promise((ok) => this.pool.get((e, c) => c.ask((f) => f.query(sql, ok))));", [3]),
        ("return this.pool.query(sql);", [1]),
        ("this.asked = sql;", []),
    ],
)
def test_a_method_that_hands_a_query_to_one_of_its_name_is_known_by_it(body: str, lines: list[int]) -> None:
    code = (
        f"class Db {{ query(sql, done) {{ {body} }} }}\nconst db = new Db(); const app = require('express')();\n"
        "app.get('/u', (req, res) => db.query(`SELECT * FROM u WHERE n = '${req.query.n}'`));\n"
    )
    tree = parse(code, "javascript")
    assert tree is not None
    assert [flow.sink_line for flow in find_flows(tree) if flow.kind == "sql"] == lines
