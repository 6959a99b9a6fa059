"""The next action as a person reads it."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from leeboard.model.plan import Clue
from leeboard.surfaces.cli._flow_clue import MOST_OUTPUT, show_clue


def shown(payload: dict[str, Any], message: str = "Do it.") -> str:
    console = Console(file=io.StringIO(), width=120)
    show_clue(Clue(action="go", message=message, payload=payload), console)
    written = console.file
    assert isinstance(written, io.StringIO)
    return written.getvalue()


def test_a_failing_gate_is_shown_with_its_command_and_output() -> None:
    failure = {"name": "tests", "command": "pytest -q", "dir": "web", "exit_code": 1, "output": "1 failed\n"}
    lines = shown({"failures": [failure]}).splitlines()
    assert [line.split(maxsplit=1) for line in lines[1:]] == [
        ["gate", "tests: exit 1"],
        ["runs", "pytest -q (in web)"],
        ["1", "failed"],
    ]
    long = {**failure, "dir": "", "exit_code": None, "output": "".join(f"line {at}\n" for at in range(99))}
    said = shown({"failures": [long]})
    assert "out of time" in said
    assert said.count("line ") == MOST_OUTPUT


@pytest.mark.parametrize(
    ("payload", "words"),
    [
        ({"worktree": "/a/b"}, "work tree/a/b"),
        ({"worktree": None, "worktrees": {"unit-01-a": "/a", "unit-02-b": None}}, "work tree/a"),
        ({"units": [{"unit": "unit-01-a", "worktree": "/a"}]}, "work tree/a"),
        ({"units": ["unit-01-a"]}, ""),
        ({"required_outputs": [{"name": "CODE", "location": "src/"}]}, "makes    CODE at src/"),
        ({"also": [{"problem": "x", "message": "Call haiku_run_next."}]}, "also     x: Call `leeboard flow next`."),
        ({"warnings": ["stage a: slip"]}, "note     stage a: slip"),
    ],
)
def test_what_belongs_to_it_is_shown(payload: dict[str, Any], words: str) -> None:
    assert shown(payload).splitlines()[1:] == ([f"  {words}"] if words else [])


def test_the_message_names_commands() -> None:
    assert "`leeboard flow unit unit-01-a --start`" in shown({"unit": "unit-01-a"}, "Begin with haiku_unit_start.")
