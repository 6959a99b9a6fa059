"""Which calls a sink means, by what they are given."""

from __future__ import annotations

import pytest

from leeboard.security.taint.flow import find_flows
from leeboard.source.syntax import parse


def kinds(text: str) -> list[str]:
    tree = parse(f"{text}\n", "python")
    assert tree is not None
    return [flow.kind for flow in find_flows(tree)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import subprocess\ndef f(cmd, shell):\n    subprocess.run(cmd, shell=shell)\n", []),
        ("import subprocess\ndef f(cmd):\n    subprocess.run(cmd, shell=True)\n", ["command"]),
        ("import yaml\nclass L(yaml.SafeLoader):\n    pass\nyaml.load(f, Loader=L)\n", []),
        ("import yaml\nclass L(yaml.Loader):\n    pass\nyaml.load(f, Loader=L)\n", ["deserialise"]),
        ("from flask import app\n@app.errorhandler(404)\ndef f(error):\n    return '<b>' + str(error)\n", []),
        ("import yaml\nyaml.load('a: 1')", []),
        ("import yaml\nyaml.load(open('a'))", ["deserialise"]),
        ("import yaml\nyaml.load(open('a'), yaml.CSafeLoader)", []),
        ("import yaml\nyaml.load(open('a'), Loader=yaml.UnsafeLoader)", ["deserialise"]),
        ("import yaml\nfrom own.yaml.loader import DocLoader\nyaml.load(open('a'), Loader=DocLoader)", []),
        ("import yaml\nyaml.load(open('a'), Loader=yaml.FullLoader)", ["deserialise"]),
        ("import yaml\nclass Own(yaml.Loader): pass\nyaml.load(open('a'), Loader=Own)", ["deserialise"]),
    ],
)
def test_what_the_call_itself_says(text: str, found: list[str]) -> None:
    assert kinds(text) == found
