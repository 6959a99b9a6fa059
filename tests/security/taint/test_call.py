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
