"""Turns of a loop: a second one where it may find more, and none where it can not."""

from __future__ import annotations

import pytest

from leeboard.security.taint.flow import find_flows
from leeboard.source.syntax import parse

HEAD = "import os\nfrom flask import request\n"
SENT = "request.args['x']"


def kinds(text: str) -> list[str]:
    tree = parse(HEAD + text, "python")
    assert tree is not None
    return [flow.kind for flow in find_flows(tree)]


@pytest.mark.parametrize(
    "text",
    [
        f"def f():\n    last = ''\n    for one in many:\n        os.system(last)\n        last = {SENT}",
        f"def f():\n    for one in many:\n        if one:\n            os.system(line)\n        line = {SENT}",
        f"def f():\n    for one in many:\n        os.system(f'{{line}} {{one}}')\n        line = {SENT}",
        f"def f():\n    for one in many:\n        both[line] = os.system(line)\n        line = {SENT}",
        f"def f():\n    for one in many:\n        for line in lines:\n            os.system(line)\n        lines = [{SENT}]",
        f"def f():\n    def run():\n        os.system(line)\n    for one in many:\n        run()\n        line = {SENT}",
        f"def run():\n    os.system(line)\nfor one in many:\n    run()\n    line = {SENT}",
        f"def f():\n    line = ''\n    while more:\n        os.system(line)\n        line += {SENT}",
    ],
)
def test_what_one_turn_leaves_the_next_one_finds(text: str) -> None:
    assert kinds(text) == ["command"]


@pytest.mark.parametrize(
    "text",
    [
        f"def f():\n    for one in many:\n        line = 'ls'\n        os.system(line)\n        line = {SENT}",
        f"def f():\n    for one in many:\n        a, b = 'ls', 'w'\n        os.system(a + b)\n        a = b = {SENT}",
        f"def f():\n    for line in ['ls', 'w']:\n        os.system(line)\n        line = {SENT}",
    ],
)
def test_a_name_that_each_turn_sets_first_carries_nothing_over(text: str) -> None:
    assert kinds(text) == []


def test_loops_inside_of_each_other_leave_enough_for_what_comes_after_them() -> None:
    heads = [f"{'    ' * depth}for a{depth} in b{depth}:" for depth in range(1, 12)]
    body = [f"{'    ' * 12}c{number} = d(a{number})" for number in range(1, 12)]
    assert kinds("\n".join(["def f():", *heads, *body, f"    os.system({SENT})"])) == ["command"]
