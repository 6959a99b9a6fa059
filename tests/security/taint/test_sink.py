"""Sinks, and whether a value does harm there."""

from __future__ import annotations

import pytest

from leeboard.security.taint.flow import find_flows
from leeboard.source.syntax import parse

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
        ("import yaml\nfrom own.yaml.loader import DocLoader\nyaml.load(open('a'), Loader=DocLoader)", []),
        ("import yaml\nyaml.load(open('a'), Loader=yaml.FullLoader)", ["deserialise"]),
        ("import yaml\nclass Own(yaml.Loader): pass\nyaml.load(open('a'), Loader=Own)", ["deserialise"]),
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


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("getattr(api, request.args['x'])", ["attribute"]),
        ("getattr(api, 'do_' + request.args['x'])", []),
        ("self.wfile.write(b'Location: ' + request.args['x'] + b'\\r\\n')", []),
        ("self.wfile.write(b'A: b\\r\\n\\r\\n' + request.args['x'])", ["html"]),
        ("zipfile.ZipFile(request.files['x'])", []),
        ("zipfile.ZipFile(request.files['x'].filename)", ["path"]),
        ("buf = io.BytesIO()\nbuf.write(request.data)\nsend_file(buf)", []),
        ("redirect(BASE + request.args.urlencode())", []),
    ],
)
def test_places_in_which_it_can_do_nothing(text: str, found: list[str]) -> None:
    tree = parse(f"import io, zipfile\nfrom flask import redirect, request, send_file\n{text}\n", "python")
    assert tree is not None
    assert [flow.kind for flow in find_flows(tree)] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import subprocess\ndef f(cmd, shell):\n    subprocess.run(cmd, shell=shell)\n", []),
        ("import subprocess\ndef f(cmd):\n    subprocess.run(cmd, shell=True)\n", ["command"]),
        ("import yaml\nclass L(yaml.SafeLoader):\n    pass\nyaml.load(f, Loader=L)\n", []),
        ("import yaml\nclass L(yaml.Loader):\n    pass\nyaml.load(f, Loader=L)\n", ["deserialise"]),
        ("from flask import app\n@app.errorhandler(404)\ndef f(error):\n    return '<b>' + str(error)\n", []),
    ],
)
def test_what_the_call_itself_says(text: str, found: list[str]) -> None:
    tree = parse(text, "python")
    assert tree is not None
    assert [flow.kind for flow in find_flows(tree)] == found
