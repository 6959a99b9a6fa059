"""Containers and their methods."""

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
        ("a = ['x']\na.extend([request.args['x']])\nos.system(a[1])", ["command"]),
        ("a = ['x']\na.extend([request.args['x']])\nos.system(a[0])", []),
        ("a = ['x', 'y']\na.insert(0, request.args['x'])\nos.system(a[0])", ["command"]),
        ("a = ['x', 'y']\na.insert(0, request.args['x'])\nos.system(a[1])", []),
        ("a = {}\na.update({'k': request.args['x']})\nos.system(a.get('k'))", ["command"]),
        ("a = {'j': 'x'}\na.update(k=request.args['x'])\nos.system(a.get('j'))", []),
        ("a = {'k': request.args['x']}\na.clear()\nos.system(a.get('k', 'x'))", []),
        ("a = {'k': request.args['x']}\nfor k, v in a.items():\n    os.system(v)", ["command"]),
        ("a = {'k': request.args['x']}\nfor k in a.keys():\n    os.system(k)", []),
        ("a = {'k': 'ls', 'l': 'ps'}\nos.system(a.get(request.args['x'], 'ls'))", []),
        ("os.system(f\"kill {request.args.get('x', type=int)}\")", []),
        ("open(os.path.join('/srv', request.args['x']))", ["path"]),
    ],
)
def test_containers_keep_what_they_are_given(text: str, found: list[str]) -> None:
    assert kinds(text) == found
