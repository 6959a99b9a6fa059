"""Sinks, and whether a value does harm there."""

from __future__ import annotations

import pytest

from leeboard.security.taint.flow import find_flows
from leeboard.source.syntax import parse

HEAD = "import os\nfrom flask import request\n"


def kinds(text: str) -> list[str]:
    tree = parse(HEAD + text, "python")
    assert tree is not None
    return [flow.kind for flow in find_flows(tree)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("task.execute(request.args['x'])", []),
        ("task.execute('SELECT ' + request.args['x'])", ["sql"]),
        ("import requests\nrequests.get(f\"https://a.example/{request.args['x']}\")", []),
        ("import requests\nrequests.get(f\"https://{request.args['x']}/a\")", ["url"]),
        ("import requests\nrequests.get(f\"{BASE}/a/{request.args['x']}\")", []),
        ("os.chmod('a', 0o777)\nos.chmod('a', 0o600)", ["permission"]),
        ("def f():\n    os.umask(0)", ["permission"]),
        ("def f():\n    mask = os.umask(0)\n    os.umask(mask)\n    return mask", []),
        ("def f(sql):\n    cursor.execute(sql)", []),
        ("def f(table):\n    cursor.execute('DROP TABLE ' + table)", ["sql"]),
        ("def f(self):\n    cursor.execute(f'SELECT * FROM {self.table}')", []),
    ],
)
def test_the_place_decides(text: str, found: list[str]) -> None:
    assert kinds(text) == found


@pytest.mark.parametrize(("flags", "found"), [("os.O_CREATE|os.O_RDWR", ["permission"]), ("fs.OpenReadOnly", [])])
def test_a_file_that_is_only_read_is_given_no_permissions(flags: str, found: list[str]) -> None:
    tree = parse(f'package a\nimport "os"\nfunc f() {{ os.OpenFile("/var/a", {flags}, 0777) }}\n', "go")
    assert tree is not None
    assert [flow.kind for flow in find_flows(tree)] == found
