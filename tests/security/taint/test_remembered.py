"""A function that many places call is followed for what is foreign, and no more for each constant."""

from __future__ import annotations

import pytest

from leeboard.security.taint import flow as module
from leeboard.security.taint.remembered import OFTEN
from leeboard.security.taint.state import Flow, State
from leeboard.source.syntax import parse

HEAD = "from flask import request\nimport os\n"


def flows(text: str) -> tuple[Flow, ...]:
    tree = parse(HEAD + text, "python")
    assert tree is not None
    return tuple(flow for flow in module.find_flows(tree) if flow.trust == "request")


def test_another_constant_costs_nothing_once_it_was_followed_often(monkeypatch: pytest.MonkeyPatch) -> None:
    spent: list[State] = []

    class Watched(State):
        def __init__(self, *args: object) -> None:
            super().__init__(*args)  # type: ignore[arg-type]  # as they come
            spent.append(self)

    monkeypatch.setattr(module, "State", Watched)
    note = "def note(text):\n    x = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]\n    return text\n"
    for calls in (OFTEN, 10 * OFTEN):
        body = "".join(f"    note('{number}')\n" for number in range(calls))
        flows(f"{note}def view():\n{body}    os.system(request.args['x'])\n")
    few, many = (module._BUDGET - state.budget for state in spent)
    assert many < few * 5  # not ten times


def test_what_is_foreign_is_heard_after_any_number_of_constants() -> None:
    constants = "".join(f"    run('{number}')\n" for number in range(3 * OFTEN))
    body = "def run(line):\n    os.system(line)\n"
    assert not flows(f"{body}def view():\n    name = request.args['x']\n{constants}")
    assert len(flows(f"{body}def view():\n    name = request.args['x']\n{constants}    run(name)\n")) == 1


def test_a_constant_beside_a_foreign_value_says_what_is_done_with_it() -> None:
    body = "def run(how, line):\n    if how == 'shell':\n        os.system(line)\n"
    others = "".join(f"    run('{number}', name)\n" for number in range(3 * OFTEN))
    assert not flows(f"{body}def view():\n    name = request.args['x']\n{others}")
    assert len(flows(f"{body}def view():\n    name = request.args['x']\n{others}    run('shell', name)\n")) == 1


def test_an_object_of_another_class_has_methods_of_its_own() -> None:
    classes = (
        "class Task:\n    def start(self, how):\n        self.act()\n    def act(self):\n        print(self.line)\n"
        "class Shell(Task):\n    def act(self):\n        os.system(self.line)\n"
    )
    body = "    task = {}()\n    task.line = request.args['x']\n"
    often = body.format("Task") + "".join(f"    task.start('{number}')\n" for number in range(3 * OFTEN))
    assert not flows(f"{classes}def view():\n{often}")
    assert len(flows(f"{classes}def view():\n{often}{body.format('Shell')}    task.start('a')\n")) == 1


def test_each_flow_names_the_line_of_its_own_handler() -> None:
    text = (
        "from http.server import BaseHTTPRequestHandler\nclass Server(BaseHTTPRequestHandler):\n"
        "    def name(self):\n        return self.headers['Name']\n"
        "    def do_GET(self):\n        os.system(self.name())\n"
        "    def do_POST(self):\n        os.system('ls ' + self.name())\n"
    )
    found = [(flow.source_line, flow.sink_line, flow.steps) for flow in flows(text) if flow.kind == "command"]
    assert [(line, sink) for line, sink, _steps in found] == [(7, 8), (9, 10)]
    assert all(line in steps for line, _sink, steps in found)
    assert 7 not in found[1][2]
