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


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("import os\ndef begin():\n    os.setsid()\n    os.umask(0)\n", False),
        ("import os\ndef begin():\n    os.umask(0)\n", True),
        (
            "import tarfile\ndef f(p, to):\n    tar = tarfile.open(p)\n    tar.extractall(to, members=safe_members(tar))\n",
            False,
        ),
        (
            "import tarfile\ndef f(p, to):\n    tar = tarfile.open(p)\n    tar.extractall(to, members=tar.getmembers())\n",
            True,
        ),
        ("import tarfile\ndef f(p, to):\n    tar = tarfile.open(p)\n    tar.extract('plan.json', to)\n", False),
        ("import tarfile\ndef f(p, to, name):\n    tar = tarfile.open(p)\n    tar.extract(name, to)\n", True),
    ],
)
def test_what_a_program_chooses_itself_is_no_weakness(text: str, is_found: bool) -> None:  # noqa: FBT001 - a column
    tree = parse(text, "python")
    assert tree is not None
    assert any(flow.trust is None for flow in find_flows(tree)) is is_found


def test_arguments_of_an_object_that_no_framework_calls_are_its_own() -> None:
    text = "from django.conf import settings\nclass {}:\n    def read(self):\n        return open(self.kwargs['p']).read()\n"
    for name, is_foreign in (("Parser", False), ("ListView(DetailView)", True)):
        tree = parse(text.format(name), "python")
        assert tree is not None
        assert bool(find_flows(tree)) is is_foreign
