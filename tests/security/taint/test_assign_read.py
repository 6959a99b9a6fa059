"""Names, attributes, keys."""

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
        ("open(request.method)", []),
        ("os.system(request.json['a']['b'])", ["command"]),
        ("os.system('ABC'[1])", []),
        ("os.system(request.args['x'][2:])", ["command"]),
        ("from flask import request as r\nos.system(r.args['x'])", ["command"]),
        ("import flask\nos.system(flask.request.args['x'])", ["command"]),
        ("class C:\n    line = 'ls'\n    def f(self):\n        os.system(self.line)", []),
        ("a, b = request.args['x'].split(',')\nos.system(b)", ["command"]),
        ("for a, b in [('x', request.args['x'])]:\n    os.system(b)", ["command"]),
        ("redirect(request.path)", []),
        ("redirect(request.path.split('/')[1])", ["redirect"]),
    ],
)
def test_reading_finds_what_is_foreign(text: str, found: list[str]) -> None:
    assert kinds(text) == found


@pytest.mark.parametrize(
    ("key", "is_foreign"),
    [("'HTTP_ACCEPT'", True), ("'DOCUMENT_ROOT'", False), ("$name", False), ("$this->name", False)],
)
def test_under_a_key_that_nobody_knows_stands_what_most_are(key: str, is_foreign: bool) -> None:  # noqa: FBT001 - a column
    tree = parse(f"<?php\nfunction load($name, $x) {{ echo file_get_contents($_SERVER[{key}]); }}\n", "php")
    assert tree is not None
    assert any(flow.trust == "request" for flow in find_flows(tree)) == is_foreign
