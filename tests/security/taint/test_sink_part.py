"""What of a list of arguments is a command."""

from __future__ import annotations

import pytest

from leeboard.security.taint.flow import find_flows
from leeboard.source.syntax import parse


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("subprocess.run(request.args['x'], shell=False)", ["command"]),
        ("subprocess.run(['ls', request.args['x']], shell=True)", []),
        ("subprocess.run([request.args['x']])", ["command"]),
        ("subprocess.run(['bash', '-c', request.args['x']])", ["command"]),
        ("subprocess.run(args=f\"ls {request.args['x']}\", shell=True)", ["command"]),
    ],
)
def test_a_program_or_the_line_that_a_shell_is_told(text: str, found: list[str]) -> None:
    tree = parse(f"import subprocess\nfrom flask import request\n{text}\n", "python")
    assert tree is not None
    assert [flow.kind for flow in find_flows(tree)] == found
