from __future__ import annotations

import pytest

from leeboard.shell.programs.table import role_of


@pytest.mark.parametrize(
    ("line", "role"),
    [
        ("ls -la", "lists"),
        ("find . -name x", "lists"),
        ("find . -delete", "neutral"),
        ("fd x", "lists"),
        ("git status", "lists"),
        ("git status -v", "other"),
        ("git -C x diff --name-only", "lists"),
        ("git diff --stat=80", "lists"),
        ("git diff", "other"),
        ("rg --files", "lists"),
        ("rg x", "other"),
        ("head -3", "filters"),
        ("cd x", "neutral"),
        ("sudo ls", "neutral"),
        ("cat_like x", "other"),
    ],
)
def test_roles(line: str, role: str) -> None:
    program, *args = line.split()
    assert role_of(program, args) == role
