"""Calls that were followed before are not followed again, and nothing is lost by that."""

from __future__ import annotations

import pytest

from leeboard.security.taint import flow as module
from leeboard.security.taint.state import State
from leeboard.source.syntax import parse

HEAD = "from flask import request\nimport os\n"
CLASS = """\
class Box:
    def __init__(self):
        self.kept = "a"
    def put(self, value):
        self.kept = value
    def run(self):
        os.system(self.kept)
    def name(self, key):
        return request.args[key]
"""


def kinds(body: str) -> list[str]:
    tree = parse(f"{HEAD}{CLASS}def view():\n    box = Box()\n    {body}\n", "python")
    assert tree is not None
    return [flow.kind for flow in module.find_flows(tree) if flow.trust == "request"]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("box.run(); box.run()", []),
        ("box.run(); box.put(request.args['x']); box.run()", ["command"]),
        ("box.put('a'); box.put('a'); box.run()", []),
        ("box.put(request.args['x']); box.put('a'); box.run()", []),
        ("box.put('a'); box.put(request.args['x']); box.put('a'); box.put(request.args['x']); box.run()", ["command"]),
        ("box.name('a'); os.system(box.name('a'))", ["command"]),
    ],
)
def test_the_object_changes_as_if_each_was_followed(body: str, found: list[str]) -> None:
    assert kinds(body) == found


def test_the_same_call_costs_once(monkeypatch: pytest.MonkeyPatch) -> None:
    spent: list[State] = []

    class Watched(State):
        def __init__(self, *args: object) -> None:
            super().__init__(*args)  # type: ignore[arg-type]  # as they come
            spent.append(self)

    monkeypatch.setattr(module, "State", Watched)
    body = "    if self.a: self.b = 1\n    x = [1, 2, 3, 4, 5, 6, 7, 8, 9]\n    return x\n"
    for calls in (1, 20):
        text = f"{HEAD}class C:\n  def long(self, n):\n{body}  def go(self):\n    eval(request.args['x'])\n"
        tree = parse(text + "    self.long(1)\n" * calls, "python")
        assert tree is not None
        module.find_flows(tree)
    few, many = (module._BUDGET - state.budget for state in spent)
    assert many < few * 5  # not twenty times


def test_a_call_in_a_condition_is_followed_once() -> None:
    """Each condition that followed its calls again would do so for all conditions inside of them."""
    asked = 'def {}(given):\n    if {}(given) == "no":\n        log(1)\n    return ask(given)\n'
    last = f"def third(given):\n    {'; '.join(['x = given'] * 1_000)}\n    return ask(x)\n"
    view = 'def view():\n    if first({"a": 1}) == "no":\n        log(1)\n    os.system(request.args["q"])\n'
    tree = parse(HEAD + last + asked.format("second", "third") + asked.format("first", "second") + view, "python")
    assert tree is not None
    assert [flow.kind for flow in module.find_flows(tree)] == ["command"]
