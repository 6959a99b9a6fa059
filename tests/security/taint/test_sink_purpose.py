"""Tools that are made to run code."""

from __future__ import annotations

import pytest

from leeboard.security.taint.flow import find_flows
from leeboard.source.syntax import parse


@pytest.mark.parametrize(
    ("text", "by_design"),
    [
        ("class Repl:\n    def feed(self, s):\n        exec(s)\n", True),
        ("class TemplateNode:\n    def go(self, s):\n        eval(s)\n", True),
        ("class Reply:\n    def go(self, s):\n        eval(s)\n", False),
        ("def run_code(s):\n    exec(s)\n", True),
        ("def interpret(s):\n    exec(s)\n", True),
        ("class A:\n    def go(self, s):\n        exec(s, self.names)\n", True),
        ("def go(s, module):\n    exec(s, module.__dict__)\n", True),
        ("def go(s):\n    exec(compile(s, 'a', 'exec'))\n", True),
        ("def go(s):\n    eval(s, {})\n", False),
        ("def calculate(formula):\n    return eval(formula)\n", False),
        ("import os\ndef run_code(s):\n    os.system(s)\n", False),
    ],
)
def test_by_names_and_by_what_is_kept(text: str, *, by_design: bool) -> None:
    tree = parse(text, "python")
    assert tree is not None
    (flow,) = find_flows(tree)
    assert flow.by_design is by_design
