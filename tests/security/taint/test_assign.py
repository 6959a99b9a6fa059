"""Assignments, to whatever they assign."""

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
        ("a = b = request.args['x']\nos.system(b)", ["command"]),
        ("a, *b = 'x', request.args['x']\nos.system(b[0])", ["command"]),
        ("a, (b, c) = 'x', ('y', request.args['x'])\nos.system(c)", ["command"]),
        ("a, (b, c) = 'x', ('y', request.args['x'])\nos.system(b)", []),
        ("d = {}\nd['a']['b'] = request.args['x']\nos.system(d['a']['b'])", ["command"]),
        ("o = thing()\no.line = request.args['x']\nos.system(o.line)", ["command"]),
        ("session = request.session\nrequest.session['user_id'] = request.args['x']", ["session"]),
        ("request.session['last_page'] = request.args['x']", []),
        ("request.session[request.args['x']] = 1", ["session"]),
        ("a = request.args\na = a\nos.system('ls')", []),
    ],
)
def test_values_are_found_where_they_were_put(text: str, found: list[str]) -> None:
    assert kinds(text) == found
