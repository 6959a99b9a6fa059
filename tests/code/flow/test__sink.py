"""Sinks, and whether a value does harm there."""

from __future__ import annotations

import pytest

from leeboard.code.flow.find import find_flows
from leeboard.code.syntax import parse

HEAD = "import os, re, io, subprocess\nfrom flask import request, redirect, abort\n"


def kinds(text: str) -> list[str]:
    tree = parse(HEAD + text, "python")
    assert tree is not None
    return [flow.kind for flow in find_flows(tree)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("subprocess.run(request.args['x'], shell=False)", ["command"]),
        ("subprocess.run(['ls', request.args['x']], shell=True)", []),
        ("subprocess.run([request.args['x']])", ["command"]),
        ("subprocess.run(['bash', '-c', request.args['x']])", ["command"]),
        ("subprocess.run(args=f\"ls {request.args['x']}\", shell=True)", ["command"]),
        ("task.execute(request.args['x'])", []),
        ("task.execute('SELECT ' + request.args['x'])", ["sql"]),
        ("import requests\nrequests.get(f\"https://a.example/{request.args['x']}\")", []),
        ("import requests\nrequests.get(f\"https://{request.args['x']}/a\")", ["url"]),
        ("import requests\nrequests.get(f\"{BASE}/a/{request.args['x']}\")", []),
        ("import yaml\nyaml.load('a: 1')", []),
        ("import yaml\nyaml.load(open('a'))", ["deserialise"]),
        ("import yaml\nyaml.load(open('a'), yaml.CSafeLoader)", []),
        ("import yaml\nyaml.load(open('a'), Loader=yaml.UnsafeLoader)", ["deserialise"]),
        ("os.chmod('a', 0o777)\nos.chmod('a', 0o600)", ["permission"]),
        ("def f(sql):\n    cursor.execute(sql)", []),
        ("def f(table):\n    cursor.execute('DROP TABLE ' + table)", ["sql"]),
        ("def f(self):\n    cursor.execute(f'SELECT * FROM {self.table}')", []),
    ],
)
def test_the_place_decides(text: str, found: list[str]) -> None:
    assert kinds(text) == found
