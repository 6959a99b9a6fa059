"""Which flows a change brought, and which stood there before it."""

from __future__ import annotations

import pytest

from leeboard.analysis.brought_flows import brought_flows
from leeboard.analysis.patch import compare
from leeboard.model.lookup import NO_FILES
from leeboard.model.touch import Diff

HEAD = 'from flask import Flask, request\nimport os\napp = Flask(__name__)\n\n\n@app.route("/x")\n'
VIEW = 'def view():\n    host = request.args["host"]\n    os.system("ping " + host)\n'
BEFORE = HEAD + VIEW


def brought(after: str, before: str = BEFORE) -> list[tuple[str, int]]:
    added, removed = compare(before, after)
    diff = Diff(path="app.py", before=before, after=after, added=added, removed=removed)
    return [(flow.kind, beside) for flow, beside in brought_flows(diff, NO_FILES)]


@pytest.mark.parametrize(
    "after",
    [
        BEFORE.replace("def view", "def ping"),
        BEFORE.replace("host", "name").replace('["name"]', '["host"]'),
        f'"""Pings."""\n\n{BEFORE}',
        HEAD + VIEW.replace("    os.system", "\n    # one packet\n    os.system"),
        f"{BEFORE}\n\nLIMIT = 3\n",
    ],
    ids=["renamed function", "renamed value", "moved lines", "a line between", "a line elsewhere"],
)
def test_what_stood_there_was_not_brought(after: str) -> None:
    assert brought(after) == []


def test_a_second_one_in_the_same_function_is_told_with_those_beside_it() -> None:
    assert brought(f'{BEFORE}    os.system("dig " + request.args["zone"])\n') == [("command", 1)]


def test_a_check_that_is_taken_out_brings_what_it_held_back() -> None:
    checked = VIEW.replace("    os.system", '    if host not in ("a", "b"):\n        return "no"\n    os.system')
    assert brought(HEAD + checked, before=BEFORE) == []
    assert brought(BEFORE, before=HEAD + checked) == [("command", 0)]


def test_a_route_brings_what_lies_below_it() -> None:
    plain = BEFORE.replace('@app.route("/x")\n', "").replace("def view():", "def view(host):")
    plain = plain.replace('    host = request.args["host"]\n', "")
    routed = plain.replace("def view", '@app.route("/x/<host>")\ndef view')
    assert [kind for kind, _beside in brought(routed, before=plain)] == ["command"]
