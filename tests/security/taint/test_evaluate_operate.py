"""Operators."""

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
        ("os.system('a' + 'b' * 3 + request.args['x'])", ["command"]),
        ("os.system('%s %s' % ('a', request.args['x']))", ["command"]),
        ("os.system('%(a)s' % {'a': request.args['x']})", ["command"]),
        ("os.system(' '.join(['a'] + [request.args['x']]))", ["command"]),
        ("os.system('x' if 1 > 2 else 'y')", []),
        ("os.system(request.args['x'] if 1 > 2 else 'y')", []),
        ("os.system(request.args['x'] and 'y')", []),
        ("os.system(ready() and request.args['x'])", ["command"]),
        ("os.system(is_allowed(request.args['x']) and request.args['x'])", []),
        ("os.system(None or request.args['x'])", ["command"]),
        ("os.system('y' if 'a' in ('a', 'b') else request.args['x'])", []),
        ("os.system(['ls', 'ps'][0])", []),
        ("os.system(str(3 * 4))", []),
    ],
)
def test_operators_keep_or_decide(text: str, found: list[str]) -> None:
    assert kinds(text) == found
