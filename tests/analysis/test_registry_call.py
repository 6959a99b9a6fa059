"""What a finished call showed, and whether the agent looks or builds."""

from __future__ import annotations

import pytest

from leeboard.analysis.analyse import analyse
from leeboard.analysis.registry import activity_entries, look_entries, only_looks
from leeboard.model.event import ToolCall, ToolFinished
from leeboard.model.workspace import Workspace


def run(command: str) -> ToolFinished:
    call = ToolCall(id="t", tool="Bash", action="bash", command=command)
    return ToolFinished(session="s", cwd="/repo", call=call, outcome="done", output="x")


@pytest.mark.parametrize("command", ["cat a.py", "rg x | head -3", "git log", "ls -la", "cd src && grep -rn x ."])
def test_a_line_that_only_looks(command: str) -> None:
    event = run(command)
    analysis = analyse(event, Workspace("/repo"))
    assert only_looks(event.call, analysis)
    assert len(list(look_entries(event, analysis, 1))) == 1
    assert list(activity_entries(event, analysis, 1)) == []


@pytest.mark.parametrize("command", ["pytest", "make", "git commit -m x", "sed -i s/a/b/ x", "cat a > b", "npm test"])
def test_a_line_that_does_more(command: str) -> None:
    event = run(command)
    analysis = analyse(event, Workspace("/repo"))
    assert not only_looks(event.call, analysis)
    assert list(look_entries(event, analysis, 1)) == []
    assert [entry.key for entry in activity_entries(event, analysis, 1)] == ["ran"]
