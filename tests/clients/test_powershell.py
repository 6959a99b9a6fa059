"""PowerShell lines in the words of a POSIX shell."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.clients.powershell import posix_line
from leeboard.clients.tool_calls import parse_call


@pytest.mark.parametrize(
    ("script", "line"),
    [
        (r"Remove-Item -Recurse -Force .\a\b", "rm -rf ./a/b"),
        ("ri a -r -fo; del b", "rm -rf a; rm -rf b"),
        ("Remove-Item -LiteralPath:'a b' -Force", "rm -rf 'a b'"),
        ('Remove-Item "a","b"', 'rm -rf "a" "b"'),
        ("Remove-Item a -WhatIf", "true"),
        ("Get-ChildItem a -Recurse -Filter *.md | Remove-Item", "find a -name '*.md' | xargs rm -rf"),
        ("gci a | % { ri $_.FullName }", "ls a | xargs rm -rf"),
        ("if (Test-Path a) { Remove-Item a } else { git reset --hard }", "rm -rf a; git reset --hard"),
        ("& 'git' reset --hard", "git reset --hard"),
        ('iex "git clean -fd"', "git clean -fd"),
        ("$d = 'x'; Remove-Item $d", "d=x; rm -rf ${d}"),
        ("Set-Content a.md -Value 'x'", "echo x > a.md"),
        ("'x' | Out-File a.md -Append", "echo x | cat >> a.md"),
        (r"Remove-Item $env:USERPROFILE\x, C:\y", "rm -rf ${HOME}/x /c/y"),
        ("Copy-Item a -Destination b", "cp -r a b"),
        ("Get-Process # Remove-Item a", "true"),
        ("Write-Host 'Remove-Item a'", "echo 'Remove-Item a'"),
        ("git commit -m 'it''s; done' # x", "git commit -m 'it'\"'\"'s; done'"),
        ("Invoke-WebRequest https://x.invalid -OutFile a.zip", "curl https://x.invalid -o a.zip"),
        ("npm test && npm run build", "npm test; npm run build"),
        ("", ""),
    ],
)
def test_a_line(script: str, line: str) -> None:
    assert posix_line(script) == line


@given(st.text(max_size=80))
def test_no_text_raises(script: str) -> None:
    assert isinstance(posix_line(script), str)


def test_the_tool_of_the_client_is_a_shell() -> None:
    call = parse_call("t1", "PowerShell", {"command": "Remove-Item a"})
    assert (call.action, call.command, call.tool) == ("bash", "rm -rf a", "PowerShell")
