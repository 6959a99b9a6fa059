"""Expressions of every sort."""

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
        ("os.system((x := request.args['x']))", ["command"]),
        ("os.system((lambda: request.args['x'])())", ["command"]),
        ("os.system(other if y else request.args['x'])", ["command"]),
        ("x = yield request.args['x']\nos.system(x)", ["command"]),
        ("os.system(-3)", []),
        ("os.system(*[request.args['x']])", ["command"]),
        ("os.system(not request.args['x'])", []),
    ],
)
def test_every_expression_is_followed(text: str, found: list[str]) -> None:
    assert kinds(text) == found
