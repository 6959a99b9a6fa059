"""The lines of a flow in the order in which the value goes over them."""

from __future__ import annotations

import pytest

from leeboard.security.taint.flow import find_flows
from leeboard.source.syntax import parse

_HELPER_ABOVE = """from flask import Flask, request
import os

app = Flask(__name__)


def run(host):
    line = "ping " + host
    os.system(line)


@app.get("/ping")
def ping():
    host = request.args["host"]
    host = host.strip()
    return run(host)
"""
_TWO_HELPERS = """from flask import request
import os
def inner(text):
    os.system(text)
def outer(text):
    inner("ls " + text)
def view():
    outer(request.args["x"])
"""
_GETTER = """from flask import request
import os
def asked():
    return request.args["x"]
def view():
    os.system(asked())
"""
_BACK = """from flask import request
import os
def led(text):
    return "ls " + text
def view():
    os.system(led(request.args["x"]))
"""
_CALLED_BACK = """const { exec } = require("child_process");
const app = require("express")();
function run(word) {
  exec(word);
}
app.get("/a", (req, res) => {
  const words = req.query.words;
  words.map(run);
});
"""
_BELOW = """from flask import request
import os
def view():
    name = request.args["x"]
    run(name)
def run(name):
    os.system(name)
"""


@pytest.mark.parametrize(
    ("text", "way"),
    [
        (_HELPER_ABOVE, (14, 15, 16, 8, 9)),
        (_TWO_HELPERS, (8, 6, 4)),
        (_GETTER, (4, 6)),
        (_BACK, (6, 4, 6)),
        (_BELOW, (4, 5, 7)),
        ("from flask import request\nimport os\nos.system(request.args['x'])\n", (3,)),
    ],
    ids=["a helper above", "two helpers", "a getter", "there and back", "a helper below", "one line"],
)
def test_from_the_source_to_the_sink(text: str, way: tuple[int, ...]) -> None:
    tree = parse(text, "python")
    assert tree is not None
    (flow,) = find_flows(tree)
    assert flow.way == way
    assert set(flow.steps) <= set(way)


def test_a_function_that_is_handed_over_is_called_where_that_happens() -> None:
    tree = parse(_CALLED_BACK, "javascript")
    assert tree is not None
    assert [flow.way for flow in find_flows(tree)] == [(7, 8, 4)]
