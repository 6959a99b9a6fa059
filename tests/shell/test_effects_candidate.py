from __future__ import annotations

import pytest

from leeboard.model.event import ToolCall
from leeboard.model.touch import ShellEffects
from leeboard.shell.effects import may_change
from leeboard.shell.understand import understand


@pytest.mark.parametrize(
    ("line", "may"),
    [
        ("jest", True),
        ("npm test | tail -3", True),
        ("go test ./... -update", True),
        ("pytest -q", True),
        ("mv one other", True),
        ("sh fix.sh", True),
        ("ruff format . && head -3 app.py", True),
        ("cat a.py | grep x | head -3", False),
        ("cd src && ls -la && git status", False),
        ("git stash", True),
        ("", False),
    ],
)
def test_any_shell_line_but_one_that_only_looks(line: str, *, may: bool) -> None:
    assert may_change(ToolCall(id="b", tool="Bash", action="bash", command=line), understand(line, "/repo")) is may


@pytest.mark.parametrize(
    ("tool", "may"),
    [
        ("mcp__ide__rename", True),
        ("mcp__serena__replace_symbol_body", True),
        ("mcp__serena__find_symbol", False),
        ("mcp__files__read_text_file", False),
        ("WebFetch", False),
        ("Task", False),
    ],
)
def test_tools_of_servers(tool: str, *, may: bool) -> None:
    assert may_change(ToolCall(id="m", tool=tool, action="other"), ShellEffects()) is may
