"""What clients on Windows tell of files arrives in one spelling."""

from __future__ import annotations

import json

import pytest

from leeboard.analysis.analyse import analyse
from leeboard.clients import client_named
from leeboard.clients.call import HookCall
from leeboard.clients.told_paths import respelled_call, respelled_event
from leeboard.model.event import FilesChanged, ToolProposed
from leeboard.model.workspace import Workspace

PLACE = Workspace("C:/Users/kim/shop")


def told(cwd: str, tool: str, **given: str) -> HookCall:
    payload = {
        "session_id": "s",
        "hook_event_name": "PreToolUse",
        "cwd": cwd,
        "transcript_path": r"C:\Users\kim\.claude\projects\x\s.jsonl",
        "tool_name": tool,
        "tool_use_id": "t",
        "tool_input": given,
    }
    return client_named("claude_code").parse(json.dumps(payload).encode(), 1.0)


@pytest.mark.parametrize(
    "cwd", [r"C:\Users\kim\shop", "c:\\Users\\kim\\shop\\", "/c/Users/kim/shop", "C:/Users/kim/shop"]
)
@pytest.mark.parametrize("path", [r"C:\Users\kim\shop\src\a.py", "/c/Users/kim/shop/src/a.py", r"src\a.py", "src/a.py"])
def test_a_hook_on_windows(cwd: str, path: str) -> None:
    call = respelled_call(told(cwd, "Write", file_path=path, content="x"), "windows")
    (event,) = call.events
    assert isinstance(event, ToolProposed)
    assert call.cwd == event.cwd == "C:/Users/kim/shop"
    assert call.transcript == "C:/Users/kim/.claude/projects/x/s.jsonl"
    assert event.call.paths[0] in {"C:/Users/kim/shop/src/a.py", "src/a.py"}
    assert [touch.path for touch in analyse(event, PLACE).touches] == ["src/a.py"]
    assert call.fields["cwd"] == cwd, "the client's own words stay for its answer"


@pytest.mark.parametrize(
    ("tool", "line", "touched"),
    [
        ("PowerShell", r"Remove-Item -Recurse -Force .\src\db", ["src/db"]),
        ("PowerShell", r"Set-Location src; Remove-Item C:\Users\kim\shop\a.py", ["a.py"]),
        ("PowerShell", r"Set-Location C:\Users\kim\shop\src; Remove-Item a.py", ["src/a.py"]),
        ("PowerShell", r"'x' | Out-File -FilePath src\a.py", ["src/a.py"]),
        ("Bash", "cd src && rm C:/Users/kim/shop/a.py", ["a.py"]),
        ("Bash", "cd C:/Users/kim/shop/src && rm ../a.py", ["a.py"]),
        ("Bash", "cd /c/Users/kim/shop/src && echo x > a.py", ["src/a.py"]),
        ("Bash", 'rm "C:\\Users\\kim\\shop\\a.py"', ["a.py"]),
        ("Bash", "rm $PWD/a.py", ["a.py"]),
        ("Bash", "rm D:/a.py", ["D:/a.py"]),
        ("Bash", "git rm src/a.py", ["src/a.py"]),
        ("PowerShell", r"git rm src\a.py", ["src/a.py"]),
    ],
)
def test_a_shell_line_on_windows(tool: str, line: str, touched: list[str]) -> None:
    (event,) = respelled_call(told(r"C:\Users\kim\shop", tool, command=line), "windows").events
    assert [touch.path for touch in analyse(event, PLACE).touches if touch.modifies] == touched


def test_elsewhere_nothing_changes() -> None:
    call = told("/repo", "Write", file_path="src/a\\b.py", content="x")
    assert respelled_call(call, "posix") is call
    assert respelled_event(call.events[0], "posix") is call.events[0]


def test_files_that_were_seen_to_change() -> None:
    changed = FilesChanged(session="s", cwd="c:\\shop", time=1.0, paths=(r"src\a.py",))
    assert respelled_event(changed, "windows") == FilesChanged(
        session="s", cwd="C:/shop", time=1.0, paths=("src/a.py",)
    )
