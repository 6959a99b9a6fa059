"""Statements, and the ways through them."""

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
        ("if True:\n    x = 'a'\nelse:\n    x = request.args['x']\nos.system(x)", []),
        ("if y:\n    x = 'a'\nelse:\n    x = request.args['x']\nos.system(x)", ["command"]),
        ("while False:\n    os.system(request.args['x'])", []),
        ("x = 'a'\nfor y in z:\n    x = request.args['x']\n    break\nos.system(x)", ["command"]),
        ("x = 'a'\nfor y in z:\n    if y:\n        x = request.args['x']\n        continue\nos.system(x)", ["command"]),
        ("try:\n    x = request.args['x']\nfinally:\n    x = 'a'\nos.system(x)", []),
        ("try:\n    y()\nexcept E:\n    x = request.args['x']\nelse:\n    x = 'a'\nos.system(x)", ["command"]),
        ("def f():\n    raise E\n    os.system(request.args['x'])", []),
        ("def f():\n    abort(400)\n    os.system(request.args['x'])", []),
        ("match y:\n    case 'a' if z:\n        os.system(request.args['x'])", ["command"]),
        ("match 'b':\n    case 'a':\n        os.system(request.args['x'])", []),
        ("x = request.args['x']\nmatch x:\n    case 'a' | 'b':\n        os.system(x)", []),
        ("x = request.args['x']\nint(x)\nos.system('kill ' + x)", []),
        ("x = request.args['x']\nvalidate_name(x)\nos.system('kill ' + x)", []),
        ("x: int = request.args['x']\nos.system(f'{x}')", []),
        ("x = 'a'\nx += request.args['x']\nos.system(x)", ["command"]),
        ("with open('a') as f:\n    os.system(request.args['x'])", ["command"]),
        ("@app.route('/')\ndef f():\n    return request.args['x'], 200", ["html"]),
        ("def f():\n    return request.args['x'], 200", []),
    ],
)
def test_only_the_ways_that_are_taken_count(text: str, found: list[str]) -> None:
    assert kinds(text) == found
