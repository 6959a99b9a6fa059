from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.plan.disk.gates import missing_after, missing_program

PATH = os.environ["PATH"]


@pytest.mark.parametrize(
    ("command", "missing"),
    [
        ("nosuchtool --all", "nosuchtool"),
        ("CI=1 nosuchtool", "nosuchtool"),
        ("true && nosuchtool", ""),
        ("sh -c true && nosuchtool x", "nosuchtool"),
        ("sh x | nosuchtool", "nosuchtool"),
        ("nosuchtool || true", ""),
        ("cd sub && nosuchtool", ""),
        ("sh -c 'nosuchtool'", ""),
        ("./run.sh", ""),
        ("./gone.sh", ""),
        ("tools/gone.sh", ""),
        ("/none/tool --all", "/none/tool"),
        ("$TOOL --all", ""),
        ("if true; then nosuchtool; fi", ""),
        ("test -f x", ""),
        ("echo 'unclosed", ""),
        ("", ""),
        ("/bin/sh -c true", ""),
    ],
)
def test_what_is_not_there(command: str, missing: str) -> None:
    """SH-58: a tool is missing; a script that belongs to the work and is gone has failed."""
    assert missing_program(command, PATH) == missing


@pytest.mark.parametrize(
    ("command", "code", "tail", "missing"),
    [
        ("make", 127, "x\n/bin/sh: 1: nosuchtool: not found\n", "nosuchtool"),
        ("make", 127, "bash: line 1: nosuchtool: command not found", "nosuchtool"),
        ("make", 2, "nosuchtool: not found", ""),
        ("./gone.sh", 127, "/bin/sh: 1: ./gone.sh: not found", ""),
        ("python -m pytest", 1, "/usr/bin/python: No module named pytest\n", "pytest"),
        ("pytest", 1, "ModuleNotFoundError: No module named 'app'", ""),
        ("python -m pytest", 1, "1 failed", ""),
        ("sleep 9", None, "killed", ""),
    ],
)
def test_what_a_failure_says(command: str, code: int | None, tail: str, missing: str) -> None:
    assert missing_after(command, code, tail) == missing


@given(st.text(max_size=200))
def test_any_text(command: str) -> None:
    assert isinstance(missing_program(command, PATH), str)
