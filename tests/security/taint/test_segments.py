"""What stands behind the last slash leads out of no folder; any other part does."""

from __future__ import annotations

import pytest

from leeboard.security.taint.flow import find_flows
from leeboard.source.syntax import parse

PYTHON = "import os\nfrom flask import request\n\ndef show():\n    name = request.args['name']\n    {}\n"
NODE = "const fs = require('fs'), path = require('path');\napp.get('/f', (req, res) => {{\n  const name = req.query.name;\n  {}\n}});\n"
JAVA = 'class A {{\n  @GetMapping("/f")\n  String f(@RequestParam String name) throws Exception {{\n    {}\n  }}\n}}\n'
GO = 'package m\nfunc h(w http.ResponseWriter, r *http.Request) {{\n  name := r.FormValue("name")\n  {}\n}}\n'
RUBY = "class A < ApplicationController\n  def show\n    name = params[:name]\n    {}\n  end\nend\n"


def _is_heard(text: str, language: str) -> bool:
    tree = parse(text, language)
    assert tree is not None
    return any(flow.kind == "path" for flow in find_flows(tree))


@pytest.mark.parametrize(
    "use",
    [
        "open('/srv/' + os.path.split(name)[1])",
        "open('/srv/' + name.split('/')[-1])",
        "open('/srv/' + name.rsplit('/', 1)[-1])",
        "open('/srv/' + name.rpartition('/')[2])",
        "folder, last = os.path.split(name)\n    open('/srv/' + last)",
        "parts = name.split('/')\n    open('/srv/' + parts[len(parts) - 1])",
    ],
)
def test_the_last_part_in_python(use: str) -> None:
    assert not _is_heard(PYTHON.format(use), "python")


@pytest.mark.parametrize(
    "use",
    [
        "open('/srv/' + os.path.split(name)[0])",
        "open('/srv/' + name.split('/')[1])",
        "open('/srv/' + name.split('.')[-1])",
        "open('/srv/' + name.split('/', 1)[1])",
        "open('/srv/' + '/'.join(name.split('/')[1:]))",
        "folder, last = os.path.split(name)\n    open(folder + '/a')",
    ],
)
def test_other_parts_in_python(use: str) -> None:
    assert _is_heard(PYTHON.format(use), "python")


@pytest.mark.parametrize(
    ("use", "is_heard"),
    [
        ("fs.readFileSync('/srv/' + name.split('/').pop());", False),
        ("fs.readFileSync('/srv/' + name.split('/').at(-1));", False),
        ("fs.readFileSync('/srv/' + name.slice(name.lastIndexOf('/') + 1));", False),
        ("fs.readFileSync('/srv/' + path.parse(name).base);", False),
        ("fs.readFileSync('/srv/' + name.slice(name.indexOf('/') + 1));", True),
        ("fs.readFileSync('/srv/' + name.slice(name.lastIndexOf('.') + 1));", True),
        ("fs.readFileSync('/srv/' + name.slice(1));", True),
        ("fs.readFileSync('/srv/' + name.slice(other.lastIndexOf('/') + 1));", True),
        ("fs.readFileSync('/srv/' + name.split('\\\\').pop());", True),
    ],
)
def test_the_last_part_in_node(use: str, is_heard: bool) -> None:  # noqa: FBT001 - a column
    assert _is_heard(NODE.format(use), "javascript") == is_heard


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (
            JAVA.format("return Files.readString(Path.of(\"/srv/\" + name.substring(name.lastIndexOf('/') + 1)));"),
            "java",
        ),
        (GO.format('_, last := filepath.Split(name)\n  os.ReadFile("/srv/" + last)'), "go"),
        (RUBY.format("File.read('/srv/' + name.split('/').last)"), "ruby"),
        ("<?php\n$parts = explode('/', $_GET['name']);\nreadfile('/srv/' . end($parts));\n", "php"),
    ],
)
def test_the_last_part_elsewhere(text: str, language: str) -> None:
    assert not _is_heard(text, language)
    whole = text.replace("name.substring(name.lastIndexOf('/') + 1)", "name").replace("+ last", "+ name")
    whole = whole.replace("name.split('/').last", "name").replace("end($parts)", "$_GET['name']")
    assert _is_heard(whole, language)
