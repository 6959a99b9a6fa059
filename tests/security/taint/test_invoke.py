"""Functions and classes of the file."""

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
        ("def f(a, b='x'):\n    return b\n\nos.system(f(request.args['x']))", []),
        ("def f(a, b='x'):\n    return b\n\nos.system(f('y', b=request.args['x']))", ["command"]),
        ("def f(*a):\n    return a[1]\n\nos.system(f('y', request.args['x']))", ["command"]),
        ("def f(**a):\n    return a['k']\n\nos.system(f(k=request.args['x']))", ["command"]),
        ("def f(items):\n    items.append(request.args['x'])\n\nl = []\nf(l)\nos.system(l[0])", ["command"]),
        (
            "class C:\n    def put(self, x):\n        self.x = x\n\nc = C()\nc.put(request.args['x'])\nos.system(c.x)",
            ["command"],
        ),
        ("class C:\n    x: str\n\nos.system(C(request.args['x']).x)", ["command"]),
        (
            "class B:\n    def m(self, x):\n        return x\nclass C(B):\n    pass\nos.system(C().m(request.args['x']))",
            ["command"],
        ),
        ("def f(x):\n    return f(x)\n\nos.system(f(request.args['x']))", ["command"]),
        ("os.system(list(map(lambda y: y.strip(), request.args))[0])", ["command"]),
        ("os.system(list(map(lambda y: 'x', request.args))[0])", []),
        ("[os.system(x) for x in map(str, request.args.getlist('x'))]", ["command"]),
        ("values = request.args.getlist('x')\nlist(map(lambda y: os.system(y), values))", ["command"]),
    ],
)
def test_they_are_followed_with_what_they_get(text: str, found: list[str]) -> None:
    assert kinds(text) == found
