"""Calls that make texts."""

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
        ("os.system('{} {}'.format('a', request.args['x']))", ["command"]),
        ("os.system('{a}'.format(a=request.args['x']))", ["command"]),
        ("os.system('{a}'.format(a='ls'))", []),
        ("os.system('date +%d > /tmp/{}'.format(request.args['x']))", ["command"]),
        ("os.system('head -n %d a' % request.args['x'])", []),
        ("os.system(request.args['x'].strip().lower().encode().decode())", ["command"]),
        ("os.system('ABC'.lower())", []),
        ("os.system(re.sub(r'[^a-z]', '', request.args['x']))", []),
        ("os.system(re.sub(r'a', request.args['x'], 'abc'))", ["command"]),
        ("os.system(re.compile(r'\\W').sub('', request.args['x']))", []),
        ("os.system(request.args['x'].replace('a', 'b'))", ["command"]),
        ("os.system('xay'.replace('a', request.args['x']))", ["command"]),
        ("os.system(' '.join(map(int, request.args.getlist('x'))))", []),
        ("os.system(str(sorted(request.args.getlist('x'))[0]))", ["command"]),
    ],
)
def test_texts_are_made_of_texts(text: str, found: list[str]) -> None:
    assert kinds(text) == found
